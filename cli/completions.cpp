// `kakehashi completions SHELL`: what a shell offers behind a typed word. The shell asks the program itself each time, which
// reads it off the command line's own description, so that an option cannot be there and not be offered.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/exit_status.hpp"
#include "cli/command_line.hpp"
#include "cli/option.hpp"

namespace kakehashi::cli {
namespace {

using base::say;

constexpr std::string_view bash = R"sh(# bash completion for kakehashi
_kakehashi() {
  local word=${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=($(compgen -W "$(kakehashi complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1)" -- "$word"))
  (( ${#COMPREPLY[@]} )) || COMPREPLY=($(compgen -f -- "$word"))
}
complete -o filenames -F _kakehashi kakehashi
)sh";

constexpr std::string_view zsh = R"sh(#compdef kakehashi
_kakehashi() {
  local -a offered
  offered=(${(f)"$(kakehashi complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  offered=(${${offered//:/\\:}//$'\t'/:})
  if (( $#offered )); then _describe kakehashi offered; else _files; fi
}
_kakehashi "$@"
)sh";

constexpr std::string_view fish = R"sh(# fish completion for kakehashi
function __kakehashi_offered
    set -l offered (kakehashi complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
    if set -q offered[1]
        printf '%s\n' $offered
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c kakehashi -f -a '(__kakehashi_offered)'
)sh";

std::string first_sentence(const std::string& text) { return text.substr(0, text.find_first_of("\n.:;(")); }

/// What IsMember tells of itself: "{mild,wild}".
std::string choices_of(CLI::Option& option) {
  try {
    std::string words = option.get_validator(0)->get_description();
    if (option.get_type_size() != 0 && words.size() > 2 && words.front() == '{' && words.back() == '}') {
      std::replace(words.begin(), words.end(), ',', '\n');
      return words.substr(1, words.size() - 2);
    }
  } catch (const CLI::OptionNotFound&) {
    return {};
  }
  return {};
}

/// A line each: the word, and behind a tab its meaning. None where a file may stand.
void offer(CLI::App& app, const std::vector<std::string>& words) {
  CLI::App* command = &app;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const auto deeper = command->get_subcommands([&](const CLI::App* one) { return one->get_name() == words[i]; });
    command = deeper.empty() ? command : deeper.front();
  }
  const std::string last = words.empty() ? std::string() : words.back();
  CLI::Option* before = words.size() < 2 ? nullptr : command->get_option_no_throw(words[words.size() - 2]);
  const std::string choices = before == nullptr ? std::string() : choices_of(*before);
  if (!choices.empty()) {
    std::cout << choices << '\n';
  } else if (last.starts_with('-')) {
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) {
        std::cout << "--" << name << '\t' << first_sentence(option->get_description()) << '\n';
      }
    }
  } else {
    for (const CLI::App* deeper : command->get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); })) {
      std::cout << deeper->get_name() << '\t' << first_sentence(deeper->get_description()) << '\n';
    }
  }
}

}  // namespace

void register_completions(CLI::App& app, const Terminal&, int& status) {
  auto* command = app.add_subcommand("completions", say("Print the completions for a shell").english());
  const auto shell = std::make_shared<std::string>();
  option(*command, "SHELL", *shell, say("bash, zsh or fish"))
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->callback([&status, shell] {
    std::cout << (*shell == "bash" ? bash : *shell == "zsh" ? zsh : fish);
    status = base::exit_ok;
  });
  // What the shells ask; no person needs to see it.
  auto* complete = app.add_subcommand("complete", "")->group("");
  const auto words = std::make_shared<std::vector<std::string>>();
  complete->add_option("WORDS", *words);
  complete->callback([&app, &status, words] {
    offer(app, *words);
    status = base::exit_ok;
  });
}

}  // namespace kakehashi::cli
