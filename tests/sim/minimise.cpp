#include "sim/minimise.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "base/text.hpp"
#include "sim/script_rows.hpp"
#include "support/performance.hpp"
#include "support/script.hpp"

namespace kakehashi::sim {

namespace {

bool has_kind(const std::vector<std::string>& complaints, const std::string& kind) {
  return std::any_of(complaints.begin(), complaints.end(),
                     [&](const std::string& each) { return kind_of(each) == kind; });
}

/// Which bot a complaint is about; of the story as a whole: the first.
std::size_t bot_of(const std::string& complaint) {
  return complaint.starts_with("bot 1") ? 1 : 0;
}

std::string script_of(const std::string& head, const std::vector<std::string>& rows) {
  std::string text = head;
  for (const std::string& row : rows) {
    text += row + "\n";
  }
  return text;
}

/// What the bot found odd, each kind once: peers that lost some of their lines are no peers any more,
/// and show themselves so.
std::set<std::string> oddities(const std::string& performance) {
  std::set<std::string> kinds;
  for (const std::string_view row : base::split(performance, '\n')) {
    for (const std::string_view mark : {"* warn ", "* error "}) {
      if (const std::size_t at = row.find(mark); at != std::string_view::npos) {
        kinds.insert(kind_of(std::string(row.substr(at))));
      }
    }
  }
  return kinds;
}

/// Whether a script fails so, and what is odd in it.
struct Trial {
  bool fails = false;
  std::set<std::string> odd;
};

Trial attempt(const std::string& text, const std::string& kind) {
  const auto script = support::read_script("found", text);
  if (!script) {
    return {};
  }
  const support::Performance performance = support::perform(*script);
  return {has_kind(performance.complaints, kind), oddities(performance.text)};
}

}  // namespace

std::string kind_of(const std::string& complaint) {
  std::string_view text = complaint;
  if (const std::size_t begin = text.find("s: "); text.find('@') < begin &&
                                                  begin != std::string_view::npos) {
    text.remove_prefix(begin + 3);
  }
  text = text.substr(0, text.find(": "));
  std::string kind;
  for (const char c : text.substr(0, 48)) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalpha(byte) != 0) {
      kind += c;
    }
  }
  return kind;
}

Scenario minimise_faults(Scenario scenario, const std::function<bool(const Scenario&)>& still_fails) {
  for (BotPart& part : scenario.bots) {
    std::vector<std::vector<Fault>*> all{&part.faults};
    for (std::vector<Fault>& further : part.further_faults) {
      all.push_back(&further);
    }
    for (std::vector<Fault>* faults : all) {
      for (std::size_t i = faults->size(); i-- > 0;) {
        const auto place = static_cast<std::ptrdiff_t>(i);
        const Fault fault = (*faults)[i];
        faults->erase(faults->begin() + place);
        if (!still_fails(scenario)) {
          faults->insert(faults->begin() + place, fault);
        }
      }
    }
  }
  return scenario;
}

Scenario minimise_faults(Scenario scenario, const std::string& complaint) {
  return minimise_faults(std::move(scenario), [kind = kind_of(complaint)](const Scenario& fewer) {
    return has_kind(play_story(fewer).complaints, kind);
  });
}

FoundScript write_script(const Scenario& scenario, const std::string& complaint) {
  const std::size_t bot = bot_of(complaint);
  std::vector<std::string> rows;
  static_cast<void>(play_story(scenario, [&](std::size_t who, base::Millis at,
                                             const bridge::Event* event, const bridge::Actions&) {
    if (who == bot) {
      if (const auto row = script_row(at, event)) {
        rows.push_back(*row);
      }
    }
  }));
  const std::string head = script_head(scenario, bot, complaint);
  const std::string kind = kind_of(complaint);
  FoundScript found{script_of(head, rows), false};
  const Trial whole = attempt(found.text, kind);
  found.fails = whole.fails;
  if (!found.fails) {
    return found;
  }
  // Ever smaller pieces are left out, from the end on, until no single row can be spared.
  for (std::size_t piece = rows.size() / 2; piece > 0; piece /= 2) {
    for (std::size_t end = rows.size(); end >= piece && end > 0; end -= std::min(end, piece)) {
      std::vector<std::string> fewer = rows;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(end - piece),
                  fewer.begin() + static_cast<std::ptrdiff_t>(end));
      const Trial trial = attempt(script_of(head, fewer), kind);
      if (trial.fails && std::includes(whole.odd.begin(), whole.odd.end(), trial.odd.begin(),
                                       trial.odd.end())) {
        rows = std::move(fewer);
        end = std::min(end, rows.size() + piece);
      }
    }
  }
  const auto script = support::read_script("found", script_of(head, rows));
  found.text = support::perform(*script).text;
  return found;
}

}  // namespace kakehashi::sim
