#include "bridge/archive/game_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bridge/archive/game_text.hpp"

namespace kakehashi::bridge::archive {

namespace {

using shogi::Color;

constexpr double width = 900;
constexpr double left = 60;
constexpr double graph_width = width - left - 20;
constexpr double score_top = 60;
constexpr double score_height = 240;
constexpr double time_top = 350;
constexpr double time_height = 140;
constexpr double height = 540;

std::string number(double value) { return fmt::format("{:.1f}", value); }

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '&': safe += "&amp;"; break;
      case '"': safe += "&quot;"; break;
      default: safe += c;
    }
  }
  return safe;
}

std::string text_at(double x, double y, const std::string& text, const char* anchor = "start",
                    int size = 13) {
  return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" + anchor +
         "\" font-size=\"" + std::to_string(size) + "\">" + escaped(text) + "</text>\n";
}

std::string line_at(double x1, double y1, double x2, double y2, const char* look) {
  return "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) + "\" y2=\"" +
         number(y2) + "\" class=\"" + look + "\"/>\n";
}

double x_of(std::size_t ply, std::size_t plies) {
  return left + graph_width * static_cast<double>(ply) / static_cast<double>(std::max<std::size_t>(plies, 1));
}

/// Steep where games are decided, flat where they are won; 0 in the middle.
double y_of(std::int64_t score) {
  const double share = std::tanh(static_cast<double>(score) / 1200);
  return score_top + score_height / 2 - share * (score_height / 2 - 5);
}

std::string score_graph(const shogi::record::Record& record) {
  std::string text;
  for (const std::int64_t score : {-3000, -1000, -500, 0, 500, 1000, 3000}) {
    text += line_at(left, y_of(score), width - 20, y_of(score), score == 0 ? "axis" : "grid");
    text += text_at(left - 8, y_of(score) + 4, std::to_string(score), "end", 11);
  }
  std::string points;
  std::string dots;
  for (std::size_t i = 0; i < record.moves.size(); ++i) {
    if (const auto& evaluation = record.moves[i].evaluation) {
      const std::string x = number(x_of(i + 1, record.moves.size()));
      const std::string y = number(y_of(evaluation->score));
      points += x + "," + y + " ";
      dots += "<circle cx=\"" + x + "\" cy=\"" + y + "\" r=\"2\" class=\"dot\"><title>move " +
              std::to_string(i + 1) + ": " + std::to_string(evaluation->score) + "</title></circle>\n";
    }
  }
  return text + (points.empty() ? "" : "<polyline points=\"" + points + "\" class=\"score\"/>\n") + dots;
}

std::string time_graph(const shogi::record::Record& record) {
  base::Millis longest{1'000};
  for (const auto& move : record.moves) {
    longest = std::max(longest, move.consumed.value_or(base::Millis{0}));
  }
  const double bottom = time_top + time_height;
  std::string text = line_at(left, bottom, width - 20, bottom, "axis");
  text += line_at(left, time_top, width - 20, time_top, "grid");
  text += text_at(left - 8, time_top + 4, number(static_cast<double>(longest.count()) / 1000), "end", 11);
  text += text_at(left - 8, bottom + 4, "0", "end", 11);
  const double bar = std::max(0.5, graph_width / static_cast<double>(std::max<std::size_t>(record.moves.size(), 1)) * 0.8);
  Color mover = record.start.side_to_move();
  for (std::size_t i = 0; i < record.moves.size(); ++i) {
    const auto time = record.moves[i].consumed.value_or(base::Millis{0});
    const double tall = time_height * static_cast<double>(time.count()) / static_cast<double>(longest.count());
    text += "<rect x=\"" + number(x_of(i + 1, record.moves.size()) - bar / 2) + "\" y=\"" + number(bottom - tall) +
            "\" width=\"" + number(bar) + "\" height=\"" + number(tall) + "\" class=\"" +
            (mover == Color::black ? "black" : "white") + "\"/>\n";
    mover = shogi::opposite(mover);
  }
  const std::size_t step = record.moves.size() > 200 ? 50 : record.moves.size() > 60 ? 20 : 10;
  for (std::size_t ply = 0; ply <= record.moves.size(); ply += step) {
    text += text_at(x_of(ply, record.moves.size()), bottom + 18, std::to_string(ply), "middle", 11);
  }
  return text;
}

}  // namespace

std::string plot_svg(const ArchivedGame& game, const shogi::record::Record& record) {
  const std::string& black = game.is_black ? game.us : game.opponent;
  const std::string& white = game.is_black ? game.opponent : game.us;
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + number(width) + " " +
                    number(height) + "\" font-family=\"sans-serif\" role=\"img\">\n<title>" +
                    escaped(game.game_id) + "</title>\n";
  svg += "<style>.axis{stroke:#444}.grid{stroke:#ddd}.score{fill:none;stroke:#2f6db3;stroke-width:2}"
         ".dot{fill:#2f6db3}.black{fill:#333}.white{fill:#d9a441}text{fill:#222}</style>\n";
  svg += "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
  svg += text_at(left, 26, "☗" + black + "  ☖" + white + "  " + instant_text(game.started_ms) + " UTC", "start", 16);
  svg += text_at(left, 48, "evaluation for black, centipawns (" + game.outcome +
                               (game.reason.empty() ? "" : ", " + game.reason) + ", " +
                               std::to_string(game.plies) + " moves)");
  svg += score_graph(record);
  svg += text_at(left, time_top - 12, "seconds a move (dark: black, light: white)");
  svg += time_graph(record);
  return svg + "</svg>\n";
}

}  // namespace kakehashi::bridge::archive
