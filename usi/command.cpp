#include "usi/command.hpp"

#include <algorithm>

namespace kakehashi::usi {

namespace {

std::string number(base::Millis time) {
  return std::to_string(std::max<base::Millis::rep>(0, time.count()));
}

}  // namespace

std::string format_times(const GoTimes& times) {
  std::string text = "btime " + number(times.btime) + " wtime " + number(times.wtime);
  if (times.byoyomi) {
    text += " byoyomi " + number(*times.byoyomi);
  } else if (times.binc || times.winc) {
    text += " binc " + number(times.binc.value_or(base::Millis{0})) + " winc " +
            number(times.winc.value_or(base::Millis{0}));
  }
  return text;
}

std::string format_go(const GoTimes& times, bool ponder) {
  return (ponder ? "go ponder " : "go ") + format_times(times);
}

std::string format_setoption(const OptionSetting& setting) {
  std::string line = "setoption name " + setting.name;
  if (setting.value) {
    line += " value " + *setting.value;
  }
  return line;
}

std::string format_gameover(GameOver result) {
  switch (result) {
    case GameOver::win: return "gameover win";
    case GameOver::lose: return "gameover lose";
    case GameOver::draw: return "gameover draw";
  }
  return "gameover draw";
}

}  // namespace kakehashi::usi
