#!/usr/bin/env bash
# Plays games of real bridges with real engines on the embedded server over a way that splits, delays,
# stalls, resets and half-closes, and prints the account of each. Fails when a bridge loses one.
#
#   scripts/chaos.sh [GAMES [SEED]]    100 games, seed 1; needs the development build
set -euo pipefail
cd "$(dirname "$0")/.."
test=build/dev/tests/chaos_test
[ -x "$test" ] || { echo "chaos: $test is not built (cmake --build --preset dev --target chaos_test)" >&2; exit 69; }
KAKEHASHI_CHAOS_GAMES=${1:-100} KAKEHASHI_CHAOS_SEED=${2:-1} "$test" --gtest_brief=1
