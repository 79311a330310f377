// Which fields each event and action has in a journal, and what it is called there: one row for
// each. A row that is missing does not compile. How fields are spelled is journal.cpp's business.
#pragma once

#include <cstddef>
#include <tuple>

#include "bridge/action.hpp"
#include "bridge/event.hpp"

namespace kakehashi::bridge::journal {

/// `kind` and `fields(value)`, which gives references to all members; for const values too.
template <class T>
struct Form;

#define KAKEHASHI_JOURNAL_FORM(type, name, ...)                                       \
  template <>                                                                         \
  struct Form<type> {                                                                 \
    static constexpr const char* kind = name;                                         \
    static auto fields([[maybe_unused]] auto& value) { return std::tie(__VA_ARGS__); } \
  }

/// As many fields at the end are missing in journals of earlier versions.
template <class T>
inline constexpr std::size_t fields_added = 0;
template <>
inline constexpr std::size_t fields_added<EngineStarted> = 1;

KAKEHASHI_JOURNAL_FORM(ServerConnected, "server_connected", value.peer);
KAKEHASHI_JOURNAL_FORM(ServerLine, "server_line", value.text, value.more);
KAKEHASHI_JOURNAL_FORM(ServerClosed, "server_closed", value.how, value.why);
KAKEHASHI_JOURNAL_FORM(EngineStarted, "engine_started", value.engine, value.process, value.withheld);
KAKEHASHI_JOURNAL_FORM(EngineFailedToStart, "engine_failed_to_start", value.engine, value.why);
KAKEHASHI_JOURNAL_FORM(EngineLine, "engine_line", value.engine, value.text);
KAKEHASHI_JOURNAL_FORM(EngineStderr, "engine_stderr", value.engine, value.text);
KAKEHASHI_JOURNAL_FORM(EngineExited, "engine_exited", value.engine, value.status);
KAKEHASHI_JOURNAL_FORM(EngineLink, "engine_link", value.engine, value.way, value.is_up, value.is_out, value.why,
                       value.round_trip, value.deviation);
KAKEHASHI_JOURNAL_FORM(TimerFired, "timer_fired");
KAKEHASHI_JOURNAL_FORM(StopRequested, "stop_requested", value.urgency);
KAKEHASHI_JOURNAL_FORM(RecordWritten, "record_written", value.path, value.why);
KAKEHASHI_JOURNAL_FORM(LinkMeasured, "link_measured", value.rtt, value.variance);
KAKEHASHI_JOURNAL_FORM(BookAnswered, "book_answered", value.number, value.lines);
KAKEHASHI_JOURNAL_FORM(ClockRecalled, "clock_recalled", value.engine, value.clocks.reading,
                       value.clocks.swaps_sides);

KAKEHASHI_JOURNAL_FORM(ConnectServer, "connect_server");
/// What may be shown stands for the line itself.
KAKEHASHI_JOURNAL_FORM(WriteServer, "write_server", value.log_as);
KAKEHASHI_JOURNAL_FORM(CloseServer, "close_server");
KAKEHASHI_JOURNAL_FORM(HoldLine, "hold_line", value.patience);
KAKEHASHI_JOURNAL_FORM(StartEngine, "start_engine", value.engine);
KAKEHASHI_JOURNAL_FORM(WriteEngine, "write_engine", value.engine, value.line);
KAKEHASHI_JOURNAL_FORM(StopEngineAt, "stop_engine_at", value.engine, value.at);
KAKEHASHI_JOURNAL_FORM(KillEngine, "kill_engine", value.engine, value.grace);
KAKEHASHI_JOURNAL_FORM(ArmTimer, "arm_timer", value.deadline);
KAKEHASHI_JOURNAL_FORM(BeginRecord, "begin_record", value.stem, value.extensions, value.text,
                       value.source);
KAKEHASHI_JOURNAL_FORM(AppendRecord, "append_record", value.text, value.source);
KAKEHASHI_JOURNAL_FORM(FinishRecord, "finish_record", value.files, value.stem);
KAKEHASHI_JOURNAL_FORM(LookUpBook, "look_up_book", value.number, value.position);
KAKEHASHI_JOURNAL_FORM(RecallClock, "recall_clock", value.engine, value.facts);
KAKEHASHI_JOURNAL_FORM(KeepClock, "keep_clock", value.engine, value.facts, value.clocks.reading,
                       value.clocks.swaps_sides);
KAKEHASHI_JOURNAL_FORM(Note, "note", value.level, value.code, value.text, value.fields);
KAKEHASHI_JOURNAL_FORM(Paired, "paired", value.opponent, value.us, value.game_id);
KAKEHASHI_JOURNAL_FORM(GameStarted, "game_started", value.game_id);
KAKEHASHI_JOURNAL_FORM(GameEnded, "game_ended", value.outcome, value.reason, value.is_lost_sight, value.opponent,
                       value.game_id, value.moves);
KAKEHASHI_JOURNAL_FORM(RescuePlayed, "rescue_played", value.cause, value.how);
KAKEHASHI_JOURNAL_FORM(Occurred, "occurred", value.what, value.trouble);
KAKEHASHI_JOURNAL_FORM(ReportReady, "report_ready");
KAKEHASHI_JOURNAL_FORM(PhaseChanged, "report_status", value.phase);
KAKEHASHI_JOURNAL_FORM(Exit, "exit", value.status);

#undef KAKEHASHI_JOURNAL_FORM

}  // namespace kakehashi::bridge::journal
