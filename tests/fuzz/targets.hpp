// The fuzz targets: each takes any bytes as a peer or a file would give them, and must neither crash,
// throw, nor break the promise that it checks. One function is one target; libfuzzer_main.cpp runs
// one of them under libFuzzer, corpus_test.cpp all of them over the corpus.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace kakehashi::fuzz {

struct Target {
  const char* name;  ///< of its folder in corpus/ and its file in dictionaries/
  void (*run)(std::string_view bytes);
};

// --- peers_targets.cpp
void csa_line(std::string_view bytes);      ///< lines of a CSA server, each by itself
void game_summary(std::string_view bytes);  ///< a BEGIN/END block, and a Reconnect_State
void csa_session(std::string_view bytes);   ///< csa::ClientSession, with all that may be sent
void usi_line(std::string_view bytes);      ///< lines of an engine in all four protocols
void usi_session(std::string_view bytes);   ///< usi::Session, with all that may be asked of it
void bot(std::string_view bytes);           ///< the whole bot between a server and an engine

// --- keeper_target.cpp
void keeper(std::string_view bytes);         ///< clients and the engine of a keeper
void keeper_client(std::string_view bytes);  ///< the links of a keeper's client

// --- holder_target.cpp
void holder_words(std::string_view bytes);  ///< what a player says to its holder, and what that then keeps
void holder_turn(std::string_view bytes);   ///< what a holder says to an understudy whose turn has come

// --- files_targets.cpp
void sfen(std::string_view bytes);       ///< SFEN and USI moves
void record(std::string_view bytes);     ///< records of every format, read, written and read again
void yaml(std::string_view bytes);       ///< a configuration file
void shogihome(std::string_view bytes);  ///< ShogiHome's settings, packed or not
void journal(std::string_view bytes);    ///< a journal, read and repeated
void book(std::string_view bytes);       ///< an opening book

// --- stored_targets.cpp
void archive(std::string_view bytes);       ///< a row of games.db, and all that is made of it
void game_query(std::string_view bytes);    ///< which games are wanted, as an address says it
void earlier_runs(std::string_view bytes);  ///< the files that a process left behind, at the next start

// --- server_targets.cpp
void rehearsal(std::string_view bytes);  ///< clients of the embedded server
void http(std::string_view bytes);       ///< a request to the status server

[[nodiscard]] std::span<const Target> targets();

/// The same journal with the checksum that each line ought to have: chance finds none.
[[nodiscard]] std::string sealed(std::string_view bytes);

/// Throws when a promise does not hold, which no target may do.
void require(bool holds, const char* promise);

}  // namespace kakehashi::fuzz
