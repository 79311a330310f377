#!/usr/bin/env bash
# Which lines and branches of the program the tests reach, by folder (clang's source-based coverage).
# Builds the preset "coverage", runs the core's tests, some thousand simulated games and the fuzz corpus in it,
# and prints a table. Fails when a pure folder has less than 95 % of its lines, and when the guard's
# uncovered branches are not those that tests/coverage/guard_branches.txt explains, each with its reason.
#
#   scripts/coverage.sh            the core's tests: some minutes
#   scripts/coverage.sh all        the system tests too
#   scripts/coverage.sh refresh    the core's tests; writes the guard's uncovered branches anew, with the
#                                  reasons of those that are known already
set -euo pipefail
cd "$(dirname "$0")/.."

which=${1:-core}
build=build/coverage
tests=(base_test shogi_test csa_test usi_test keeper_test config_test words_test rehearse_server_test
  bridge_test journal_test games_test watch_test golden_test sim_test fuzz_test)
games=2000  # of bots with one engine or two, and as many of teams; the seeds are always the same
refresh=()
case "$which" in
  core) ;;
  refresh) refresh=(refresh) ;;
  all) tests+=(system_test) ;;
  *) sed -n '7,10s/^#   //p' "$0" >&2; exit 64 ;;
esac

cmake --preset coverage >/dev/null
cmake --build --preset coverage -j "$(nproc)" --target "${tests[@]}" simulate >"$build/build.log" 2>&1 ||
  { tail -n 30 "$build/build.log"; exit 1; }
rm -f "$build"/*.profraw
objects=()
for test in "${tests[@]}"; do
  program=$(find "$build/tests" -name "$test" -type f -perm -u+x | head -n 1)
  objects+=(-object "$program")
  LLVM_PROFILE_FILE="$PWD/$build/$test-%p.profraw" "$program" --gtest_brief=1 >"$build/$test.log" 2>&1 ||
    { tail -n 30 "$build/$test.log"; echo "coverage: $test fails" >&2; exit 1; }
done
simulate=$build/tests/sim/simulate
objects+=(-object "$simulate")
for kind in "" --teams; do
  # shellcheck disable=SC2086 # no kind is no argument
  LLVM_PROFILE_FILE="$PWD/$build/simulate-%p.profraw" "$simulate" $kind --games "$games" --seed 4242 \
    >"$build/simulate.log" 2>&1 || { tail -n 30 "$build/simulate.log"; echo "coverage: simulate fails" >&2; exit 1; }
done
[ "$which" != all ] || objects+=(-object "$build/kakehashi")
llvm-profdata-14 merge -sparse "$build"/*.profraw -o "$build/all.profdata"
mapfile -t sources < <(git ls-files -- {base,shogi,csa,usi,keeper,config,words,bridge,journal,games,watch,rehearse}/'*.?pp')
llvm-cov-14 export -format=lcov -instr-profile "$build/all.profdata" "${objects[@]:1}" \
  "${sources[@]/#/$PWD/}" >"$build/all.lcov" 2>"$build/export.log"
tests/coverage/report.py "$build/all.lcov" "${refresh[@]}"
