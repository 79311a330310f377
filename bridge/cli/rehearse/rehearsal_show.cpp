#include "bridge/cli/rehearse/rehearsal_show.hpp"

#include <algorithm>
#include <utility>

#include "bridge/cli/screen.hpp"

namespace kakehashi::bridge::cli {
namespace {

std::string plural(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

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
  const std::string below = footnote_.empty() ? "" : "\n" + footnote_ + "\n";
  const std::size_t rows = screen_rows();  // it may have been made larger meanwhile
  look_.rows = rows - std::min<std::size_t>(rows, below.empty() ? 0 : 2);
  out_ << in_place(render_live_view(follower_.watched(), now, look_) + below, rows);
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
  out_ << (redraws_ ? "\n" : "");  // the picture's last line is not ended
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
