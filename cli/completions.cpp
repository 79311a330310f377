// `kakehashi completions SHELL`: what a shell offers behind a typed word. Read off the command line's
// own description, so that an option cannot be there and not be offered.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "base/exit_status.hpp"
#include "cli/command_line.hpp"

namespace kakehashi::cli {
namespace {

using base::say;

struct Word {
  std::string text;
  std::string meaning;
  std::string choices;  ///< of an option that takes one of some words, with blanks between
};

/// What can stand behind some words: "", "run", "config reference".
struct Place {
  std::string words;
  std::vector<Word> commands;
  std::vector<Word> options;
};

std::string first_sentence(const std::string& text) {
  std::string sentence = text.substr(0, text.find_first_of("\n.:;("));
  std::erase_if(sentence, [](char c) { return c == '\'' || c == '"' || c == '`' || c == '$'; });
  return sentence;
}

/// What IsMember tells of itself: "{mild,wild}".
std::string choices_of(CLI::Option& option) {
  if (option.get_type_size() == 0) {
    return {};
  }
  try {
    std::string words = option.get_validator(0)->get_description();
    if (words.size() > 2 && words.front() == '{' && words.back() == '}') {
      std::replace(words.begin(), words.end(), ',', ' ');
      return words.substr(1, words.size() - 2);
    }
  } catch (const CLI::OptionNotFound&) {
    return {};
  }
  return {};
}

void collect(CLI::App& command, const std::string& words, std::vector<Place>& places) {
  Place place{words, {}, {}};
  for (CLI::Option* option : command.get_options([](CLI::Option*) { return true; })) {
    for (const std::string& name : option->get_lnames()) {
      place.options.push_back({"--" + name, first_sentence(option->get_description()), choices_of(*option)});
    }
  }
  const auto subcommands = command.get_subcommands([](CLI::App*) { return true; });
  for (CLI::App* sub : subcommands) {
    place.commands.push_back({sub->get_name(), first_sentence(sub->get_description()), {}});
  }
  places.push_back(std::move(place));
  for (CLI::App* sub : subcommands) {
    collect(*sub, words.empty() ? sub->get_name() : words + " " + sub->get_name(), places);
  }
}

std::string joined(const std::vector<Word>& words) {
  std::string text;
  for (const Word& word : words) {
    text += (text.empty() ? "" : " ") + word.text;
  }
  return text;
}

/// For bash and zsh: each option that has choices, with them: "'--faults none mild wild'".
std::string choices(const std::vector<Word>& options) {
  std::string text;
  for (const Word& option : options) {
    if (!option.choices.empty()) {
      text += (text.empty() ? "'" : " '") + option.text + " " + option.choices + "'";
    }
  }
  return text;
}

void print_bash(const std::vector<Place>& places) {
  std::cout << "# bash completion for kakehashi\n"
               "_kakehashi() {\n"
               "  local word=${COMP_WORDS[COMP_CWORD]} said=() w\n"
               "  for w in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do [[ $w == -* ]] || said+=(\"$w\"); done\n"
               "  local commands='' options='' choices=()\n"
               "  case \"${said[*]:0:2}\" in\n";
  // Longer words first: "config reference" is no "config" with a file behind it.
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    const std::string pattern = place->words.empty() ? "''" : "'" + place->words + "'*";
    std::cout << "    " << pattern << ") commands='" << joined(place->commands) << "' options='"
              << joined(place->options) << "' choices=(" << choices(place->options) << ") ;;\n";
  }
  std::cout << "  esac\n"
               "  for w in \"${choices[@]}\"; do\n"
               "    if [[ ${COMP_WORDS[COMP_CWORD-1]} == \"${w%% *}\" ]]; then\n"
               "      COMPREPLY=($(compgen -W \"${w#* }\" -- \"$word\"))\n"
               "      return\n"
               "    fi\n"
               "  done\n"
               "  if [[ $word == -* ]]; then\n"
               "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
               "  elif [[ -n $commands ]]; then\n"
               "    COMPREPLY=($(compgen -W \"$commands\" -- \"$word\"))\n"
               "  else\n"
               "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
               "  fi\n"
               "}\n"
               "complete -o filenames -F _kakehashi kakehashi\n";
}

void print_zsh(const std::vector<Place>& places) {
  std::cout << "#compdef kakehashi\n"
               "_kakehashi() {\n"
               "  local -a said commands options choices\n"
               "  local one\n"
               "  said=(${${words[2,CURRENT-1]}:#-*})\n"
               "  case \"${said[1,2]}\" in\n";
  const auto list = [](const std::vector<Word>& words) {
    std::string text;
    for (const Word& word : words) {
      text += " '" + word.text + ":" + word.meaning + "'";
    }
    return text;
  };
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    const std::string pattern = place->words.empty() ? "''" : "'" + place->words + "'*";
    std::cout << "    (" << pattern << ") commands=(" << list(place->commands) << " ) options=("
              << list(place->options) << " ) choices=(" << choices(place->options) << ") ;;\n";
  }
  std::cout << "  esac\n"
               "  for one in $choices; do\n"
               "    if [[ $words[CURRENT-1] == ${one%% *} ]]; then\n"
               "      compadd -- ${(s: :)${one#* }}\n"
               "      return\n"
               "    fi\n"
               "  done\n"
               "  if [[ $PREFIX == -* ]]; then _describe -o option options\n"
               "  elif (( $#commands )); then _describe command commands\n"
               "  else _files; fi\n"
               "}\n"
               "_kakehashi \"$@\"\n";
}

void print_fish(const std::vector<Place>& places) {
  std::cout << "# fish completion for kakehashi\n";
  for (const Place& place : places) {
    std::string condition = "__fish_use_subcommand";
    if (!place.words.empty()) {
      condition = "";
      for (std::size_t from = 0; from < place.words.size();) {
        const std::size_t end = std::min(place.words.find(' ', from), place.words.size());
        condition += (condition.empty() ? "" : "; and ") + std::string("__fish_seen_subcommand_from ") +
                     place.words.substr(from, end - from);
        from = end + 1;
      }
    }
    for (const Word& word : place.commands) {
      std::cout << "complete -c kakehashi -f -n '" << condition << "' -a " << word.text << " -d '"
                << word.meaning << "'\n";
    }
    for (const Word& word : place.options) {
      std::cout << "complete -c kakehashi -n '" << condition << "' -l " << word.text.substr(2)
                << (word.choices.empty() ? "" : " -x -a '" + word.choices + "'") << " -d '" << word.meaning
                << "'\n";
    }
  }
}

}  // namespace

void register_completions(CLI::App& app, const Terminal&, int& status) {
  auto* command = app.add_subcommand("completions", say("Print the completions for a shell").english());
  const auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, say("bash, zsh or fish").english())
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->callback([&app, &status, shell] {
    std::vector<Place> places;
    collect(app, "", places);
    if (*shell == "bash") {
      print_bash(places);
    } else if (*shell == "zsh") {
      print_zsh(places);
    } else {
      print_fish(places);
    }
    status = base::exit_ok;
  });
}

}  // namespace kakehashi::cli
