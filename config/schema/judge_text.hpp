// Rules for single texts of a configuration. Each returns nothing, or what is wrong with the text
// as the end of a sentence that begins with the key. Pure; sources are named where a protocol
// makes the rule. A text that may hold a secret by mistake is never repeated in a message.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace kakehashi::config {

using Complaint = std::optional<std::string>;

[[nodiscard]] Complaint judge_bot_name(std::string_view text);
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
/// The value of an environment variable: as judge_argument, and $NAME, which nobody would expand.
[[nodiscard]] Complaint judge_variable_value(std::string_view text);
/// systemd.exec(5), LoadCredential=: the name of a file in the credentials' directory.
[[nodiscard]] Complaint judge_credential(std::string_view text);
/// The template of a record's file name.
[[nodiscard]] Complaint judge_record_name(std::string_view text);
/// An argument of the engine's command line.
[[nodiscard]] Complaint judge_argument(std::string_view text);
/// What looks as if a shell were to replace it, and may be meant as it stands all the same.
[[nodiscard]] Complaint doubt_literal(std::string_view text);
/// Processors, "0-3,8".
[[nodiscard]] Complaint judge_cpus(std::string_view text);
/// Of `setoption name … value …`: one line, in which the name ends at the word "value".
[[nodiscard]] Complaint judge_option_name(std::string_view text);
[[nodiscard]] Complaint judge_option_value(std::string_view text);

/// Each may have a "_" before or behind it, which goes where there is no value.
inline constexpr std::array<std::string_view, 12> record_placeholders{
    "date",     "time",  "game_id", "black", "white", "game_name",
    "datetime", "title", "sente",   "gote",  "hex5", "ply"};

inline constexpr std::size_t text_bytes_max = 4096;

}  // namespace kakehashi::config
