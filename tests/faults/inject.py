#!/usr/bin/env python3
"""Lets system calls of a running bridge fail, one in each run, and judges what becomes of it.

A bridge plays one game on the embedded server against another one. strace (-e inject) makes the n-th call
of one name fail with an error that it really gives. Whatever failed:
  - the bridge neither crashes nor hangs, and a game that was played to its end has a result;
  - a call on a file (record, journal, archive, log) never costs the game;
  - the bridge tells a person, at warn or error, when anything that it should have kept is missing.

  inject.py KAKEHASHI FAKE_ENGINE [quick|full]

Both of the process that plays without a holder, which the kernel has refused (its calls are those of the first process then),
and of the holder; those of all threads once, under a holder. quick: some calls of each name, from the first to the last;
full: every call of every name.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

LIMIT_S = 90  # ends a hung run; a run takes a second or two

# name: (error, whether all threads and children are looked at). Children of the engine's kind are left out
# elsewhere, since an engine may fail as it likes.
CALLS = {
    "openat": ("EMFILE", False),
    "read": ("EIO", False),
    "write": ("ENOSPC", False),
    "fsync": ("EIO", True),
    "fdatasync": ("EIO", True),
    "rename": ("EROFS", True),
    "link": ("EPERM", True),
    "unlink": ("EROFS", True),
    "mkdir": ("ENOSPC", True),
    "ftruncate": ("EIO", True),
    "flock": ("ENOLCK", True),
    "fcntl": ("EMFILE", False),
    "newfstatat": ("EACCES", False),
    "getdents64": ("EIO", True),
    "pwrite64": ("ENOSPC", True),
    "socket": ("EMFILE", False),
    "connect": ("ENETUNREACH", False),
    "setsockopt": ("ENOMEM", False),
    "getsockopt": ("ENOBUFS", False),
    "sendmsg": ("ECONNRESET", False),
    "sendto": ("ENOBUFS", False),
    "recvmsg": ("ETIMEDOUT", False),
    "recvfrom": ("ETIMEDOUT", False),
    "pipe2": ("EMFILE", False),
    "clone": ("EAGAIN", False),
    "clone3": ("EAGAIN", False),
    "execve": ("ENOENT", True),
    "dup2": ("EBADF", True),
    "setpgid": ("EPERM", True),
    "pidfd_open": ("EMFILE", False),
    "epoll_ctl": ("ENOMEM", False),
    "timerfd_create": ("EMFILE", False),
    "timerfd_settime": ("ECANCELED", False),
}


class World:
    """A server and the other player, for one run."""

    def __init__(self, program, engine):
        self.program, self.engine = program, engine
        self.folder = tempfile.mkdtemp(prefix="kakehashi-faults-")
        self.server = subprocess.Popen([program, "serve", "--port", "0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        self.port = None
        for line in self.server.stdout:
            found = re.search(r"listening on .* port (\d+)", line)
            if found:
                self.port = int(found.group(1))
                break
        self.other = subprocess.Popen([program, "run", self.config("alice", "")],
                                      stderr=open(self.path("alice.log"), "w"))

    def path(self, name):
        return os.path.join(self.folder, name)

    def config(self, name, count):
        with open(self.path(name + ".yaml"), "w") as file:
            file.write(f"""server: {{host: 127.0.0.1, port: {self.port}, retry_max: 1s}}
