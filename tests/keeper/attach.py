#!/usr/bin/env python3
"""The keeper as a process: an engine whose client is killed in mid-search, and what comes back; who is refused.

    attach.py KEEPER ENGINE     ENGINE is tests/engines/fake_engine
"""
import os
import pathlib
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import processes

KEEPER, ENGINE = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
PATIENCE = 30  # s, of a test that would wait for ever
UNATTENDED = "3"  # s, from the keeper's start to its first client, too


class Link:
    """One attachment: the process that ssh would start."""

    def __init__(self, place, name, *command, options=()):
        words = [KEEPER, "attach", name, "--keep-in", place, *options] + (["--", *command] if command else [])
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, bufsize=1)

    def say(self, *lines):
        for line in lines:
            self.process.stdin.write(line + "\n")

    def wait_for(self, beginning):
        """All lines up to the first that begins so."""
        lines = []
        for line in self.process.stdout:
            lines.append(line.rstrip("\n"))
            if lines[-1].startswith(beginning) or f" {beginning}" in lines[-1]:
                return lines
        raise AssertionError(f"no {beginning}: {lines} {self.process.stderr.read()}")

    def cut(self):
        self.process.kill()
        self.close()

    def close(self):
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()
        return self.process.wait(PATIENCE)


def children(word, program=""):
    """Processes whose command line holds that word, and begins with this one."""
    return {one.number for one in processes.running() if word in one.line and one.line.startswith(program)}


class KeeperTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.place = os.path.join(self.folder, "keep")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.addCleanup(self.end_all)

    def end_all(self):
        for process in children(self.folder):
            try:
                os.kill(process, 9)
            except ProcessLookupError:
                pass

    def link(self, *more, name="seat", options=()):
        # The folder's name on the engine's command line finds it again.
        return Link(self.place, name, ENGINE, "--think-ms", "60000", *more, "--once", self.folder + "/once",
                    options=options)

    def engines(self):
        """Of this test alone: others play beside it."""
        return children(self.folder, ENGINE)

    def test_a_search_outlives_its_link_and_is_stopped_in_time(self):
        link = self.link()
        link.say("hello 1 a 0", "in 1 usi", "in 2 isready")
        link.wait_for("readyok")
        link.say("in 3 position startpos", "in 4 go btime 0 wtime 0 byoyomi 60000", "until 5 300", "ping 1")
        link.wait_for("ack 5")
        link.cut()
        again = self.link()
        again.say("hello 1 a 0")
        lines = again.wait_for("bestmove")
        self.assertTrue(lines[0].startswith("keeper 1 "), lines)
        numbers = [int(line.split()[1]) for line in lines[1:] if line.split()[0] in ("out", "err")]
        self.assertEqual(numbers, list(range(1, len(numbers) + 1)))
        again.say("end")
        again.wait_for("exit")
        again.close()
        self.wait_until(lambda: not children(self.folder))
        self.assertEqual(os.listdir(self.place), ["seat.lock"])

    def test_another_command_has_another_engine(self):
        first = self.link()
        first.say("hello 1 a 0", "in 1 usi")
        first.wait_for("usiok")
        before = self.engines()
        second = self.link("--no-name")
        second.say("hello 1 b 0", "in 1 usi")
        self.assertTrue(second.wait_for("usiok")[0].startswith("keeper 1 "))
        self.assertEqual((len(before), before & self.engines()), (1, set()), "the first engine is gone")
        first.close()
        second.cut()

    def test_a_fresh_one_takes_the_place_of_one_that_was_given_up(self):
        first = self.link("--refuse-quit")
        first.say("hello 1 a 0", "in 1 usi")
        first.wait_for("usiok")
        before = self.engines()
        second = self.link("--refuse-quit", options=("--fresh", "b"))
        second.say("hello 1 b 0", "in 1 usi")
        second.wait_for("usiok")
        self.wait_until(lambda: not before & self.engines())  # killed, and not waited for
        after = self.engines()
        self.assertEqual((len(before), len(after)), (1, 1))
        third = self.link("--refuse-quit", options=("--fresh", "b"))  # the other way to the same one
        third.say("hello 1 b 0")
        third.wait_for("keeper")
        self.assertEqual(self.engines(), after)
        for link in (first, second, third):
            link.cut()

    def test_one_whose_client_is_gone_already_asks_for_nothing(self):
        link = self.link()
        link.say("hello 1 a 0", "in 1 usi")
        link.wait_for("usiok")
        before = self.engines()
        for options in ((), ("--fresh", "b")):
            for how in (socket.SHUT_WR, socket.SHUT_RDWR):
                ours, theirs = socket.socketpair()  # as sshd has it
                ours.sendall(b"hello 1 b 0\n")
                ours.shutdown(how)
                words = [KEEPER, "attach", "seat", "--keep-in", self.place, *options, "--", ENGINE, "--no-name", self.folder]
                late = subprocess.run(words, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, timeout=PATIENCE)
                self.assertEqual(late.returncode, 69)
                ours.close()
                theirs.close()
        link.say("in 2 isready")
        link.wait_for("readyok")
        self.assertEqual((len(before), self.engines()), (1, before))
        link.cut()

    def test_nobody_for_long_ends_it(self):
        link = self.link(options=("--unattended", UNATTENDED))
        link.say("hello 1 a 0", "in 1 usi")
        link.wait_for("usiok")
        link.cut()
        self.wait_until(lambda: not children(self.folder))

    def test_the_engines_own_end_is_told(self):
        link = self.link("--die-on-usi", "1")
        link.say("hello 1 a 0", "in 1 usi")
        link.say("ack " + link.wait_for("exit")[-1].split()[1])
        link.close()
        self.wait_until(lambda: not children(self.folder))

    def test_what_cannot_be_started_says_why(self):
        link = Link(self.place, "seat", self.folder + "/nothing")
        self.assertIn("cannot be started: No such file", link.process.stderr.read())
        self.assertEqual(link.close(), 69)
        link = Link(self.place, "seat")
        self.assertIn("there is no keeper", link.process.stderr.read())
        self.assertEqual(link.close(), 69)
        for name in ("", "..", "../x", "a b", "-x", "x" * 65):
            link = Link(self.place, name, ENGINE)
            self.assertIn("is no name", link.process.stderr.read())
            self.assertEqual(link.close(), 64, name)

    def test_an_engine_is_held_as_closely_as_on_the_bridges_machine(self):
        facts = os.path.join(self.folder, "facts")
        script = os.path.join(self.folder, "engine.sh")
        pathlib.Path(script).write_text(
            "{ grep NoNewPrivs /proc/self/status; ls /proc/$$/fd; ulimit -c; env; } >" + facts + ".new 2>/dev/null\n"
            "mv " + facts + ".new " + facts + "\nwhile read line; do :; done\n")
        read, write = os.pipe()
        self.addCleanup(os.close, read)
        self.addCleanup(os.close, write)
        environment = dict(os.environ, SOME_TOKEN="t0ken", FOO_PATH="/foo", OMP_NUM_THREADS="2", WANTED="yes")
        words = [KEEPER, "attach", "seat", "--keep-in", self.place, "--pass", "usual", "--pass", "WANTED", "--",
                 "/bin/sh", script]
        link = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env=environment, pass_fds=(read, write))
        self.wait_until(lambda: os.path.exists(facts))
        lines = pathlib.Path(facts).read_text().splitlines()
        link.kill()
        for pipe in (link.stdin, link.stdout, link.stderr):
            pipe.close()
        link.wait(PATIENCE)
        self.assertIn("NoNewPrivs:\t1", lines)
        # Its own three; the shell's script and what the redirection kept are closed in the engine's children only.
        descriptors = {int(line) for line in lines if line.isdigit() and int(line) < 64}
        self.assertTrue({0, 1, 2} <= descriptors)
        self.assertFalse({read, write} & (descriptors - {0, 1, 2, 10}))
        self.assertIn("0", lines)
        self.assertIn("OMP_NUM_THREADS=2", lines)
        self.assertIn("WANTED=yes", lines)
        self.assertFalse([line for line in lines if "t0ken" in line or line.startswith("FOO_PATH")])

    def test_a_place_that_others_can_open_is_refused(self):
        os.mkdir(self.place, 0o755)
        os.chmod(self.place, 0o755)
        link = self.link()
        self.assertIn("chmod 700", link.process.stderr.read())
        self.assertEqual(link.close(), 73)
        os.rmdir(self.place)
        os.mkdir(self.folder + "/real", 0o700)
        os.symlink(self.folder + "/real", self.place)
        link = self.link()
        self.assertEqual((link.process.stderr.read() != "", link.close()), (True, 73))

    def test_only_its_user_can_open_the_socket(self):
        link = self.link()
        link.say("hello 1 a 0")
        link.wait_for("keeper")
        self.assertEqual(stat.S_IMODE(os.stat(self.place).st_mode), 0o700)
        self.assertEqual(stat.S_IMODE(os.stat(self.place + "/seat.socket").st_mode), 0o600)
        link.cut()

    def test_who_ends_takes_the_engine_along_and_who_is_cut_off_does_not(self):
        def attach():
            ours, theirs = socket.socketpair()  # as sshd has it
            process = subprocess.Popen([KEEPER, "attach", "seat", "--keep-in", self.place, "--end-with-client", "--", ENGINE,
                                        "--once", self.folder + "/once"], stdin=theirs, stdout=theirs)
            theirs.close()
            ours.sendall(b"hello 1 a 0\nin 1 usi\n")
            said = ours.makefile("rb")
            while b"usiok" not in said.readline():
                pass
            return ours, process

        ours, process = attach()
        before = self.engines()
        ours.close()
        process.wait(PATIENCE)
        time.sleep(5.5)
        self.assertEqual((len(before), self.engines()), (1, before), "a cut is no end")
        ours, process = attach()
        other, second = attach()
        ours.shutdown(socket.SHUT_WR)
        process.wait(PATIENCE)
        self.assertEqual(self.engines(), before, "another one is attached")
        other.shutdown(socket.SHUT_WR)
        second.wait(PATIENCE)
        self.wait_until(lambda: not children(self.folder))
        ours.close()
        other.close()

    def test_who_hands_over_nothing_or_talks_nonsense_is_shown_out(self):
        link = self.link()
        link.say("hello 1 a 0")
        link.wait_for("keeper")
        for words in (b"", b"attach - - keep\n", b"x" * 300, b"\n"):
            with socket.socket(socket.AF_UNIX) as stranger:
                stranger.connect(self.place + "/seat.socket")
                stranger.sendall(words)
                stranger.shutdown(socket.SHUT_WR)
                try:
                    self.assertEqual(stranger.recv(16), b"")
                except ConnectionResetError:
                    pass  # some of it was not even read
        link.say("in 1 usi")
        link.wait_for("usiok")
        link.cut()

    def test_a_client_that_reads_nothing_is_let_go(self):
        engine = "while read line; do head -c 60000 /dev/zero | tr '\\0' x; echo; done; : " + self.folder
        link = Link(self.place, "seat", "/bin/sh", "-c", engine, options=("--unattended", UNATTENDED))
        link.say("hello 1 a 0")
        link.wait_for("keeper")
        with socket.socket(socket.AF_UNIX) as deaf:
            deaf.connect(self.place + "/seat.socket")
            ours, theirs = socket.socketpair()
            socket.send_fds(deaf, [b"attach - - keep\n"], [theirs.fileno(), theirs.fileno()])
            theirs.close()
            self.assertEqual(deaf.recv(16), b"same\n")
            ours.sendall(b"hello 1 a 0\n" + b"".join(b"in %d x\n" % i for i in range(1, 31)))
            link.wait_for("out 30")
            ours.sendall(b"nonsense\n")
            link.cut()
            self.wait_until(lambda: not children(self.folder))

    def test_a_terminated_keeper_takes_its_engine_along(self):
        link = self.link()
        link.say("hello 1 a 0", "in 1 usi")
        link.wait_for("usiok")
        link.cut()
        keeper, = children(self.folder, KEEPER)
        os.kill(keeper, 15)
        self.wait_until(lambda: not children(self.folder))
        self.assertEqual(os.listdir(self.place), ["seat.lock"])

    def wait_until(self, is_done):
        end = time.monotonic() + PATIENCE
        while not is_done():
            self.assertLess(time.monotonic(), end, "it never came")
            time.sleep(0.02)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
