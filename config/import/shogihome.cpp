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

class ForeignKeys {
 public:
  /// `sections` are the paths whose maps are opened ("server", "server.tcpKeepalive"); the values of
  /// all others are taken whole. The report must outlive this.
  ForeignKeys(const YamlTree& tree, const std::set<std::string>& sections, Report& report);
  /// Of a map within the tree; its keys are told by their whole path, "usi.options.Threads.type".
  ForeignKeys(const YamlTree& tree, const YamlNode& map, const std::string& path, Place place,
              Report& report);

  /// Puts a text from elsewhere in a key's place; `origin` ("--host") is named in its problems.
  void replace(const std::string& key, std::string origin, std::string text);

  /// Each gives nothing when the key is absent, or null, or wrong, which is reported.
  [[nodiscard]] std::optional<std::string> text(
      const std::string& key,
      Complaint (*judge)(std::string_view) = [](std::string_view) { return Complaint(); });
  [[nodiscard]] std::optional<std::int64_t> whole(const std::string& key, std::int64_t min,
                                                  std::int64_t max);
  [[nodiscard]] std::optional<bool> flag(const std::string& key);
  /// The index of the word.
  [[nodiscard]] std::optional<std::size_t> word(const std::string& key,
                                                const std::vector<std::string>& words);
  /// A map as it stands.
  [[nodiscard]] const YamlNode* map(const std::string& key);

  [[nodiscard]] bool has(const std::string& key) const;
  /// Of the key; of its section, or the file's beginning, when it is absent.
  [[nodiscard]] Place place(const std::string& key) const;

  void problem(const std::string& key, Message text);
  void must_have(const std::string& key, const Message& accepted);

  /// Warns of every key that was not asked for, with the nearest that was.
  void warn_of_the_rest();

 private:
  struct Value {
    YamlNode node;
    Place key_place;
    std::string origin;  ///< empty: the file
  };

  void flatten(const YamlTree& tree, const YamlNode& map, const std::string& section,
               const std::set<std::string>& sections);
  const Value* take(const std::string& key);
  /// As one of ours of that shape is read; false as above.
  bool read(const std::string& key, Shape shape);
  void fault(const std::string& key, const Value& value, Message text);

  const YamlTree& tree_;
  Report& report_;
  std::map<std::string, Value> values_;
  std::map<std::string, Place> sections_;
  std::vector<std::string> order_;  ///< of the file
  std::set<std::string> asked_;
};

using Kind = YamlNode::Kind;

ForeignKeys::ForeignKeys(const YamlTree& tree, const std::set<std::string>& sections,
                         Report& report)
    : tree_(tree), report_(report) {
  flatten(tree, tree.root(), "", sections);
}

ForeignKeys::ForeignKeys(const YamlTree& tree, const YamlNode& map, const std::string& path,
                         Place place, Report& report)
    : tree_(tree), report_(report) {
  sections_.emplace(path, place);
  flatten(tree, map, path, {});
}

void ForeignKeys::flatten(const YamlTree& tree, const YamlNode& map, const std::string& section,
                          const std::set<std::string>& sections) {
  for (const YamlEntry& entry : map.entries) {
    const std::string key = section.empty() ? entry.key : section + "." + entry.key;
    const YamlNode& node = tree.at(entry.value);
    const bool is_section = sections.contains(key);
    const bool is_first = is_section ? sections_.emplace(key, entry.place).second
                                     : values_.emplace(key, Value{node, entry.place, ""}).second;
    if (!is_first) {
      report_.problem(entry.place, show_key(key), say("is given twice; keep one"));
    } else if (!is_section) {
      order_.push_back(key);
    } else if (node.kind == Kind::map) {
      flatten(tree, node, key, sections);
    } else if (node.kind != Kind::nothing) {
      report_.problem(node.place, key, say("must hold keys, not {}", seen(node)));
    }
  }
}

void ForeignKeys::replace(const std::string& key, std::string origin, std::string text) {
  Value value;
  value.node.kind = Kind::scalar;
  value.node.text = std::move(text);
  value.origin = std::move(origin);
  values_[key] = std::move(value);
}

const ForeignKeys::Value* ForeignKeys::take(const std::string& key) {
  asked_.insert(key);
  const auto found = values_.find(key);
  return found == values_.end() || found->second.node.kind == Kind::nothing ? nullptr
                                                                            : &found->second;
}

