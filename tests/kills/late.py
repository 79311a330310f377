#!/usr/bin/env python3
"""How much later our moves come when the process that plays is killed: against a server and an engine of this script, which
thinks the same time on each move. Nothing is judged: the figures are printed.

    late.py KAKEHASHI [KILLS]     200
"""
import os
import pathlib
import random
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
from shogi_server import kill, player_of

AT_ONCE = 2  # programs
THINK_S = 0.3
BETWEEN_KILLS_S = 2.1  # deaths of which each is not the next one's (holder.hpp, recent_within)
PLIES = 200  # of a game; the fourth repetition is at 240

# When who plays is killed; in seconds behind the opponent's move, by chance.
WHEN = {
    "no kill": None,
    "the opponent thinks": lambda: -random.uniform(0.01, 0.2),
    "its move arrives": lambda: random.uniform(-0.002, 0.002),
    "our engine thinks": lambda: random.uniform(0.02, THINK_S - 0.1),
    "its answer is due": lambda: THINK_S - random.uniform(0, 0.01),
}

SUMMARY = """BEGIN Game_Summary
Protocol_Version:1.2
Protocol_Mode:Server
Format:Shogi 1.0
Game_ID:{game}
Name+:us
Name-:foe
Your_Turn:+
Rematch_On_Draw:NO
To_Move:+
BEGIN Time
Time_Unit:1sec
Total_Time:3600
Byoyomi:0
Increment:10
Least_Time_Per_Move:0
END Time
BEGIN Position
PI
+
END Position
END Game_Summary
"""


def walk(turn, squares):
    """There and back again."""
    way = squares + squares[-2:0:-1]
    return way[turn % len(way)], way[(turn + 1) % len(way)]


def black(turn):
    return walk(turn, ["28", "38", "48", "58", "68", "78"])


def white(turn):
    return walk(turn, ["82", "72", "62", "52", "42"])


