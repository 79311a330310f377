#include "support/flow_yaml.hpp"

#include <string>

#include "base/text.hpp"

namespace kakehashi::support {

namespace {

using Kind = config::YamlNode::Kind;

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  config::YamlTree read() {
    read_value(",]}");
    return std::move(tree_);
  }

 private:
  std::size_t read_value(std::string_view ends) {
    const std::size_t index = tree_.nodes.size();
    tree_.nodes.emplace_back();
    skip_spaces();
    config::YamlNode node;
    if (is_at('{') || is_at('[')) {
      node.kind = is_at('{') ? Kind::map : Kind::list;
      read_items(node);
    } else {
      node.kind = Kind::scalar;
      node.text = read_word(index == 0 ? "" : ends);
      node.is_quoted = node.text.empty();
    }
    tree_.nodes[index] = std::move(node);
    return index;
  }

  void read_items(config::YamlNode& node) {
    const char end = node.kind == Kind::map ? '}' : ']';
    ++at_;
    skip_spaces();
    while (at_ < text_.size() && !is_at(end)) {
      if (node.kind == Kind::map) {
        std::string key = read_word(":");
        ++at_;
        node.entries.push_back({std::move(key), {}, read_value(",}")});
      } else {
        node.items.push_back(read_value(",]"));
      }
      skip_spaces();
      at_ += is_at(',') ? 1U : 0U;
      skip_spaces();
    }
    ++at_;
  }

  std::string read_word(std::string_view ends) {
    const std::size_t end = std::min(text_.find_first_of(ends, at_), text_.size());
    std::string word(base::trim(text_.substr(at_, end - at_)));
    at_ = end;
    return word;
  }

  [[nodiscard]] bool is_at(char c) const { return at_ < text_.size() && text_[at_] == c; }
  void skip_spaces() {
    while (is_at(' ')) {
      ++at_;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  config::YamlTree tree_;
};

}  // namespace

config::YamlTree read_flow(std::string_view text) { return Reader(text).read(); }

}  // namespace kakehashi::support