void ForeignKeys::fault(const std::string& key, const Value& value, Message text) {
  if (value.origin.empty()) {
    report_.problem(value.node.place, show_key(key), std::move(text));
  } else {
    report_.problems.push_back({value.origin, {}, key, std::move(text)});
  }
}

bool ForeignKeys::read(const std::string& key, Shape shape) {
  const Value* value = take(key);
  if (value == nullptr) {
    return false;
  }
  Report found(value->origin.empty() ? report_.file() : value->origin);
  BotConfig scratch;
  Places places;
  const Key as_ours{show_key(key), std::move(shape), Level::expert, {}, {}};
  read_key({as_ours, tree_, value->node, value->key_place}, scratch, places, found);
  report_.problems.insert(report_.problems.end(), found.problems.begin(), found.problems.end());
  return found.problems.empty();
}

std::optional<std::string> ForeignKeys::text(const std::string& key,
                                             Complaint (*judge)(std::string_view)) {
  std::string text;
  const bool is_good = read(key, TextKey{Member<std::string>([&](BotConfig&) -> std::string& { return text; }), judge, {}});
  return is_good ? std::optional(text) : std::nullopt;
}

std::optional<std::int64_t> ForeignKeys::whole(const std::string& key, std::int64_t min,
                                               std::int64_t max) {
  if (const auto value = values_.find(key); value != values_.end()) {
    value->second.node.is_quoted = false;  // to JavaScript it is as good
  }
  std::optional<std::int64_t> number;
  (void)read(key, WholeKey{{}, [&](BotConfig&, std::int64_t value) { number = value; }, min, max});
  return number;
}

std::optional<bool> ForeignKeys::flag(const std::string& key) {
  std::optional<bool> flag;  // To JavaScript the text "false" is as good as true: who wrote it must say what was meant.
  (void)read(key, FlagKey{{}, [&](BotConfig&, bool value) { flag = value; }});
  return flag;
}

std::optional<std::size_t> ForeignKeys::word(const std::string& key,
                                             const std::vector<std::string>& words) {
  std::optional<std::size_t> index;
  (void)read(key, ChoiceKey{words, {}, {}, [&](BotConfig&, std::size_t value) { index = value; }});
  return index;
}

const YamlNode* ForeignKeys::map(const std::string& key) {
  const Value* value = take(key);
  if (value == nullptr) {
    return nullptr;
  }
  if (value->node.kind != Kind::map) {
    fault(key, *value, say("must be a map, not {}", seen(value->node)));
    return nullptr;
  }
  return &value->node;
}

bool ForeignKeys::has(const std::string& key) const {
  const auto found = values_.find(key);
  return found != values_.end() && found->second.node.kind != Kind::nothing;
}

Place ForeignKeys::place(const std::string& key) const {
  if (const auto found = values_.find(key); found != values_.end()) {
    return found->second.key_place;
  }
  const auto section = sections_.find(key.substr(0, key.rfind('.')));
  return section == sections_.end() ? Place{1, 1} : section->second;
}

void ForeignKeys::problem(const std::string& key, Message text) {
  const auto found = values_.find(key);
  if (found == values_.end()) {
    report_.problem(place(key), show_key(key), std::move(text));
  } else {
    fault(key, found->second, std::move(text));
  }
}

void ForeignKeys::must_have(const std::string& key, const Message& accepted) {
  if (!has(key)) {
    report_.problem(place(key), show_key(key), say("must be given ({})", accepted));
  }
}

void ForeignKeys::warn_of_the_rest() {
  const std::vector<std::string> known(asked_.begin(), asked_.end());
  for (const std::string& key : order_) {
    if (asked_.contains(key)) {
      continue;
    }
    const auto near = base::nearest(key, known);
    report_.warning(
        values_.at(key).key_place, show_key(key),
        near ? say("is no setting of usi-csa-bridge that is known here; it is ignored; did you mean {}?", *near)
             : say("is no setting of usi-csa-bridge that is known here; it is ignored"));
  }
}

// ---

using namespace std::chrono_literals;

/// What the readers share: their keys, the bot that comes of them, and the list of what became of each.
struct ShogiHomePage {
  const YamlTree& tree;
  ForeignKeys keys;
  Report& report;
  ShogiHomeImport& made;

