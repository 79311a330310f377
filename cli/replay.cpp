// `kakehashi replay`: shows a journal, repeats it through the core, and says where the program now
// does something else than was recorded.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/exit_status.hpp"
#include "base/io/file.hpp"
#include "base/text.hpp"
#include "cli/command_line.hpp"
#include "cli/terminal.hpp"
#include "journal/io/journal_files.hpp"
#include "journal/journal.hpp"
#include "journal/journal_text.hpp"
#include "journal/replay.hpp"

namespace kakehashi::cli {
namespace {

struct ReplayOptions {
  std::string path;
  bool timeline_only = false;
  bool quiet = false;
  bool script = false;
};

/// All parts of the run up to the given one, as one text.
std::optional<std::string> read_run(const std::string& path) {
  std::string whole;
  for (const std::string& part : journal::io::parts_until(path)) {
    const auto text = base::io::read_whole(part);
    if (!text) {
      std::cerr << "kakehashi: " << base::say("cannot read {}: {}", base::quoted(part, 400), base::io::last_error()) << "\n";
      return std::nullopt;
    }
    whole += *text;
  }
  return whole;
}

void print_timeline(const journal::Contents& contents) {
  journal::Timeline timeline;
  for (const journal::Numbered& numbered : contents.entries) {
    if (const auto line = timeline.line(numbered.entry)) {
      std::cout << *line << "\n";
    }
  }
  for (const journal::Fault& fault : contents.faults) {
    std::cout << "# line " << fault.line << " is bad: " << fault.what << "\n";
  }
  if (contents.is_torn) {
    std::cout << "# the last line lacks its end\n";
  }
}

int judge(const journal::Contents& contents) {
  const journal::Replay replay = journal::replay(contents);
  for (const std::string& remark : replay.remarks) {
    std::cout << "# " << remark << "\n";
  }
  for (const journal::Difference& difference : replay.differences) {
    std::cout << "\ndiffers at entry " << difference.number << ", " << difference.instant
              << ", after " << difference.after << "\n  recorded  " << difference.recorded
              << "\n  repeated  " << difference.repeated << "\n";
  }
  if (replay.differences_count > replay.differences.size()) {
    std::cout << "… and " << replay.differences_count - replay.differences.size() << " more\n";
  }
  if (!replay.obstacle.empty()) {
    std::cerr << "kakehashi: the run cannot be repeated: " << replay.obstacle << "\n";
    return base::exit_data;
  }
  std::cout << "\n" << replay.steps << " steps repeated: "
            << (replay.differences_count == 0
                    ? "all as recorded"
                    : std::to_string(replay.differences_count) + " differ")
            << "\n";
  return replay.differences_count == 0 ? base::exit_ok : base::exit_differs;
}

int run(const ReplayOptions& options) {
  const auto text = read_run(options.path);
  if (!text) {
    return base::exit_data;
  }
  const journal::Contents contents = journal::read(*text);
  if (contents.entries.empty()) {
    std::cerr << "kakehashi: " << base::quote_for_log(options.path, 400) << " is no journal\n";
    return base::exit_data;
  }
  if (options.script) {
    std::cout << as_file << journal::write_script(contents) << as_text;
    return base::exit_ok;
  }
  if (!options.quiet) {
    print_timeline(contents);
  }
  if (options.timeline_only) {
    return contents.faults.empty() ? base::exit_ok : base::exit_data;
  }
  return judge(contents);
}

}  // namespace

void register_replay(CLI::App& app, const Terminal&, int& status) {
  auto* command = app.add_subcommand("replay", "Show a journal and repeat it through the program");
  // Shared by the option readers and the callback, which outlive this function.
  const auto options = std::make_shared<ReplayOptions>();
  command->add_option("JOURNAL", options->path, "A file of a journal; earlier parts of its run "
                                                "are found beside it")->required();
  auto* timeline = command->add_flag("--timeline", options->timeline_only, "Only show what happened");
  auto* quiet = command->add_flag("-q,--quiet", options->quiet, "Only say whether it differs");
  auto* script = command->add_flag("--script", options->script,
                                   "Write the run's inputs as a golden script instead");
  quiet->excludes(timeline);
  script->excludes(timeline);
  script->excludes(quiet);
  command->footer("\nExit status: 0 all as recorded, 1 something differs, 65 the journal cannot be "
                  "read or repeated.");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace kakehashi::cli
