#include "config/import/shogihome.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "config/schema/keys.hpp"
#include "config/schema/problem.hpp"
#include "config/schema/text.hpp"
#include "config/schema/validate.hpp"
#include "config/secrets.hpp"
#include "config/yaml/read_key.hpp"
#include "config/yaml/yaml_tree.hpp"
#include "usi/option.hpp"

namespace kakehashi::config {
namespace {

using base::Message;
using base::say;

// --- another program's keys, taken one by one out of a YAML tree: typed, each with its place, and what nobody asked for

using Kind = YamlNode::Kind;

class ForeignKeys {
 public:
  /// `sections` are the paths whose maps are opened ("server", "server.tcpKeepalive"); the values of
  /// all others are taken whole. The report must outlive this.
  ForeignKeys(const YamlTree& tree, const std::set<std::string>& sections, Report& report) : tree_(tree), report_(report) {
    flatten(tree.root(), "", sections);
  }
  /// Of a map within the tree; its keys are told by their whole path, "usi.options.Threads.type".
  ForeignKeys(const YamlTree& tree, const YamlNode& map, const std::string& path, Place place, Report& report)
      : tree_(tree), report_(report) {
    places_.emplace(path, place);
    flatten(map, path, {});
  }

  /// Puts a text from elsewhere in a key's place; `origin` ("--host") is named in its problems.
  void replace(const std::string& key, std::string origin, std::string text) {
    YamlNode node;
    node.kind = Kind::scalar;
    node.text = std::move(text);
    values_[key] = {std::move(node), {}, std::move(origin)};
  }

  /// As one of ours of that shape is read, into `bot`; false when the key is absent, or null, or wrong, which is reported.
  bool read(const std::string& key, Shape shape, BotConfig& bot) {
    const Value* value = take(key);
    if (value == nullptr) {
      return false;
    }
    Report found(value->origin.empty() ? report_.file() : value->origin);
    Places places;
    YamlNode node = value->node;
    if (std::holds_alternative<NumberKey>(shape)) {
      node.is_quoted = false;  // to JavaScript it is as good
    }
    const Key as_ours{show_key(key), std::move(shape), Level::expert, {}, {}};
    read_key({as_ours, tree_, node, value->key_place}, bot, places, found);
    report_.problems.insert(report_.problems.end(), found.problems.begin(), found.problems.end());
    return found.problems.empty();
  }

  // The same of a value by itself.
  [[nodiscard]] std::optional<std::string> text(
      const std::string& key, Complaint (*judge)(std::string_view) = [](std::string_view) { return Complaint(); }) {
    std::string text;
    const Member<std::string> here([&](BotConfig&) -> std::string& { return text; });
    return read_alone(key, TextKey{here, judge, {}}) ? std::optional(text) : std::nullopt;
  }
  [[nodiscard]] std::optional<std::int64_t> whole(const std::string& key, std::int64_t min, std::int64_t max) {
    std::optional<std::int64_t> number;
    read_alone(key, NumberKey{{}, [&](BotConfig&, std::optional<std::int64_t> value) { number = value; }, min, max});
    return number;
  }
  [[nodiscard]] std::optional<bool> flag(const std::string& key) {
    std::optional<bool> flag;  // To JavaScript the text "false" is as good as true: who wrote it must say what was meant.
    read_alone(key, FlagKey{{}, [&](BotConfig&, bool value) { flag = value; }});
    return flag;
  }
  /// The index of the word.
  [[nodiscard]] std::optional<std::size_t> word(const std::string& key, const std::vector<std::string>& words) {
    std::optional<std::size_t> index;
    read_alone(key, ChoiceKey{words, {}, {}, [&](BotConfig&, std::size_t value) { index = value; }});
    return index;
  }
  /// A map as it stands.
  [[nodiscard]] const YamlNode* map(const std::string& key) {
    const Value* value = take(key);
    if (value != nullptr && value->node.kind != Kind::map) {
      problem(key, say("must be a map, not {}", seen(value->node)));
      return nullptr;
    }
    return value == nullptr ? nullptr : &value->node;
  }

