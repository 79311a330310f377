#include "config/yaml/yaml_tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <exception>
#include <map>
#include <sstream>
#include <utility>

#include "base/text.hpp"
#include "base/utf8.hpp"

namespace kakehashi::config {
namespace {

using base::Message;
using base::say;

// --- the bytes before YAML sees them: yaml-cpp takes the byte 0x04 for the end of the file and repairs broken UTF-8
// silently; both would lose settings without a word

bool is_unwelcome_control(unsigned char byte) {
  return (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7F;
}

std::string hex(unsigned char byte) { return fmt::format("0x{:02X}", byte); }

/// Counted from 1; nothing for another.
std::string_view line_of(std::string_view text, int line) {
  const auto lines = base::split(text, '\n');
  return line >= 1 && static_cast<std::size_t>(line) <= lines.size() ? lines[static_cast<std::size_t>(line) - 1] : "";
}

bool is_indented_with_a_tab(std::string_view line) {
  const std::size_t at = line.find_first_not_of(' ');
  return at != std::string_view::npos && line[at] == '\t';
}

/// Whether the text is small enough and UTF-8 without control characters; if not, the report says
/// where the first one stands.
bool judge_source(std::string_view text, Report& report) {
  if (text.size() > file_bytes_max) {
    report.problem({}, "",
                   say("is {} bytes long; a configuration has at most {}", text.size(), file_bytes_max));
    return false;
  }
  Place place{1, 1};
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (is_unwelcome_control(byte)) {
      report.problem(place, "", say("the control byte {} has no place in a configuration", hex(byte)));
      return false;
    }
    const auto character = base::utf8_at(text, at);
    if (!character) {
      report.problem(place, "", say("the byte {} is not UTF-8; save the file in that encoding", hex(byte)));
      return false;
    }
    place = byte == '\n' ? Place{place.line + 1, 1} : Place{place.line, place.column + 1};
    at += character->length_bytes;
  }
  return true;
}

/// What is likely behind a syntax error on that line; empty: nobody knows.
Message hint_for_syntax(std::string_view text, int line) {
  for (int at = line; at > 0 && at >= line - 1; --at) {
    if (is_indented_with_a_tab(line_of(text, at))) {
      return say("line {} is indented with a tab: use spaces", at);
    }
  }
  const std::string_view seen = base::trim(line_of(text, line));
  if (seen.find(": ") != std::string_view::npos && seen.find(": ") != seen.rfind(": ")) {
    return say("a value that holds \": \" must stand in quotes, and each key needs its colon");
  }
  return {};
}

// --- the parser's events

Place place_of(const YAML::Mark& mark) { return {mark.line + 1, mark.column + 1}; }

/// Builds the tree from the parser's events. What cannot stand in any configuration (nesting
/// beyond the bound, a key that is no text) ends the parse as a syntax error does.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(Report& report) : report_(report) {}

