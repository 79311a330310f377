// A holder whose player says anything, and an understudy whose holder does.
#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/text.hpp"
#include "fuzz/targets.hpp"
#include "holder/kept.hpp"
#include "holder/shelf.hpp"

namespace kakehashi::fuzz {
namespace {

constexpr std::size_t lines_max = 2'000;

/// A line is a message: d, with a descriptor, or n; w, as long as a word is, or r, as it stands.
struct Message {
  std::string text;
  bool has_descriptor = false;
};
std::optional<Message> message_of(std::string_view line) {
  if (line.size() < 2) {
    return std::nullopt;
  }
  Message message{std::string(line.substr(2)), line[0] == 'd'};
  if (line[1] == 'w') {
    message.text.resize(sizeof(holder::Word));
  }
  return message;
}

}  // namespace

void holder_words(std::string_view bytes) {
  using namespace holder;
  static Shelf shelf;  // two megabytes
  shelf.clear();
  std::map<std::string, int> expected;
  std::set<int> open;
  int next = 0;
  std::size_t lines = 0;
  for (const std::string_view line : base::split(bytes, '\n')) {
    const auto message = message_of(line);
    const auto word = message ? word_of(message->text) : std::nullopt;
    if (!word || ++lines > lines_max) {
      continue;
    }
    const std::string name = word->name.data();
    require(!name.empty() && name.size() <= name_bytes_max, "a word has a name");
    int closed = -1;
    if (word->kind == Word::Kind::keep) {
      const int descriptor = message->has_descriptor ? next++ : -1;
      if (descriptor >= 0) {
        open.insert(descriptor);
        expected[name] = descriptor;
      } else {
        expected.erase(name);
      }
      closed = shelf.keep(word->name, descriptor);
    } else if (word->kind == Word::Kind::drop) {
      expected.erase(name);
      closed = shelf.drop(word->name);
    }
    require(closed < 0 || open.erase(closed) == 1, "what is closed was open, and is closed once");
  }
  std::map<std::string, int> kept;
  for (const Shelf::Place& place : shelf.places()) {
    require(place.descriptor < 0 || kept.emplace(place.name.data(), place.descriptor).second, "no name is kept twice");
  }
  require(kept == expected, "what was said last is kept");
  require(open.size() == kept.size(), "nothing is open that is not kept");
  require(shelf.is_empty() == kept.empty(), "it knows whether it is empty");
}

void holder_turn(std::string_view bytes) {
  using namespace holder;
  Turn turn;
  std::size_t taken = 0;
  int next = 0;
  std::size_t lines = 0;
  for (const std::string_view line : base::split(bytes, '\n')) {
    const auto message = message_of(line);
    if (!message || turn.start || ++lines > lines_max) {
      continue;
    }
    const int descriptor = message->has_descriptor ? next++ : -1;
    if (turn.take(message->text, descriptor) && descriptor >= 0) {
      require(turn.left.size() == ++taken && turn.left.back().descriptor == descriptor, "a descriptor that is taken is kept");
    }
  }
  require(turn.left.size() == taken, "nothing is kept that did not come");
  require(!turn.start || (!turn.start->is_understudy && !turn.start->is_trial), "whose turn has come plays");
  for (const Kept::One& one : turn.left) {
    require(!one.name.empty() && one.name.size() <= name_bytes_max, "what is kept has a name");
  }
}

}  // namespace kakehashi::fuzz
