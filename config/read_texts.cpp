#include "config/read_texts.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"

namespace kakehashi::config {

using Kind = YamlNode::Kind;

void read_texts(const KeyValue& value, const TextsKey& shape, BotConfig& bot, Report& report) {
  std::vector<const YamlNode*> nodes;
  if (value.node.kind == Kind::scalar) {
    nodes.push_back(&value.node);
  }
  for (const std::size_t item : value.node.items) {
    nodes.push_back(&value.tree.at(item));
  }
  if (value.node.kind == Kind::map || nodes.size() > texts_max) {
    report.problem(value.node.place, value.key.path,
                   "must be a text or a list of at most " + std::to_string(texts_max) + " texts (accepted: " +
                       shape.accepted + ")");
    return;
  }
  std::vector<std::string> texts;
  bool is_good = true;
  for (const YamlNode* node : nodes) {
    auto complaint = node->kind == Kind::scalar ? shape.judge(node->text)
                                                : Complaint("must hold texts, not " + seen(*node));
    if (!complaint && std::find(texts.begin(), texts.end(), node->text) != texts.end()) {
      complaint = "names " + base::quote_for_log(node->text, 80) + " twice";
    }
    if (complaint) {
      report.problem(node->place, value.key.path, std::move(*complaint));
      is_good = false;
    }
    texts.push_back(node->text);
  }
  if (is_good) {
    shape.at(bot) = std::move(texts);
  }
}

}  // namespace kakehashi::config