  YamlTree tree;
  Message trouble;  ///< why the parse has ended; empty: the parser itself says it

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) {
      end(mark, say("a second document begins here; give each bot its own file"));
    }
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (awaits_key()) {
      end(mark, say("a key is missing here"));
    }
    add({YamlNode::Kind::nothing, place_of(mark), "", false, {}, {}}, anchor, mark);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto known = anchors_.find(anchor);
    if (known == anchors_.end()) {
      end(mark, say("this alias has no anchor"));
    }
    if (awaits_key()) {
      const YamlNode& named = tree.at(known->second);
      take_key(named.text, named.is_quoted, mark);
    } else {
      attach(known->second);
    }
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_tag(tag, mark);
    if (awaits_key()) {
      take_key(value, tag == "!", mark);
      return;
    }
    add({YamlNode::Kind::scalar, place_of(mark), value, tag == "!", {}, {}}, anchor, mark);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::list, mark, tag, anchor);
  }
  void OnSequenceEnd() override { open_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::map, mark, tag, anchor);
  }
  void OnMapEnd() override { open_.pop_back(); }

 private:
  struct Open {
    std::size_t node;
    std::optional<YamlEntry> pending;  ///< of a map: the key whose value comes next
  };

  [[noreturn]] void end(const YAML::Mark& mark, Message why) {
    trouble = std::move(why);
    throw YAML::ParserException(mark, "");
  }

  [[nodiscard]] bool awaits_key() const {
    return !open_.empty() && tree.at(open_.back().node).kind == YamlNode::Kind::map &&
           !open_.back().pending;
  }

  void take_key(const std::string& key, bool is_quoted, const YAML::Mark& mark) {
    open_.back().pending = YamlEntry{key, place_of(mark), 0, is_quoted};
  }

  void open(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag,
            YAML::anchor_t anchor) {
    if (awaits_key()) {
      end(mark, say("a key must be a plain text, not a list or a map"));
    }
    if (open_.size() >= yaml_depth_max) {
      end(mark, say("nested more than {} deep", yaml_depth_max));
    }
    refuse_tag(tag, mark);
    open_.push_back({add({kind, place_of(mark), "", false, {}, {}}, anchor, mark), {}});
  }

  std::size_t add(YamlNode node, YAML::anchor_t anchor, const YAML::Mark& mark) {
    if (tree.nodes.size() >= yaml_nodes_max) {
      end(mark, say("more than {} values in one file", yaml_nodes_max));
    }
    const std::size_t index = tree.nodes.size();
    tree.nodes.push_back(std::move(node));
    if (anchor != YAML::NullAnchor) {
      anchors_[anchor] = index;
    }
    attach(index);
    return index;
  }

  void attach(std::size_t index) {
    if (open_.empty()) {
      return;
    }
    YamlNode& parent = tree.nodes[open_.back().node];
    if (parent.kind == YamlNode::Kind::list) {
      parent.items.push_back(index);
      return;
    }
    YamlEntry entry = std::move(*open_.back().pending);
    open_.back().pending.reset();
    entry.value = index;
    parent.entries.push_back(std::move(entry));
  }

  /// "?" and "!" are the parser's own marks for plain and quoted text.
  void refuse_tag(const std::string& tag, const YAML::Mark& mark) {
    if (!tag.empty() && tag != "?" && tag != "!") {
      report_.problem(place_of(mark), "",
                      say("the YAML tag {} is not supported; write the value without it", base::quoted(tag, 60)));
    }
  }

  Report& report_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, std::size_t> anchors_;
  int documents_ = 0;
};

/// The parser speaks English: what people's mistakes lead to is known in other languages too.
Message parser_words(const std::string& words) {
  for (Message known : {say("illegal map value"), say("illegal map key"), say("illegal block entry"), say("illegal flow end"),
                        say("end of map not found"), say("end of map flow not found"), say("end of sequence not found"),
                        say("end of sequence flow not found"), say("illegal EOF in scalar"),
                        say("illegal tab when looking for indentation"), say("unknown token"),
                        say("the referenced anchor is not defined")}) {
    if (known == words) {
      return known;
    }
  }
  return base::verbatim(words);
}

}  // namespace

std::optional<YamlTree> parse_yaml(const std::string& source, const Message& least, Report& report) {
  if (!judge_source(source, report)) {
    return std::nullopt;
  }
  const std::string text(base::without_byte_order_mark(source));
  TreeBuilder builder(report);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    const Place place = error.mark.is_null() ? Place{} : place_of(error.mark);
    const Message why =
        say("not valid YAML: {}", builder.trouble.empty() ? parser_words(error.msg) : builder.trouble);
    const Message hint = hint_for_syntax(text, place.line);
    report.problem(place, "", hint.empty() ? why : say("{}; {}", why, hint));
    return std::nullopt;
  } catch (const std::exception& error) {
    report.problem({}, "", say("cannot be read as YAML: {}", std::string(error.what())));
    return std::nullopt;
  }
  if (builder.tree.nodes.empty() || builder.tree.root().kind == YamlNode::Kind::nothing) {
    report.problem({1, 1}, "", say("holds no settings; {} are the least", least));
    return std::nullopt;
  }
  if (builder.tree.root().kind != YamlNode::Kind::map) {
    report.problem(builder.tree.root().place, "",
                   say("must hold sections with keys, such as server: and below it, indented, host: "
                       "wdoor.c.u-tokyo.ac.jp"));
    return std::nullopt;
  }
  return std::move(builder.tree);
}

}  // namespace kakehashi::config
