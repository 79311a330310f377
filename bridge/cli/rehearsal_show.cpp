#include "bridge/cli/rehearsal_show.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string_view>
#include <utility>

namespace kakehashi::bridge::cli {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

bool has_utf8_locale() {
  // The first that is set decides, as for setlocale(3).
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const auto value = variable(name);
    if (!value.empty()) {
      return value.find("UTF-8") != std::string_view::npos ||
             value.find("utf8") != std::string_view::npos;
    }
  }
  return false;
}

/// Each line erases what an earlier, longer one left behind it.
std::string in_place(std::string_view picture) {
  std::string text = "\x1b[H";
  for (const char c : picture) {
    text += c == '\n' ? std::string("\x1b[K\n") : std::string(1, c);
  }
  return text + "\x1b[J";
}

std::string plural(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

bool is_terminal_output() { return ::isatty(STDOUT_FILENO) == 1 && variable("TERM") != "dumb"; }

Look look_of_environment() {
  Look look;
  look.kanji = has_utf8_locale();
  look.colour = is_terminal_output() && variable("NO_COLOR").empty();
  return look;
}

RehearsalShow::RehearsalShow(std::ostream& out, int games, bool redraws, Look look)
    : out_(out), follower_(games), redraws_(redraws), look_(look) {}

void RehearsalShow::observe(std::size_t bot, View view) {
  const auto lines = follower_.observe(bot, std::move(view));
  if (redraws_) {
    return;
  }
  for (const auto& line : lines) {
    out_ << line << '\n';
  }
  if (!lines.empty()) {
    out_.flush();
  }
}

void RehearsalShow::draw(base::SteadyTime now) {
  if (!redraws_) {
    return;
  }
  if (std::exchange(is_first_picture_, false)) {
    out_ << "\x1b[2J";
  }
  const auto picture = render_live_view(follower_.watched(), now, look_);
  out_ << in_place(picture + (footnote_.empty() ? "" : "\n" + footnote_ + "\n"));
  out_.flush();
}

void RehearsalShow::say(const std::string& line) {
  footnote_ = line;
  if (!redraws_) {
    out_ << line << std::endl;
  }
}

void RehearsalShow::tell_results(const std::string& first_name, const std::string& second_name) {
  int won = 0;
  int lost = 0;
  int drawn = 0;
  for (const auto& game : follower_.finished()) {
    won += game.outcome == csa::Outcome::win ? 1 : 0;
    lost += game.outcome == csa::Outcome::lose ? 1 : 0;
    drawn += game.outcome == csa::Outcome::draw ? 1 : 0;
    out_ << "\nresult   " << game.result << " after " << plural(game.moves, "move") << '\n';
    for (const auto& path : game.record_paths) {
      if (!path.empty()) {
        out_ << "record   " << path << '\n';
      }
    }
  }
  if (follower_.finished().size() > 1) {
    out_ << "\nscore    " << first_name << " " << won << ", " << second_name << " " << lost
         << ", drawn " << drawn << '\n';
  }
  out_.flush();
}

}  // namespace kakehashi::bridge::cli
