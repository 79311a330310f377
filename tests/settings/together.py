#!/usr/bin/env python3
"""Settings together: small combinations of those that say which threads, files and machines there are, drawn by a seed.

    together.py KAKEHASHI KEEPER FAKE_ENGINE [COUNT [SEED [ONLY]]]

Each combination runs the program with two or three bots that play each other on the practice server, looks at its page
and has it read its configuration again where that was drawn, and stops it. It must end by itself, with the status that
it promises, without a signal, without a word of a sanitizer; and a game must have been under way. ONLY: the number of
one combination, whose folder stays.
"""
import concurrent.futures
import contextlib
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import processes

KAKEHASHI, KEEPER, ENGINE = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:4])
COUNT, SEED, ONLY = (int(word) if word else None for word in (sys.argv[4:] + ["100", "35", ""][len(sys.argv) - 4:]))
PATIENCE_S = 60  # ends what hangs; a run takes a second or two
WRONG = re.compile(r"Sanitizer|runtime error:|terminate called|a fault of the program itself|bot_failed|Assertion")

BOOK = """#YANEURAOU-DB2016 1.00
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
7g7f 3c3d 0 32 1
"""


def drawn(random):
    """What one combination is, as text that a person may read."""
    some = lambda *words: random.choice(words)
    whole = {
        "bots": [],
        "log": some("", "", "file: {folder}/log", "file: {folder}/log, rotate_bytes: 10kB, rotate_keep: 100", "format: json"),
        "level": some("info", "debug"),
        "page": some(True, True, False),
        "reload": some(False, False, True),
        "stop": some("TERM", "INT", "twice", "stop", "stop --resign", "stop --now"),
        "nice": some(0, 1, 1),  # from 1 on it does not ask for a priority before all others
        "after": random.uniform(0, 0.8),
    }
    for name in ["alice", "bob", "carol"][:some(2, 2, 3)]:
        whole["bots"].append({
            "name": name,
            "journal": some("enabled: true", "enabled: false", "enabled: true, keep: 1"),
            "archive": some("enabled: true", "enabled: false", "file: {folder}/all.db"),
            "records": some("enabled: true", "enabled: false", "formats: [csa, kif, jkf]"),
            "others": some("", "", "standby: true", "team: [{{name: second}}]",
                           "team: [{{name: second}}], team_play: multi_ponder",
                           "team: [{{name: second}}, {{name: third}}], team_play: majority"),
            "place": some("", "", "", "host: '{folder}/way far'"),
            "notify": some("", "", "notify: [{{command: [/bin/sh, -c, 'cat >/dev/null'], events: [paired, started, result]}}]"),
            "book": some("", "", "book: {{file: {folder}/book.db}}", "book: {{file: {folder}/book.db, on_the_fly: true}}"),
            "ponder": some(False, True),
        })
    return whole


def config(bot, whole, folder, port):
    engine = f"command: [{ENGINE}, --think-ms, '30'{', --ponder, 3c3d' if bot['ponder'] else ''}]"
    engine += "".join(", " + part for part in (bot["others"], bot["place"]) if part)
    lines = f"""server: {{{{host: 127.0.0.1, port: {port}, retry_max: 1s}}}}
account: {{{{name: {bot['name']}}}}}
game: {{{{name: test-600-10, meet_own: true}}}}
engine: {{{{{engine}}}}}
records: {{{{directory: {{folder}}/{bot['name']}, {bot['records']}}}}}
journal: {{{{{bot['journal']}}}}}
archive: {{{{{bot['archive']}}}}}
log: {{{{level: {whole['level']}{', ' + whole['log'] if whole['log'] else ''}}}}}
{bot['notify']}
{bot['book']}
{'ponder: on' if bot['ponder'] or 'team_play' in bot['others'] else ''}
"""
    return lines.format(folder=folder)


def text_of(folder):
    said = ""
    for file in (folder / "stderr", *sorted(folder.glob("log*"))):
        with contextlib.suppress(FileNotFoundError):  # a log file has another name in a moment
            said += file.read_text(errors="replace")
    return said


def await_(what):
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if found := what():
            return found
        time.sleep(0.02)
    return None


def look_at_page(port):
    for path in ("/metrics", "/api/v1/games", "/api/v1/stats", "/readyz", "/"):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=PATIENCE_S).read()
        except OSError:
            pass  # not ready, or no archive here


