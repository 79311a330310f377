#include "cli/shogihome_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>

#include "base/text.hpp"
#include "cli/load_config.hpp"
#include "cli/option.hpp"

namespace kakehashi::cli {
namespace {

using base::say;

/// An option of usi-csa-bridge that stands in for a key of its settings.
struct Change {
  std::string flag;
  std::string key;
  base::Message explanation;
};
std::vector<Change> changes_taken() {
  return {
      Change{"--protocol-version", "server.protocolVersion", say("In place of server.protocolVersion")},
      Change{"--host", "server.host", say("In place of server.host")},
      Change{"--port", "server.port", say("In place of server.port")},
      Change{"--id", "server.id", say("In place of server.id")},
      Change{"--repeat", "repeat", say("In place of repeat")},
      Change{"--record-file-name-template", "recordFileNameTemplate", say("In place of recordFileNameTemplate")},
      Change{"--record-file-format", "recordFileFormat", say("In place of recordFileFormat")},
  };
}

constexpr const char* group = "ShogiHome";

std::string judge_packed(const std::string& text) {
  if (text != "-" && !text.starts_with("@") && !text.starts_with("env:")) {
    throw Misuse(say("--shogihome-base64: settings hold the password, and every user of this machine can read a command "
                     "line: put the text into a private file and give @FILE, or give - for standard input, or env:NAME "
                     "for an environment variable"));
  }
  return "";
}

void refuse_password(const std::string&) {
  throw Misuse(say("--password: every user of this machine can read a command line: leave the password in the settings, "
                   "or give all of them by env:NAME or - (standard input)"));
}

}  // namespace

void add_shogihome_options(CLI::App& command, ShogiHomeOptions& options, ShogiHomeChanges changes) {
  option(command, "--shogihome", options.settings, say("Settings of ShogiHome's usi-csa-bridge, in YAML or JSON: a file, "
                                                       "- for standard input, or env:NAME for an environment variable"), "FILE")
      ->expected(1)
      ->take_all()
      ->group(group);
  option(command, "--shogihome-base64", options.packed, say("The same as its Command button packs them: @FILE, - or "
                                                            "env:NAME"), "@FILE")
      ->expected(1)
      ->take_all()
      ->check(CLI::Validator(judge_packed, ""))
      ->group(group);
  if (changes == ShogiHomeChanges::not_taken) {
    return;
  }
  const auto add = [&](const std::string& flag, const base::Message& explanation, const char* type) {
    return command
        .add_option_function<std::string>(flag, [&options, flag](const std::string& text) { options.changes[flag] = text; },
                                          explanation.english())
        ->type_name(type)
        ->group(group);
  };
  const auto add_flag = [&](const std::string& flag, const base::Message& explanation) {
    command.add_flag_function(flag, [&options, flag](std::int64_t) { options.changes[flag] = "true"; }, explanation.english())
        ->group(group);
  };
  for (const Change& change : changes_taken()) {
    add(change.flag, change.explanation, "TEXT");
  }
  add_flag("--save-record", say("In place of saveRecordFile: true"));
  add("--record-dir", say("Where records go (records)"), "DIRECTORY");
  add_flag("--csa-v3", say("CSA records in V3.0 (records.formats: csa3)"));
  add("--return-code", say("How lines of records end, LF or CRLF (records.newline)"), "LF|CRLF")->check(CLI::IsMember({"LF", "CRLF"}));
  add("--engine-timeout", say("How many seconds the engine may take to answer usi (180)"), "SECONDS")->check(CLI::Range(1, 3600));
  command
      .add_option_function<std::string>("--password", refuse_password, say("Refused").english())
      ->group("");
}

std::vector<std::string> origins_of(const ShogiHomeOptions& options) {
  std::vector<std::string> origins = options.settings;
  for (const std::string& where : options.packed) {
    origins.push_back(where.starts_with("@") ? where.substr(1) : where);
  }
  return origins;
}

std::optional<std::vector<config::BotConfig>> load_shogihome_configs(
    const ShogiHomeOptions& options, const Terminal& terminal) {
  std::vector<config::ShogiHomeOverride> overrides;
  const auto given = [&](const std::string& flag) {
    const auto found = options.changes.find(flag);
    return found == options.changes.end() ? nullptr : &found->second;
  };
  for (const Change& change : changes_taken()) {
    if (const auto* text = given(change.flag)) {
      overrides.push_back({change.key, change.flag, *text});
    }
  }
  if (given("--save-record") != nullptr) {
    overrides.push_back({"saveRecordFile", "--save-record", "true"});
  }
  auto bots = told(config::io::load_shogihomes(origins_of(options), overrides), terminal);
  if (!bots) {
    return std::nullopt;
  }
  for (auto& bot : *bots) {
    if (const auto* directory = given("--record-dir")) {
      bot.records.directory = *directory;
    }
    if (given("--csa-v3") != nullptr) {
      std::ranges::replace(bot.records.formats, shogi::record::Format::csa, shogi::record::Format::csa3);
    }
    if (const auto* line_end = given("--return-code")) {
      bot.records.newline = *line_end == "CRLF" ? config::Newline::crlf : config::Newline::lf;
    }
    if (const auto* seconds = given("--engine-timeout")) {
      bot.engine.start_timeout = base::Seconds{base::parse_int(*seconds).value_or(1)};
    }
  }
  return bots;
}

}  // namespace kakehashi::cli
