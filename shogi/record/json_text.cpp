#include "shogi/record/json_text.hpp"

#include <algorithm>

namespace kakehashi::shogi::record {

namespace json = boost::json;

base::Result<json::value> parse_json(std::string_view text, std::size_t first_line) {
  json::parse_options options;
  options.max_depth = 32;
  json::stream_parser parser({}, options);
  boost::system::error_code error;
  const std::size_t taken = parser.write_some(text.data(), text.size(), error);
  const std::string_view rest = text.substr(std::min(taken, text.size()));
  const bool has_more = rest.find_first_not_of(" \t\r\n") != std::string_view::npos;
  if (!error) {
    parser.finish(error);
  }
  if (!error && !has_more) {
    return parser.release();
  }
  const auto lines = std::count(text.begin(), text.end() - static_cast<long>(rest.size()), '\n');
  return base::fail("line " + std::to_string(first_line + static_cast<std::size_t>(lines)) +
                        ": this is no JSON: " +
                        (error ? error.message() : "something follows the first value"),
                    taken);
}

const json::value* member(const json::value* object, std::string_view name) {
  if (object == nullptr || !object->is_object()) {
    return nullptr;
  }
  const json::value* found = object->get_object().if_contains({name.data(), name.size()});
  return found != nullptr && found->is_null() ? nullptr : found;
}

std::optional<std::string> text_member(const json::value* object, std::string_view name) {
  const json::value* found = member(object, name);
  if (found == nullptr || !found->is_string()) {
    return std::nullopt;
  }
  const json::string& text = found->get_string();
  return std::string(text.data(), text.size());
}

std::optional<std::int64_t> whole_member(const json::value* object, std::string_view name) {
  const json::value* found = member(object, name);
  return found != nullptr && found->is_int64() ? std::optional(found->get_int64()) : std::nullopt;
}

bool is_true(const json::value* object, std::string_view name) {
  const json::value* found = member(object, name);
  return found != nullptr && found->is_bool() && found->get_bool();
}

}  // namespace kakehashi::shogi::record