account: {{name: {name}}}
game: {{name: test-600-10{count}}}
engine: {{command: [{self.engine}]}}
records: {{directory: {self.path(name)}, formats: [csa, kif]}}
""")
        return self.path(name + ".yaml")

    def text(self, name):
        try:
            with open(self.path(name), errors="replace") as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def run(self, strace):
        """The bridge under test plays one game; its exit status, or None when it hung."""
        config = self.config("bob", ", count: 1")
        with open(self.path("bob.log"), "w") as log:
            process = subprocess.Popen(strace + [self.program, "run", config], stderr=log,
                                       start_new_session=True)
            try:
                return process.wait(timeout=LIMIT_S)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                return None

    def ends(self):
        """How the games ended as the other player saw it, who may hear of it a moment later."""
        end = time.monotonic() + LIMIT_S
        while time.monotonic() < end:
            found = re.findall(r"\b(won|lost|drawn)\b.* against", self.text("alice.log"))
            if found:
                return found
            time.sleep(0.1)
        return []

    def missing(self):
        """Which of the things that a finished game leaves behind are not there, or not whole."""
        folder = self.path("bob")
        names = os.listdir(folder) if os.path.isdir(folder) else []
        texts = {name: open(os.path.join(folder, name), "rb").read() for name in names}
        gone = [f"a record ({end})" for end, word in ((".csa", b"\n%"), (".kif", "千日手".encode("cp932")))
                if not any(name.endswith(end) and word in text for name, text in texts.items())]
        gone += [f"a draft left over ({name})" for name in names if name.endswith(".tmp")]
        told = subprocess.run([self.program, "games", "list", "--archive",
                               os.path.join(folder, "games.db")], capture_output=True, text=True)
        gone += [] if "alice" in told.stdout else ["the game in the archive"]
        journal = self.path("journal")
        parts = sorted(os.listdir(journal)) if os.path.isdir(journal) else []
        parts = [part for part in parts if part.startswith("bob_")]
        replayed = parts and subprocess.run([self.program, "replay", "-q", os.path.join(journal, parts[-1])],
                                            capture_output=True).returncode == 0
        return gone + ([] if replayed else ["the journal"])

    def close(self):
        for process in (self.other, self.server):
            process.kill()
            process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


# The first fork makes the player.
UNHELD = "inject=clone:error=EAGAIN:when="


def trace(world, name, number, is_held):
    """A run in which that call fails."""
    error, follows = CALLS[name]
    # Of one name only one rule counts: it is the first clone and that one.
    extra = ["-e", f"inject={name}:error={error}:when={number}"]
    if not is_held and name == "clone":
        extra = ["-e", f"{UNHELD}1..{number}+{number - 1}"]
    elif not is_held:
        extra += ["-e", f"{UNHELD}1"]
    command = ["strace", "-qq", "-y", "-o", world.path("trace"), "-e", "signal=none"]
    command += ["-f"] if follows else []
    # The program's own beginning is no call of the engine's launcher.
    command += ["-P", world.engine] if name == "execve" else []
    return command + ["-e", f"trace={name}" + ("" if is_held else ",clone")] + extra + ["--"]


def counts(program, engine, is_held):
    """Which calls of each name are made in an undisturbed run, after the configuration was looked for, and what it tells."""
    found = {}
    world = World(program, engine)
    try:
        names = ",".join(CALLS)
        status = world.run(["strace", "-f", "-qq", "-y", "-o", world.path("trace"), "-e",
                            "signal=none", "-e", f"trace={names}"] + ([] if is_held else ["-e", UNHELD + "1"]) + ["--"])
        if status != 0:
            raise SystemExit(f"an undisturbed run ends with {status}:\n{world.text('bob.log')}")
        lines = world.text("trace").splitlines()
        told = loud_lines(world.text("bob.log"))
    finally:
        world.close()
    main = lines[0].split()[0]
    begun = False
    for line in lines:
        thread, call = line.split(None, 1)
        name = call.split("(", 1)[0]
        begun = begun or (name == "openat" and "bob.yaml" in call)
        if name not in CALLS or " resumed>" in call:
            continue
        by_thread = found.setdefault(name, {}).setdefault(thread, [0, 0])
        by_thread[0] += 1
        if not begun:
            by_thread[1] += 1  # of the loader: its failures are told by the system
    result = {}
    for name, (_, follows) in CALLS.items():
        threads = found.get(name, {})
        wanted = [threads.get(main, [0, 0])]
        if follows:
            wanted = threads.values() if is_held else []
        calls = {n for total, before in wanted for n in range(before + 1, total + 1)}
        if name == "execve" and is_held:
            calls = {1}
        result[name] = sorted(calls)
    return result, told


def spread(numbers, most):
    if len(numbers) <= most:
        return numbers
    return sorted({numbers[round(i * (len(numbers) - 1) / (most - 1))] for i in range(most)})


def is_kept_file(call, folder):
    """Whether the call is about what the bridge writes for people."""
    is_written = not call.startswith(("openat", "newfstatat")) or "O_WRONLY" in call or "O_RDWR" in call
    return is_written and folder in call and "bob.yaml" not in call


def loud_lines(log):
    """At warn or error, without their times."""
    return [re.sub(r"^[-0-9]+ [:.0-9]+ ", "", line) for line in log.splitlines()
            if line and not re.search(r"^[-0-9]+ [:.0-9]+ (info|debug) ", line)]


def judge(program, engine, name, number, is_held, told_anyway):
    """One run. A line for the log, and what is wrong with it or None."""
    world = World(program, engine)
    try:
        status = world.run(trace(world, name, number, is_held))
        injected = [line for line in world.text("trace").splitlines() if "(INJECTED)" in line and f" {name}(" in f" {line}"]
        log = world.text("bob.log")
        ends = world.ends() if status == 0 and "game_started" in log else []
        call = re.sub(r"^\d+ +", "", injected[0])[:150] if injected else "(not reached)"
        loud = [line for line in loud_lines(log) if line not in told_anyway]
        missing = world.missing() if status == 0 else []
        wrong = None
        if status is None:
            wrong = "it hangs"
        elif status < 0 or status >= 128:
            wrong = f"it ends with {status}"
        elif injected and status != 0 and not loud:
            wrong = f"it ends with {status} and does not say why"
        elif missing and not loud:
            wrong = f"{' and '.join(missing)} missing, and nobody is told"
        elif injected and is_kept_file(call, world.folder) and "game_started" in log and (
                status != 0 or ends != ["drawn"]):
            wrong = f"a file cost the game (exit {status})"
        elif "#TIME_UP" in log or "#ILLEGAL_MOVE" in log:
            wrong = "the game was lost"
        told = loud[0].split("] ", 1)[-1][:110] if loud else "nothing"
        lacks = f", lacks {' and '.join(missing)}" if missing else ""
        call = call.replace(world.folder, "…").strip()
        line = f"{name} {number}: {call} -> exit {status}, {' '.join(ends)}{lacks}; tells {told}"
        if wrong:
            line += "\n" + log
        return line, wrong, bool(injected)
    finally:
        world.close()


def main():
    program, engine = map(os.path.abspath, sys.argv[1:3])
    is_full = sys.argv[3:] == ["full"]
    began, runs, reached, failures = time.monotonic(), 0, 0, 0
    for is_held in (False, True):
        whose = "the holder" if is_held else "the process that plays"
        wanted, told = counts(program, engine, is_held)
        numbers_of = {name: numbers if is_full else spread(numbers, 3) for name, numbers in wanted.items()}
        print(f"{whose}: {sum(map(len, numbers_of.values()))} calls of {sum(map(len, wanted.values()))}: "
              + ", ".join(f"{name} {len(numbers)}" for name, numbers in wanted.items()), flush=True)
        for name, number in [(name, number) for name, numbers in numbers_of.items() for number in numbers]:
            line, wrong, was_injected = judge(program, engine, name, number, is_held, told)
            runs += 1
            reached += was_injected
            failures += wrong is not None
            print(("WRONG: " + wrong + ": " if wrong else "") + line, flush=True)
    print(f"{runs} runs, {reached} calls made to fail, {failures} wrong, "
          f"{time.monotonic() - began:.0f} s")
    sys.exit(1 if failures or reached == 0 else 0)


main()
