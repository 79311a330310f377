// The rules for the texts that people write into a configuration, each by itself (names, paths, durations, sizes, game
// names). Pure; sources are named where a protocol makes the rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/message.hpp"
#include "base/result.hpp"
#include "base/time.hpp"

namespace kakehashi::config {

// --- what is wrong with a text: nothing, or the end of a sentence that begins with the key. A text that may hold a secret by
// mistake is never repeated in a message.

using Complaint = std::optional<base::Message>;

[[nodiscard]] Complaint judge_bot_name(std::string_view text);
[[nodiscard]] Complaint judge_member_name(std::string_view text);
/// A name or an address, without scheme and port.
[[nodiscard]] Complaint judge_host(std::string_view text);
/// A name for ssh, or a whole command line of it.
[[nodiscard]] Complaint judge_ssh_host(std::string_view text);
/// SHA-256: 64 hexadecimal digits, with or without colons between the bytes.
[[nodiscard]] Complaint judge_fingerprint(std::string_view text);
/// The path and query of a WebSocket, in ASCII.
[[nodiscard]] Complaint judge_url_path(std::string_view text);
/// "https://example.org": the value of an HTTP header.
[[nodiscard]] Complaint judge_origin(std::string_view text);
/// shogi-server: `[\w@\-\.]{1,32}`.
[[nodiscard]] Complaint judge_account_name(std::string_view text);
/// `<label>-<total>-<n>[F][-B|-W]`, without the trip; on floodgate without a side.
[[nodiscard]] Complaint judge_game_name(std::string_view text);
[[nodiscard]] Complaint judge_path(std::string_view text);
[[nodiscard]] Complaint judge_directory(std::string_view text);
/// The name of an environment variable.
[[nodiscard]] Complaint judge_variable(std::string_view text);
/// The name of an environment variable, or a pattern of names with *.
[[nodiscard]] Complaint judge_pass_environment(std::string_view text);
/// The value of an environment variable: as judge_line, and $NAME, which nobody would expand.
[[nodiscard]] Complaint judge_variable_value(std::string_view text);
/// systemd.exec(5), LoadCredential=: the name of a file in the credentials' directory.
[[nodiscard]] Complaint judge_credential(std::string_view text);
/// The template of a record's file name.
[[nodiscard]] Complaint judge_record_name(std::string_view text);
/// One line: an argument of the engine's command line, the value of one of its options.
[[nodiscard]] Complaint judge_line(std::string_view text);
/// What looks as if a shell were to replace it, and may be meant as it stands all the same.
[[nodiscard]] Complaint doubt_literal(std::string_view text);
/// Processors, "0-3,8".
[[nodiscard]] Complaint judge_cpus(std::string_view text);
/// Of `setoption name … value …`: one line, in which the name ends at the word "value".
[[nodiscard]] Complaint judge_option_name(std::string_view text);

inline constexpr std::size_t text_bytes_max = 4096;

// --- durations and sizes as people write them, "1.5s" and "10MB", and back

/// A number with its unit: ms, s, min or h; decimals allowed down to a millisecond. A bare number
/// is an error that says which unit to write: 5 could be anything.
[[nodiscard]] base::Result<base::Millis> read_duration(std::string_view text);

/// "250ms", "1.5s", "2min", "1h": the shortest form that read_duration takes.
[[nodiscard]] std::string spell_duration(base::Millis duration);

/// A number of bytes, or a number with its unit: B, kB, MB, GB (1000) or KiB, MiB, GiB (1024).
[[nodiscard]] base::Result<std::uint64_t> read_size(std::string_view text);

/// "10MB", "64KiB", "0".
[[nodiscard]] std::string spell_size(std::uint64_t bytes);

// --- what a game name says, as far as a configuration can be judged by it
// Source: shogi-server, `<label>-<total>-<n>[F]` with an optional `-B` or `-W`, as observed.

struct GameName {
  std::string label;
  base::Seconds total{0};
  base::Seconds per_move{0};  ///< byoyomi, or with is_fischer the increment; both 0: untimed
  bool is_fischer = false;
  bool is_stop_watch = false;  ///< "-0NN": whole slices of NN seconds are charged
  bool has_side = false;       ///< ends with "-B" or "-W"

  [[nodiscard]] bool is_floodgate() const { return label == "floodgate"; }
};

/// Nothing when the text is no game name.
[[nodiscard]] std::optional<GameName> parse_game_name(std::string_view text);

}  // namespace kakehashi::config
