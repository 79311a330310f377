#!/usr/bin/env python3
"""Games on the real shogi-server, in Ruby, with real engines, whose processes that play are killed every few seconds:
that server gives no game back. It is judged by what the server has written itself.

    shogi_server.py KAKEHASHI ENGINE SHOGI_SERVER [GAMES [SEED]]

SHOGI_SERVER is the folder of a copy of that server, which is run from a copy of its own. Two programs play each other, some
games at a time, and each is killed by itself. Exit status 1 when a game ends as none should, when the server was told a line
more than once or out of turn, or when a record of ours tells another game than the server's; 77 when it cannot be tried here.
"""
import collections
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

PAIRS = 4  # of bots, which play side by side
COUNTED = 5  # games, which the first pair plays and leaves; the others play until they are stopped
PAUSE_S = (1, 5)  # between two kills of a program
PATIENCE_S = 180  # with no game ended
CLOCK = "60-1"  # the name of a game sets its time there
# Ways in which a game ends by what was played in it (shogi_server/game_result.rb).
ENDS = {"toryo", "kachi", "sennichite", "oute_sennichite", "max_moves"}
MOVE = re.compile(r"^[+-]\d{4}[A-Z]{2}$")
# Every other bot plays much worse, or all games would be long. "Slow Mover" is how much of its time it takes.
STRONG = "{Threads: 1, Hash: 16, Slow Mover: 10}"
WEAK = "{Threads: 1, Hash: 16, Slow Mover: 10, Skill Level: 2}"


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def player_of(holder, program):
    """Of the processes that `kakehashi run` holds, the one that plays: the oldest that runs the program. 0: none just now."""
    try:
        for child in pathlib.Path(f"/proc/{holder}/task/{holder}/children").read_text().split():
            if pathlib.Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")[0] == os.fsencode(program):
                return int(child)
    except OSError:
        pass
    return 0


