#!/usr/bin/env python3
"""A line that dies silently, and one that is reset, between a bridge and a server in two network
namespaces: the bridge must find out within its limits, and go on when the way is back.

  half_open.py KAKEHASHI FAKE_ENGINE

Takes some two and a half minutes, most of which is TCP's silence. Exit status 77: it cannot be tried here.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

# csa/io/socket_options.cpp: TCP_USER_TIMEOUT; the kernel looks at it when it repeats, so some seconds late.
USER_TIMEOUT_S, SLACK_S = 45, 10
# bridge/game/offer.cpp, line_patience: in a game of 10 s and 5 s byoyomi both clocks, until the fallen flag is seen, and a rest;
# counted from the last line that waits for an answer, which may be the sign of life in between.
IN_GAME_S = 50 + 2 * (10 + 5) + 60 + 15
# The default of server.tcp_keepalive, after which an idle line is asked for a sign of life.
KEEPALIVE_IDLE_S = 15


def sh(*words, **options):
    return subprocess.run(words, check=True, capture_output=True, text=True, **options)


def leave_nothing_behind():
    """A run that is ended from outside closes its programs and namespaces as any other."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda ended_by, _: sys.exit(128 + ended_by))


class Ways:
    """Two namespaces with one cable between them; the server lives in the second."""

    def __init__(self):
        self.client, self.server = f"kh{os.getpid()}a", f"kh{os.getpid()}b"
        for space in (self.client, self.server):
            sh("ip", "netns", "add", space)
        sh("ip", "link", "add", "v0", "netns", self.client, "type", "veth", "peer", "name", "v0",
           "netns", self.server)
        for space, address in ((self.client, "10.77.0.1/24"), (self.server, "10.77.0.2/24")):
            sh("ip", "-n", space, "addr", "add", address, "dev", "v0")
            sh("ip", "-n", space, "link", "set", "v0", "up")
            sh("ip", "-n", space, "link", "set", "lo", "up")

    def rule(self, verdict):
        """Of what reaches the server from the other side, from now on; none: all is well."""
        out = 'chain out { type filter hook output priority 0; oifname "v0" tcp sport 4081 drop; }'
        sh("ip", "netns", "exec", self.server, "nft", "flush", "ruleset")
        if verdict:
            sh("ip", "netns", "exec", self.server, "nft", "-f", "-", input=f"""
table inet way {{
  chain in {{ type filter hook input priority 0; iifname "v0" tcp dport 4081 {verdict}; }}
  {"" if "reset" in verdict else out}
}}""")

    def close(self):
        for space in (self.client, self.server):
            subprocess.run(["ip", "netns", "del", space], capture_output=True)


class Bot:
    def __init__(self, name, space, program, engine, folder, host="10.77.0.2", think_ms=500):
        config = os.path.join(folder, name + ".yaml")
        self.log = os.path.join(folder, name + ".log")
        with open(config, "w") as file:
            file.write(f"""server: {{host: {host}, retry_max: 1s}}
account: {{name: {name}}}
game: {{name: test-10-5}}
engine: {{command: [{engine}, --think-ms, '{think_ms}']}}
records: {{directory: {os.path.join(folder, name)}}}
archive: {{enabled: false}}
""")
        self.process = subprocess.Popen(["ip", "netns", "exec", space, program, "run", config],
                                        stderr=open(self.log, "w"))

    def text(self):
        with open(self.log) as file:
            return file.read()

    def wait(self, what, limit_s, behind=0):
        """Seconds until the log has it (behind that many bytes), and the whole line."""
        began = time.monotonic()
        while time.monotonic() - began < limit_s:
            found = re.search(what, self.text()[behind:], re.MULTILINE)
            if found:
                return time.monotonic() - began, found.group(0)
            time.sleep(0.1)
        raise SystemExit(f"WRONG: no '{what}' within {limit_s} s:\n{self.text()}")

    def close(self):
        self.process.kill()
        self.process.wait()


def main():
    program, engine = map(os.path.abspath, sys.argv[1:3])
    for tool in ("ip", "nft"):
        if shutil.which(tool) is None:
            print(f"skipped: {tool} is not installed")
            sys.exit(77)
    try:
        ways = Ways()
    except (subprocess.CalledProcessError, PermissionError) as failed:
        print("skipped: no network namespace can be made here:",
              getattr(failed, "stderr", "") or failed)
        sys.exit(77)
    leave_nothing_behind()
    folder = tempfile.mkdtemp(prefix="kakehashi-way-")
    running = []
    lost = r"^.* retrying: .*$"
    try:
        server = subprocess.Popen(["ip", "netns", "exec", ways.server, program, "serve", "--listen",
                                   "10.77.0.2", "--port", "4081"], stdout=subprocess.PIPE, text=True)
        running.append(server)
        for line in server.stdout:
            if "listening on" in line:
                break
        alice = Bot("alice", ways.client, program, engine, folder)
        running.append(alice)
        alice.wait("logged_in", 60)

        ways.rule("drop")
        limit = KEEPALIVE_IDLE_S + USER_TIMEOUT_S + SLACK_S
        took, line = alice.wait(lost, limit)
        print(f"an idle line that died silently: found after {took:.1f} s (limit {limit} s): {line}")
        at = len(alice.text())
        ways.rule("")
        took, _ = alice.wait("logged_in", 60, at)
        print(f"  logged in again {took:.1f} s after the way was back")

        bob = Bot("bob", ways.server, program, engine, folder)
        running.append(bob)
        at = len(alice.text())
        alice.wait("game_started", 60, at)
        time.sleep(1.5)
        ways.rule("drop")
        limit = IN_GAME_S + SLACK_S
        took, line = alice.wait(lost, limit, at)
        print(f"a line that died silently in a game: found after {took:.1f} s (limit {limit} s): {line}")
        at = len(alice.text())
        ways.rule("")
        took, _ = alice.wait("game_started", 120, at)
        print(f"  in the next game {took:.1f} s after the way was back")

        at = len(alice.text())
        time.sleep(1.5)
        ways.rule("reject with tcp reset")
        took, line = alice.wait(lost, SLACK_S, at)
        print(f"a line that was reset in a game: found after {took:.1f} s (limit {SLACK_S} s): {line}")
    finally:
        for one in running:
            one.kill() if isinstance(one, subprocess.Popen) else one.close()
        ways.close()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