  [[nodiscard]] bool has(const std::string& key) const {
    const auto found = values_.find(key);
    return found != values_.end() && found->second.node.kind != Kind::nothing;
  }
  /// Of the key; of its section, or the file's beginning, when it is absent.
  [[nodiscard]] Place place(const std::string& key) const {
    for (const std::string& path : {key, key.substr(0, key.rfind('.'))}) {
      if (const auto found = places_.find(path); found != places_.end()) {
        return found->second;
      }
    }
    return {1, 1};
  }

  void problem(const std::string& key, Message text) {
    const auto found = values_.find(key);
    if (found == values_.end()) {
      report_.problem(place(key), show_key(key), std::move(text));
    } else if (found->second.origin.empty()) {
      report_.problem(found->second.node.place, show_key(key), std::move(text));
    } else {
      report_.problems.push_back({found->second.origin, {}, key, std::move(text)});
    }
  }
  void must_have(const std::string& key, const Message& accepted) {
    if (!has(key)) {
      report_.problem(place(key), show_key(key), say("must be given ({})", accepted));
    }
  }

  /// Warns of every key that was not asked for, with the nearest that was.
  void warn_of_the_rest() {
    const std::vector<std::string> known(asked_.begin(), asked_.end());
    for (const auto& [key, value] : values_) {
      if (!asked_.contains(key) && value.origin.empty()) {
        const auto near = base::nearest(key, known);
        report_.warning(
            value.key_place, show_key(key),
            near ? say("is no setting of usi-csa-bridge that is known here; it is ignored; did you mean {}?", *near)
                 : say("is no setting of usi-csa-bridge that is known here; it is ignored"));
      }
    }
  }

 private:
  struct Value {
    YamlNode node;
    Place key_place;
    std::string origin;  ///< empty: the file
  };

  void flatten(const YamlNode& map, const std::string& section, const std::set<std::string>& sections) {
    for (const YamlEntry& entry : map.entries) {
      const std::string key = section.empty() ? entry.key : section + "." + entry.key;
      const YamlNode& node = tree_.at(entry.value);
      if (!is_first(entry, key, places_, report_)) {
        continue;
      }
      if (!sections.contains(key)) {
        values_.emplace(key, Value{node, entry.place, ""});
      } else if (node.kind == Kind::map) {
        flatten(node, key, sections);
      } else if (node.kind != Kind::nothing) {
        report_.problem(node.place, key, say("must hold keys, not {}", seen(node)));
      }
    }
  }

  const Value* take(const std::string& key) {
    asked_.insert(key);
    return has(key) ? &values_.at(key) : nullptr;
  }

  bool read_alone(const std::string& key, Shape shape) {
    BotConfig nowhere;
    return read(key, std::move(shape), nowhere);
  }

  const YamlTree& tree_;
  Report& report_;
  std::map<std::string, Value> values_;
  Places places_;
  std::set<std::string> asked_;
};

// ---

using namespace std::chrono_literals;
using usi::OptionType;

// Their bridge waits so long for usiok (--engine-timeout), and for readyok without end.
constexpr Millis start_timeout = 180s;
constexpr Millis ready_timeout = 10min;

/// JavaScript's numbers are exact up to here.
constexpr std::int64_t spin_max = 9'007'199'254'740'991;

/// Their default, in the window and in the bridge.
constexpr const char* record_name = "{datetime}{_title}{_sente}{_gote}";

/// The most that server.tcp_keepalive takes.
constexpr std::int64_t tcp_keepalive_max_s = 3'600;

enum class Protocol { v121, v121_floodgate, v121_x1 };

/// What their file names lose, and ours may not hold in a template.
std::string without_path_characters(std::string text) {
  for (char& c : text) {
    if (std::string_view("<>:\"/\\|?*").find(c) != std::string_view::npos) {
      c = '_';
    }
  }
  return text;
}

/// The value as an engine is told it; nothing for a button, or after a report.
std::optional<std::string> read_value(ForeignKeys& option, const std::string& path, OptionType type) {
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
    case OptionType::filename: return option.text(key, judge_line);
    case OptionType::button: (void)option.text(key); return std::nullopt;
  }
  return std::nullopt;
}

/// The bot that comes of their keys, and the list of what became of each.
class ShogiHomeReader {
 public:
  ShogiHomeReader(const YamlTree& tree, Report& report, ShogiHomeImport& made)
      : tree_(tree),
        report_(report),
        keys_(tree, {"usi", "usi.extraBook", "server", "server.tcpKeepalive", "server.blankLinePing"}, report),
        made_(made) {}

