#include "tests/rehearse/server/transcript.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "tests/places.hpp"

namespace kakehashi::rehearse::server {
namespace {

namespace fs = std::filesystem;

fs::path top() { return fs::path(test::tests_dir()) / "transcripts"; }

std::vector<std::string> lines_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  return lines;
}

/// "b'AGREE\n'" as the probes print raw bytes: only the escape \n occurs.
std::string raw_bytes(const std::string& text) {
  std::string bytes;
  for (std::size_t i = 2; i + 1 < text.size(); ++i) {
    const bool is_line_end = text[i] == '\\' && text[i + 1] == 'n';
    bytes.push_back(is_line_end ? '\n' : text[i]);
    i += is_line_end ? 1 : 0;
  }
  return bytes;
}

class Reader {
 public:
  void add(double at_s, const std::string& connection, char mark, const std::string& text) {
    if (connection == "-") {
      return;  // a remark about the whole
    }
    if (seen_.insert(connection).second) {
      push(at_s, connection, What::connects, "");
    }
    switch (mark) {
      case '>':
        sent(at_s, connection, text);
        return;
      case '<':
        push(at_s, connection, What::receives, text);
        return;
      case '!':
        noted(at_s, connection, text);
        return;
      default:
        return;
    }
  }

  std::vector<TranscriptEvent> events;

 private:
  void push(double at_s, const std::string& connection, What what, const std::string& text) {
    events.push_back({at_s, connection, what, text});
  }

  void sent(double at_s, const std::string& connection, const std::string& text) {
    if (!text.starts_with("b'")) {
      push(at_s, connection, What::sends, text);
      return;
    }
    auto& partial = partial_[connection];
    partial += raw_bytes(text);
    for (auto end = partial.find('\n'); end != std::string::npos; end = partial.find('\n')) {
      push(at_s, connection, What::sends, partial.substr(0, end));
      partial.erase(0, end + 1);
    }
  }

  void noted(double at_s, const std::string& connection, const std::string& text) {
    // With its reader still waiting, a probe's reset took effect only when the reader woke.
    const bool closes = text == "client closes" || text == "bridge closed the connection" ||
                        text.starts_with("recv error");
    if (closes && closed_.insert(connection).second) {
      push(at_s, connection, What::closes, "");
    }
    const bool is_closed =
        text == "connection closed by the server" || text == "server closed the connection";
    if (is_closed && closed_.insert(connection).second) {
      push(at_s, connection, What::is_closed, "");
    }
  }

  std::set<std::string> seen_;
  std::set<std::string> closed_;
  std::map<std::string, std::string> partial_;
};

/// "   0.002 A > LOGIN a b"
void read_probe(const fs::path& path, Reader& reader) {
  for (const auto& line : lines_of(path)) {
    std::istringstream words(line);
    double at_s = 0;
    std::string connection;
    char mark = 0;
    if (words >> at_s >> connection >> mark && connection != "#") {
      const auto start = static_cast<std::size_t>(words.tellg()) + 1;
      reader.add(at_s, connection, mark, start < line.size() ? line.substr(start) : "");
    }
  }
}

struct LogLine {
  double at_s;
  std::string connection;
  std::string line;
};

/// "1795220936.214275 > LOGIN a b", two files by their times.
void read_logs(const fs::path& folder, Reader& reader) {
  std::vector<LogLine> all;
  for (const std::string connection : {"a", "b"}) {
    for (const auto& line : lines_of(folder / (connection + ".csa.log"))) {
      all.push_back({std::stod(line), connection, line});
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const LogLine& x, const LogLine& y) { return x.at_s < y.at_s; });
  for (const auto& [at_s, connection, line] : all) {
    const auto mark = line.find(' ') + 1;
    reader.add(at_s, connection, line[mark], mark + 2 < line.size() ? line.substr(mark + 2) : "");
  }
}

}  // namespace

std::string Transcript::first_received(const std::string& beginning) const {
  for (const auto& event : events) {
    if (event.what == What::receives && event.text.starts_with(beginning)) {
      return event.text.substr(beginning.size());
    }
  }
  return "";
}

std::vector<std::string> transcript_names() {
  std::vector<std::string> names;
  if (!fs::exists(top())) {
    return names;
  }
  for (const auto& entry : fs::recursive_directory_iterator(top())) {
    const auto path = entry.path();
    if (path.filename() == "a.csa.log") {
      names.push_back(fs::relative(path.parent_path(), top()).generic_string());
    } else if (path.parent_path().filename() == "probes" && path.extension() == ".log") {
      names.push_back("probes/" + path.stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

Transcript read_transcript(const std::string& name) {
  Reader reader;
  if (name.starts_with("probes/")) {
    read_probe(top() / (name + ".log"), reader);
  } else {
    read_logs(top() / name, reader);
  }
  return {name, std::move(reader.events)};
}

}  // namespace kakehashi::rehearse::server
