// What a bot is at, for people and for tests: a word each for the states of its three machines.
//
// What an event does in a phase ("-": ignored, for the reason in the last line; "odd": noted).
// tests/bridge/phase_table_test.cpp walks this table.
//
//  phase     | ServerConnected | ServerLine     | ServerClosed | engine ready | engine lost   | deadline         | stop (drain)
//  ----------+-----------------+----------------+--------------+--------------+---------------+------------------+---------------
//  Preparing | odd, closed     | -              | -            | Connecting   | seat restarts | -                | Leaving
//  Connecting| LoggingIn       | -              | Backoff      | -            | seat restarts | Backoff          | Leaving
//  LoggingIn | odd             | Waiting or     | Backoff      | -            | seat restarts | Backoff          | Leaving
//            |                 | Backoff        |              |              |               |                  |
//  Waiting   | odd             | Agreeing       | Backoff      | -            | seat restarts | keepalive        | Leaving
//  Agreeing  | odd             | Playing or     | Backoff, or  | AGREE        | AGREE waits   | REJECT, if not   | REJECT, Leaving;
//            |                 | Preparing, or  | Leaving when |              |               | agreed           | when agreed it
//            |                 | another offer  | draining     |              |               |                  | goes on
//  Playing   | odd             | the game; its  | Backoff, or  | search again | rescue        | stop, rescue     | goes on, then
//            |                 | end: Preparing | Leaving when |              |               |                  | Leaving
//            |                 |                | draining     |              |               |                  |
//  Backoff   | odd, closed     | -              | -            | -            | seat restarts | Preparing        | Leaving
//  Resting   | odd, closed     | -              | -            | -            | seat restarts | Preparing        | Leaving
//  Leaving   | odd             | LOGOUT answered| engine quits | -            | Gone, when it | close, then quit | -
//            |                 |                |              |              | was quitting  |                  |
//  Gone      | -               | -              | -            | -            | -             | -                | -
//  (Where the connection stays for the next game, its end and REJECT lead to Waiting.)
//  ("-": a line or close of a connection that was given up already; or nothing depends on it.)
//  Resting takes the place of Connecting and Waiting outside the schedule's windows. A game whose line was
//  lost and that the server may give back waits beside the phases (Match::suspend). A game that is to be resigned is
//  so on our turn; else "resign" does what "drain" does, and in Leaving it leaves at once, as "at_once" does.
#pragma once

#include "base/message.hpp"

namespace kakehashi::bridge {

enum class Phase {
  preparing,   ///< no connection: the engine must be ready first, so that nothing slow runs on the game clock
  connecting,
  logging_in,
  waiting,     ///< for a game
  agreeing,    ///< a game is offered
  playing,
  backoff,
  resting,     ///< outside the windows of the schedule: logged out, the engine ready
  leaving,     ///< LOGOUT where it is due, then the engine's `quit`
  gone,
  beginning_anew,  ///< between two bots: another configuration is read in
  failed,          ///< the same, behind a promise that the bot broke to itself
};

/// One is played, or offered.
[[nodiscard]] constexpr bool is_in_game(Phase phase) { return phase == Phase::playing || phase == Phase::agreeing; }

/// "waiting for a game", "playing", …: for people, and by their English for programs that watch.
[[nodiscard]] base::Message name_of(Phase phase);
/// "waiting", "playing", …: for journals and tests; it never changes.
[[nodiscard]] const char* code_of(Phase phase);

}  // namespace kakehashi::bridge