  void replace(const ShogiHomeOverride& change) { keys_.replace(change.key, change.flag, change.text); }

  void read() {
    read_engine();
    read_server();
    read_account();
    read_flag("autoRelogin", "server.relogin");
    read_flag("restartPlayerEveryGame", "engine.restart_each_game");
    made_.bot.game.count = 1;
    read_as("repeat", "game.count");
    read_records();
    keys_.warn_of_the_rest();
  }

 private:
  /// Notes what became of a key, if the file gives it; `ours` are one or more keys, with commas.
  void carry(const std::string& theirs, const std::string& ours, Message remark = {}) {
    if (!keys_.has(theirs)) {
      return;
    }
    for (const std::string_view key : base::split(ours, ',')) {
      made_.places.emplace(base::trim(key), keys_.place(theirs));
    }
    made_.carried.push_back({theirs, ours, std::move(remark)});
  }

  /// By the rules of our key, and into its place.
  void read_as(const std::string& theirs, const std::string& ours) {
    keys_.read(theirs, find_key(ours)->shape, made_.bot);
    carry(theirs, ours);
  }
  /// Without which their bridge does not begin.
  void must_read_as(const std::string& theirs, const std::string& ours, const Message& accepted) {
    keys_.must_have(theirs, accepted);
    read_as(theirs, ours);
  }
  /// One that is off where the file does not give it.
  void read_flag(const std::string& theirs, const std::string& ours) {
    std::get<FlagKey>(find_key(ours)->shape).set(made_.bot, false);
    read_as(theirs, ours);
  }

  // --- the engine, its options, pondering, the book

  void read_engine() {
    Engine& engine = made_.bot.engine;
    (void)keys_.text("usi.name");
    carry("usi.name", "", say("a name for ShogiHome's own windows; records carry the account's name"));
    keys_.must_have("usi.path", say("the engine's program"));
    if (auto path = keys_.text("usi.path", judge_path)) {
      engine.command = {std::move(*path)};
      carry("usi.path", "engine.command");
    }
    engine.start_timeout = start_timeout;
    engine.ready_timeout = ready_timeout;
    engine.pass_environment = {"*"};  // theirs inherits everything
    read_options();
    // Without USI_Ponder nothing is pondered there, early or not.
    const bool is_early = keys_.flag("usi.enableEarlyPonder").value_or(false);
    if (is_early && made_.bot.ponder == Ponder::on) {
      made_.bot.ponder = Ponder::early;
    }
    carry("usi.enableEarlyPonder", "ponder");
    read_book();
  }

  void read_options() {
    const YamlNode* options = keys_.map("usi.options");
    if (options == nullptr) {
      return;
    }
    carry("usi.options", "engine.options");
    if (options->entries.size() > options_max) {
      keys_.problem("usi.options", say("must have at most {} options", options_max));
      return;
    }
    Places given;
    for (const YamlEntry& entry : options->entries) {
      const std::string path = "usi.options." + entry.key;
      if (!is_first(entry, path, given, report_)) {
        continue;
      }
      if (auto complaint = judge_option_name(entry.key)) {
        report_.problem(entry.place, show_key(path), std::move(*complaint));
      } else {
        made_.places.emplace("engine.options." + entry.key, entry.place);
        read_option(entry, path);
      }
    }
  }

  void read_option(const YamlEntry& entry, const std::string& path) {
    const YamlNode& node = tree_.at(entry.value);
    if (node.kind != Kind::map) {
      report_.problem(node.place, show_key(path), say("must hold type: and value:, not {}", seen(node)));
      return;
    }
    ForeignKeys option(tree_, node, path, entry.place, report_);
    option.must_have(path + ".type", say("check, spin, combo, string or filename"));
    constexpr std::array types{OptionType::check,  OptionType::spin,     OptionType::combo,
                               OptionType::string, OptionType::filename, OptionType::button};
    const auto word = option.word(path + ".type", {"check", "spin", "combo", "string", "filename", "button"});
    if (!word) {
      return;
    }
    const OptionType type = types[*word];
    auto value = read_value(option, path, type);
    if (type != OptionType::button) {
      option.must_have(path + ".value", say("what the engine's option is set to"));
    }
    option.warn_of_the_rest();
    // Their bridge ponders where this option is on; here that is a setting, which sets the option.
    if (entry.key == "USI_Ponder") {
      made_.bot.ponder = value == "true" ? Ponder::on : Ponder::off;
      made_.places.emplace("ponder", entry.place);
      made_.carried.push_back({path, "ponder", {}});
    } else if (value || type == OptionType::button) {
      made_.bot.engine.options.emplace_back(entry.key, std::move(value));
    }
  }

