#!/usr/bin/env python3
"""clang-tidy over the given sources, each once for each content: a source that was clean with the same
headers of ours, the same list of checks and the same clang-tidy is not looked at again. What is known to
be clean stands in ~/.cache/kakehashi/tidy (or $KAKEHASHI_TIDY_CACHE), one empty file for each.

    tidy.py [--quick] BUILD SOURCE...     BUILD has a compilation database of clang; --quick follows no
                                          paths through the code, which takes two thirds of the time
"""
import concurrent.futures
import hashlib
import os
import pathlib
import re
import subprocess
import sys

top = pathlib.Path(__file__).resolve().parent.parent
include = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def headers_of(path, seen):
    """Our own headers that a file sees, itself first."""
    if path in seen or not path.is_file():
        return
    seen[path] = path.read_bytes()
    for name in include.findall(seen[path].decode("utf-8", "replace")):
        headers_of(top / name, seen)


def fingerprint(source, common):
    seen = {}
    headers_of(source, seen)
    digest = hashlib.sha256(common)
    for path in sorted(seen):
        digest.update(str(path.relative_to(top)).encode() + b"\0" + seen[path] + b"\0")
    return digest.hexdigest()


def main():
    arguments = sys.argv[1:]
    is_quick = arguments[0] == "--quick"
    build, *names = arguments[is_quick:]
    checks = ["--checks=-clang-analyzer-*"] if is_quick else []
    caches = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    cache = pathlib.Path(os.environ.get("KAKEHASHI_TIDY_CACHE") or caches / "kakehashi" / "tidy")
    cache.mkdir(parents=True, exist_ok=True)
    version = subprocess.run(["clang-tidy", "--version"], capture_output=True, check=True).stdout
    common = version + (top / ".clang-tidy").read_bytes()

    # What was clean of everything is clean of the quick checks.
    whole = {name: cache / fingerprint(top / name, common) for name in names}
    known = {name: path.with_suffix(".quick") for name, path in whole.items()} if is_quick else whole
    unknown = [name for name in names if not known[name].exists() and not whole[name].exists()]
    if unknown:
        print(f"lint: clang-tidy looks at {len(unknown)} of {len(names)} files, some seconds each", flush=True)

    def judge(name):
        ran = subprocess.run(["clang-tidy", "-p", build, "--quiet", *checks, name], cwd=top, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if ran.returncode == 0 and not ran.stdout.strip():
            known[name].touch()
            return ""
        return ran.stdout or f"{name}: clang-tidy ends with status {ran.returncode}\n"

    found = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for said in pool.map(judge, unknown):
            if said:
                found += 1
                print(said, end="", flush=True)
    print(f"lint: clang-tidy finds {'nothing' if not found else 'faults'} in {len(names)} files"
          f" ({len(unknown)} looked at, the others were clean before)")
    return 1 if found else 0


sys.exit(main())
