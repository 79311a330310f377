// "usi" of ShogiHome's settings.
#include <optional>
#include <set>

#include "config/read_engine.hpp"
#include "config/read_key.hpp"
#include "config/shogihome_page.hpp"

namespace kakehashi::config {
namespace {

using namespace std::chrono_literals;
using Kind = YamlNode::Kind;

// Their bridge waits so long for usiok (--engine-timeout), and for readyok without end.
constexpr Millis start_timeout = 180s;
constexpr Millis ready_timeout = 10min;

/// JavaScript's numbers are exact up to here.
constexpr std::int64_t spin_max = 9'007'199'254'740'991;

enum class OptionType { check, spin, combo, string, filename, button };

/// The value as an engine is told it; nothing for a button, or after a report.
std::optional<std::string> read_value(ForeignKeys& option, const std::string& path,
                                      OptionType type) {
  const std::string key = path + ".value";
  switch (type) {
    case OptionType::check: {
      const auto flag = option.flag(key);
      return flag ? std::optional<std::string>(*flag ? "true" : "false") : std::nullopt;
    }
    case OptionType::spin: {
      const auto number = option.whole(key, -spin_max, spin_max);
      return number ? std::optional(std::to_string(*number)) : std::nullopt;
    }
    case OptionType::combo:
    case OptionType::string:
    case OptionType::filename: return option.text(key, judge_option_value);
    case OptionType::button: (void)option.text(key); return std::nullopt;
  }
  return std::nullopt;
}

void read_option(ShogiHomePage& page, const YamlEntry& entry, const std::string& path) {
  const YamlNode& node = page.tree.at(entry.value);
  if (node.kind != Kind::map) {
    page.report.problem(node.place, show_key(path), "must hold type: and value:, not " + seen(node));
    return;
  }
  ForeignKeys option(page.tree, node, path, entry.place, page.report);
  option.must_have(path + ".type", "check, spin, combo, string or filename");
  const auto word = option.word(path + ".type",
                                {"check", "spin", "combo", "string", "filename", "button"});
  if (!word) {
    return;
  }
  const auto type = static_cast<OptionType>(*word);
  auto value = read_value(option, path, type);
  if (type != OptionType::button) {
    option.must_have(path + ".value", "what the engine's option is set to");
  }
  option.warn_of_the_rest(shogihome_bridge);
  // Their bridge ponders where this option is on; here that is a setting, which sets the option.
  if (entry.key == "USI_Ponder") {
    page.made.bot.ponder = value == "true" ? Ponder::on : Ponder::off;
    page.made.places.emplace("ponder", entry.place);
    page.made.carried.push_back({path, "ponder", ""});
  } else if (value || type == OptionType::button) {
    page.made.bot.engine.options.emplace_back(entry.key, std::move(value));
  }
}

void read_options(ShogiHomePage& page) {
  const YamlNode* options = page.keys.map("usi.options");
  if (options == nullptr) {
    return;
  }
  page.carry("usi.options", "engine.options");
  if (options->entries.size() > options_max) {
    page.keys.problem("usi.options", "must have at most " + std::to_string(options_max) + " options");
    return;
  }
  std::set<std::string> names;
  for (const YamlEntry& entry : options->entries) {
    const std::string path = "usi.options." + entry.key;
    if (!names.insert(entry.key).second) {
      page.report.problem(entry.place, show_key(path), "is given twice; keep one");
    } else if (const auto complaint = judge_option_name(entry.key)) {
      page.report.problem(entry.place, show_key(path), *complaint);
    } else {
      page.made.places.emplace("engine.options." + entry.key, entry.place);
      read_option(page, entry, path);
    }
  }
}

/// Only what YaneuraOu's text format holds; ShogiHome tells books apart by their names.
void read_book(ShogiHomePage& page) {
  Book& book = page.made.bot.book;
  const bool is_enabled = page.keys.flag("usi.extraBook.enabled").value_or(false);
  const auto file = page.keys.text("usi.extraBook.filePath");
  book.on_the_fly = page.keys.flag("usi.extraBook.onTheFly").value_or(false);
  const auto rule = page.keys.word("usi.extraBook.moveSelectionRule",
                                   {"best", "weightedByCount", "weightedByScore"});
  book.rule = static_cast<BookRule>(rule.value_or(0));
  book.temperature = static_cast<int>(
      page.keys.whole("usi.extraBook.scoreTemperature", 1, 10'000).value_or(book.temperature));
  page.carry("usi.extraBook.enabled", "", is_enabled ? "" : "it is off: there is no book.file");
  page.carry("usi.extraBook.filePath", "book.file");
  page.carry("usi.extraBook.onTheFly", "book.on_the_fly");
  page.carry("usi.extraBook.moveSelectionRule", "book.rule");
  page.carry("usi.extraBook.scoreTemperature", "book.temperature");
  if (!is_enabled || !file || file->empty()) {
    return;
  }
  if (const auto complaint = judge_path(*file)) {
    page.keys.problem("usi.extraBook.filePath", *complaint);
  } else if (!file->ends_with(".db")) {
    page.report.warning(page.keys.place("usi.extraBook.filePath"), "usi.extraBook.filePath",
                        "only books in YaneuraOu's text format (.db) are read; the engine plays by "
                        "itself");
  } else {
    book.file = *file;
  }
}

}  // namespace

void read_shogihome_engine(ShogiHomePage& page) {
  Engine& engine = page.made.bot.engine;
  (void)page.keys.text("usi.name");
  page.drop("usi.name", "a name for ShogiHome's own windows; records carry the account's name", false);
  page.keys.must_have("usi.path", "the engine's program");
  if (auto path = page.keys.text("usi.path", judge_path)) {
    engine.command = {std::move(*path)};
    page.carry("usi.path", "engine.command");
  }
  engine.start_timeout = start_timeout;
  engine.ready_timeout = ready_timeout;
  engine.pass_environment = {"*"};  // theirs inherits everything
  read_options(page);
  // Without USI_Ponder nothing is pondered there, early or not.
  const bool is_early = page.keys.flag("usi.enableEarlyPonder").value_or(false);
  if (is_early && page.made.bot.ponder == Ponder::on) {
    page.made.bot.ponder = Ponder::early;
  }
  page.carry("usi.enableEarlyPonder", "ponder");
  read_book(page);
}

}  // namespace kakehashi::config
