#include "usi/engine_encoding.hpp"

#include <optional>
#include <utility>
#include <variant>

#include "base/encoding.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "usi/command.hpp"
#include "usi/message.hpp"
#include "usi/session.hpp"

namespace kakehashi::usi {

namespace {

std::optional<std::string> from_shift_jis(std::string_view line) {
  return base::utf8_bytes(line) == line.size() ? std::nullopt : base::from_cp932(line);
}

}  // namespace

std::string readable(std::string line) {
  auto converted = from_shift_jis(line);
  return converted ? std::move(*converted) : std::move(line);
}

std::string EngineEncoding::heard(std::string line) {
  auto converted = from_shift_jis(line);
  if (!converted) {
    return line;
  }
  // No byte of a Japanese character is one that ends a word.
  const EngineMessage message = parse_line(line);
  const auto* declared = std::get_if<OptionDeclared>(&message);
  if (declared != nullptr && options_.size() < Session::options_max) {
    const std::string& bytes = declared->option.name;
    options_.try_emplace(base::from_cp932(bytes).value_or(bytes), bytes);
  }
  return std::move(*converted);
}

std::string EngineEncoding::told(std::string lines) const {
  if (options_.empty()) {
    return lines;
  }
  std::string out;
  out.reserve(lines.size());
  for (const std::string_view line : base::split(lines, '\n')) {
    told_one(line, out);
    out += '\n';
  }
  out.pop_back();
  return out;
}

void EngineEncoding::told_one(std::string_view line, std::string& out) const {
  const bool is_setting = line.starts_with("setoption");
  // The longest name first: one may begin as another does.
  for (auto option = options_.rbegin(); is_setting && option != options_.rend(); ++option) {
    const auto& [name, bytes] = *option;
    const std::string before_value = format_setoption({name, ""});
    if (line.starts_with(before_value)) {
      out += format_setoption({bytes, base::to_cp932(line.substr(before_value.size()))});
      return;
    }
    if (line == format_setoption({name, std::nullopt})) {
      out += format_setoption({bytes, std::nullopt});
      return;
    }
  }
  out += line;
}

}  // namespace kakehashi::usi