def engine():
    """Answers THINK_S behind each `go`, or when it is told to stop."""
    asked, due, buffer = 0, None, b""
    while True:
        wait = None if due is None else max(0, due - time.monotonic())
        told = bool(select.select([0], [], [], wait)[0])
        lines = []
        if told:
            data = os.read(0, 65536)
            if not data:
                return
            *lines, buffer = (buffer + data).split(b"\n")
        if due is not None and (b"stop" in lines or time.monotonic() >= due):
            due = None
            usi = "".join(square[0] + "abcdefghi"[int(square[1]) - 1] for square in black(asked // 2))
            os.write(1, f"info depth 1 score cp 12 pv {usi}\nbestmove {usi}\n".encode())
        for line in lines:
            words = line.decode().split()
            if words[:1] == ["usi"]:
                os.write(1, b"id name even\noption name USI_Hash type spin default 1 min 1 max 9\nusiok\n")
            elif words[:1] == ["isready"]:
                os.write(1, b"readyok\n")
            elif words[:1] == ["position"]:
                asked = len(words) - words.index("moves") - 1 if "moves" in words else 0
            elif words[:1] == ["go"]:
                due = time.monotonic() + THINK_S
            elif words[:1] == ["quit"]:
                return


class Trial:
    """One program with its server."""

    def __init__(self, number, program, folder, wanted):
        self.program, self.folder, self.wanted = program, folder / str(number), wanted
        self.folder.mkdir()
        self.listener = socket.create_server(("127.0.0.1", 0))
        (self.folder / "us.yaml").write_text(f"""
server: {{host: 127.0.0.1, port: {self.listener.getsockname()[1]}, mode: x1}}
account: {{name: us, password_env: KAKEHASHI_TEST_TRIP}}
game: {{name: late-3600-10F}}
engine: {{command: ["{sys.executable}", "{os.path.abspath(__file__)}", "--engine"]}}
records: {{directory: records}}
archive: {{file: games.db}}
journal: {{directory: journal}}
log: {{file: us.log}}
""")
        self.late = {when: [] for when in WHEN}  # s
        self.process = subprocess.Popen([program, "run", "us.yaml"], cwd=self.folder, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        env={**os.environ, "KAKEHASHI_TEST_TRIP": "trip"})
        self.trouble = None
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        try:
            self.listener.settimeout(60)
            line, _ = self.listener.accept()
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            line.settimeout(60)
            lines = line.makefile()
            self.last_kill = time.monotonic()
            self.wait(lines, "LOGIN")
            line.sendall(b"LOGIN:us OK\n##[LOGIN] +OK x1\n")
            game = 0
            while sum(map(len, self.late.values())) - len(self.late["no kill"]) < self.wanted:
                self.wait(lines, "%%GAME")
                game += 1
                self.play(line, lines, f"late{game}")
        except Exception as trouble:  # told by whoever waits for the thread
            self.trouble = trouble

    @staticmethod
    def wait(lines, beginning):
        while True:
            line = lines.readline()
            if not line:
                raise ConnectionError(f"the line was closed instead of {beginning}")
            if line.startswith(beginning):
                return line.strip()

    def play(self, line, lines, game):
        line.sendall(SUMMARY.format(game=game).encode())
        self.wait(lines, "AGREE")
        line.sendall(f"START:{game}\n".encode())
        for turn in range(PLIES // 2):
            move = "+" + "".join(black(turn)) + "HI"
            said = self.wait(lines, "+").split(",")[0]
            now = time.monotonic()
            if said != move:
                raise ValueError(f"{said} came instead of {move}")
            if turn > 0:
                self.late[when].append(now - sent - THINK_S)
            when = "no kill"
            if now - self.last_kill > BETWEEN_KILLS_S:
                when = random.choice(list(WHEN)[1:])
            line.sendall(f"{move},T0\n".encode())
            sends = time.monotonic() + 0.25
            if when != "no kill":
                self.last_kill = sends + WHEN[when]()
                threading.Thread(target=self.kill_at, args=(self.last_kill,)).start()
            time.sleep(max(0, sends - time.monotonic()))
            sent = time.monotonic()
            line.sendall(f"-{''.join(white(turn))}HI,T0\n".encode())
        self.wait(lines, "+")
        line.sendall(b"%TORYO\n#RESIGN\n#WIN\n")

    def kill_at(self, instant):
        time.sleep(max(0, instant - time.monotonic()))
        kill(player_of(self.process.pid, self.program))

    def close(self):
        player = player_of(self.process.pid, self.program)
        self.process.kill()
        kill(player)
        self.process.wait()


def main():
    if sys.argv[1:2] == ["--engine"]:
        return engine()
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    program = os.path.abspath(sys.argv[1])
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # nothing is left behind
    folder = pathlib.Path(tempfile.mkdtemp(prefix="kakehashi-late-"))
    trials = []
    try:
        for number in range(AT_ONCE):
            trials.append(Trial(number, program, folder, -(-wanted // AT_ONCE)))
        for trial in trials:
            trial.thread.join()
            if trial.trouble:
                raise trial.trouble
    finally:
        for trial in trials:
            trial.close()
        shutil.rmtree(folder, ignore_errors=True)

    def row(what, late):
        late = sorted(1000 * one for one in late)
        print(f"{what:22} {len(late):6} {late[len(late) // 2]:8.1f} ms {late[len(late) * 99 // 100]:8.1f} ms {late[-1]:8.1f} ms")

    print(f"{'killed while':22} {'moves':>6} {'median':>11} {'p99':>11} {'max':>11}   later than {THINK_S:.1f} s behind the opponent's move")
    late = {when: [one for trial in trials for one in trial.late[when]] for when in WHEN}
    for when, all_late in late.items():
        row(when, all_late)
    row("all kills", [one for when, all_late in late.items() if when != "no kill" for one in all_late])


if __name__ == "__main__":
    main()
