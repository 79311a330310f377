#!/usr/bin/env python3
"""What a link to an engine that is cut costs: games in two network namespaces over a real OpenSSH, whose connections
are reset or fall silent by nftables, or whose ssh is killed (root).

    cuts.py table KAKEHASHI FAIRY [WORD ...]       every kind of cut at each moment, as a table; WORDs choose rows
    cuts.py games KAKEHASHI FAIRY CUTS [SEED]      as many cuts at random moments of games

Each line that the bridge says to the engine must reach it once and in order, and each of its answers the bridge. Exit
status 1 when a line is lost or comes twice, when a game is lost, or where a cut that is shorter than the time left costs
a move of the engine; 77 when it cannot be tried here.
"""
import concurrent.futures
import contextlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import processes

HERE = pathlib.Path(__file__).resolve().parent
AT_ONCE = int(os.environ.get("KAKEHASHI_CUTS_AT_ONCE", "10"))  # cases side by side
PATIENCE = 300  # s
DURATIONS = (0.1, 1, 5, 20, 60)  # s
HOWS = ("reset", "silence", "kill")


def sh(*words, **options):
    return subprocess.run(words, check=True, capture_output=True, text=True, **options)


class World:
    """The bridge's machine and the engine's, and two cables between them. Each case has addresses of its own."""

    def __init__(self, folder):
        self.folder = folder
        self.near, self.far = f"kk{os.getpid()}a", f"kk{os.getpid()}b"
        self.lock = threading.Lock()
        for space in (self.near, self.far):
            sh("ip", "netns", "add", space)
            sh("ip", "-n", space, "link", "set", "lo", "up")
        for way in (1, 2):
            sh("ip", "link", "add", f"w{way}", "netns", self.near, "type", "veth", "peer", "name", f"w{way}", "netns", self.far)
            sh("ip", "-n", self.far, "addr", "add", f"10.88.{way}.250/24", "dev", f"w{way}")
            for space in (self.near, self.far):
                sh("ip", "-n", space, "link", "set", f"w{way}", "up")
            sh("ip", "-n", self.near, "addr", "add", f"10.88.{way}.251/24", "dev", f"w{way}")
        self.nft("""table inet cut {
  set silent { type ipv4_addr; }
  set resets { type ipv4_addr; }
  chain out {
    type filter hook output priority 0; ip saddr @silent drop;
    tcp flags & rst == rst accept; ip saddr @resets meta l4proto tcp reject with tcp reset;
  }
  chain in {
    type filter hook input priority 0; ip daddr @silent drop;
    tcp flags & rst == rst accept; ip daddr @resets meta l4proto tcp reject with tcp reset;
  }
}""")
        self.start_sshd()

    def start_sshd(self):
        place = self.folder / "sshd"
        place.mkdir(mode=0o700)
        (self.folder / "home").mkdir()
        for key in ("host", "user"):
            sh("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(place / key))
        (place / "config").write_text(
            f"Port 22\nHostKey {place}/host\nPidFile none\nUsePAM no\nAuthorizedKeysFile {place}/user.pub\nStrictModes no\n"
            f"PasswordAuthentication no\nSetEnv HOME={self.folder}/home\nMaxStartups 500\nMaxSessions 500\n")
        os.makedirs("/run/sshd", exist_ok=True)
        self.key = place / "user"
        self.sshd = subprocess.Popen(["ip", "netns", "exec", self.far, "/usr/sbin/sshd", "-D", "-f", str(place / "config"),
                                      "-E", str(place / "log")])

    def nft(self, words):
        with self.lock:
            sh("ip", "netns", "exec", self.near, "nft", "-f", "-", input=words)

    def address(self, way, number):
        return f"10.88.{way}.{number}"

    def add_addresses(self, number):
        for way in (1, 2):
            sh("ip", "-n", self.near, "addr", "add", f"{self.address(way, number)}/32", "dev", f"w{way}")

    def host(self, way, number):
        return (f"ssh -T -b {self.address(way, number)} -i {self.key} -o BatchMode=yes -o StrictHostKeyChecking=no "
                f"-o UserKnownHostsFile=/dev/null -o ConnectTimeout=5 10.88.{way}.250")

    def cut(self, address, how, lasts):
        if how == "kill":
            end = time.monotonic() + lasts
            while True:
                for one in processes.running():
                    if one.words[0] == "ssh" and address in one.words and str(self.key) in one.words:
                        with contextlib.suppress(ProcessLookupError):
                            os.kill(one.number, 9)
                if time.monotonic() >= end:
                    return
                time.sleep(0.1)
        name = "silent" if how == "silence" else "resets"
        self.nft(f"add element inet cut {name} {{ {address} }}")
        time.sleep(lasts)
        self.nft(f"delete element inet cut {name} {{ {address} }}")

    def close(self):
        self.sshd.kill()
        self.sshd.wait()
        for space in (self.near, self.far):
            found = subprocess.run(["ip", "netns", "pids", space], capture_output=True, text=True).stdout.split()
            for number in found:
                try:
                    os.kill(int(number), 9)
                except ProcessLookupError:
                    pass
            subprocess.run(["ip", "netns", "del", space], capture_output=True)


class Game:
    """A bot whose engine is far away, and its opponent."""

    def __init__(self, world, program, fairy, port, number, name, clock, ways, think_ms, late_ms=0, usi_ms=0, ready_ms=0,
                 ponder=False, count=1, think_near_ms=1000):
        self.world, self.number, self.name = world, number, name
        self.folder = world.folder / name
        self.folder.mkdir()
        world.add_addresses(number)
        far = {"host": [world.host(way + 1, number) for way in range(ways)],
               "command": [str(HERE / "far_engine.py"), str(self.folder / "engine.log"), fairy, str(think_ms), str(late_ms),
                           str(usi_ms), str(ready_ms)]}
        near = {"command": [str(HERE / "far_engine.py"), str(self.folder / "near_engine.log"), fairy, str(think_near_ms)]}
        self.processes = []
        for who, engine in (("far", far), ("near", near)):
            config = {"server": {"host": "127.0.0.1", "port": port}, "account": {"name": f"{who}{number}"},
                      "ponder": "on" if ponder and who == "far" else "off",
                      "game": {"name": f"c{number}-{clock}", "meet_own": True, "count": count}, "engine": engine}
            (self.folder / f"{who}.yaml").write_text(json.dumps(config))
            if who == "far":
                self.start("far", program)
        self.program = program

    def start(self, who, program):
        with open(self.folder / f"{who}.log", "w") as out:
            self.processes.append(subprocess.Popen(
                ["ip", "netns", "exec", self.world.near, program, "run", f"{who}.yaml", "--log-level", "debug"], stdout=out,
                stderr=subprocess.STDOUT, cwd=self.folder, env={**os.environ, "HOME": str(self.folder)}))

    def log(self):
        return (self.folder / "far.log").read_text(errors="replace")

    def wait_for(self, what, count=1, behind=""):
        limit = time.monotonic() + PATIENCE
        while len(re.findall(what, self.log().partition(behind)[2] if behind else self.log(), re.M)) < count:
            if time.monotonic() > limit or self.processes[0].poll() is not None:
                raise AssertionError(f"{self.name}: never came: {what}\n{self.log()[-2000:]}")
            time.sleep(0.02)

    def finish(self):
        for process in self.processes:
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                pass
        self.close()

    def close(self):
        for process in self.processes:
            process.kill()
            process.wait()

    def judge(self):
        """What the log and the engine's own tell."""
        log = self.log()
        said = re.findall(r'debug .*engine > "(.*)"$', log, re.M)
        heard = [line for line in re.findall(r'debug .*engine < "(.*)"$', log, re.M) if not line.startswith("info")]
        engine = [line.split(" ", 2)[1:] for line in (self.folder / "engine.log").read_text().splitlines()]
        got = [line for way, line in engine if way == "<" and line != "the end"]
        gave = [line for way, line in engine if way == ">" and not line.startswith("info")]
        # "stop" may be the keeper's own, and one that would come too late is kept from the engine.
        def calm(lines):
            return [line for line in lines if line not in ("stop", "quit")]
        found = {
            "link_lost": len(re.findall("engine_link_lost: ", log)),
            "way_lost": len(re.findall("engine_way_lost: ", log)),
            "rescues": len(re.findall("rescue_move: ", log)),
            "why": sorted(set(re.findall(r"rescue_move: (.*?)[;,:]", log))),
            "engines_lost": len(re.findall("engine_lost: ", log)),
            "ready": len(re.findall("engine_ready: ", log)),
            "ended": re.findall(r"game_ended: (.*)$", log, re.M),
            "to_engine_ok": calm(said) == calm(got) or calm(said)[:len(calm(got))] == calm(got),
            "from_engine_ok": heard == gave[:len(heard)] and len(gave) - len(heard) <= 1,
            "lines": len(calm(got)) + len(heard),
        }
        found["lost_games"] = sum(1 for end in found["ended"] if re.search("TIME_UP|ILLEGAL|ABNORMAL", end) and
                                  re.search(r"\blos[te]", end))
        found["waited"], found["thrown_away"] = self.turns(log)
        return found

    def turns(self, log):
        """Seconds of our clock beyond the thinking where the engine's move was played, and where it was not."""
        waited, thrown, began, last, sign = 0.0, 0.0, None, 0.0, None
        for line in log.splitlines():
            stamp = re.match(r"\S+ (\d+):(\d+):([\d.]+)", line)
            if not stamp:
                continue
            at = int(stamp[1]) * 3600 + int(stamp[2]) * 60 + float(stamp[3])
            if found := re.search(r'server < "Your_Turn:(.)"', line):
                sign = found[1]
            elif re.search(r'server < "START:', line):
                began = at if sign == "+" else None
            elif found := re.search(r'server < "([+-])\d{4}', line):
                began = at if found[1] != sign else None
            elif re.search(r'server > "[+-]\d{4}', line) and began is not None:
                last, began = at - began, None
                waited += last
            elif "rescue_move: " in line:  # told behind the move itself
                waited, thrown, last = waited - last, thrown + last, 0.0
        return waited, thrown


MOMENTS = {
    "idle": dict(clock="10-6", think_ms=2000, at=(r'engine < "bestmove', 2, 0.2)),
    "pondering": dict(clock="10-6", think_ms=2000, ponder=True, at=(r'engine > "go ponder', 2, 0.2)),
    "searching": dict(clock="10-6", think_ms=2000, at=(r'engine > "go b', 2, 0.5)),
    "stop to bestmove": dict(clock="0-4", think_ms=0, late_ms=200, at=(r'engine > "stop"', 2, 0.02)),
    "isready": dict(clock="10-6", think_ms=2000, ready_ms=1500, at=(r'engine > "isready"', 1, 0.3)),
    "options": dict(clock="10-6", think_ms=2000, usi_ms=1500, at=(r'engine > "usi"', 1, 0.3)),
}


def serve(world, program, max_moves):
    log = world.folder / "serve.log"
    with open(log, "w") as out:
        process = subprocess.Popen(["ip", "netns", "exec", world.near, program, "serve", "--port", "0", "--pair-every", "now",
                                    "--max-moves", str(max_moves)], stdout=out, stderr=subprocess.STDOUT, cwd=world.folder)
    limit = time.monotonic() + PATIENCE
    while not (found := re.search(r"^listening.* port (\d+)", log.read_text(), re.M)):
        assert time.monotonic() < limit and process.poll() is None, log.read_text()
        time.sleep(0.05)
    return process, int(found[1])


def install(world, program):
    limit = time.monotonic() + PATIENCE
    while subprocess.run(["ip", "netns", "exec", world.near, "ssh-keyscan", "10.88.1.250"], capture_output=True).stdout == b"":
        assert time.monotonic() < limit, "sshd does not answer"
    done = subprocess.run(["ip", "netns", "exec", world.near, program, "engine", "install", world.host(1, 251)],
                          capture_output=True, text=True, env={**os.environ, "HOME": str(world.folder)})
    assert done.returncode == 0, done.stdout + done.stderr


def play_case(world, program, fairy, port, number, moment, lasts, how, ways):
    settings = dict(MOMENTS[moment])
    what, count, after = settings.pop("at")
    name = f"{number}-{moment}-{lasts}-{how}-{ways}".replace(" ", "_")
    game = Game(world, program, fairy, port, number, name, settings.pop("clock"), ways, **settings)
    try:
        if count > 1:
            game.wait_for("engine_ready: ")
            game.start("near", program)
        game.wait_for(what, count, "game_started: " if count > 1 else "")
        time.sleep(after)
        world.cut(world.address(1, number), how, lasts)
        if count == 1:
            game.wait_for("engine_ready: ")
            game.start("near", program)
        game.finish()
        return game.judge()
    finally:
        game.close()


def table(world, program, fairy, words):
    server, port = serve(world, program, 16)
    cases = [(moment, lasts, how, ways) for lasts in reversed(DURATIONS) for moment in MOMENTS for how in HOWS
             for ways in (1, 2)]
    cases = [case for case in cases if all(word in f"{case[0]} {case[1]}s {case[2]} {case[3]}ways" for word in words)]
    results = {}
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        jobs = {pool.submit(play_case, world, program, fairy, port, number + 1, *case): case
                for number, case in enumerate(cases)}
        for job in concurrent.futures.as_completed(jobs):
            try:
                results[jobs[job]] = job.result()
            except AssertionError as failed:
                results[jobs[job]] = None
                print(f"WRONG: {jobs[job]}: {failed}", file=sys.stderr)
            print(f"{len(results)} of {len(cases)}: {jobs[job]} {results[jobs[job]]}", file=sys.stderr, flush=True)
    server.kill()
    server.wait()
    return print_table(results)


def print_table(results):
    """One row for each moment, duration and number of ways: sums over the kinds of cuts."""
    wrong = 0
    print("| moment | cut | ways | out | searches lost | waited beyond the thinking | rescue moves | our time in those turns | "
          "lines lost or twice | games lost |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for moment in MOMENTS:
        for ways in (1, 2):
            for lasts in DURATIONS:
                row = {how: results[(moment, lasts, how, ways)] for how in HOWS if (moment, lasts, how, ways) in results}
                if not row:
                    continue
                wrong += sum(one is None for one in row.values())
                found = [one for one in row.values() if one]
                bad = sum(not one["to_engine_ok"] or not one["from_engine_ok"] for one in found)
                lost = sum(one["lost_games"] for one in found)
                engines = sum(one["engines_lost"] + one["ready"] - 1 for one in found)
                wrong += bad + lost + engines + sum(len(one["ended"]) != 1 for one in found)
                # Between "stop" and "bestmove" there is no time left that a cut could be shorter than.
                if (ways == 2 or lasts <= 1) and moment != "stop to bestmove":
                    wrong += sum(one["rescues"] for one in found)
                base = min((one["waited"] for key, one in results.items() if one and key[0] == moment and not one["rescues"]),
                           default=0)
                waited = [max(0.0, one["waited"] - base) for one in found if not one["rescues"]]
                print(f"| {moment} | {lasts} s | {ways} | " +
                      ", ".join(f"{how} {one['link_lost']}" for how, one in row.items() if one) +
                      f" | {engines} | " + (f"{max(waited):.1f} s" if waited else "-") +
                      f" | {', '.join(str(one['rescues']) for one in found)} | " +
                      f"{max(one['thrown_away'] for one in found):.1f} s | {bad} | {lost} |")
    reasons = sorted({why for one in results.values() if one for why in one["why"]})
    print("\nRescue moves: " + ("; ".join(reasons) if reasons else "none"))
    return wrong


def games(world, program, fairy, wanted, seed):
    server, port = serve(world, program, 60)
    count = {"cuts": 0}
    totals = {"games": 0, "lines": 0, "rescues": 0, "link_lost": 0, "way_lost": 0, "wrong": 0, "lost_games": 0, "engines_lost": 0}

    def play(number):
        dice = random.Random(seed * 1000 + number)
        game = Game(world, program, fairy, port, number, f"games{number}", "20-10", 1 + number % 2, think_ms=700, ponder=number % 3 == 0,
                    think_near_ms=300)
        game.wait_for("engine_ready: ")
        game.start("near", program)
        game.wait_for("game_started: ")
        try:
            while game.processes[0].poll() is None:
                time.sleep(dice.uniform(0.5, 4.0))
                count["cuts"] += 1
                world.cut(world.address(dice.randint(1, 1 + number % 2), number), dice.choice(HOWS), dice.choice((0.05, 0.1, 0.3, 1.0, 2.0)))
            game.finish()
        finally:
            game.close()
        return game.judge()

    number, running = 0, set()
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        while count["cuts"] < wanted or running:
            while count["cuts"] < wanted and len(running) < AT_ONCE and number < 240:
                number += 1
                running.add(pool.submit(play, number))
            ended, running = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for job in ended:
                one = job.result()
                totals["games"] += len(one["ended"])
                totals["wrong"] += not one["to_engine_ok"] or not one["from_engine_ok"]
                for key in ("lines", "rescues", "link_lost", "way_lost", "lost_games", "engines_lost"):
                    totals[key] += one[key]
                print(f"{count['cuts']} cuts: {one}", file=sys.stderr, flush=True)
            if number >= 240 and not running:
                break
    server.kill()
    server.wait()
    print(f"{count['cuts']} cuts in {totals['games']} games, seed {seed}: {totals['link_lost']} times out of reach, "
          f"{totals['way_lost']} times one of two ways lost, {totals['lines']} lines carried; bots with a line lost or twice: "
          f"{totals['wrong']}, engines lost: {totals['engines_lost']}, rescue moves: {totals['rescues']}, games lost on time or by the "
          f"bridge: {totals['lost_games']}")
    return totals["wrong"] + totals["engines_lost"] + totals["rescues"] + totals["lost_games"]


def main():
    what, program, fairy = sys.argv[1], *(str(pathlib.Path(path).resolve()) for path in sys.argv[2:4])
    for tool in ("ip", "nft", "ssh", "/usr/sbin/sshd"):
        if shutil.which(tool) is None:
            print(f"skipped: {tool} is not installed")
            sys.exit(77)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="kakehashi-cuts-"))
    try:
        world = World(folder)
    except (subprocess.CalledProcessError, PermissionError) as failed:
        print("skipped: no network namespace can be made here:", getattr(failed, "stderr", "") or failed)
        sys.exit(77)
    # A run that is ended from outside leaves nothing behind either.
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, lambda ended_by, _: (world.close(), shutil.rmtree(folder, ignore_errors=True),
                                                   os._exit(128 + ended_by)))
    try:
        install(world, program)
        if what == "table":
            wrong = table(world, program, fairy, sys.argv[4:])
        else:
            wrong = games(world, program, fairy, int(sys.argv[4]), int(sys.argv[5]) if len(sys.argv) > 5 else 1)
    finally:
        world.close()
        if not os.environ.get("KAKEHASHI_CUTS_KEEP"):
            shutil.rmtree(folder, ignore_errors=True)
        else:
            print(f"kept: {folder}", file=sys.stderr)
    sys.exit(1 if wrong else 0)


main()
