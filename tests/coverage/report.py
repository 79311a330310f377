#!/usr/bin/env python3
"""Lines and branches by folder, from an lcov file; what is wrong makes the exit status 1.

    report.py LCOV [refresh]    from the top of the project

A pure folder has LEAST % of its lines or more. The branches of the guard that no test takes are those of
tests/coverage/guard_branches.txt: "file: line of source  [never true]", or "[never true, 2 lines]" where several
read alike, with the reason, indented, below it; one without a reason fails. "refresh" writes that file anew and
keeps the reasons of the branches that are still there.
"""
import collections
import pathlib
import re
import sys

LEAST = 95.0
KNOWN = pathlib.Path("tests/coverage/guard_branches.txt")
FOLDERS = ("base", "shogi", "csa", "usi", "keeper", "config", "words", "bridge", "journal", "games", "watch", "rehearse")
guard = re.compile(r"bridge/(bot/(bot\w*|connection)|engine/engine_\w+|game/(match|turn|ahead|thinking|rescue|offer|"
                   r"think_time|link_margin|team_turn|silence_watch))\.cpp$")
compiled = re.compile(r"(constexpr|consteval) ")


def read(path):
    """A header stands in the report once for each program: the best count of a line or branch counts."""
    lines, branches, functions = ({} for _ in range(3))
    source = ""
    for row in open(path, encoding="utf-8"):
        kind, _, rest = row.rstrip("\n").partition(":")
        if kind == "SF":
            source = str(pathlib.Path(rest).resolve().relative_to(pathlib.Path.cwd()))
            begins = {}
        elif kind == "FN":
            line, _, name = rest.partition(",")
            begins[name] = int(line)
        elif kind == "FNDA":
            count, _, name = rest.partition(",")
            key = (source, begins[name])
            functions[key] = max(functions.get(key, 0), int(count))
        elif kind == "DA":
            line, count = map(int, rest.split(",")[:2])
            lines[source, line] = max(lines.get((source, line), 0), count)
        elif kind == "BRDA":
            line, block, way, count = rest.split(",")
            key = (source, int(line), block, way)
            branches[key] = max(branches.get(key, 0), 0 if count == "-" else int(count))
    return lines, branches, functions


def left_to_the_compiler(functions, sources):
    """Lines of constexpr functions that nothing calls when the program runs: they make its tables."""
    found = set()
    for (source, line), count in functions.items():
        if count == 0 and compiled.match(sources[source][line - 1]):
            for at in range(line, len(sources[source]) + 1):
                found.add((source, at))
                if sources[source][at - 1].startswith("}"):
                    break
    return found


def folder_of(source):
    room = source.rpartition("/")[0]
    return room.split("/")[0] if room.startswith(("shogi/", "config/")) and not room.endswith("/io") else room


def known_branches():
    known, entry = {}, None
    for row in KNOWN.read_text().splitlines() if KNOWN.exists() else []:
        if row.startswith(" ") and entry:
            known[entry].append(row)
        elif row and not row.startswith("#"):
            entry = row
            known[entry] = []
    return known


def main():
    lines, branches, functions = read(sys.argv[1])
    sources = {source: pathlib.Path(source).read_text().splitlines()
               for source in {key[0] for key in lines} | {key[0] for key in functions}}
    lines = {key: count for key, count in lines.items() if key[0].split("/")[0] in FOLDERS}
    skipped = left_to_the_compiler(functions, sources)
    table = collections.defaultdict(lambda: [0, 0, 0, 0])
    for key, count in lines.items():
        if key not in skipped:
            row = table[folder_of(key[0])]
            row[0] += 1
            row[1] += count > 0
    untaken = collections.defaultdict(set)
    for key, count in branches.items():
        if key[0].split("/")[0] not in FOLDERS or key[:2] in skipped:
            continue
        row = table[folder_of(key[0])]
        row[2] += 1
        row[3] += count > 0
        # That a promise of the program to itself is broken, and that a value of an enumeration has none of
        # its cases, is what no test can show.
        text = sources[key[0]][key[1] - 1].strip()
        if guard.match(key[0]) and count == 0 and not text.startswith(("KAKEHASHI_CHECK(", "switch (")):
            untaken[key[0], text, "false" if int(key[3]) % 2 else "true"].add(key[1])
    found = {f"{source}: {text}  [never {way}{f', {len(at)} lines' if len(at) > 1 else ''}]"
             for (source, text, way), at in untaken.items()}

    failed = False
    print(f"{'folder':<14} {'lines':>7} {'%':>7} {'branches':>9} {'%':>7}")
    for folder, (all_lines, hit_lines, all_branches, hit_branches) in sorted(table.items()):
        rate = 100 * hit_lines / all_lines
        short = not folder.endswith(("/io", "/cli")) and rate < LEAST
        failed |= short
        print(f"{folder:<14} {all_lines:>7} {rate:>7.1f} {all_branches:>9} "
              f"{100 * hit_branches / max(1, all_branches):>7.1f}"
              + (f"   less than {LEAST:.0f} %" if short else ""))

    known = known_branches()
    if sys.argv[2:] == ["refresh"]:
        head = [row for row in KNOWN.read_text().splitlines() if row.startswith("#")]
        for entry in sorted(found):
            head += [entry, *known.get(entry, [])]
        KNOWN.write_text("\n".join(head) + "\n")
        return 0
    for entry in sorted(found - known.keys()):
        print(f"no test takes a branch of  {entry}")
    for entry in sorted(known.keys() - found):
        print(f"{KNOWN} explains what is tested, or gone:  {entry}")
    untold = sorted(entry for entry in found & known.keys() if not known[entry])
    for entry in untold:
        print(f"{KNOWN} has no reason below  {entry}")
    failed |= found != known.keys() or bool(untold)
    told = len(found & known.keys()) - len(untold)
    print(f"the guard: {len(found)} branches that no test takes, {told} of them with the reason in {KNOWN}")
    return int(failed)


sys.exit(main())
