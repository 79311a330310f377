#include "cli/language.hpp"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "base/utf8.hpp"

namespace kakehashi::cli {
namespace {

using base::say;

constexpr std::string_view option_name = "--lang";

std::vector<CLI::App*> commands_of(CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string japanese_of(const std::string& sentence) { return std::string(words::japanese_of("", sentence)); }

/// CLI11 counts bytes, of which a Japanese word has more than a terminal has columns for it.
class WideFormatter : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    const std::string name = "  " + make_option_name(option, is_positional) + make_option_opts(option);
    const std::size_t width = get_column_width();
    return (base::columns_of(name) < width ? base::padded(name, width) : name + "\n" + std::string(width, ' ')) +
           make_option_desc(option) + "\n";
  }
};

void describe_in_japanese(CLI::App& app) {
  const auto labels = std::make_shared<WideFormatter>();
  labels->column_width(app.get_formatter()->get_column_width());
  app.formatter(labels);
  for (const auto& label : {say("Usage"), say("OPTIONS"), say("Positionals"), say("SUBCOMMAND"), say("SUBCOMMANDS"),
                            say("REQUIRED"), say("Needs"), say("Excludes"), say("Options"), say("Subcommands")}) {
    labels->label(label.english(), words::in(words::Language::japanese, label));
  }
  app.description(japanese_of(app.get_description()));
  app.footer(japanese_of(app.get_footer()));
  app.group(japanese_of(app.get_group()));
  for (CLI::Option* option : app.get_options()) {
    option->description(japanese_of(option->get_description()));
    option->group(japanese_of(option->get_group()));
  }
}

}  // namespace

words::Language language_of(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    const std::string_view argument = arguments[i];
    const std::string_view word = argument == option_name && i + 1 < arguments.size() ? arguments[i + 1]
                                  : argument.starts_with("--lang=")                    ? argument.substr(7)
                                                                                       : std::string_view();
    if (word == "ja" || word == "en") {
      return word == "ja" ? words::Language::japanese : words::Language::english;
    }
  }
  return words::language_of_locale(std::getenv("LC_ALL"), std::getenv("LC_MESSAGES"), std::getenv("LANG"));
}

void add_language_option(CLI::App& command, const std::function<void(const std::string&)>& take) {
  command
      .add_option_function<std::string>(std::string(option_name), take,
                                        say("The language of messages: en or ja; that of the locale, if not given").english())
      ->check(CLI::IsMember({"en", "ja"}))
      ->type_name("LANGUAGE");
}

void describe_in(words::Language language, CLI::App& app) {
  if (app.get_option_no_throw(std::string(option_name)) == nullptr) {
    add_language_option(app, [](const std::string&) {});
  }
  if (language == words::Language::japanese) {
    describe_in_japanese(app);
  }
  for (CLI::App* command : commands_of(app)) {
    describe_in(language, *command);
  }
}

}  // namespace kakehashi::cli
