// The Japanese of each sentence, of po/ja.po, sorted when it is compiled: it costs no memory that is written.
#include <algorithm>
#include <array>

#include "base/message.hpp"
#include "words/words.hpp"

namespace kakehashi::words {
namespace {

struct Translated {
  std::string_view key;  ///< as gettext has it: the context, if there is one, \004, and the sentence
  std::string_view japanese;

  // One whose parts differ does not compile.
  consteval Translated(std::string_view english, std::string_view in_japanese) : key(english), japanese(in_japanese) {
    if (base::parts_of(english) < 0 || base::parts_of(english) != base::parts_of(japanese)) {
      throw "the parts of both languages differ";
    }
  }
};

constexpr auto sorted = [] {
  std::array all = std::to_array<Translated>({
#include "words/ja.inc"
  });
  std::sort(all.begin(), all.end(), [](const Translated& a, const Translated& b) { return a.key < b.key; });
  return all;
}();

}  // namespace

std::string_view japanese_of(std::string_view context, std::string_view sentence) {
  std::string in_context;
  std::string_view key = sentence;
  if (!context.empty()) {
    in_context.append(context).append("\004").append(sentence);
    key = in_context;
  }
  const auto found = std::lower_bound(sorted.begin(), sorted.end(), key,
                                      [](const Translated& pair, std::string_view wanted) { return pair.key < wanted; });
  return found != sorted.end() && found->key == key ? found->japanese : sentence;
}

}  // namespace kakehashi::words
