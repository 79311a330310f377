#include "rehearse/io/series_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <fmt/format.h>
#include <charconv>
#include <chrono>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "base/text.hpp"

namespace kakehashi::rehearse::io {
namespace {

namespace json = boost::json;
using base::say;
using base::io::last_error;
using Problem = base::Failure<base::Message>;

/// Of the file; another one is not read.
constexpr std::int64_t format = 1;

std::string line_of(const SeriesSettings& settings) {
  json::object texts;
  for (const auto& [name, value] : settings) {
    texts[name] = value;
  }
  return json::serialize(json::object{{"rehearsal", format}, {"settings", std::move(texts)}}) + "\n";
}

std::string line_of(const SeriesResult& result) {
  return json::serialize(json::object{{"game", result.number},
                                      {"outcome", csa::describe(result.outcome)},
                                      {"reason", result.reason},
                                      {"plies", result.plies},
                                      {"moves", fmt::format("{:x}", result.moves)}}) +
         "\n";
}

std::optional<std::string> text_of(const json::object& object, std::string_view name) {
  const auto* value = object.if_contains(name);
  return value != nullptr && value->is_string() ? std::optional(std::string(value->get_string())) : std::nullopt;
}

std::optional<int> number_of(const json::object& object, std::string_view name) {
  const auto* value = object.if_contains(name);
  if (value == nullptr || !value->is_int64() || value->get_int64() < 0 || value->get_int64() > 1'000'000'000) {
    return std::nullopt;
  }
  return static_cast<int>(value->get_int64());
}

/// Empty for another text.
json::object object_in(std::string_view line) {
  boost::system::error_code failed;
  json::value read = json::parse(line, failed);
  return !failed && read.is_object() ? std::move(read.get_object()) : json::object();
}

std::optional<SeriesResult> result_of(std::string_view line) {
  const json::object object = object_in(line);
  const auto number = number_of(object, "game");
  const auto outcome = text_of(object, "outcome");
  const auto reason = text_of(object, "reason");
  const auto plies = number_of(object, "plies");
  const auto moves = text_of(object, "moves");
  if (!number || *number < 1 || !outcome || !reason || !plies || !moves) {
    return std::nullopt;
  }
  SeriesResult result{*number, csa::Outcome::none, *reason, *plies, 0};
  for (const auto known : {csa::Outcome::win, csa::Outcome::lose, csa::Outcome::draw}) {
    if (*outcome == csa::describe(known)) {
      result.outcome = known;
    }
  }
  const auto [end, wrong] = std::from_chars(moves->data(), moves->data() + moves->size(), result.moves, 16);
  const bool is_whole = wrong == std::errc() && end == moves->data() + moves->size();
  return is_whole && result.outcome != csa::Outcome::none ? std::optional(std::move(result)) : std::nullopt;
}

/// Why games of these settings must not be added; nothing: they may.
base::Message objection(std::string_view line, const SeriesSettings& settings) {
  const json::object object = object_in(line);
  const auto* earlier = object.if_contains("settings");
  if (earlier == nullptr || !earlier->is_object() || number_of(object, "rehearsal") != format) {
    return say("it does not begin like the results of a rehearsal");
  }
  const json::object& texts = earlier->get_object();
  const auto told = [](const std::optional<std::string>& value) -> base::Message::Part {
    if (value && !value->empty()) {
      return base::quoted(*value);
    }
    return say("nothing");
  };
  for (const auto& [name, value] : settings) {
    if (text_of(texts, name) != value) {
      return say("{} was {} and is {}", name, told(text_of(texts, name)), told(value));
    }
  }
  for (const auto& [name, value] : texts) {
    if (!settings.contains(std::string(name))) {
      return say("{} was {} and is nothing", std::string(name), told(text_of(texts, name)));
    }
  }
  return {};
}

/// A child that was killed with its parent, or has not begun its own program, lets go in a moment.
bool lock(const base::io::File& file) {
  constexpr int looks = 10;
  int look = 1;
  while (::flock(file.descriptor(), LOCK_EX | LOCK_NB) != 0) {
    if (look++ == looks) {
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
  }
  return true;
}

}  // namespace

SeriesFile::SeriesFile(std::string path, base::io::File file)
    : path_(std::move(path)),
      file_(std::make_shared<base::io::File>(std::move(file))),
      syncing_(std::make_unique<base::io::Background>()) {}

base::Result<SeriesFile, base::Message> SeriesFile::open(const std::string& path, const SeriesSettings& settings) {
  SeriesFile opened(path, base::io::File(path, O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK | O_NOCTTY));
  if (!opened.file_->is_open()) {
    return Problem{say("cannot open {}: {}", base::quoted(path, 400), last_error())};
  }
  if (!lock(*opened.file_)) {
    return Problem{say("{}: another process plays this series just now", path)};
  }
  const auto text = base::io::read_whole(path);
  if (!text) {
    return Problem{say("cannot read {}: {}", base::quoted(path, 400), last_error())};
  }
  // A line without its end was cut off with the process, or the machine, that wrote it.
  const std::size_t whole = text->rfind('\n') == std::string::npos ? 0 : text->rfind('\n') + 1;
  if (whole < text->size() && ::ftruncate(opened.file_->descriptor(), static_cast<off_t>(whole)) != 0) {
    return Problem{say("cannot write {}: {}", base::quoted(path, 400), last_error())};
  }
  if (whole == 0) {
    if (!opened.file_->write(line_of(settings)) || !opened.file_->sync()) {
      return Problem{say("cannot write {}: {}", base::quoted(path, 400), last_error())};
    }
    auto why = base::io::synchronise_directory_of(path);
    return why.empty() ? base::Result<SeriesFile, base::Message>(std::move(opened)) : Problem{std::move(why)};
  }
  std::size_t number = 0;
  for (const std::string_view line : base::split(std::string_view(*text).substr(0, whole - 1), '\n')) {
    if (++number == 1) {
      if (base::Message why = objection(line, settings); !why.empty()) {
        return Problem{say("{} is of another rehearsal: {}", path, std::move(why))};
      }
      continue;
    }
    auto result = result_of(line);
    if (!result) {
      return Problem{say("{}:{}: this is no result of a game", path, number)};
    }
    opened.earlier_.push_back(std::move(*result));
  }
  return opened;
}

base::Message SeriesFile::add(const SeriesResult& result) {
  if (!file_->write(line_of(result))) {
    return say("cannot write {}: {}", base::quoted(path_, 400), last_error());
  }
  // A refusal is no loss: the synchronisation that waits comes after this line as well.
  (void)syncing_->post([file = file_] { (void)file->sync(); });
  return {};
}

}  // namespace kakehashi::rehearse::io
