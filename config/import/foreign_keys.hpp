// The keys of another program's settings, taken one by one out of a YAML tree: typed, each with its
// place, and what nobody asked for in the end. It knows no program.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "config/schema/judge_text.hpp"
#include "config/schema/problem.hpp"
#include "config/yaml/yaml_tree.hpp"

namespace kakehashi::config {

class ForeignKeys {
 public:
  /// `sections` are the paths whose maps are opened ("server", "server.tcpKeepalive"); the values of
  /// all others are taken whole. The report must outlive this.
  ForeignKeys(const YamlTree& tree, const std::set<std::string>& sections, Report& report);
  /// Of a map within the tree; its keys are told by their whole path, "usi.options.Threads.type".
  ForeignKeys(const YamlTree& tree, const YamlNode& map, const std::string& path, Place place,
              Report& report);

  /// Puts a text from elsewhere in a key's place; `origin` ("--host") is named in its problems.
  void replace(const std::string& key, std::string origin, std::string text);

  /// Each gives nothing when the key is absent, or null, or wrong, which is reported. `judge` may
  /// be null.
  [[nodiscard]] std::optional<std::string> text(const std::string& key,
                                                Complaint (*judge)(std::string_view) = nullptr);
  [[nodiscard]] std::optional<std::int64_t> whole(const std::string& key, std::int64_t min,
                                                  std::int64_t max);
  [[nodiscard]] std::optional<bool> flag(const std::string& key);
  /// The index of the word.
  [[nodiscard]] std::optional<std::size_t> word(const std::string& key,
                                                const std::vector<std::string>& words);
  /// A map as it stands.
  [[nodiscard]] const YamlNode* map(const std::string& key);

  [[nodiscard]] bool has(const std::string& key) const;
  /// Of the key; of its section, or the file's beginning, when it is absent.
  [[nodiscard]] Place place(const std::string& key) const;

  void problem(const std::string& key, std::string text);
  void must_have(const std::string& key, const std::string& accepted);

  /// Warns of every key that was not asked for, with the nearest that was.
  void warn_of_the_rest(const std::string& program);

 private:
  struct Value {
    YamlNode node;
    Place key_place;
    std::string origin;  ///< empty: the file
  };

  void flatten(const YamlTree& tree, const YamlNode& map, const std::string& section,
               const std::set<std::string>& sections);
  const Value* take(const std::string& key);
  void fault(const std::string& key, const Value& value, std::string text);

  Report& report_;
  std::map<std::string, Value> values_;
  std::map<std::string, Place> sections_;
  std::vector<std::string> order_;  ///< of the file
  std::set<std::string> asked_;
};

}  // namespace kakehashi::config
