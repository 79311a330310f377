#include "usi/process.hpp"

#include <cstring>
#include <set>

#include "base/text.hpp"

namespace kakehashi::usi {

namespace {

std::optional<int> parse_cpu(std::string_view text) {
  const auto number = base::parse_int(text);
  const bool is_digits = !text.empty() && text.find_first_not_of("0123456789") == text.npos;
  return number && is_digits && *number <= cpu_max ? std::optional(static_cast<int>(*number))
                                                   : std::nullopt;
}

}  // namespace

std::optional<std::vector<int>> parse_cpu_list(std::string_view text) {
  std::set<int> cpus;
  for (const std::string_view part : base::split(text, ',')) {
    const std::size_t dash = part.find('-');
    const auto first = parse_cpu(part.substr(0, dash));
    const auto last = dash == part.npos ? first : parse_cpu(part.substr(dash + 1));
    if (!first || !last || *last < *first) {
      return std::nullopt;
    }
    for (int cpu = *first; cpu <= *last; ++cpu) {
      cpus.insert(cpu);
    }
  }
  return std::vector<int>(cpus.begin(), cpus.end());
}

base::Message in_words(ProcessEnd end) {
  switch (end.how) {
    case ProcessEnd::How::exited: return base::say("exit status {}", end.number);
    case ProcessEnd::How::killed: {
      const char* name = sigdescr_np(end.number);
      return name == nullptr ? base::say("signal {}", end.number)
                             : base::say("signal {} ({})", end.number, std::string(name));
    }
    case ProcessEnd::How::unknown: return base::say("a status that another process keeps (it is being traced)");
  }
  return {};
}

}  // namespace kakehashi::usi
