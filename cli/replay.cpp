// `kakehashi replay`: shows a journal, repeats it through the core, and says where the program now
// does something else than was recorded.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "base/exit_status.hpp"
#include "base/io/file.hpp"
#include "cli/command_line.hpp"
#include "cli/option.hpp"
#include "cli/terminal.hpp"
#include "journal/io/journal_files.hpp"
#include "journal/journal.hpp"
#include "journal/journal_text.hpp"
#include "journal/replay.hpp"

namespace kakehashi::cli {
namespace {

using base::say;

struct ReplayOptions {
  std::string path;
  bool timeline_only = false;
  bool quiet = false;
  bool script = false;
};

/// All parts of the run up to the given one, as one text.
std::optional<std::string> read_run(const std::string& path, const Terminal& terminal) {
  std::string whole;
  for (const std::string& part : journal::io::parts_until(path)) {
    const auto text = base::io::read_whole(part);
    if (!text) {
      terminal.fault(say("cannot read {}: {}", base::quoted(part, 400), base::io::last_error()));
      return std::nullopt;
    }
    whole += *text;
  }
  return whole;
}

void print_timeline(const journal::Contents& contents, std::ostream& output) {
  journal::Timeline timeline;
  for (const journal::Numbered& numbered : contents.entries) {
    if (const auto line = timeline.line(numbered.entry)) {
      output << *line << "\n";
    }
  }
  for (const journal::Fault& fault : contents.faults) {
    output << "# line " << fault.line << " is bad: " << fault.what << "\n";
  }
  if (contents.is_torn) {
    output << "# the last line lacks its end\n";
  }
}

/// Journals speak English, and so does what is said of one.
int judge(const journal::Contents& contents, const Terminal& terminal) {
  const journal::Replay replay = journal::replay(contents);
  std::ostream& output = terminal.output.stream();
  for (const base::Message& remark : replay.remarks) {
    output << "# " << remark << "\n";
  }
  for (const journal::Difference& difference : replay.differences) {
    output << "\ndiffers at entry " << difference.number << ", " << difference.instant << ", after " << difference.after
           << "\n  recorded  " << difference.recorded << "\n  repeated  " << difference.repeated << "\n";
  }
  if (replay.differences_count > replay.differences.size()) {
    output << "… and " << replay.differences_count - replay.differences.size() << " more\n";
  }
  if (!replay.obstacle.empty()) {
    return terminal.fault(say("the run cannot be repeated: {}", replay.obstacle), base::exit_data);
  }
  output << "\n" << replay.steps << " steps repeated: "
         << (replay.differences_count == 0 ? "all as recorded" : std::to_string(replay.differences_count) + " differ")
         << "\n";
  return replay.differences_count == 0 ? base::exit_ok : base::exit_differs;
}

int run(const ReplayOptions& options, const Terminal& terminal) {
  const auto text = read_run(options.path, terminal);
  if (!text) {
    return base::exit_data;
  }
  const journal::Contents contents = journal::read(*text);
  if (contents.entries.empty()) {
    return terminal.fault(say("{} is no journal", base::quoted(options.path, 400)), base::exit_data);
  }
  if (options.script) {
    std::cout << as_file << journal::write_script(contents) << as_text;
    return base::exit_ok;
  }
  if (!options.quiet) {
    print_timeline(contents, terminal.output.stream());
  }
  if (options.timeline_only) {
    return contents.faults.empty() ? base::exit_ok : base::exit_data;
  }
  return judge(contents, terminal);
}

}  // namespace

void register_replay(CLI::App& app, const Terminal& terminal, int& status) {
  auto* command = app.add_subcommand("replay", say("Show a journal and repeat it through the program").english());
  const auto options = std::make_shared<ReplayOptions>();
  option(*command, "JOURNAL", options->path, say("A file of a journal; earlier parts of its run are found beside it"))->required();
  auto* timeline = flag(*command, "--timeline", options->timeline_only, say("Only show what happened"));
  auto* quiet = flag(*command, "-q,--quiet", options->quiet, say("Only say whether it differs"));
  auto* script = flag(*command, "--script", options->script, say("Write the run's inputs as a golden script instead"));
  quiet->excludes(timeline);
  script->excludes(timeline);
  script->excludes(quiet);
  command->footer(say("Exit status: 0 all as recorded, 1 something differs, 65 the journal cannot be read or repeated.")
                      .english());
  command->callback([options, &terminal, &status] { status = run(*options, terminal); });
}

}  // namespace kakehashi::cli
