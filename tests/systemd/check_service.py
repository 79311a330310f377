#!/usr/bin/env python3
"""The unit under a real systemd, booted in namespaces of its own: start, credentials, status text,
a stop that lets the game finish, and a watchdog that kills and restarts.

    check_service.py KAKEHASHI FAKE_ENGINE [TREE]

TREE is a Debian tree with systemd and the program's libraries; without it one is made by mmdebstrap.
Needs root; exit status 77 where it cannot be run.
"""
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

TOP = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
PACKAGES = ("systemd,systemd-sysv,dbus,libstdc++6,libboost-json1.81.0,libssl3,libyaml-cpp0.7,"
            "zlib1g,libsqlite3-0,libfmt9")
PATIENCE_S = 120


def fail(text):
    raise SystemExit(f"systemd: {text}")


def skip(text):
    print(f"systemd: skipped, {text}")
    raise SystemExit(77)


def until(what, question, details=lambda: ""):
    """Asks again until the answer is true, within PATIENCE_S; the details tell a person why it is not."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        answer = question()
        if answer:
            return answer
        time.sleep(0.2)
    fail(f"this never came about: {what}\n{details()}")


INIT = r"""
set -e
mount --bind "$TREE" "$TREE"
mount --make-private "$TREE"
cd "$TREE"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs tmp
mount -t tmpfs tmpfs dev
mkdir -p dev/pts dev/shm sys/fs/cgroup
for node in null zero full random urandom tty; do touch dev/$node; mount --bind /dev/$node dev/$node; done
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
touch dev/console
mount --bind "$CONSOLE" dev/console
mount -t tmpfs tmpfs sys/fs/cgroup
mkdir -p sys/fs/cgroup
mount -t cgroup2 cgroup2 sys/fs/cgroup
mkdir -p old
pivot_root . old
umount -l old
# Without it systemd cannot hand credentials to a service.
mount --make-rshared /
exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin container=podman /lib/systemd/systemd \
  --unit=multi-user.target <dev/console >dev/console 2>&1