  /// Only what YaneuraOu's text format holds; ShogiHome tells books apart by their names.
  void read_book() {
    Book& book = made_.bot.book;
    const bool is_enabled = keys_.flag("usi.extraBook.enabled").value_or(false);
    carry("usi.extraBook.enabled", "", is_enabled ? Message() : say("it is off: there is no book.file"));
    const auto file = keys_.text("usi.extraBook.filePath");
    carry("usi.extraBook.filePath", "book.file");
    read_as("usi.extraBook.onTheFly", "book.on_the_fly");
    const auto rule = keys_.word("usi.extraBook.moveSelectionRule", {"best", "weightedByCount", "weightedByScore"});
    book.rule = static_cast<shogi::book::Rule>(rule.value_or(0));
    carry("usi.extraBook.moveSelectionRule", "book.rule");
    read_as("usi.extraBook.scoreTemperature", "book.temperature");
    if (!is_enabled || !file || file->empty()) {
      return;
    }
    if (auto complaint = judge_path(*file)) {
      keys_.problem("usi.extraBook.filePath", std::move(*complaint));
    } else if (!file->ends_with(".db")) {
      report_.warning(keys_.place("usi.extraBook.filePath"), "usi.extraBook.filePath",
                      say("only books in YaneuraOu's text format (.db) are read; the engine plays by itself"));
    } else {
      book.file = *file;
    }
  }

  // --- all others

