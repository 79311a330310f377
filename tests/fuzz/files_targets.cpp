// What is read from files and command lines: positions, records, settings, journals, books.
#include <string>

#include "base/text.hpp"
#include "config/bot_config.hpp"
#include "config/import/shogihome.hpp"
#include "config/io/load_shogihome.hpp"
#include "config/yaml/load_yaml.hpp"
#include "config/yaml/write_yaml.hpp"
#include "config/yaml/yaml_tree.hpp"
#include "fuzz/targets.hpp"
#include "journal/journal.hpp"
#include "journal/journal_game.hpp"
#include "journal/journal_text.hpp"
#include "journal/replay.hpp"
#include "shogi/book/book.hpp"
#include "shogi/notation/usi.hpp"
#include "shogi/record/format.hpp"
#include "shogi/record/model.hpp"
#include "shogi/record/show.hpp"

namespace kakehashi::fuzz {
namespace {

/// Each line without its last field: a row that is shorter than any that was ever written.
std::string shortened(std::string_view bytes) {
  std::string text;
  for (const std::string_view line : base::split(bytes, '\n')) {
    text.append(line.substr(0, line.rfind('\t'))).append(1, '\n');
  }
  return text;
}

void judge_journal(std::string_view bytes) {
  using namespace bridge;
  const journal::Contents contents = journal::read(bytes);
  for (const journal::Numbered& each : contents.entries) {
    const std::string line = journal::encode(each.entry, each.number);
    const auto again = journal::decode(std::string_view(line).substr(0, line.size() - 1));
    require(again && again->number == each.number, "an entry survives being written");
  }
  journal::Timeline timeline;
  for (const journal::Numbered& each : contents.entries) {
    static_cast<void>(timeline.line(each.entry));
  }
  if (const auto record = journal::last_record(contents)) {
    static_cast<void>(journal::completed(*record, bytes.substr(0, 1000)));
    for (const std::string_view file : {std::string_view(), std::string_view(record->text), bytes.substr(0, 1000)}) {
      static_cast<void>(
          journal::completed_files(*record, file, shogi::record::CommentStyle::automatic));
    }
    static_cast<void>(journal::last_game(contents, *record, config::BotConfig{}));
  }
  static_cast<void>(journal::last_mark(contents));
  const std::string condensed = journal::condense(bytes);
  static_cast<void>(journal::write_script(contents));
  static_cast<void>(journal::replay(contents));
  static_cast<void>(journal::replay(journal::read(condensed)));
}

}  // namespace

void sfen(std::string_view bytes) {
  for (const std::string_view line : base::split(bytes.substr(0, 20'000), '\n')) {
    if (const auto move = shogi::usi::parse_move(line)) {
      require(shogi::usi::format_move(*move) == line, "a move is written as it was read");
    }
    if (const auto position = shogi::usi::parse_sfen(line)) {
      const auto again = shogi::usi::parse_sfen(shogi::usi::format_sfen(*position));
      require(again && *again == *position, "a position survives its SFEN");
    }
  }
}

/// The first byte chooses the format that the text is taken for, or lets it be found out.
void record(std::string_view bytes) {
  using shogi::record::Format;
  if (bytes.empty()) {
    return;
  }
  const std::size_t choice = static_cast<unsigned char>(bytes.front()) % (shogi::record::formats.size() + 1);
  const std::string_view text = bytes.substr(1);
  const auto detected = shogi::record::detect_format(text, "");
  const Format format = choice < shogi::record::formats.size()
                            ? shogi::record::formats[choice].format
                            : detected.value_or(Format::csa);
  const auto records = shogi::record::read_records(text, format, std::chrono::minutes{540});
  if (!records) {
    require(!records.error().what.empty(), "a text that is no record has a reason");
    return;
  }
  require(!records->empty(), "a text that was read has a game");
  for (const shogi::record::Record& each : *records) {
    static_cast<void>(shogi::record::inconsistencies(each));
    static_cast<void>(shogi::record::show_record(each, std::nullopt, &base::Message::english));
    for (const auto& facts : shogi::record::formats) {
      const std::string written =
          shogi::record::write_record(each, facts.format, shogi::record::CommentStyle::automatic);
      const auto again = shogi::record::read_records(written, facts.format, each.utc_offset);
      require(again && again->size() == 1, "what was written is one record");
      require(again->front().moves.size() == each.moves.size(), "no move is lost in writing");
    }
  }
}

void yaml(std::string_view bytes) {
  const config::Loaded loaded = config::load_yaml({{"fuzz.yaml", std::string(bytes)}});
  if (!loaded.problems.empty()) {
    return;
  }
  require(loaded.bots.size() == 1, "one file is one bot");
  const std::string written = config::write_yaml(loaded.bots.front(), "");
  const config::Loaded again = config::load_yaml({{"again.yaml", written}});
  require(again.problems.empty(), "a configuration that was written is accepted");
  require(config::write_yaml(again.bots.front(), "") == written, "and says the same");
}

void shogihome(std::string_view bytes) {
  std::string text(bytes);
  if (config::io::looks_packed(text)) {
    const auto unpacked = config::io::unpack(text, config::file_bytes_max);
    if (!unpacked) {
      return;
    }
    require(unpacked->size() <= config::file_bytes_max, "what is unpacked is bounded");
    text = *unpacked;
  }
  static_cast<void>(config::io::unpack(bytes.substr(0, 4096), 4096));
  config::ShogiHomeImport made = config::import_shogihome({"fuzz.yaml", text}, {});
  if (made.problems.empty()) {
    made.bot.account.password_file = "password";  // which the import writes beside the settings
    const std::string written = config::write_yaml(made.bot, "");
    const config::Loaded loaded = config::load_yaml({{"made.yaml", written}});
    for (const config::Problem& problem : loaded.problems) {
      require(false, ("what is made of their settings is accepted: " + problem.key + ": " + problem.text.english()).c_str());
    }
  }
}

void journal(std::string_view bytes) {
  judge_journal(bytes);
  judge_journal(sealed(bytes));
  judge_journal(sealed(shortened(bytes)));
}

void book(std::string_view bytes) {
  for (const std::string_view line : base::split(bytes.substr(0, 20'000), '\n')) {
    static_cast<void>(shogi::book::key_in(line));
    static_cast<void>(shogi::book::ply_in(line));
  }
  const auto moves = shogi::book::read_moves(bytes);
  require(moves.size() <= shogi::book::moves_max, "the moves of a position are bounded");
  for (const shogi::book::Rule rule :
       {shogi::book::Rule::best, shogi::book::Rule::by_count, shogi::book::Rule::by_score}) {
    for (const std::uint64_t random : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1} << 63U}) {
      const auto chosen = shogi::book::choose(moves, rule, 100, random);
      require(chosen.has_value() == !moves.empty() && chosen.value_or(0) <= moves.size(),
              "a move is chosen where there is one");
    }
  }
  std::size_t reads = 0;
  const auto read = [&](std::uint64_t offset, std::size_t count) {
    ++reads;
    return std::string(offset < bytes.size() ? bytes.substr(offset, count) : std::string_view());
  };
  const auto found = shogi::book::find_in_sorted(
      read, bytes.size(), shogi::book::key_of(shogi::Position::startpos()));
  require(!found || *found <= bytes.size() + 1, "what is found stands in the file");
  require(reads <= 200 + bytes.size() / 64, "a search ends soon");
}

}  // namespace kakehashi::fuzz
