#include "cli/shogihome_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

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

bool ShogiHomeOptions::have_changes() const {
  return !changes.empty() || saves_records || !record_directory.empty() || engine_timeout_s ||
         is_csa_v3 || !return_code.empty();
}

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
  for (const Change& change : changes_taken()) {
    command
        .add_option_function<std::string>(
            change.flag,
            [&options, flag = change.flag](const std::string& text) { options.changes[flag] = text; },
            change.explanation.english())
        ->type_name("TEXT")
        ->group(group);
  }
  flag(command, "--save-record", options.saves_records, say("In place of saveRecordFile: true"))
      ->group(group);
  option(command, "--record-dir", options.record_directory, say("Where records go (records)"), "DIRECTORY")->group(group);
  flag(command, "--csa-v3", options.is_csa_v3, say("CSA records in V3.0 (records.formats: csa3)"))
      ->group(group);
  option(command, "--return-code", options.return_code, say("How lines of records end, LF or CRLF (records.newline)"), "LF|CRLF")
      ->check(CLI::IsMember({"LF", "CRLF"}))
      ->group(group);
  option(command, "--engine-timeout", options.engine_timeout_s, say("How many seconds the engine may take to answer usi "
                                                                    "(180)"), "SECONDS")
      ->check(CLI::Range(1, 3600))
      ->group(group);
  command
      .add_option_function<std::string>("--password", refuse_password, say("Refused").english())
      ->group("");
}

std::vector<config::io::ShogiHomeOrigin> origins_of(const ShogiHomeOptions& options) {
  std::vector<config::io::ShogiHomeOrigin> origins;
  for (const std::string& where : options.settings) {
    origins.push_back({where, false});
  }
  for (const std::string& where : options.packed) {
    origins.push_back({where.starts_with("@") ? where.substr(1) : where, true});
  }
  return origins;
}

std::optional<std::vector<config::BotConfig>> load_shogihome_configs(
    const ShogiHomeOptions& options, const Terminal& terminal) {
  std::vector<config::ShogiHomeOverride> overrides;
  for (const Change& change : changes_taken()) {
    if (const auto given = options.changes.find(change.flag); given != options.changes.end()) {
      overrides.push_back({change.key, change.flag, given->second});
    }
  }
  if (options.saves_records) {
    overrides.push_back({"saveRecordFile", "--save-record", "true"});
  }
  auto bots = told(config::io::load_shogihomes(origins_of(options), overrides), terminal);
  if (!bots) {
    return std::nullopt;
  }
  for (auto& bot : *bots) {
    if (!options.record_directory.empty()) {
      bot.records.directory = options.record_directory;
    }
    if (options.is_csa_v3) {
      std::replace(bot.records.formats.begin(), bot.records.formats.end(),
                   shogi::record::Format::csa, shogi::record::Format::csa3);
    }
    if (!options.return_code.empty()) {
      bot.records.newline =
          options.return_code == "CRLF" ? config::Newline::crlf : config::Newline::lf;
    }
    if (options.engine_timeout_s) {
      bot.engine.start_timeout = base::Seconds{*options.engine_timeout_s};
    }
  }
  return bots;
}

}  // namespace kakehashi::cli