def kill(player):
    """False: there was none, or it has ended meanwhile."""
    try:
        if player:
            os.kill(player, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return bool(player)


class Server:
    """A copy of it, for it writes beside its program."""

    def __init__(self, source, folder):
        self.folder = folder / "server"
        self.folder.mkdir()
        shutil.copy(source / "shogi-server", self.folder)
        shutil.copy(source / "shogi_server.rb", self.folder)
        shutil.copytree(source / "shogi_server", self.folder / "shogi_server")
        (self.folder / "players").mkdir()
        self.port = free_port()
        self.log = self.folder / "log"
        self.process = subprocess.Popen(
            ["ruby", "shogi-server", "--least-time-per-move", "0", "--player-log-dir", "players", "test", str(self.port)],
            cwd=self.folder, stdout=self.log.open("w"), stderr=subprocess.STDOUT)
        ends = time.monotonic() + 30
        while time.monotonic() < ends:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                time.sleep(0.1)
        sys.exit(f"the shogi-server did not begin:\n{self.log.read_text()}")

    def ended(self):
        """By its own list: {game: how}."""
        lines = (self.folder / "00LIST").read_text().splitlines() if (self.folder / "00LIST").exists() else []
        return {pathlib.Path(line.split("\t")[6]).stem: line.split("\t")[1] for line in lines}

    def records(self):
        """{game: its text}, of every game that began."""
        return {path.stem: path.read_text(errors="replace") for path in self.folder.glob("2*/**/*.csa")}

    def heard(self):
        """{game that began: what the players said in it, one after the other}."""
        games = collections.defaultdict(list)
        for path in (self.folder / "players").iterdir():
            game = None
            for line in path.read_text(errors="replace").splitlines():
                way, _, said = re.sub(r"^.*?(?=(IN|OUT): )", "", line).partition(": ")
                if way == "OUT" and said.startswith("START:"):
                    game = said[len("START:"):]
                    games[game] += []
                elif way == "OUT" and said.startswith("#") and game:
                    game = None
                elif way == "IN" and game and re.match(r"[+-]\d|%[A-Z]", said):
                    games[game].append(said.split(",")[0])
        return games


class Program:
    """One `kakehashi run` with a bot of each pair."""

    def __init__(self, which, program, engine, port, folder):
        self.which, self.program, self.folder = which, program, folder
        self.deaths = 0
        files = []
        for pair in range(PAIRS):
            name = f"{which}{pair}"
            # Some stay connected behind a game, some log in anew.
            mode = "x1" if pair % 2 else "csa"
            options = STRONG if (which == "a") == (pair < PAIRS // 2) else WEAK
            (folder / f"{name}.yaml").write_text(f"""
server: {{host: 127.0.0.1, port: {port}, mode: {mode}}}
account: {{name: {name}, password_env: KAKEHASHI_TEST_TRIP}}
game: {{name: pair{pair}-{CLOCK}{"" if pair else f", count: {COUNTED}"}}}
engine: {{command: ["{engine}"], options: {options}}}
records: {{directory: records/{name}}}
archive: {{file: archive/{name}.db}}
journal: {{directory: journal, keep: 10000}}
log: {{level: debug, file: {name}.log}}
""")
            files.append(f"{name}.yaml")
        self.log = folder / f"{which}.log"
        self.process = subprocess.Popen([program, "run", *files], cwd=folder, stdin=subprocess.DEVNULL,
                                        stdout=self.log.open("w"), stderr=subprocess.STDOUT,
                                        env={**os.environ, "KAKEHASHI_TEST_TRIP": "trip"})

    def has_ended(self):
        return self.process.poll() is not None

    def kill_player(self):
        self.deaths += kill(player_of(self.process.pid, self.program))

    def codes(self):
        """How often each code stands in the bots' logs, from a warning upwards, and run_followed."""
        found = collections.Counter()
        for path in self.folder.glob(f"{self.which}?.log"):
            for line in path.read_text(errors="replace").splitlines():
                word = re.match(r"\S+ \S+ (warn|error|info) +\[\w+\] (\w+):", line)
                if word and (word[1] != "info" or word[2] == "game_ended"):
                    found[word[2]] += 1
        return found


def played(record):
    """The moves of a record in CSA, each with its time."""
    moves = []
    for line in record.splitlines():
        if MOVE.match(line):
            moves.append(line)
        elif re.match(r"^T\d", line) and moves:
            moves[-1] += "," + line
    return moves


def judge(server, folder):
    """What is wrong."""
    wrong = []
    ended, records, heard = server.ended(), server.records(), server.heard()
    for game, text in sorted(records.items()):
        if game not in heard:
            continue  # offered to bots as they left, and rejected
        how = ended.get(game, "no end")
        if how not in ENDS:
            wrong.append(f"{game}: ended by '{how}'")
        if "'Deferred" in text:
            wrong.append(f"{game}: the server was told a line out of turn")
        moves = [move.split(",")[0] for move in played(text)]
        said = collections.Counter(heard[game])
        for move, count in (said - collections.Counter(moves)).items():
            if move != "%TORYO" and move != "%KACHI" or count > 1:
                wrong.append(f"{game}: the server was told {move} {count} times more than it was played")
        for name in game.split("+")[2:4]:
            found = [path for path in folder.glob(f"records/{name}/*.csa") if f"$EVENT:{game}\n" in path.read_text()]
            if len(found) != 1:
                wrong.append(f"{game}: {name} has {len(found)} records of it")
                continue
            ours = found[0].read_text()
            if played(ours) != played(text):
                wrong.append(f"{game}: {found[0].name} of {name} tells other moves than the server's record")
            if not re.search(r"^%(?!CHUDAN|ERROR)[A-Z_]+$", ours, re.M):
                wrong.append(f"{game}: {found[0].name} of {name} has no end")
    return wrong


def play(program, engine, source, wanted, seed, folder):
    chance = random.Random(seed)
    server = Server(source, folder)
    programs = []
    began = time.monotonic()
    are_stopped = False
    try:
        programs += [Program(which, program, engine, server.port, folder) for which in "ab"]
        due = {one: began + chance.uniform(*PAUSE_S) for one in programs}
        last, moved = 0, began
        while not all(one.has_ended() for one in programs):
            time.sleep(0.01)
            now = time.monotonic()
            for one in programs:
                if now >= due[one] and not one.has_ended():
                    one.kill_player()
                    due[one] = now + chance.uniform(*PAUSE_S)
            count = len(server.ended())
            if count != last:
                last, moved = count, now
                print(f"{count} games, {sum(one.deaths for one in programs)} kills", flush=True)
            if count >= wanted and not are_stopped:
                are_stopped = True  # each finishes its game, and is killed meanwhile as before
                for one in programs:
                    one.process.terminate()
            if now - moved > PATIENCE_S or not are_stopped and any(one.has_ended() for one in programs):
                break  # what is wrong shows below
    finally:
        for one in programs:
            player = player_of(one.process.pid, program)
            one.process.kill()
            kill(player)
            one.process.wait()
        server.process.terminate()
        server.process.wait()
    took = time.monotonic() - began

    wrong = judge(server, folder)
    wrong += [f"program {one.which} ended with {one.process.returncode}" for one in programs if one.process.returncode != 0]
    ended = server.ended()
    if len(ended) < wanted:
        wrong.append(f"{len(ended)} of {wanted} games were ended")
    counted = sum(1 for game in ended if "+pair0-" in game)
    if counted > COUNTED or len(ended) >= PAIRS * 2 * COUNTED and counted != COUNTED:
        wrong.append(f"the first pair played {counted} games instead of {COUNTED}")
    codes = sum((one.codes() for one in programs), collections.Counter())
    for code in ("run_not_followed", "game_lost_sight"):
        if codes[code]:
            wrong.append(f"{codes[code]} times {code}")
    moves = sum(len(played(text)) for text in server.records().values())
    print(f"{len(ended)} games, {moves} moves, {sum(one.deaths for one in programs)} kills in {took:.0f} s; "
          f"{codes['run_followed']} runs followed; seed {seed}")
    print("ends:", ", ".join(f"{how} {count}" for how, count in collections.Counter(ended.values()).most_common()))
    print("said in the logs:", ", ".join(f"{code} {count}" for code, count in codes.most_common()) or "nothing")
    for one in wrong:
        print("WRONG:", one)
    print(f"{len(wrong)} wrong" if wrong else "every game was ended by what was played in it; every record of ours tells the server's game")
    return not wrong


def main():
    if not 4 <= len(sys.argv) <= 6:
        sys.exit(__doc__)
    program, engine = (os.path.abspath(word) for word in sys.argv[1:3])
    source = pathlib.Path(sys.argv[3]).resolve()
    wanted = int(sys.argv[4]) if len(sys.argv) > 4 else 50
    seed = int(sys.argv[5]) if len(sys.argv) > 5 else random.randrange(1 << 31)
    for missing in [word for word in ("ruby", engine) if shutil.which(word) is None]:
        print(f"skipped: {missing} is not here")
        sys.exit(77)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # nothing is left behind
    folder = pathlib.Path(tempfile.mkdtemp(prefix="kakehashi-killed-"))
    is_right = False
    try:
        is_right = play(program, engine, source, wanted, seed, folder)
    finally:
        if is_right:
            shutil.rmtree(folder, ignore_errors=True)
        else:
            print(f"logs, journals and records: {folder}")
    sys.exit(0 if is_right else 1)


if __name__ == "__main__":
    main()
