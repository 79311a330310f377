#include "config/yaml/write_yaml.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "base/overload.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "config/schema/plain_settings.hpp"

namespace kakehashi::config {
namespace {

constexpr std::size_t columns_max = 100;
/// A map, or a list of one-key maps where a name comes more than once; nothing where there is none.
std::optional<std::string> spell_options(const usi::WantedOptions& options, const std::string& indent) {
  std::set<std::string> names;
  for (const auto& option : options) {
    names.insert(option.first);
  }
  const std::string dash = names.size() < options.size() ? "- " : "";
  std::string lines;
  for (const auto& [name, value] : options) {
    lines += "\n" + indent + "  " + dash + spell_text(name) + ":" + (value ? " " + spell_text(*value) : "");
  }
  return lines.empty() ? std::nullopt : std::optional(lines);
}

/// What stands in the file: the value with its indent; nothing for what says no more than its default.
std::optional<std::string> told(const Key& key, const BotConfig& bot, const std::string& indent);

std::string spell_item(const std::vector<Key>& keys, const BotConfig& alone, const std::string& indent) {
  std::string lines;
  for (const Key& key : keys) {
    if (const auto value = told(key, alone, indent + "    ")) {
      lines += "\n" + indent + (lines.empty() ? "  - " : "    ") + key.leaf() + ":" +
               (value->starts_with("\n") ? "" : " ") + *value;
    }
  }
  return lines.empty() ? "\n" + indent + "  - {}" : lines;
}

/// The value as it stands behind "key:"; nothing where there is none.
std::optional<std::string> spell(const Key& key, BotConfig bot, const std::string& indent) {
  using Spelt = std::optional<std::string>;
  return std::visit(
      base::Overload{
          [&](const EnvironmentKey& environment) {
            return spell_options({environment.at(bot).begin(), environment.at(bot).end()}, indent);
          },
          [&](const OptionsKey& options) { return spell_options(options.at(bot), indent); },
          [&](const ItemsKey& items) {
            Spelt lines;
            for (const BotConfig& alone : items.each(bot)) {
              lines = lines.value_or("") + spell_item(items.keys, alone, indent);
            }
            return lines;
          },
          // A list that is empty says something where it is not by itself.
          [&](const TextsKey& texts) {
            return texts.at(bot).empty() && texts.at(with_an_item_each()).empty() ? std::nullopt : Spelt(spell_list(texts.at(bot)));
          },
          [](const ProxyKey&) { return Spelt(); },
          [](const RulesKey&) { return Spelt(); },
          [&](const auto&) {
            const std::vector<PlainSetting> settings = plain_settings(key, bot);
            const std::string value = settings.empty() ? std::string() : spell_value(key, settings.front());
            return value.empty() ? std::nullopt : Spelt(value);
          },
      },
      key.shape);
}

/// What stays together on a line, and whether a space stands before it: a word, or of Japanese a character with the
/// punctuation that may not be parted from it.
struct Piece {
  std::string text;
  std::size_t columns = 0;
  bool has_space = false;
};

std::vector<Piece> pieces_of(std::string_view paragraph) {
  constexpr std::string_view no_beginning = "、。,.」』)】・ー々:;!?)],.:;!?%";
  constexpr std::string_view no_end = "「『(【([";
  std::vector<Piece> pieces;
  for (const std::string_view word : base::split_words(paragraph)) {
    pieces.push_back({"", 0, !pieces.empty()});
    std::string_view before;
    for (std::size_t at = 0; at < word.size();) {
      const auto character = base::utf8_at(word, at);
      const std::string_view bytes = word.substr(at, character ? character->length_bytes : 1);
      const bool may_break = !before.empty() && (before.size() > 2 || bytes.size() > 2) &&
                             no_beginning.find(bytes) == std::string_view::npos && no_end.find(before) == std::string_view::npos;
      if (may_break) {
        pieces.push_back({"", 0, false});
      }
      pieces.back().text += bytes;
      pieces.back().columns += bytes.size() > 2 ? 2U : 1U;
      before = bytes;
      at += bytes.size();
    }
  }
  return pieces;
}

/// "server:" and, within it, "tls:": what is not open yet.
std::string open_section(const std::string& section, const std::string& open) {
  std::string lines;
  std::string path;
  std::string indent;
  for (const std::string_view name : base::split(section, '.')) {
    path += (path.empty() ? "" : ".") + std::string(name);
    if (open != path && !open.starts_with(path + ".")) {
      lines += (indent.empty() ? "\n" : indent) + std::string(name) + ":\n";
    }
    indent += "  ";
  }
  return lines;
}

std::optional<std::string> told(const Key& key, const BotConfig& bot, const std::string& indent) {
  auto value = spell(key, bot, indent);
  return !value || (!key.is_required && value == spell(key, with_an_item_each(), indent)) ? std::nullopt : value;
}

/// Whether the file has the section, for a value in it. "tls: true" is said by the section of that name being there.
bool is_there(const std::string& section, const BotConfig& bot) {
  return std::ranges::any_of(keys(), [&](const Key& key) { return key.path.starts_with(section + ".") && told(key, bot, ""); });
}

/// The longest part of a section's path that the file has open for a value.
std::string told_part(std::string section, const BotConfig& bot) {
  while (!section.empty() && !is_there(section, bot)) {
    section = section.substr(0, section.rfind('.') == std::string::npos ? 0 : section.rfind('.'));
  }
  return section;
}

std::size_t depth_of(const std::string& path) {
  return static_cast<std::size_t>(std::count(path.begin(), path.end(), '.'));
}

/// Every line behind a #, which is all that has to go for it to count.
std::string commented_out(const std::string& indent, const std::string& lines) {
  std::string text;
  for (std::string_view line : base::split(lines, '\n')) {
    if (!line.empty()) {
      text += indent + "#" + std::string(line.substr(std::min(indent.size(), line.size()))) + "\n";
    }
  }
  return text;
}

}  // namespace

std::string comment_lines(const std::string& indent, const std::string& text) {
  std::string lines;
  for (const std::string_view paragraph : base::split(text, '\n')) {
    std::string line = indent + "#";
    std::size_t columns = line.size();
    for (const Piece& piece : pieces_of(paragraph)) {
      const bool is_first = columns == indent.size() + 1;
      if (!is_first && columns + (piece.has_space ? 1U : 0U) + piece.columns > columns_max) {
        lines += line + "\n" + indent;
        line = "# " + piece.text;
        columns = indent.size() + 2 + piece.columns;
        continue;
      }
      const bool has_space = piece.has_space || is_first;
      line += (has_space ? " " : "") + piece.text;
      columns += (has_space ? 1U : 0U) + piece.columns;
    }
    lines += line + "\n";
  }
  return lines;
}

std::string write_yaml(const BotConfig& bot, const std::string& head, Extent extent, words::Language language) {
  std::string text;
  std::string open;
  std::string shown;  // the section that is open within comments
  for (const Key& key : keys()) {
    const std::string indent(2 * depth_of(key.path), ' ');
    const auto value = told(key, bot, indent);
    if (!value && extent == Extent::all && !is_section(key.path)) {
      const std::string section = key.section();
      const std::string place = told_part(section, bot);
      if (!place.empty()) {
        text += open_section(place, open);
        open = place;
      }
      const std::string margin(place.empty() ? 0 : 2 * depth_of(place + "."), ' ');
      if (section != place && section != shown) {
        text += place.empty() ? "\n" : "";
        text += commented_out(margin, open_section(section, shown.starts_with(section.substr(0, section.find('.'))) ? shown : place));
        shown = section;
      }
      text += comment_lines(margin, words::in(language, key.meaning));
      const auto fallback = default_of(key);
      text += commented_out(margin, indent + key.leaf() + ":" + (fallback ? " " + *fallback : ""));
      continue;
    }
    if (!value || is_there(key.path, bot)) {
      continue;
    }
    if (const std::string section = key.section(); !section.empty()) {
      text += open_section(section, open);
      open = section;
    }
    text += comment_lines(indent, words::in(language, key.meaning));
    text += indent + key.leaf() + ":" + (value->starts_with("\n") ? "" : " ") + *value + "\n";
  }
  return comment_lines("", head) + (text.starts_with("\n") ? "" : "\n") + text;
}

}  // namespace kakehashi::config
