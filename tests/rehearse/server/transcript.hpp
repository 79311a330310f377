// Reads a transcript of clients on a real shogi-server: what each connection sent and received,
// and when. Two forms: a probe (one file, every line with its connection) and a pair of bridges'
// logs (a.csa.log, b.csa.log).
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace kakehashi::rehearse::server {

enum class What { connects, sends, receives, closes, is_closed };

struct TranscriptEvent {
  double at_s = 0;
  std::string connection;
  What what;
  std::string text;  ///< of sends and receives
};

struct Transcript {
  std::string name;  ///< "probes/out_of_turn"
  std::vector<TranscriptEvent> events;

  /// The first line received that begins so, without that beginning; empty when there is none.
  [[nodiscard]] std::string first_received(const std::string& beginning) const;
};

/// Every probe and every pair of logs below tests/transcripts.
[[nodiscard]] std::vector<std::string> transcript_names();
[[nodiscard]] Transcript read_transcript(const std::string& name);

}  // namespace kakehashi::rehearse::server
