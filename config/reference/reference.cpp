#include "config/reference/reference.hpp"

#include "base/text.hpp"
#include "config/game_settings.hpp"
#include "config/schema/keys.hpp"

namespace kakehashi::config {
namespace {

using base::Message;
using base::say;
using words::Language;

std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    escaped += c == '|' || c == '<' || c == '>' ? std::string("\\") + c : std::string(1, c);
  }
  return escaped;
}

std::string row(const Key& key, Language language) {
  const auto fallback = default_of(key);
  return "| `" + key.path + "` | " + words::in(language, describe_level(key)) + " | " +
         (fallback ? "`" + *fallback + "`" : cell(words::in(language, describe_default(key)))) + " | " +
         cell(words::in(language, describe_accepted(key))) + " | " + cell(words::in(language, key.meaning)) + " |\n";
}

std::string table(const std::vector<Key>& keys, const std::string& section, Language language) {
  std::string text = words::in(language, say("| key | level | default | accepted | meaning |")) + "\n| --- | --- | --- | --- | --- |\n";
  for (const Key& key : keys) {
    if (key.section() == section) {
      text += row(key, language);
    }
  }
  return text;
}

/// The chapter on the items of a list.
std::string items(const std::string& list, const Message& what, Language language) {
  return "\n### `" + list + "`\n\n" + words::in(language, what) + "\n\n" + table(item_keys(*find_key(list)), list, language);
}

}  // namespace

std::string reference(Language language) {
  std::string text = "### " + words::in(language, say("At the top level")) + "\n\n" + table(keys(), "", language);
  for (const Section& section : sections()) {
    text += "\n### `" + section.name + "`\n\n" + words::in(language, section.meaning) + "\n\n" +
            table(keys(), section.name, language);
  }
  text += items("engine.team", say("Each item of the list `engine.team`, such as `- {name: second, options: {Threads: 4}}`."), language);
  text += items("notify", say("Each item of the list `notify`, such as `- {url_file: /etc/kakehashi/discord.url, template: discord}`."),
                language);
  text += "\n### `rules`\n\n" + words::in(language, say("What a rule can look at, in its `when`.")) + "\n\n" +
          words::in(language, say("| in `when` | accepted | meaning |")) + "\n| --- | --- | --- |\n";
  for (const AspectText& aspect : aspect_texts()) {
    text += "| `" + std::string(aspect.path) + "` | " + cell(words::in(language, aspect.accepted)) + " | " +
            cell(words::in(language, aspect.meaning)) + " |\n";
  }
  Message settable;
  for (const std::string& path : settable_keys()) {
    std::string key = "`" + path + "`";
    settable = settable.empty() ? base::verbatim(key) : base::say("{}, {}", settable, key);
  }
  return text + "\n" + words::in(language, say("A rule can set {}.", settable)) + "\n";
}

}  // namespace kakehashi::config
