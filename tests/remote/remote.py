#!/usr/bin/env python3
"""Engines behind a keeper in whole games: over a real OpenSSH on the loopback whose connections are killed and frozen,
over two ways, out of reach for longer than a turn, and on this machine across the end of the bridge.

    remote.py KAKEHASHI ENGINE REAL_ENGINE     tests/engines/fake_engine, and fairy-stockfish
"""
import json
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
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import processes

BRIDGE, ENGINE, REAL_ENGINE = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:4])
KEEPER = str(pathlib.Path(BRIDGE).parent / "kakehashi-keep")
GAMES = 1000  # the engines soon repeat themselves: one behind the other, until the run is told to stop
PATIENCE = 90  # s, of a test that would wait for ever
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="kakehashi-remote-"))
HOME = FOLDER / "home"  # on the machine of the engine


def end(numbers, how=signal.SIGKILL):
    for number in numbers:
        try:
            os.kill(number, how)
        except ProcessLookupError:
            pass


def wait_until(is_true, what):
    limit = time.monotonic() + PATIENCE
    while not is_true():
        if time.monotonic() > limit:
            raise AssertionError(f"it never came: {what}")
        time.sleep(0.02)


class Sshd:
    """OpenSSH's server with keys and a port of its own, for the user who runs this."""

    def __init__(self):
        place = FOLDER / "sshd"
        place.mkdir(mode=0o700)
        for key in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", place / key], check=True)
        # Bound as long as this lives, and nobody else is given it: sshd, which asks for that too, may listen there.
        self.port_holder = socket.socket()
        self.port_holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.port_holder.bind(("127.0.0.1", 0))
        self.port = self.port_holder.getsockname()[1]
        (place / "config").write_text(
            f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey {place}/host\nPidFile none\nUsePAM no\n"
            f"AuthorizedKeysFile {place}/user.pub\nStrictModes no\nPasswordAuthentication no\n"
            f"SetEnv HOME={HOME}\nMaxStartups 100\n")
        if os.getuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True)
        self.process = subprocess.Popen(["/usr/sbin/sshd", "-D", "-f", place / "config", "-E", place / "log"])
        self.place = place
        wait_until(self.answers, "sshd listens")

    def answers(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def host(self, name="127.0.0.1"):
        return (f"ssh -T -p {self.port} -i {self.place}/user -o BatchMode=yes -o StrictHostKeyChecking=no "
                f"-o UserKnownHostsFile=/dev/null -o ConnectTimeout=5 {name}")

    def links(self):
        """ssh as the bridge has started it."""
        return [one.number for one in processes.running() if one.line.startswith(f"ssh -T -p {self.port}")]

    def sessions(self):
        """What sshd has started for its connections."""
        everything = processes.running()
        found, parents = [], {self.process.pid}
        while parents:
            children = [one.number for one in everything if one.parent in parents and "sshd" in one.line]
            found += children
            parents = set(children)
        return found

    def close(self):
        end([self.process.pid], signal.SIGCONT)
        end(self.sessions())
        self.process.kill()
        self.process.wait()
        self.port_holder.close()


class Remote(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        HOME.mkdir()
        cls.sshd = Sshd()

    @classmethod
    def tearDownClass(cls):
        cls.sshd.close()
        shutil.rmtree(FOLDER, ignore_errors=True)

    def setUp(self):
        self.place = pathlib.Path(tempfile.mkdtemp(dir=FOLDER))
        self.running = []
        self.addCleanup(self.end_all)
        if not (HOME / ".kakehashi/bin/kakehashi-keep").exists():
            self.install()

    def end_all(self):
        for process in self.running:
            process.kill()
            process.wait()
        end([one.number for one in processes.running() if str(self.place) in one.line])

    def start(self, *words, log):
        with open(self.place / log, "w") as out:
            process = subprocess.Popen([BRIDGE, *words], stdout=out, stderr=subprocess.STDOUT, cwd=self.place,
                                       env={**os.environ, "HOME": str(self.place)})
        self.running.append(process)
        return process

    def log(self, name):
        return (self.place / name).read_text()

    def install(self):
        done = subprocess.run([BRIDGE, "engine", "install", self.sshd.host()], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"result .* has \"kakehashi-keep [0-9.]+, protocol 1 \(.*\)\"")

    def serve(self, *options):
        self.start("serve", "--port", "0", "--pair-every", "now", *options, log="serve.log")
        wait_until(lambda: re.search(r"^listening.* port (\d+)", self.log("serve.log"), re.M), "the server listens")
        return int(re.search(r"^listening.* port (\d+)", self.log("serve.log"), re.M)[1])

    def bot(self, name, port, engine, game, count=GAMES):
        config = {"server": {"host": "127.0.0.1", "port": port}, "account": {"name": name},
                  "game": {"name": game, "meet_own": True, "count": count}, "engine": engine}
        (self.place / f"{name}.yaml").write_text(json.dumps(config))
        return f"{name}.yaml"

    def engine(self, think_ms, **more):
        # The place on its command line finds it again.
        return {"command": [ENGINE, "--think-ms", str(think_ms), "--score", "30", "--once", f"{self.place}/once"], **more}

    def engines(self):
        """Those that a keeper of this test holds: any keeper that lives in its folder."""
        everything = processes.running()
        keepers = {one.number for one in everything
                   if "kakehashi-keep attach far " in one.line and f"HOME={FOLDER}/" in processes.text(f"{one.number}/environ")}
        return [one.number for one in everything if one.parent in keepers and one.words[0] in (ENGINE, REAL_ENGINE)]

    def play(self, far, near, game, log="run.log", max_moves=40, count=GAMES):
        port = self.serve("--max-moves", str(max_moves))
        run = self.start("run", self.bot("far", port, far, game, count), log=log)
        wait_until(lambda: "engine_ready" in self.log(log), "the engine is ready")
        kept = self.engines()
        self.start("run", self.bot("near", port, near, game, count), log="near.log")
        wait_until(lambda: "game_started" in self.log(log), "the game begins")
        return run, kept

    def ways_told(self):
        """How often its journals say that a way to the keeper came up, and how often that one went."""
        said = [is_up for file in (self.place / "journal").glob("far_*")
                for is_up in re.findall(r"\t<engine_link(?:\t[^\t]*){3}\t[^\t]+\t([01])\t", file.read_text())]
        return said.count("1"), said.count("0")

    def ways_up(self):
        came, went = self.ways_told()
        return came - went

    def finish(self, run, log="run.log"):
        """Behind the game that is running."""
        run.send_signal(signal.SIGTERM)
        self.assertEqual(run.wait(PATIENCE), 0, self.log(log)[-3000:])
        return self.log(log)

    def test_cuts_and_silence_at_random_lose_no_move(self):
        dice = random.Random(7)
        run, kept = self.play(self.engine(700, host=self.sshd.host()), {"command": [ENGINE, "--think-ms", "100"]},
                              "test-60-5F")
        cuts = 0
        while cuts < 12 and run.poll() is None:
            # One that comes back is cut in its first words, too; one that is not there cannot be. Each third was up.
            wait_until(lambda: run.poll() is not None or self.sshd.links(), "a link is there")
            cuts += 1
            if cuts % 3 == 0:
                wait_until(lambda: run.poll() is not None or self.ways_up() > 0, "it is up")
            time.sleep(dice.uniform(0.1, 1.2))
            if cuts % 4 == 0:  # silence: nobody is told
                end(self.sshd.sessions(), signal.SIGSTOP)
            elif cuts % 2 == 0:
                end(self.sshd.sessions())
            else:
                end(self.sshd.links())
        log = self.finish(run)
        self.assertEqual(len(kept), 1)
        self.assertEqual(cuts, 12, "it ended by itself")
        self.assertGreaterEqual(len(re.findall(r"engine_link_lost: ", log)), 3, log[-3000:])
        for never in ("engine_lost", "rescue_move", "engine_hurried", "unusable_bestmove"):
            self.assertNotIn(never + ": ", log)
        self.assertEqual(len(re.findall("engine_ready: ", log)), 1)
        started, ended = (len(re.findall(f"game_{word}: ", log)) for word in ("started", "ended"))
        self.assertEqual(started, ended)

    def test_of_two_ways_one_may_go(self):
        run, _ = self.play(self.engine(300, host=[self.sshd.host(), self.sshd.host("localhost")]),
                           {"command": [ENGINE, "--think-ms", "50"]}, "test-60-5F")
        for _ in range(10):
            wait_until(lambda: self.ways_up() == 2, "both ways are up")
            _, went = self.ways_told()
            end(self.sshd.links()[:1])
            wait_until(lambda: self.ways_told()[1] > went, "one is gone")
        log = self.finish(run)
        self.assertIn("engine_way_lost: ", log)
        self.assertIn("engine_way_back: ", log)
        for never in ("engine_link_lost", "engine_lost", "rescue_move"):
            self.assertNotIn(never + ": ", log)

    def test_out_of_reach_beyond_the_deadline_and_back(self):
        # It has to find a move behind whatever was played for it.
        real = {"command": [REAL_ENGINE], "options": {"USI_Variant": "shogi", "USI_Hash": 16}}
        run, kept = self.play({**real, "host": self.sshd.host()}, real, "test-0-2F", max_moves=16, count=1)
        time.sleep(3)
        end([self.sshd.process.pid], signal.SIGSTOP)  # nobody gets in either
        end(self.sshd.sessions())
        wait_until(lambda: "rescue_move: " in self.log("run.log"), "another move is played")
        self.assertEqual(self.engines(), kept, "it is not ended for that")
        end([self.sshd.process.pid], signal.SIGCONT)
        wait_until(lambda: "engine_link_back: " in self.log("run.log"), "the link is back")
        back = len(re.findall("rescue_move: ", self.log("run.log")))
        self.assertEqual(self.engines(), kept, self.log("run.log"))
        log = self.finish(run)
        self.assertLessEqual(len(re.findall("rescue_move: ", log)), back + 1)
        self.assertNotIn("engine_lost: ", log, log[-6000:])
        self.assertEqual(len(re.findall("engine_ready: ", log)), 1)

    def test_a_kept_engine_outlives_the_bridge_and_is_taken_up_again(self):
        port = self.serve()
        bot = self.bot("far", port, self.engine(100, keep=True), "test-60-5F")
        engines = []
        for how in (signal.SIGKILL, signal.SIGTERM, signal.SIGTERM):
            log = f"run{len(engines)}.log"
            run = self.start("run", bot, log=log)
            wait_until(lambda: "engine_ready" in self.log(log), "the engine is ready")
            engines.append(self.engines())
            run.send_signal(how)
            run.wait(PATIENCE)
        self.assertEqual([len(one) for one in engines], [1, 1, 1])
        self.assertEqual(engines[0], engines[1])
        self.assertEqual(engines[0], engines[2])
        self.assertEqual(self.engines(), engines[0])

    def test_a_remote_engine_ends_with_the_bridge_and_check_tells_of_its_link(self):
        bot = self.bot("far", 9, self.engine(100, host=self.sshd.host()), "test-60-5F")
        done = subprocess.run([BRIDGE, "check", bot], cwd=self.place, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"link +\d+ ms to the engine's keeper and back")
        wait_until(lambda: not self.engines(), "it is gone")

    def test_a_remote_engine_ends_soon_behind_a_bridge_that_was_killed(self):
        port = self.serve()
        run = self.start("run", self.bot("far", port, self.engine(100, host=self.sshd.host()), "test-60-5F"), log="run.log")
        wait_until(lambda: "engine_ready" in self.log("run.log"), "the engine is ready")
        self.assertEqual(len(self.engines()), 1)
        end(self.sshd.links())  # which is no end
        wait_until(lambda: "engine_link_back" in self.log("run.log"), "the link is back")
        self.assertEqual(len(self.engines()), 1)
        run.kill()
        run.wait(PATIENCE)
        wait_until(lambda: not self.engines() and not self.sshd.links(), "it is gone, and its link")

    def test_a_machine_without_a_keeper_is_told_of(self):
        (HOME / ".kakehashi/bin/kakehashi-keep").unlink()
        bot = self.bot("far", 9, self.engine(100, host=self.sshd.host()), "test-60-5F")
        done = subprocess.run([BRIDGE, "check", bot], cwd=self.place, capture_output=True, text=True)
        self.assertIn('kakehashi engine install "ssh -T', done.stdout)
        self.install()
        done = subprocess.run([BRIDGE, "check", bot], cwd=self.place, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