  /// Notes what became of a key, if the file gives it; `ours` are one or more keys, with commas.
  void carry(const std::string& theirs, const std::string& ours, Message remark = {}) {
    if (!keys.has(theirs)) {
      return;
    }
    for (const std::string_view key : base::split(ours, ',')) {
      made.places.emplace(base::trim(key), keys.place(theirs));
    }
    made.carried.push_back({theirs, ours, std::move(remark)});
  }

  /// Notes a key that does nothing here, and warns where that makes a difference.
  void drop(const std::string& theirs, const Message& remark, bool matters) {
    carry(theirs, "", remark);
    if (matters) {
      report.warning(keys.place(theirs), theirs, remark);
    }
  }
};

// --- usi: the engine, its options, pondering, the book

// Their bridge waits so long for usiok (--engine-timeout), and for readyok without end.
constexpr Millis start_timeout = 180s;
constexpr Millis ready_timeout = 10min;

/// JavaScript's numbers are exact up to here.
constexpr std::int64_t spin_max = 9'007'199'254'740'991;

using usi::OptionType;

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
    case OptionType::filename: return option.text(key, judge_line);
    case OptionType::button: (void)option.text(key); return std::nullopt;
  }
  return std::nullopt;
}

void read_option(ShogiHomePage& page, const YamlEntry& entry, const std::string& path) {
  const YamlNode& node = page.tree.at(entry.value);
  if (node.kind != Kind::map) {
    page.report.problem(node.place, show_key(path), say("must hold type: and value:, not {}", seen(node)));
    return;
  }
  ForeignKeys option(page.tree, node, path, entry.place, page.report);
  option.must_have(path + ".type", say("check, spin, combo, string or filename"));
  constexpr std::array types{OptionType::check,  OptionType::spin,     OptionType::combo,
                             OptionType::string, OptionType::filename, OptionType::button};
  const auto word = option.word(path + ".type",
                                {"check", "spin", "combo", "string", "filename", "button"});
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
    page.made.bot.ponder = value == "true" ? Ponder::on : Ponder::off;
    page.made.places.emplace("ponder", entry.place);
    page.made.carried.push_back({path, "ponder", {}});
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
    page.keys.problem("usi.options", say("must have at most {} options", options_max));
    return;
  }
  std::set<std::string> names;
  for (const YamlEntry& entry : options->entries) {
    const std::string path = "usi.options." + entry.key;
    if (!names.insert(entry.key).second) {
      page.report.problem(entry.place, show_key(path), say("is given twice; keep one"));
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
  book.rule = static_cast<shogi::book::Rule>(rule.value_or(0));
  book.temperature = static_cast<int>(
      page.keys.whole("usi.extraBook.scoreTemperature", 1, 10'000).value_or(book.temperature));
  page.carry("usi.extraBook.enabled", "", is_enabled ? Message() : say("it is off: there is no book.file"));
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
                        say("only books in YaneuraOu's text format (.db) are read; the engine plays by itself"));
  } else {
    book.file = *file;
  }
}

void read_shogihome_engine(ShogiHomePage& page) {
  Engine& engine = page.made.bot.engine;
  (void)page.keys.text("usi.name");
  page.drop("usi.name", say("a name for ShogiHome's own windows; records carry the account's name"), false);
  page.keys.must_have("usi.path", say("the engine's program"));
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

// --- all others

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

class ShogiHomeReader {
 public:
  ShogiHomeReader(const YamlTree& tree, Report& report, ShogiHomeImport& made)
      : page_{tree,
              ForeignKeys(tree,
                          {"usi", "usi.extraBook", "server", "server.tcpKeepalive",
                           "server.blankLinePing"},
                          report),
              report, made},
        keys_(page_.keys),
        made_(made) {}

  void replace(const ShogiHomeOverride& change) {
    keys_.replace(change.key, change.flag, change.text);
  }

  void read() {
    read_shogihome_engine(page_);
    read_server();
    read_account();
    read_games();
    read_records();
    keys_.warn_of_the_rest();
  }

 private:
  void read_server() {
    Server& server = made_.bot.server;
    const std::vector<std::string> protocols{"v121", "v121_floodgate", "v121_x1"};
    keys_.must_have("server.protocolVersion", say("v121 or v121_floodgate"));
    if (const auto word = keys_.word("server.protocolVersion", protocols)) {
      take_protocol(static_cast<Protocol>(*word));
    }
    keys_.must_have("server.host", say("a name or an address"));
    if (auto host = keys_.text("server.host", judge_host)) {
      server.host = std::move(*host);
      page_.carry("server.host", "server.host");
    }
    keys_.must_have("server.port", say("{} to {}", 1, 65535));
    if (const auto port = keys_.whole("server.port", 1, 65535)) {
      server.port = static_cast<std::uint16_t>(*port);
      page_.carry("server.port", "server.port");
    }
    if (const auto idle = keys_.whole("server.tcpKeepalive.initialDelay", 1, 86'400)) {
      server.tcp_keepalive = Seconds{std::min(*idle, tcp_keepalive_max_s)};
      page_.carry("server.tcpKeepalive.initialDelay", "server.tcp_keepalive",
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
      page_.carry("server.blankLinePing.initialDelay", "server.keepalive", remark);
      page_.carry("server.blankLinePing.interval", "server.keepalive", remark);
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
        page_.carry("server.protocolVersion", "server.mode, game.comments");
        return;
    }
    page_.carry("server.protocolVersion", "server.after_game, server.logout, game.comments");
  }

  void read_account() {
    keys_.must_have("server.id", say("the name to log in with"));
    if (auto name = keys_.text("server.id", judge_account_name)) {
      made_.bot.account.name = *name;
      made_.bot.name = std::move(*name);
      page_.carry("server.id", "account.name");
    }
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
    page_.carry(key, game ? "game.name, account.password_file" : "account.password_file");
    made_.places.emplace("account", keys_.place(key));
  }

  void read_games() {
    made_.bot.game.count = static_cast<int>(keys_.whole("repeat", 1, 1'000'000).value_or(1));
    page_.carry("repeat", "game.count");
    made_.bot.server.relogin = keys_.flag("autoRelogin").value_or(false);
    page_.carry("autoRelogin", "server.relogin");
    made_.bot.engine.restart_each_game = keys_.flag("restartPlayerEveryGame").value_or(false);
    page_.carry("restartPlayerEveryGame", "engine.restart_each_game");
  }

  void read_records() {
    Records& records = made_.bot.records;
    records.enabled = keys_.flag("saveRecordFile").value_or(false);
    page_.carry("saveRecordFile", "records.enabled");
    records.name = record_name;
    if (const auto name = keys_.text("recordFileNameTemplate")) {
      const std::string safe = without_path_characters(*name);
      if (safe.empty()) {
        page_.drop("recordFileNameTemplate", say("it is empty: the usual name is used"), false);
      } else if (const auto complaint = judge_record_name(safe)) {
        keys_.problem("recordFileNameTemplate", *complaint);
      } else {
        records.name = safe;
        page_.carry("recordFileNameTemplate", "records.name");
      }
    }
    constexpr std::array formats{shogi::record::Format::kif,  shogi::record::Format::kifu, shogi::record::Format::ki2,
                                 shogi::record::Format::ki2u, shogi::record::Format::csa,  shogi::record::Format::jkf};
    const auto format = keys_.word("recordFileFormat",
                                   {".kif", ".kifu", ".ki2", ".ki2u", ".csa", ".jkf"});
    records.formats = {formats.at(format.value_or(0))};
    page_.carry("recordFileFormat", "records.formats");
    constexpr std::array styles{shogi::record::CommentStyle::shogihome, shogi::record::CommentStyle::floodgate,
                                shogi::record::CommentStyle::csa3, shogi::record::CommentStyle::shogigui};
    const auto style =
        keys_.word("searchCommentFormat", {"shogihome", "floodgate", "csa3", "shogigui"});
    const bool have_comments = keys_.flag("enableComment").value_or(false);
    records.comments = have_comments ? styles.at(style.value_or(0)) : shogi::record::CommentStyle::none;
    page_.carry("enableComment", "records.comments");
    page_.carry("searchCommentFormat", "records.comments",
                have_comments ? Message() : say("enableComment is off: there are none"));
  }

  ShogiHomePage page_;
  ForeignKeys& keys_;
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