"""


class Machine:
    def __init__(self, tree, scratch):
        self.tree = tree
        parent, child = pty.openpty()
        self.console = bytearray()
        # The console must stay open and be read, or systemd waits for it.
        threading.Thread(target=self.listen, args=(parent,), daemon=True).start()
        self.group = self.own_control_group()
        script = os.path.join(scratch, "init.sh")
        with open(script, "w") as file:
            file.write(INIT)
        environment = dict(os.environ, TREE=tree, CONSOLE=os.ttyname(child))
        enter = f'echo $$ >"{self.group}/cgroup.procs"; exec unshare -m -p -f -u -i -C sh {script}'
        self.outer = subprocess.Popen(["sh", "-c", enter], env=environment, stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                      start_new_session=True)
        self.first = until("the first process", self.find_first)

    @staticmethod
    def own_control_group():
        base = "/sys/fs/cgroup"
        if os.path.isdir(base + "/unified"):
            base += "/unified"
        elif not os.path.exists(base + "/cgroup.controllers"):
            base = tempfile.mkdtemp()
            subprocess.run(["mount", "-t", "cgroup2", "cgroup2", base], check=True)
        group = f"{base}/kakehashi-check-{os.getpid()}"
        try:
            os.mkdir(group)
        except OSError as why:
            skip(f"there can be no control group of our own ({why})")
        return group

    def listen(self, parent):
        while True:
            try:
                self.console += os.read(parent, 4096)
            except OSError:
                return

    def find_first(self):
        if self.outer.poll() is not None:
            said = self.outer.stdout.read().decode(errors="replace")
            skip(f"namespaces cannot be made here: {said.strip()}")
        found = subprocess.run(["pgrep", "-P", str(self.outer.pid)], capture_output=True, text=True)
        return int(found.stdout.split()[0]) if found.stdout.split() else None

    def run(self, *words, check=False):
        done = subprocess.run(["nsenter", "-t", str(self.first), "-m", "-p", "-u", "-i", "-C", "--",
                               *words], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if check and done.returncode != 0:
            fail(f"{' '.join(words)}: {done.stdout}{done.stderr}{self.log()}")
        return done

    def show(self, unit, what):
        return self.run("systemctl", "show", "-P", what, unit).stdout.strip()

    def log(self):
        return self.run("journalctl", "--no-pager", "-n", "40", "-o", "cat").stdout

    def log_of(self, unit):
        return self.run("journalctl", "--no-pager", "-o", "cat", "-u", unit).stdout

    def stop(self):
        if self.outer.poll() is None and self.first:
            os.kill(self.first, signal.SIGKILL)  # the whole namespace goes with it
        self.outer.wait()
        for _ in range(50):
            try:
                for name in sorted((where for where, _, _ in os.walk(self.group)), reverse=True):
                    os.rmdir(name)
                return
            except OSError:
                time.sleep(0.1)


def install(tree, program, engine):
    def write(path, text, mode=0o644):
        os.makedirs(os.path.dirname(tree + path), exist_ok=True)
        with open(tree + path, "w") as file:
            file.write(text)
        os.chmod(tree + path, mode)

    shutil.copy(program, tree + "/usr/bin/kakehashi")
    os.makedirs(tree + "/opt/engine", exist_ok=True)
    shutil.copy(engine, tree + "/opt/engine/engine")
    shutil.copy(TOP + "/systemd/kakehashi@.service", tree + "/usr/lib/systemd/system/")
    for name in ("mybot", "rival"):
        write(f"/etc/kakehashi/{name}.yaml",
              "server: {host: 127.0.0.1, port: PORT}\n"
              f"account: {{name: {name}, password_credential: password}}\n"
              "game: {name: test-60-1F}\n"
              "engine: {command: [/opt/engine/engine, --think-ms, 150, --score, 42]}\n")
        write(f"/etc/kakehashi/{name}.password", "himitsu\n", 0o600)
    write("/etc/systemd/system/kakehashi@rival.service.d/watchdog.conf",
          "[Service]\nWatchdogSec=10s\nRestartSec=1s\n")
    # As docs/watching.md shows it.
    write("/etc/kakehashi/status.token", "open-sesame\n", 0o600)
    write("/etc/systemd/system/kakehashi@rival.service.d/status.conf",
          "[Service]\nLoadCredential=status.token:/etc/kakehashi/status.token\nExecStart=\n"
          "ExecStart=/usr/bin/kakehashi run /etc/kakehashi/%i.yaml --status 127.0.0.1:0 "
          "--status-token-file %d/status.token\n")
    write("/root/trip", "himitsu\n", 0o600)
    write("/etc/machine-id", "0123456789abcdef0123456789abcdef\n")


def set_port(tree, port):
    for name in ("mybot", "rival"):
        path = f"{tree}/etc/kakehashi/{name}.yaml"
        with open(path) as file:
            text = file.read()
        with open(path, "w") as file:
            file.write(re.sub(r"port: \w+", f"port: {port}", text))


def answer_of(port, headers):
    try:
        asked = urllib.request.Request(f"http://127.0.0.1:{port}/metrics", headers=headers)
        here = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        return here.open(asked, timeout=PATIENCE_S).status
    except urllib.error.HTTPError as refused:
        return refused.code


def check_init(machine, port):
    """From nothing to a bot that systemd runs, and its end, as docs/operations.md shows it."""
    print("systemd: init --service", flush=True)
    words = ["kakehashi", "init", "--service", "--yes", "--server", f"127.0.0.1:{port}", "--name", "third",
             "--game", "test-60-1F", "--trip-file", "/root/trip", "--engine", "/opt/engine/engine"]
    done = machine.run(*words, check=True)
    if "Active: active (running)" not in done.stdout + done.stderr:
        fail(f"init --service does not show the state: {done.stdout}{done.stderr}")
    page = re.search(r"http://127\.0\.0\.1:(\d+)", done.stderr)[1]
    place = [] if page == "9980" else ["--status", page]
    until("the bot of init", lambda: "waiting for a game" in machine.run("kakehashi", "status", *place).stdout)
    mode = machine.run("stat", "-c", "%a %U", "/etc/kakehashi/third.password", check=True).stdout.strip()
    if mode != "600 root" or machine.run("cat", "/etc/kakehashi/third.password").stdout != "himitsu\n":
        fail(f"the password is not kept as it should be: {mode}")
    if "himitsu" in machine.run("cat", "/etc/kakehashi/third.yaml", check=True).stdout:
        fail("the password stands in the configuration")
    until("what kakehashi logs shows of it",
          lambda: 'logged in as "third"' in machine.run("kakehashi", "logs", "third", check=True).stdout)
    if machine.run("systemctl", "is-enabled", "kakehashi@third").stdout.strip() != "enabled":
        fail("it would not start with the machine")
    machine.run("kakehashi", "reload", *place, check=True)
    main = machine.show("kakehashi@third", "MainPID")
    machine.run("kakehashi", "upgrade", *place, check=True)
    until("the program that takes over", lambda: "run_followed" in machine.run("kakehashi", "logs", "third").stdout)
    if machine.show("kakehashi@third", "MainPID") != main or machine.show("kakehashi@third", "ActiveState") != "active":
        fail("the unit did not stay what it was when its program was upgraded")
    machine.run("kakehashi", "stop", *place, check=True)
    until("its end", lambda: machine.show("kakehashi@third", "ActiveState") == "inactive")
    if machine.run(*words).returncode != 73:
        fail("a second init --service does not refuse to overwrite the first")


def check(machine):
    until("systemd answers", lambda: machine.run("systemctl", "list-units").returncode == 0)
    unit, rival = "kakehashi@mybot", "kakehashi@rival"

    print("systemd: start", flush=True)
    machine.run("systemctl", "start", unit, check=True)
    # It says so once a second at most, and the journal has its lines from a pipe: both come when they come.
    until("its status", lambda: re.fullmatch(r"waiting for a game since \d\d:\d\d", machine.show(unit, "StatusText")),
          lambda: machine.show(unit, "StatusText"))
    until("a login with its credential", lambda: 'logged in as "mybot"' in machine.log_of(unit), lambda: machine.log_of(unit))
    main = machine.show(unit, "MainPID")
    with_status = machine.run("cat", f"/proc/{main}/status", check=True).stdout
    if re.search(r"^Uid:\s+0\s", with_status, re.M) or "CapEff:\t0000000000000000" not in with_status:
        fail(f"it runs with too many rights: {with_status}")

    # A systemd without CAP_SYS_RESOURCE, as in some sandboxes, grants nothing. proc(5): the 41st field of stat is the
    # policy, 2 is SCHED_RR.
    limits = machine.run("cat", f"/proc/{main}/limits", check=True).stdout
    is_granted = not re.search(r"^Max realtime priority\s+0\s", limits, re.M)
    policy = machine.run("cat", f"/proc/{main}/stat", check=True).stdout.rsplit(")", 1)[1].split()[38]
    if machine.show(unit, "LimitRTPRIO") != "1" or is_granted != (policy == "2"):
        fail(f"the thread that plays has the policy {policy}: {limits}")
    if int(machine.show(unit, "TasksMax")) < 1024:
        fail("two engines of 128 threads, and one being replaced, do not fit into TasksMax")
    started, aborted = (machine.show(unit, what) for what in ("TimeoutStartUSec", "TimeoutAbortUSec"))
    if (started, aborted) != ("20min", "10s"):
        fail(f"a start may take {started}, an abort {aborted}")

    print("systemd: play, and stop in mid-game", flush=True)
    machine.run("systemctl", "start", rival, check=True)
    pattern = r'playing "rival" as (black|white), move [1-9]\d*(, [+-]?\d+ at depth \d+)?'
    port = until("the status page", lambda: re.search(r"shown on port (\d+)", machine.log_of(rival)))[1]
    answers = [answer_of(port, headers) for headers in ({}, {"Authorization": "Bearer open-sesame"})]
    if answers != [401, 200]:
        fail(f"without and with the token the status page answers {answers}")
    until("the game in the status", lambda: re.fullmatch(pattern, machine.show(unit, "StatusText")))
    machine.run("systemctl", "stop", unit, check=True)
    if machine.show(unit, "Result") != "success" or machine.show(unit, "ExecMainStatus") != "0":
        fail(f"the stop was no success: {machine.show(unit, 'Result')}, {machine.log_of(unit)}")
    until("the end of the game that was stopped", lambda: "game_ended" in machine.log_of(unit), lambda: machine.log_of(unit))

    print("systemd: watchdog", flush=True)
    main = machine.show(rival, "MainPID")
    machine.run("sh", "-c", f"kill -STOP {main}", check=True)
    until("the restart by the watchdog", lambda: machine.show(rival, "NRestarts") == "1")
    until("the restarted bot", lambda: machine.show(rival, "StatusText").startswith("waiting for a game"))
    if machine.show(rival, "MainPID") == main:
        fail("the process is still the old one")
    until("one engine beside one bot",
          lambda: machine.run("sh", "-c", "cat /proc/[0-9]*/comm").stdout.split().count("engine") == 1)
    machine.run("systemctl", "stop", rival, check=True)


def main():
    program, engine = (os.path.realpath(path) for path in sys.argv[1:3])
    if os.geteuid() != 0:
        skip("it needs root")
    for tool in ("unshare", "nsenter", "pivot_root"):
        if not shutil.which(tool):
            skip(f"there is no {tool} here")
    scratch = tempfile.mkdtemp()
    machine = None
    server = None
    try:
        tree = os.path.join(scratch, "tree")
        if len(sys.argv) > 3:
            subprocess.run(["cp", "-a", sys.argv[3], tree], check=True)
        elif shutil.which("mmdebstrap"):
            print("systemd: making the tree", flush=True)
            if subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", f"--include={PACKAGES}",
                               "bookworm", tree]).returncode != 0:
                skip("no Debian mirror answers")
        else:
            skip("there is no mmdebstrap here")
        install(tree, program, engine)
        server = subprocess.Popen([program, "serve", "--port", "0", "--max-moves", "40"],
                                  stdout=subprocess.PIPE, text=True)
        port = server.stdout.readline().split()[-1]
        set_port(tree, port)
        machine = Machine(tree, scratch)
        check(machine)
        check_init(machine, port)
        print("systemd: the unit is in order")
    finally:
        if machine:
            machine.stop()
        if server:
            server.kill()
            server.wait()
        shutil.rmtree(scratch, ignore_errors=True)


main()