  void read_server() {
    Server& server = made_.bot.server;
    keys_.must_have("server.protocolVersion", say("v121 or v121_floodgate"));
    if (const auto word = keys_.word("server.protocolVersion", {"v121", "v121_floodgate", "v121_x1"})) {
      take_protocol(static_cast<Protocol>(*word));
    }
    must_read_as("server.host", "server.host", say("a name or an address"));
    must_read_as("server.port", "server.port", say("{} to {}", 1, 65535));
    if (const auto idle = keys_.whole("server.tcpKeepalive.initialDelay", 1, 86'400)) {
      server.tcp_keepalive = Seconds{std::min(*idle, tcp_keepalive_max_s)};
      carry("server.tcpKeepalive.initialDelay", "server.tcp_keepalive",
            *idle > tcp_keepalive_max_s ? say("an hour at most") : Message());
    }
    const auto delay = keys_.whole("server.blankLinePing.initialDelay", 30, 3'600);
    const auto interval = keys_.whole("server.blankLinePing.interval", 30, 3'600);
    if (delay || interval) {
      server.keepalive = Seconds{std::min(delay.value_or(3'600), interval.value_or(3'600))};
      const Message remark =
          delay == interval ? Message()
                            : say("an empty line goes out after this long without any line, the first as the later ones: "
                                  "the shorter of the two counts");
      carry("server.blankLinePing.initialDelay", "server.keepalive", remark);
      carry("server.blankLinePing.interval", "server.keepalive", remark);
    }
  }

  void take_protocol(Protocol protocol) {
    BotConfig& bot = made_.bot;
    switch (protocol) {
      case Protocol::v121:
        bot.server.after_game = AfterGame::reconnect;
        bot.server.logout = Logout::always;
        bot.game.comments = false;
        break;
      case Protocol::v121_floodgate:
        bot.server.after_game = AfterGame::reconnect;
        bot.server.logout = Logout::never;
        bot.game.comments = true;
        break;
      case Protocol::v121_x1:
        bot.server.mode = LoginMode::x1;
        bot.game.comments = true;
        carry("server.protocolVersion", "server.mode, game.comments");
        return;
    }
    carry("server.protocolVersion", "server.after_game, server.logout, game.comments");
  }

  void read_account() {
    must_read_as("server.id", "account.name", say("the name to log in with"));
    made_.bot.name = made_.bot.account.name;
    keys_.must_have("server.password", say("the password, or game name, comma and trip"));
    if (const auto text = keys_.text("server.password")) {
      take_password(*text);
    }
  }

  void take_password(std::string_view text) {
    const std::size_t comma = text.find(',');
    const auto game = comma == std::string_view::npos ? std::nullopt
                                                      : parse_game_name(text.substr(0, comma));
    const std::string key = "server.password";
    if (game) {
      const std::string_view name = text.substr(0, comma);
      text.remove_prefix(comma + 1);
      if (const auto complaint = judge_game_name(name)) {
        keys_.problem(key, say("begins with a game name that {}", *complaint));
        return;
      }
      made_.bot.game.name = name;
    }
    auto password = read_password(text);
    if (!password) {
      const Message& why = password.error().what;
      keys_.problem(key, game ? say("the part behind the comma {}", why) : why);
      return;
    }
    made_.bot.account.password = std::move(password).value();
    carry(key, game ? "game.name, account.password_file" : "account.password_file");
    made_.places.emplace("account", keys_.place(key));
  }

  void read_records() {
    Records& records = made_.bot.records;
    read_flag("saveRecordFile", "records.enabled");
    records.name = record_name;
    if (const auto name = keys_.text("recordFileNameTemplate")) {
      const std::string safe = without_path_characters(*name);
      if (safe.empty()) {
        carry("recordFileNameTemplate", "", say("it is empty: the usual name is used"));
      } else if (const auto complaint = judge_record_name(safe)) {
        keys_.problem("recordFileNameTemplate", *complaint);
      } else {
        records.name = safe;
        carry("recordFileNameTemplate", "records.name");
      }
    }
    constexpr std::array formats{shogi::record::Format::kif,  shogi::record::Format::kifu, shogi::record::Format::ki2,
                                 shogi::record::Format::ki2u, shogi::record::Format::csa,  shogi::record::Format::jkf};
    const auto format = keys_.word("recordFileFormat",
                                   {".kif", ".kifu", ".ki2", ".ki2u", ".csa", ".jkf"});
    records.formats = {formats.at(format.value_or(0))};
    carry("recordFileFormat", "records.formats");
    constexpr std::array styles{shogi::record::CommentStyle::shogihome, shogi::record::CommentStyle::floodgate,
                                shogi::record::CommentStyle::csa3, shogi::record::CommentStyle::shogigui};
    const auto style =
        keys_.word("searchCommentFormat", {"shogihome", "floodgate", "csa3", "shogigui"});
    const bool have_comments = keys_.flag("enableComment").value_or(false);
    records.comments = have_comments ? styles.at(style.value_or(0)) : shogi::record::CommentStyle::none;
    carry("enableComment", "records.comments");
    carry("searchCommentFormat", "records.comments",
                have_comments ? Message() : say("enableComment is off: there are none"));
  }

  const YamlTree& tree_;
  Report& report_;
  ForeignKeys keys_;
  ShogiHomeImport& made_;
};

/// Problems of our keys, told by theirs.
void rename_keys(std::vector<Problem>& problems, const std::vector<Carried>& carried) {
  for (Problem& problem : problems) {
    const auto known = std::find_if(carried.begin(), carried.end(), [&](const Carried& one) {
      const auto ours = base::split(one.ours, ',');
      return std::any_of(ours.begin(), ours.end(), [&](std::string_view key) {
        return base::trim(key) == problem.key;
      });
    });
    if (known != carried.end()) {
      problem.key = known->theirs;
    }
  }
}

}  // namespace

ShogiHomeImport import_shogihome(const Source& source,
                                 const std::vector<ShogiHomeOverride>& overrides) {
  ShogiHomeImport made;
  Report report(source.file);
  if (const auto tree =
          parse_yaml(source.text, say("usi.path, server.host, server.id and server.password"), report)) {
    ShogiHomeReader reader(*tree, report, made);
    for (const ShogiHomeOverride& change : overrides) {
      reader.replace(change);
    }
    reader.read();
  }
  if (report.problems.empty()) {
    validate(made.bot, made.places, report);
    rename_keys(report.problems, made.carried);
    rename_keys(report.warnings, made.carried);
  }
  sort_by_place(report.problems);
  sort_by_place(report.warnings);
  made.problems = std::move(report.problems);
  made.warnings = std::move(report.warnings);
  return made;
}

}  // namespace kakehashi::config
