#!/usr/bin/env python3
"""Counts what a move of the real program costs, over real sockets and pipes, whatever the machine, and compares it with
real_counts.txt: one that is larger by a tenth fails.

A server and an engine of this file play one game with `kakehashi run`, once under strace and once without, and wait
behind each step of the moves that are counted until nothing moves any more, so that no count hangs on who was faster.
Of each count the table has the median over the moves about a ply:

  way       system calls of the thread that plays, from the read that has the opponent's move to the write of `go`,
            and from the read that has `bestmove` to the write of the move, these four included
  rush      the same where nobody pauses and what is said comes together: our move and the answer to it in one piece,
            what the engine says in one
  calls     system calls of the whole move, of all threads of both processes; not of a beat, which comes with time
  futexes   those of them that wait for a thread, or wake one
  switches  how often a thread went to sleep (without strace)
  bytes     written to files: journal, log, record

  real_move.py KAKEHASHI COUNTED_MOVE              compares
  real_move.py KAKEHASHI COUNTED_MOVE --refresh    writes real_counts.txt anew
  real_move.py KAKEHASHI COUNTED_MOVE --print [-v] only counts; -v: each call of one move, by thread
"""
import glob
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import processes

PLIES = (20, 200)  # ours are the even ones
ABOUT = 14  # so many plies on both sides of it are counted with it
QUIET_S = 0.04  # that nobody woke for so long is rest; what is to be synchronised is gathered for 20 ms
SETTLED_S = 30  # it comes to rest before that, on any machine
WHAT = ("way", "rush", "calls", "futexes", "switches", "bytes")
NOTED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "real_counts.txt")


def is_counted(ply):
    return any(abs(ply - about) <= ABOUT for about in PLIES)


def is_rushed(ply, about):
    """The nearer half of those between."""
    return not is_counted(ply) and min(PLIES, key=lambda one: abs(ply - one)) == about


def children(process):
    return [int(child) for children in processes.texts(f"{process}/task/*/children") for child in children.split()]