def end_what_is_left(folder):
    """Keepers and engines of a run that went wrong: all that has this folder in its environment."""
    for process in processes.running():
        if f"HOME={folder}\0" in processes.text(f"{process.number}/environ"):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.number, signal.SIGKILL)


def judge(number):
    """Nothing, or what was wrong."""
    whole = drawn(random.Random(f"{SEED} {number}"))
    folder = pathlib.Path(tempfile.mkdtemp(prefix="kakehashi-settings-"))
    environment = {**os.environ, "HOME": str(folder)}
    (folder / "book.db").write_text(BOOK)
    (folder / "way").write_text(f"#!/bin/sh\nshift\nPATH={pathlib.Path(KEEPER).parent}:$PATH HOME={folder} exec /bin/sh -c \"$*\"\n")
    (folder / "way").chmod(0o755)
    began = [subprocess.Popen([KAKEHASHI, "serve", "--port", "0"], stdout=subprocess.PIPE, text=True,
                              stderr=open(folder / "serve.stderr", "w"), env=environment)]
    try:
        wrong = run(whole, folder, environment, began)
    finally:
        for process in began:
            process.kill()
            process.wait()
        end_what_is_left(folder)
    said = text_of(folder) + (folder / "serve.stderr").read_text(errors="replace")
    if found := WRONG.search(said):
        wrong = wrong or f"it said {found.group()!r}"
    if wrong:
        wrong = f"combination {number} of seed {SEED}: {wrong}\n{whole}\n{said[-6000:]}"
    if ONLY is None:
        shutil.rmtree(folder, ignore_errors=True)
    else:
        print(f"{whole}\n{said}\nits folder: {folder}")
    return wrong


def run(whole, folder, environment, began):
    listening = began[0].stdout.readline()
    port = re.search(r"port (\d+)", listening)
    if not port:
        return f"the practice server said {listening!r}"
    configs = []
    for bot in whole["bots"]:
        file = folder / (bot["name"] + ".yaml")
        file.write_text(config(bot, whole, folder, port.group(1)))
        configs.append(str(file))
    needs_page = whole["page"] or whole["stop"].startswith("stop")
    words = [KAKEHASHI, "run", *configs, *(["--status", "127.0.0.1:0"] if needs_page else [])]
    bridge = subprocess.Popen(["nice", "-n", str(whole["nice"]), *words], stdin=subprocess.DEVNULL,
                              stderr=open(folder / "stderr", "w"), env=environment)
    began.append(bridge)
    if not await_(lambda: "game_started" in text_of(folder) or bridge.poll() is not None):
        return "no game was ever under way"
    if bridge.poll() is not None:
        return f"it ended by itself, with status {bridge.returncode}, before it was asked to"
    page = needs_page and await_(lambda: re.search(r"is shown on port (\d+)", text_of(folder)))
    if needs_page and not page:
        return "no page was shown"
    if whole["page"]:
        look_at_page(page.group(1))
    if whole["reload"]:
        pathlib.Path(configs[0]).write_text(pathlib.Path(configs[0]).read_text() + "time: {margin: 1s}\n")
        bridge.send_signal(signal.SIGHUP)
    time.sleep(whole["after"])
    if whole["stop"].startswith("stop"):
        asked = subprocess.run([KAKEHASHI, *whole["stop"].split(), "--status", page.group(1)], env=environment,
                               capture_output=True, text=True, timeout=PATIENCE_S)
        if asked.returncode != 0:
            return f"'{whole['stop']}' ended with status {asked.returncode}: {asked.stderr}"
    else:
        bridge.send_signal(signal.SIGINT if whole["stop"] == "INT" else signal.SIGTERM)
        if whole["stop"] == "twice":
            time.sleep(0.1)
            bridge.send_signal(signal.SIGTERM)
    try:
        status = bridge.wait(timeout=PATIENCE_S)
    except subprocess.TimeoutExpired:
        return f"it did not end within {PATIENCE_S} s"
    # 75: a running game was left, which only haste allows.
    promised = (0, 75) if whole["stop"] in ("stop --now", "twice") else (0,)
    return None if status in promised else f"it ended with status {status}, and {promised} was promised"


def main():
    numbers = range(COUNT) if ONLY is None else [ONLY]
    with concurrent.futures.ThreadPoolExecutor(2 * (os.cpu_count() or 1)) as some_at_once:
        wrong = [one for one in some_at_once.map(judge, numbers) if one]
    for one in wrong:
        print(one)
    print(f"{len(numbers)} combinations of settings (seed {SEED}), {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
