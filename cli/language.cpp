#include "cli/language.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <streambuf>
#include <string_view>
#include <utility>

namespace kakehashi::cli {
namespace {

using base::say;

constexpr std::string_view option_name = "--lang";

std::vector<CLI::App*> commands_of(CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

/// The end of the control sequences of a terminal (ESC [ …) that stand at `from`.
std::size_t behind_controls(std::string_view text, std::size_t from) {
  while (text.substr(from).starts_with("\x1b[")) {
    const auto end = text.find_first_not_of("0123456789;?", from + 2);
    from = end == std::string_view::npos ? text.size() : end + 1;
  }
  return from;
}

std::string japanese_of(const std::string& sentence) { return std::string(words::japanese_of("", sentence)); }

void describe_in_japanese(CLI::App& app) {
  const auto labels = app.get_formatter();
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

class JapaneseLines::Buffer : public std::streambuf {
 public:
  explicit Buffer(std::streambuf& target) : target_(target) {}

 protected:
  int_type overflow(int_type byte) override {
    if (byte == traits_type::eof()) {
      return sync() == 0 ? traits_type::not_eof(byte) : traits_type::eof();
    }
    line_ += traits_type::to_char_type(byte);
    return line_.back() != '\n' || hand_on() ? byte : traits_type::eof();
  }
  int sync() override { return hand_on() ? target_.pubsync() : -1; }

 private:
  bool hand_on() {
    const std::string line = std::exchange(line_, {});
    const bool is_json = line.starts_with('{') || line.starts_with('[');
    const auto begin = behind_controls(line, 0);
    auto end = line.find_last_not_of(" \n") + 1;
    const auto control = line.find("\x1b[", begin);
    if (control < end && behind_controls(line, control) >= end) {
      end = control;
    }
    const std::string said = is_json || end <= begin
                                 ? line
                                 : line.substr(0, begin) + words::line_in_japanese(line.substr(begin, end - begin)) +
                                       line.substr(end);
    const auto size = static_cast<std::streamsize>(said.size());
    return target_.sputn(said.data(), size) == size;
  }

  std::streambuf& target_;
  std::string line_;
};

JapaneseLines::JapaneseLines(std::ostream& stream)
    : stream_(stream),
      flags_(stream.flags()),
      buffer_(std::make_unique<Buffer>(*stream.rdbuf())),
      before_(stream.rdbuf(buffer_.get())) {
  // Otherwise standard error hands on each piece of a line by itself.
  stream.unsetf(std::ios_base::unitbuf);
}

JapaneseLines::~JapaneseLines() {
  buffer_->pubsync();
  stream_.rdbuf(before_);
  stream_.flags(flags_);
}

}  // namespace kakehashi::cli
