#!/usr/bin/env bash
# Makes system calls of a playing bridge fail, one in each run, and says what became of it.
#
#   scripts/faults.sh [quick|full]    some of each name (a minute), or every one (two)
set -euo pipefail
cd "$(dirname "$0")/.."
build=build/dev
[ -x $build/kakehashi ] || { echo "faults: $build/kakehashi is not built" >&2; exit 69; }
exec tests/faults/inject.py $build/kakehashi $build/tests/fake_engine "${1:-quick}"
