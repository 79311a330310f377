#include "cli/record_file.hpp"

#include "base/encoding.hpp"
#include "base/exit_status.hpp"
#include "base/io/file.hpp"
#include "config/io/read_file.hpp"
#include "shogi/record/format.hpp"

namespace kakehashi::cli {

namespace record = shogi::record;

using base::say;

void RecordsRead::tell_doubts(const std::string& path, const Terminal& terminal) const {
  for (const record::Record& game : games) {
    for (const base::Message& doubt : game.doubts) {
      terminal.fault(say("{}: {}", shown_input(path), doubt));
    }
  }
}

RecordsRead read_record_file(const std::string& path, std::optional<record::Format> format) {
  const auto file = path == "-" ? config::io::read_standard_input(record::record_bytes_max)
                                : config::io::read_file(path, record::record_bytes_max);
  if (!file.is_good()) {
    return {{}, file.trouble, base::exit_no_input};
  }
  if (file.text.size() > record::record_bytes_max) {
    return {{}, say("line {}: it has more than {} bytes", 1, record::record_bytes_max),
            base::exit_data};
  }
  const auto text = base::to_utf8(file.text);
  if (!text) {
    return {{}, text.error().what, base::exit_data};
  }
  const auto found = format ? format : record::detect_format(*text, path);
  if (!found) {
    return {{}, say("line {}: this is no record in a known format", 1), base::exit_data};
  }
  auto games = record::read_records(*text, *found, std::chrono::minutes{0});
  if (!games) {
    return {{}, games.error().what, base::exit_data};
  }
  return {std::move(*games), {}, base::exit_ok};
}

std::optional<base::Message> write_record_file(const std::string& path, const std::string& bytes, bool replace) {
  auto [is_taken, why] = base::io::write_new_file(path, bytes);
  if (is_taken && !replace) {
    return say("{} exists; --force replaces it", base::quoted(path, 400));
  }
  if (is_taken) {
    why = base::io::replace_whole(path, bytes);
  }
  return why.empty() ? std::nullopt : std::optional(std::move(why));
}

base::Message shown_input(const std::string& path) {
  return path == "-" ? say("standard input") : base::verbatim(path);
}

}  // namespace kakehashi::cli
