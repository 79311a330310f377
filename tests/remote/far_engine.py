#!/usr/bin/env python3
"""A USI engine whose moves come from Fairy-Stockfish and whose time is ours: it thinks as long as it is told to, and
writes down all that it reads and says.

    far_engine.py LOG FAIRY THINK_MS [LATE_MS [USI_MS [READY_MS]]]

THINK_MS 0: until it is told to stop; LATE_MS is how long it takes to obey, USI_MS and READY_MS what the answers to
"usi" and "isready" take.
"""
import os
import select
import subprocess
import sys
import time

LOG, FAIRY = sys.argv[1:3]
THINK, LATE, USI, READY = [int(word) / 1000 for word in sys.argv[3:] + ["0"] * (7 - len(sys.argv))]
log = open(LOG, "a", buffering=1)
rest = b""


def note(way, line):
    log.write(f"{time.monotonic():.3f} {way} {line}\n")


def say(line):
    note(">", line)
    try:
        os.write(1, (line + "\n").encode())
    except BrokenPipeError:
        sys.exit(0)


lines = []


def next_line(until=None):
    """Nothing when none comes by then."""
    global rest
    while not lines:
        wait = None if until is None else max(0, until - time.monotonic())
        if not select.select([0], [], [], wait)[0]:
            return None
        data = os.read(0, 65536)
        if not data:
            note("<", "the end")
            sys.exit(0)
        *whole, rest = (rest + data).split(b"\n")
        lines.extend(line.decode() for line in whole)
        for line in whole:
            note("<", line.decode())
    return lines.pop(0)


class Fairy:
    def __init__(self):
        self.process = subprocess.Popen([FAIRY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.ask("usi", "usiok")
        self.ask("setoption name USI_Variant value shogi\nsetoption name USI_Hash value 1\nisready", "readyok")

    def ask(self, words, answer):
        self.process.stdin.write(words + "\n")
        for line in self.process.stdout:
            if line.startswith(answer):
                return line.rstrip("\n")
        raise SystemExit("fairy-stockfish ended")


def search(fairy, position, go):
    best = fairy.ask(f"{position}\ngo depth 2", "bestmove")
    ends = None if go.startswith("go ponder") or not THINK else time.monotonic() + THINK
    depth = 0
    while True:
        depth += 1
        tick = time.monotonic() + 0.1
        line = next_line(tick if ends is None else min(tick, ends))
        if line == "stop":
            time.sleep(LATE)
            break
        if line is not None and line.startswith("ponderhit"):
            ends = time.monotonic() + THINK if THINK else None
        elif line == "quit":
            sys.exit(0)
        elif line is None and ends is not None and time.monotonic() >= ends:
            break
        elif line is None:
            say(f"info depth {depth} score cp 10 nodes {depth * 1000} pv {best.split()[1]}")
    say(best)


def main():
    fairy = Fairy()
    position = ""
    while True:
        line = next_line()
        if line == "usi":
            time.sleep(USI)
            say("id name Far")
            say("option name USI_Ponder type check default false")
            say("option name USI_Hash type spin default 16 min 1 max 1024")
            say("usiok")
        elif line == "isready":
            time.sleep(READY)
            say("readyok")
        elif line.startswith("position "):
            position = line
        elif line.startswith("go"):
            search(fairy, position, line)
        elif line == "quit":
            return


main()
