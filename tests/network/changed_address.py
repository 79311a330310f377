#!/usr/bin/env python3
"""A server's name that moves to another address or is gone for a while, and an address of ours that changes
in mid-game, in two network namespaces: the bridge must look the name up for each attempt, say what is wrong,
and go on.

  changed_address.py KAKEHASHI FAKE_ENGINE

The client's /etc/hosts is its own (ip-netns(8): /etc/netns). Takes some two minutes, most of which is TCP's
silence. Exit status 77: it cannot be tried here.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import time

from half_open import IN_GAME_S, SLACK_S, Bot, Ways, leave_nothing_behind, sh

NAME = "server.changed.test"


class Hosts:
    """What the name stands for, in the client's namespace only."""

    def __init__(self, space):
        self.folder = f"/etc/netns/{space}"
        os.makedirs(self.folder)
        self.set("10.77.0.2")
        with open(os.path.join(self.folder, "nsswitch.conf"), "w") as file:
            file.write("hosts: files\n")

    def set(self, address):
        # The file itself is mounted: it is written anew and never replaced.
        with open(os.path.join(self.folder, "hosts"), "w") as file:
            file.write("127.0.0.1 localhost\n" + (f"{address} {NAME}\n" if address else ""))

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class Server:
    def __init__(self, space, program):
        self.process = subprocess.Popen(["ip", "netns", "exec", space, program, "serve", "--listen",
                                         "0.0.0.0", "--port", "4081"], stdout=subprocess.PIPE, text=True)
        for line in self.process.stdout:
            if "listening on" in line:
                break

    def close(self):
        self.process.kill()
        self.process.wait()


def main():
    program, engine = map(os.path.abspath, sys.argv[1:3])
    if shutil.which("ip") is None:
        print("skipped: ip is not installed")
        sys.exit(77)
    try:
        ways = Ways()
    except (subprocess.CalledProcessError, PermissionError) as failed:
        print("skipped: no network namespace can be made here:", getattr(failed, "stderr", "") or failed)
        sys.exit(77)
    leave_nothing_behind()
    folder = tempfile.mkdtemp(prefix="kakehashi-way-")
    hosts = Hosts(ways.client)
    running = []
    try:
        sh("ip", "-n", ways.server, "addr", "add", "10.77.0.3/24", "dev", "v0")
        server = Server(ways.server, program)
        running.append(server)
        alice = Bot("alice", ways.client, program, engine, folder, host=NAME)
        running.append(alice)
        alice.wait(r"connected to 10\.77\.0\.2:4081", 60)
        alice.wait("logged_in", 60)

        # The server moves: the next attempt asks for the name again.
        hosts.set("10.77.0.3")
        sh("ip", "-n", ways.server, "addr", "del", "10.77.0.2/24", "dev", "v0")
        sh("ip", "-n", ways.server, "addr", "replace", "10.77.0.3/24", "dev", "v0")
        at = len(alice.text())
        server.close()
        server = Server(ways.server, program)
        running.append(server)
        took, line = alice.wait(r"^.*connected to 10\.77\.0\.3:4081.*$", 90, at)
        print(f"the name stands for another address: connected there {took:.1f} s after the old one was gone: {line}")
        alice.wait("logged_in", 60, at)

        # The name is gone: each attempt says so, and the first one behind its return succeeds.
        hosts.set("")
        at = len(alice.text())
        server.close()
        took, line = alice.wait(f"^.*cannot look up .{NAME}.*$", 90, at)
        print(f"the name cannot be looked up: told after {took:.1f} s: {line}")
        server = Server(ways.server, program)
        running.append(server)
        at = len(alice.text())
        hosts.set("10.77.0.3")
        took, _ = alice.wait("logged_in", 60, at)
        print(f"  logged in {took:.1f} s after it was back")

        # Our own address changes in mid-game, as with a new lease.
        bob = Bot("bob", ways.server, program, engine, folder, host="10.77.0.3")
        running.append(bob)
        at = len(alice.text())
        alice.wait("game_started", 60, at)
        time.sleep(1.5)
        at = len(alice.text())
        sh("ip", "-n", ways.client, "addr", "add", "10.77.0.4/24", "dev", "v0")
        sh("ip", "-n", ways.client, "addr", "del", "10.77.0.1/24", "dev", "v0")
        sh("ip", "-n", ways.client, "addr", "replace", "10.77.0.4/24", "dev", "v0")
        limit = IN_GAME_S + SLACK_S
        took, line = alice.wait(r"^.* was lost in mid-game: .*$", limit, at)
        print(f"our address changed in a game: found after {took:.1f} s (limit {limit} s): {line}")
        took, _ = alice.wait("game_started", 120, at)
        print(f"  in the next game {took:.1f} s later, from the new address")
    finally:
        for one in running:
            one.close()
        hosts.close()
        ways.close()
        shutil.rmtree(folder, ignore_errors=True)


main()
