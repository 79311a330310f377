#!/usr/bin/env bash
# What is too long for every test run, one after another, each to its end whatever the others say: a
# summary stands below, and the exit status is 1 when one of them failed. Logs lie in build/nightly.
#
#   scripts/nightly.sh [MINUTES [PART...]]     minutes of simulation, default: 30; only these parts
#
# KAKEHASHI_KILLS (500), KAKEHASHI_CHAOS_GAMES (100), KAKEHASHI_KILLED_GAMES (50), KAKEHASHI_CUTS (1000) and KAKEHASHI_FUZZ_SECONDS
# (30) make it shorter or longer. KAKEHASHI_SHOGI_SERVER names a copy of that server (scripts/killed.sh).
set -uo pipefail
cd "$(dirname "$0")/.."

minutes=${1:-30}
[[ "$minutes" =~ ^[1-9][0-9]*$ ]] || { sed -n '5s/^#   //p' "$0" >&2; exit 64; }
shift || true
chosen=" $* "
logs=build/nightly
mkdir -p "$logs"
summary=()
failed=0

part() { # name, command...
  local name=$1 began=$SECONDS verdict=ok status=0
  shift
  [[ "$chosen" = "  " || "$chosen" = *" $name "* ]] || return 0
  printf '\n== %s: %s ==\n' "$name" "$*"
  "$@" >"$logs/$name.log" 2>&1 || status=$?
  case $status in
    0) ;;
    77) verdict="cannot be tried here" ;;
    *) verdict="FAILED, see $logs/$name.log"; failed=1 ;;
  esac
  tail -n 3 "$logs/$name.log"
  summary+=("$(printf '%-12s %6d s  %s' "$name" $((SECONDS - began)) "$verdict")")
}
development_build() {
  cmake --preset dev >/dev/null && cmake --build --preset dev -j "$(nproc)" \
    --target kakehashi kakehashi-keep fake_engine simulate system_test chaos_test counted_move
}
installed_package() {
  cmake --preset release && cmake --build --preset release -j "$(nproc)" &&
    tests/packaging/check_install.sh build/release
}
release_program() {
  cmake --preset release && cmake --build --preset release -j "$(nproc)" --target kakehashi kakehashi-keep &&
    tests/packaging/check_release_flags.sh build/release/kakehashi &&
    tests/keeper/check_static.sh build/release/kakehashi-keep
}

scripts/setup.sh nightly || exit 1
part analysis scripts/lint.sh tidy-all
part simulator scripts/simulate.sh "$(awk -v minutes="$minutes" 'BEGIN { print minutes / 60 }')"
part fuzz scripts/fuzz.sh "${KAKEHASHI_FUZZ_SECONDS:-30}"
part hardening release_program

[ "$chosen" = "  " ] || chosen+="build "
part build development_build
# It quotes the source, and says how to renew what does not fit any more.
part defects scripts/mutate.sh
# Real processes and sockets: a bad way, failing system calls, kills, a line that dies; and threads.
part chaos scripts/chaos.sh "${KAKEHASHI_CHAOS_GAMES:-100}" "$(date +%s)"
part faults scripts/faults.sh full
part kills env "KAKEHASHI_KILLS=${KAKEHASHI_KILLS:-500}" \
  build/dev/tests/system_test --gtest_brief=1 '--gtest_filter=KillTest*'
part deaths ctest --preset dev -R at_each_step --no-tests=error
part killed scripts/killed.sh games "${KAKEHASHI_KILLED_GAMES:-50}"
part half_open scripts/half_open.sh
part cuts scripts/cuts.sh games "${KAKEHASHI_CUTS:-1000}" "$(date +%s)"
part threads scripts/test.sh tsan all
# What the pages show: the demo of the README, the tables of docs/internals/testing.md and docs/internals/performance.md.
part demo scripts/demo.sh
part coverage scripts/coverage.sh
part bench bench/run.sh
# Installed as users install it.
part install installed_package
part release tests/packaging/check_release.sh
part container scripts/test.sh container
part arm64 tests/packaging/check_arm64.sh

printf '\n== summary ==\n'
printf '%s\n' "${summary[@]}"
exit "$failed"
