#!/usr/bin/env bash
# What is too long for every test run, one after another, each to its end whatever the others say: a
# summary stands below, and the exit status is 1 when one of them failed. Logs lie in build/nightly.
#
#   scripts/nightly.sh [MINUTES]      of simulation; default: 30
set -uo pipefail
cd "$(dirname "$0")/.."

minutes=${1:-30}
[[ "$minutes" =~ ^[1-9][0-9]*$ ]] || { sed -n '5s/^#   //p' "$0" >&2; exit 64; }
logs=build/nightly
mkdir -p "$logs"
summary=()
failed=0

part() { # name, command...
  local name=$1 began=$SECONDS verdict=ok
  shift
  printf '\n== %s: %s ==\n' "$name" "$*"
  "$@" >"$logs/$name.log" 2>&1 || { verdict="FAILED, see $logs/$name.log"; failed=1; }
  tail -n 3 "$logs/$name.log"
  summary+=("$(printf '%-12s %6d s  %s' "$name" $((SECONDS - began)) "$verdict")")
}
build_simulator() {
  cmake --preset dev >/dev/null && cmake --build --preset dev -j "$(nproc)" --target simulate
}
release_program() {
  cmake --preset release && cmake --build --preset release -j "$(nproc)" --target kakehashi &&
    tests/packaging/check_release_flags.sh build/release/kakehashi
}

scripts/setup.sh || exit 1
part simulator scripts/simulate.sh "$(awk -v minutes="$minutes" 'BEGIN { print minutes / 60 }')"
part fuzz scripts/fuzz.sh 30

part defects_build build_simulator
part defects scripts/mutate.sh
part hardening release_program
part clang_tidy scripts/lint.sh tidy-all
# Real processes and sockets: the threads of the program, kills, a hostile line, failing system calls.
! grep -q 'tsan' scripts/test.sh || part threads scripts/test.sh tsan
for script in scripts/chaos.sh scripts/faults.sh; do
  [ ! -x "$script" ] || part "$(basename "$script" .sh)" "$script"
done

printf '\n== summary ==\n'
printf '%s\n' "${summary[@]}"
exit "$failed"
