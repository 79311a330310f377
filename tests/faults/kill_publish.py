#!/usr/bin/env python3
"""Kills `kakehashi publish` at each of its system calls that write, and judges the site that a web server shows then.

  - each file that is shown is whole: that of before, or that of after;
  - no list names a game whose files are not all there;
  - the next run ends well, and makes of it what a run that nobody disturbed makes, draft by draft.

  kill_publish.py KAKEHASHI
"""
import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM = os.path.realpath(sys.argv[1])
WRITING = ["openat", "write", "fsync", "fchmod", "rename", "renameat2", "mkdir", "unlink"]
GAMES = [".json", ".kifu", ".ki2u", ".csa"]
LIMIT_S = 60

MOVES = ["+7776FU", "-3334FU", "+2726FU", "-8384FU", "+2625FU", "-8485FU"]


def write_record(folder, number, moves):
    with open(f"{folder}/{number}.csa", "w") as file:
        file.write(f"V2.2\nN+mybot\nN-foe{number}\n$EVENT:game{number}\n$START_TIME:2026/01/0{number} 10:00:00\nPI\n+\n")
        file.write("".join(f"{move}\nT3\n" for move in MOVES[:moves]) + "%TORYO\n")


def kakehashi(*words, before=(), **more):
    return subprocess.run([*before, PROGRAM, *words], capture_output=True, text=True, timeout=LIMIT_S, **more)


def files_in(folder):
    found = {}
    for below, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(below, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = file.read()
    return found


def judge(shown, old, new, when):
    """What is left of drafts is named by no page."""
    for path, bytes_there in shown.items():
        if not path.endswith(".tmp"):
            assert bytes_there in (old.get(path), new.get(path)), f"{when}: {path} is neither the old nor the new one"
    lists = shown.get("list.html", b"").decode() + shown.get("feed.xml", b"").decode()
    named = set(re.findall(r"#game=([0-9a-f-]+)", lists))
    named |= {game["id"] for game in json.loads(shown.get("games.json", b'{"games": []}'))["games"]}
    for name in named:
        for extension in GAMES:
            assert f"games/{name}{extension}" in shown, f"{when}: {name}{extension} is named and missing"
    if "index.html" in shown:
        assert "games.json" in shown, f"{when}: the viewer has nothing to read"


class World:
    def __init__(self, folder):
        self.folder = folder
        self.site = folder + "/site"
        self.kept = {}

    def publish(self, before=()):
        return kakehashi("publish", self.site, "--archive", self.folder + "/games.db", "--title", self.title, before=before)

    def keep(self, name):
        shutil.copytree(self.site, f"{self.folder}/{name}")
        self.kept[name] = files_in(self.site)

    def take(self, name):
        shutil.rmtree(self.site, ignore_errors=True)
        if name:
            shutil.copytree(f"{self.folder}/{name}", self.site)

    def add_games(self, numbers):
        os.makedirs(self.folder + "/records", exist_ok=True)
        for number in numbers:
            write_record(self.folder + "/records", number, 2 + number)
        done = kakehashi("games", "import", self.folder + "/records", "--archive", self.folder + "/games.db", "--name", "mybot")
        assert done.returncode == 0, done

    def kill_everywhere(self, begin):
        old, new, kills = self.kept.get(begin, {}), self.kept["after"], 0
        self.take(begin)
        trace = self.folder + "/trace"
        done = self.publish(["strace", "-f", "-qq", "-o", trace, "-e", "trace=" + ",".join(WRITING), "-e", "signal=none"])
        assert done.returncode == 0, done
        with open(trace) as file:
            calls = re.findall(r"^\d+\s+(\w+)\(", file.read(), re.M)
        for name in WRITING:
            for number in range(1, calls.count(name) + 1):
                when = f"killed at {name} {number}, from {begin or 'nothing'}"
                self.take(begin)
                done = self.publish(["strace", "-f", "-qq", "-o", trace, "-e", f"inject={name}:signal=KILL:when={number}"])
                assert done.returncode != 0, f"{when}: it was not killed"
                kills += 1
                judge(files_in(self.site) if os.path.exists(self.site) else {}, old, new, when)
                done = self.publish()
                assert done.returncode == 0, f"{when}: the next run fails: {done.stderr}"
                assert files_in(self.site) == new, f"{when}: the next run leaves another site: {sorted(files_in(self.site))}"
        return kills

    def judge_turns(self):
        """Another one that writes the site is waited for."""
        self.take("before")
        directory = os.open(self.site, os.O_RDONLY)
        fcntl.flock(directory, fcntl.LOCK_EX)
        second = subprocess.Popen([PROGRAM, "publish", self.site, "--archive", self.folder + "/games.db", "--title", self.title],
                                  stdout=subprocess.DEVNULL)
        waits = re.compile(rf"-> FLOCK .* {second.pid} ")
        while not waits.search(open("/proc/locks").read()):
            assert second.poll() is None, "it writes where another one writes"
        assert files_in(self.site) == self.kept["before"]
        os.close(directory)
        assert second.wait(LIMIT_S) == 0
        assert files_in(self.site) == self.kept["after"]


def main():
    if shutil.which("strace") is None:
        sys.exit("publish: there is no strace here")
    folder = tempfile.mkdtemp(prefix="kakehashi-publish-")
    try:
        world = World(folder)
        world.title = "Before"
        world.add_games([1, 2])
        done = world.publish()
        assert done.returncode == 0 and "2 games published, 2 new" in done.stdout, done
        world.keep("before")
        world.add_games([3])
        world.title = "After"
        done = world.publish()
        assert done.returncode == 0 and "3 games published, 1 new" in done.stdout, done
        world.keep("after")
        kills = world.kill_everywhere("before")
        kills += world.kill_everywhere(None)
        world.judge_turns()
        assert kills > 50, kills
        print(f"publish: killed {kills} times, the site was whole each time")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


main()
