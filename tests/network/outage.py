#!/usr/bin/env python3
"""Games whose way is cut for a while, between a bridge and a server in two network namespaces, with 300 s on the
clock and a server that does not close: our move must arrive soon behind the return of the way, and the game must
end with its result. Beside each bridge a plain client with a socket as it comes is the yardstick.

  outage.py KAKEHASHI FAKE_ENGINE [SECONDS...]

Each length is tried on our turn, in mid-think, and on the opponent's, all at once (16 s, if none is given).
Exit status 77: it cannot be tried here.
"""
import multiprocessing
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

from half_open import Bot, Ways, leave_nothing_behind

# On a kernel that cannot bound its pauses csa/io/socket_options.hpp lets none of them grow over RepeatPace::ahead.
LATE_MAX_S = 6
THINK_S = 2
CLIENTS = ("us", "plain")

SUMMARY = """BEGIN Game_Summary
Protocol_Version:1.2
Protocol_Mode:Server
Format:Shogi 1.0
Declaration:Jishogi 1.1
Game_ID:outage
Name+:us
Name-:foe
Your_Turn:+
Rematch_On_Draw:NO
To_Move:+
Max_Moves:256
BEGIN Time
Time_Unit:1sec
Total_Time:300
Byoyomi:0
Increment:0
Least_Time_Per_Move:0
END Time
BEGIN Position
PI
+
END Position
END Game_Summary
"""


def say(*words):
    """One write: two clients come to the same point at the same moment."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def serve(whose):
    """One game for each client; says when the way is to be cut, and when our moves come."""
    listener = socket.create_server(("10.77.0.2", 4081))
    both = threading.Barrier(2)  # the way is cut once
    for name in CLIENTS:
        say(name, "awaited")

    def play(lines, send):
        name = lines.readline().split()[1]
        send(f"LOGIN:{name} OK\n{SUMMARY}")
        while not lines.readline().startswith("AGREE"):
            pass
        both.wait()
        send("START:outage\n")

        def our_move():
            while True:
                move = lines.readline().strip()
                if move:
                    say(name, "moved", time.monotonic())
                    send(f"{move.split(',')[0]},T{THINK_S}\n")
                    return

        if whose == "theirs":
            our_move()
            both.wait()
        say(name, "cut")
        if whose == "theirs":
            time.sleep(2 * THINK_S)
            send("-3334FU,T4\n")
        our_move()
        send("%TORYO\n#RESIGN\n#WIN\n")
        while lines.readline():
            pass

    while True:
        client, _ = listener.accept()
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=play, args=(client.makefile(), lambda text, c=client: c.sendall(text.encode())),
                         daemon=True).start()


def plain():
    """A client as one writes it in ten lines."""
    line = socket.create_connection(("10.77.0.2", 4081))
    line.sendall(b"LOGIN plain x\n")
    moves = ["+7776FU", "+2726FU"]
    for text in line.makefile():
        if text.startswith("END Game_Summary"):
            line.sendall(b"AGREE\n")
        elif text.startswith(("START", "-")):
            time.sleep(THINK_S)
            line.sendall(moves.pop(0).encode() + b"\n")
        elif text.startswith("#WIN"):
            return


class Server:
    def __init__(self, space, whose):
        self.process = subprocess.Popen(
            ["ip", "netns", "exec", space, sys.executable, os.path.abspath(__file__), "--serve", whose],
            stdout=subprocess.PIPE, text=True)
        self.said = []
        threading.Thread(target=lambda: self.said.extend(iter(self.process.stdout.readline, "")), daemon=True).start()

    def wait(self, count, word, limit_s):
        """Of each client the `count`th word of that kind."""
        began = time.monotonic()
        while time.monotonic() - began < limit_s:
            found = {}
            for line in list(self.said):
                name, said, *rest = line.split()
                if said == word:
                    found.setdefault(name, []).append(rest)
            if all(len(found.get(name, [])) >= count for name in CLIENTS):
                return {name: rests[count - 1] for name, rests in found.items()}
            time.sleep(0.05)
        raise SystemExit(f"WRONG: the server waits for '{word}' in vain; it has: {self.said}")

    def close(self):
        self.process.kill()
        self.process.wait()


def try_outage(program, engine, whose, outage_s):
    leave_nothing_behind()
    ways = Ways()
    folder = tempfile.mkdtemp(prefix="kakehashi-outage-")
    running = []
    try:
        server = Server(ways.server, whose)
        running.append(server)
        server.wait(1, "awaited", 60)
        bot = Bot("us", ways.client, program, engine, folder, think_ms=THINK_S * 1000)
        running.append(bot)
        client = subprocess.Popen(["ip", "netns", "exec", ways.client, sys.executable, os.path.abspath(__file__),
                                   "--plain"])
        running.append(client)
        server.wait(1, "cut", 60)
        time.sleep(THINK_S / 2)
        ways.rule("drop")
        cut = time.monotonic()
        time.sleep(outage_s)
        ways.rule("")
        back = time.monotonic()
        moved = server.wait(1 if whose == "ours" else 2, "moved", outage_s + 60)
        late = {name: float(at) - back for name, (at,) in moved.items()}
        print(f"{back - cut:.0f} s cut on {'our' if whose == 'ours' else 'their'} turn: our move came "
              f"{late['us']:.1f} s behind the way's return, a plain client's {late['plain']:.1f} s", flush=True)
        # On the opponent's turn its move comes when the server's own kernel repeats it: up to as late again.
        limit = LATE_MAX_S + (0 if whose == "ours" else THINK_S + outage_s)
        if late["us"] > limit:
            raise SystemExit(f"WRONG: our move was late: {late['us']:.1f} s, limit {limit:.1f} s")
        bot.wait("game_ended: won", 60)
        if "line was lost" in bot.text():
            raise SystemExit(f"WRONG: the line was given up:\n{bot.text()}")
    finally:
        for one in running:
            one.kill() if isinstance(one, subprocess.Popen) else one.close()
        ways.close()
        shutil.rmtree(folder, ignore_errors=True)


def main():
    if sys.argv[1] == "--serve":
        serve(sys.argv[2])
    if sys.argv[1] == "--plain":
        return plain()
    program, engine = map(os.path.abspath, sys.argv[1:3])
    for tool in ("ip", "nft"):
        if shutil.which(tool) is None:
            print(f"skipped: {tool} is not installed")
            sys.exit(77)
    try:
        Ways().close()
    except (subprocess.CalledProcessError, PermissionError) as failed:
        print("skipped: no network namespace can be made here:", getattr(failed, "stderr", "") or failed)
        sys.exit(77)
    outages = [int(word) for word in sys.argv[3:]] or [16]
    leave_nothing_behind()
    trials = [multiprocessing.Process(target=try_outage, args=(program, engine, whose, outage), daemon=True)
              for outage in outages for whose in ("ours", "theirs")]
    for trial in trials:
        trial.start()
    for trial in trials:
        trial.join()
    sys.exit(1 if any(trial.exitcode for trial in trials) else 0)


if __name__ == "__main__":
    main()