def look(numbers):
    """How often their threads went to sleep, and whether all of them sleep now."""
    found = [status for number in numbers for status in processes.texts(f"{number}/task/*/status")]
    return (sum(int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", status, re.M)[1]) for status in found),
            all(re.search(r"^State:\s*S", status, re.M) for status in found))


def sleeps(numbers):
    return look(numbers)[0]


def settle(numbers):
    """Waits until none of their threads moves any more; one that waits for a processor is about to."""
    begun = moved = time.monotonic()
    before = sleeps(numbers)
    while time.monotonic() < moved + QUIET_S:
        time.sleep(QUIET_S / 8)
        now, all_sleep = look(numbers)
        if now != before or not all_sleep:
            before, moved = now, time.monotonic()
        if moved > begun + SETTLED_S:
            raise RuntimeError("it does not come to rest")


def engine(moves):
    """Answers with the move behind those of `position`."""
    answers = open(moves).read().split()
    ply = 0
    player = os.getppid()
    holder = int(re.search(r"^PPid:\s*(\d+)", open(f"/proc/{player}/status").read(), re.M)[1])
    for line in sys.stdin:
        if line.startswith("usi\n"):
            print("id name counted\nusiok", flush=True)
        elif line.startswith("isready"):
            print("readyok", flush=True)
        elif line.startswith("position"):
            ply = len(line.split(" moves ", 1)[1].split()) if " moves " in line else 0
        elif line.startswith("go"):
            infos = "".join(f"info depth {depth} score cp 152 nodes 10345678 nps 1234567 time 8123 pv {answers[ply]}\n"
                            for depth in (19, 20, 21))
            if is_counted(ply + 1):
                settle([holder, player])
                os.write(1, infos.encode())
                infos = ""
                settle([holder, player])
            os.write(1, f"{infos}bestmove {answers[ply]}\n".encode())
        elif line.startswith("quit"):
            return


SUMMARY = """BEGIN Game_Summary
Protocol_Version:1.2
Protocol_Mode:Server
Format:Shogi 1.0
Game_ID:counted
Name+:other
Name-:counted
Your_Turn:-
To_Move:+
Max_Moves:100000
BEGIN Time
Time_Unit:1sec
Total_Time:100000
Byoyomi:10
END Time
BEGIN Position
PI
+
END Position
END Game_Summary
"""


class Run:
    """One game. `spans`: by ply, from when to when its move took."""

    def __init__(self, program, game, strace):
        self.folder = tempfile.mkdtemp(prefix="kakehashi-counted-")
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.settimeout(30)
        self.strace = strace
        self.spans = {}
        self.switches = {}
        with open(self.path("moves"), "w") as file:
            file.write("\n".join(usi for _, usi in game))
        with open(self.path("bot.yaml"), "w") as file:
            file.write(f"""server: {{host: 127.0.0.1, port: {self.listener.getsockname()[1]}}}
account: {{name: counted}}
game: {{name: counted-600-10, count: 1, comments: true}}
engine: {{command: [{sys.executable}, {os.path.abspath(__file__)}, engine, {self.path("moves")}]}}
records: {{directory: {self.path("records")}}}
log: {{file: {self.path("log")}}}
""")
        trace = ["strace", "-f", "-qq", "-yy", "-ttt", "-s", "40", "-e", "signal=none", "-o", self.path("trace"), "--"]
        self.process = subprocess.Popen((trace if strace else []) + [program, "run", self.path("bot.yaml")],
                                        stderr=open(self.path("stderr"), "w"), start_new_session=True)
        try:
            self.play(game)
            self.process.wait(timeout=60)
        except Exception as failure:
            print(open(self.path("stderr")).read()[-2000:], file=sys.stderr)
            for log in glob.glob(self.path("log")):
                print(open(log).read()[-2000:], file=sys.stderr)
            raise SystemExit(f"real_move: {failure!r}") from failure
        finally:
            if self.process.poll() is None:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()

    def path(self, name):
        return os.path.join(self.folder, name)

    def take(self):
        line = self.lines.readline()
        if not line:
            raise RuntimeError("the line was closed")
        return line.strip()

    def say(self, text):
        self.line.sendall(text.encode())

    def play(self, game):
        self.line, _ = self.listener.accept()
        self.line.settimeout(60)
        self.line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.lines = self.line.makefile()
        assert self.take().startswith("LOGIN")
        holder = children(self.process.pid)[0] if self.strace else self.process.pid
        self.processes = [holder] + children(holder)
        self.say("LOGIN:counted OK\n" + SUMMARY)
        assert self.take().startswith("AGREE")
        self.say("START:counted\n")
        echo = ""
        for ply in range(2, len(game) + 1, 2):
            if is_counted(ply):
                self.say(echo)
                echo = ""
                settle(self.processes)
                asleep = sleeps(self.processes)
            begun = time.time()
            self.say(echo + game[ply - 2][0] + ",T1\n")
            answer = self.take().split(",")[0]
            if answer != game[ply - 1][0]:
                raise RuntimeError(f"at ply {ply} {answer} was played")
            echo = answer + ",T1\n"
            if is_counted(ply):
                settle(self.processes)
                self.say(echo)
                echo = ""
                settle(self.processes)
                self.switches[ply] = sleeps(self.processes) - asleep
            self.spans[ply] = (begun, time.time())
        self.say(echo + "%TORYO\n#RESIGN\n#WIN\n")
        while True:
            line = self.lines.readline()
            if not line or line.startswith("LOGOUT"):
                self.line.close()
                return

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class Call:
    def __init__(self, thread, at, text):
        self.thread, self.at, self.text = thread, at, text
        self.name = text.split("(", 1)[0]
        self.result = 0
        self.end(text)

    def end(self, text):
        found = re.search(r"\)\s+= (-?\d+)", text)
        self.result = int(found[1]) if found else 0


def calls_of(path):
    """All of both processes, in order; not those of the engine: of who has executed another program."""
    first = None
    calls, open_calls, foreign = [], {}, set()
    for line in open(path, errors="replace"):
        thread, at, text = line.rstrip("\n").split(None, 2)
        first = first or thread
        if text.startswith(("+++", "---")):
            continue
        if text.startswith("<..."):
            if thread in open_calls:
                open_calls.pop(thread).end(text)
            continue
        call = Call(thread, float(at), text)
        if call.name in ("execve", "execveat") and thread != first:
            foreign.add(thread)
        if text.endswith("<unfinished ...>"):
            open_calls[thread] = call
        calls.append(call)
    return [call for call in calls if call.thread not in foreign]


def is_to(call, kind, text):
    return call.name in ("write", "writev", "sendto", "sendmsg") and kind in call.text.split(",", 1)[0] and text in call.text


def way(calls, span, heard, said):
    """Of the thread that says it, from the read that has what was heard, which may have been called before that came."""
    last = next((i for i, call in enumerate(calls) if span[0] <= call.at < span[1] and is_to(call, *said)), None)
    if last is None:
        return None
    own = [call for call in calls[max(0, last - 400):last + 1] if call.thread == calls[last].thread]
    reads = [i for i, call in enumerate(own) if call.name in ("read", "readv", "recvfrom", "recvmsg") and call.result > 0
             and heard in call.text]
    return own[reads[-1]:] if reads else None


def both_ways(calls, ply, span):
    forth = way(calls, span, "TCP:", ("pipe:", "position"))
    back = way(calls, span, "pipe:", ("TCP:", '"-'))
    if forth is None or back is None:
        raise SystemExit(f"real_move: the way of the move at ply {ply} is not seen")
    return forth, back


def rush(calls, ply, span, verbose):
    forth, back = both_ways(calls, ply, span)
    if verbose:
        for call in forth + back:
            print(f"rush, ply {ply}: {(call.at - span[0]) * 1000:9.3f} {call.text[:150]}")
    return len(forth) + len(back)


def without_beats(calls):
    """Without what a thread does that wakes only to set its timer anew, or whose wait timed out."""
    kept, open_turns, waited = [], {}, {}
    for call in calls:
        turn = open_turns.setdefault(call.thread, [])
        turn.append(call)
        if call.name in ("epoll_wait", "poll"):
            before = waited.get(call.thread)
            is_timed_out = before is not None and before.name == "poll" and before.result == 0
            if not is_timed_out and any(one.name != "timerfd_settime" for one in turn[:-1]):
                kept += turn
            waited[call.thread], open_turns[call.thread] = call, []
    return kept + [call for turn in open_turns.values() for call in turn]


def count(calls, ply, span, verbose):
    of_move = without_beats([call for call in calls if span[0] <= call.at < span[1]])
    forth, back = both_ways(calls, ply, span)
    if verbose:
        for title, part in (("way forth", forth), ("way back", back), ("all", of_move)):
            print(f"-- ply {ply}, {title}")
            for call in part:
                print(f"{call.thread} {(call.at - span[0]) * 1000:9.3f} {call.text[:150]}")
    files = [call for call in of_move if call.name in ("write", "pwrite64", "writev") and re.match(r"\w+\(\d+</", call.text)]
    return {"way": len(forth) + len(back), "calls": len(of_move),
            "futexes": sum(call.name == "futex" for call in of_move), "bytes": sum(max(call.result, 0) for call in files)}


def measure(program, game, verbose):
    traced = Run(program, game, True)
    calls = calls_of(traced.path("trace"))
    plain = Run(program, game, False)
    table = {}
    for about in PLIES:
        plies = [ply for ply in traced.switches if abs(ply - about) <= ABOUT]
        rushed = [ply for ply in traced.spans if is_rushed(ply, about)]
        moves = [count(calls, ply, traced.spans[ply], verbose and ply == about) for ply in plies]
        table[about] = {name: int(statistics.median_low([move[name] for move in moves])) for name in moves[0]}
        table[about]["rush"] = int(statistics.median_low(
            [rush(calls, ply, traced.spans[ply], verbose and ply == rushed[5]) for ply in rushed]))
        table[about]["switches"] = int(statistics.median_low([plain.switches[ply] for ply in plies]))
        print(f"ply {about}: " + ", ".join(f"{name} {table[about][name]}" for name in WHAT))
    traced.close()
    plain.close()
    return table


def noted():
    rows = [line.split() for line in open(NOTED) if not line.startswith("#")]
    return {int(row[0]): dict(zip(WHAT, map(int, row[1:]))) for row in rows}


def main():
    if sys.argv[1] == "engine":
        return engine(sys.argv[2])
    if not shutil.which("strace"):
        raise SystemExit("real_move: strace is missing; scripts/setup.sh installs it")
    program, counted_move, *rest = sys.argv[1:]
    said = subprocess.run([counted_move, "game", str(max(PLIES) + ABOUT)], check=True, capture_output=True, text=True).stdout
    table = measure(os.path.abspath(program), [line.split() for line in said.splitlines()], "-v" in rest)
    if "--print" in rest:
        return None
    if "--refresh" in rest:
        with open(NOTED, "w") as file:
            file.write("# A move of the real program, by ply: " + " ".join(WHAT) + "; written by real_move.py --refresh.\n")
            for ply, row in table.items():
                file.write(" ".join(map(str, [ply] + [row[name] for name in WHAT])) + "\n")
        return None
    worse = [f"ply {ply} took {table[ply][name]} {name}, {before} are noted"
             for ply, row in noted().items() for name, before in row.items() if table[ply][name] * 10 >= before * 11]
    if worse:
        raise SystemExit("real_move: " + "; ".join(worse) + "; if that is meant: real_move.py KAKEHASHI COUNTED_MOVE --refresh")
    return None


if __name__ == "__main__":
    main()
