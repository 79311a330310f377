#include "config/reference_page.hpp"

#include "config/describe.hpp"
#include "config/game_settings.hpp"

namespace kakehashi::config {
namespace {

std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    escaped += c == '|' || c == '<' || c == '>' ? std::string("\\") + c : std::string(1, c);
  }
  return escaped;
}

std::string row(const Key& key, const PageWords& words) {
  const std::string fallback = describe_default(key);
  const bool is_value = !key.is_required && key.when_absent.empty() && fallback != "none";
  return "| `" + key.path + "` | " + words.phrase(describe_type(key)) + " | " +
         (is_value ? "`" + fallback + "`" : cell(words.phrase(fallback))) + " | " +
         cell(words.phrase(describe_accepted(key))) + " | " +
         cell(words.meaning(key.path, key.explanation)) + " |\n";
}

std::string table(const std::string& section, const PageWords& words) {
  std::string text = std::string(words.columns) + "\n| --- | --- | --- | --- | --- |\n";
  for (const Key& key : keys()) {
    if (key.section() == section) {
      text += row(key, words);
    }
  }
  return text;
}

}  // namespace

std::string reference_page(const PageWords& words) {
  std::string page = std::string(words.introduction) + "\n### " + words.top_level + "\n\n" + table("", words);
  for (const Section& section : sections()) {
    page += "\n### `" + section.name + "`\n\n" +
            words.meaning("[" + section.name + "]", section.explanation) + "\n\n" +
            table(section.name, words);
  }
  page += words.ending;
  for (const AspectText& aspect : aspect_texts()) {
    page += "| `" + std::string(aspect.path) + "` | " + cell(words.phrase(aspect.accepted)) + " | " +
            cell(words.meaning("when." + std::string(aspect.path), aspect.meaning)) + " |\n";
  }
  page += std::string("\n") + words.settable;
  std::string comma = " ";
  for (const std::string& key : settable_keys()) {
    page += comma + "`" + key + "`";
    comma = words.comma;
  }
  return page + words.full_stop + "\n";
}

}  // namespace kakehashi::config
