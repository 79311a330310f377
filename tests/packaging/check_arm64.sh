#!/usr/bin/env bash
# The program for 64-bit ARM: cross-compiled as the container image has it, and run under qemu as a user
# runs it: --version, a configuration checked, a game rehearsed, and a game finished when it is asked to
# stop.
#
#   check_arm64.sh [BUILD_DIRECTORY [TREE]]
#
# BUILD_DIRECTORY (build/arm64) is made, or brought up to date; TREE is a Debian 12 for arm64 with the -dev
# packages that the Dockerfile names, which mmdebstrap unpacks into BUILD_DIRECTORY.tree otherwise. The first
# build takes some twenty minutes. Exit status 77 where a tool or the packages cannot be had.
set -euo pipefail
top=$(realpath "$(dirname "$0")/../..")
build=$(realpath -m "${1:-$top/build/arm64}")
tree=$(realpath -m "${2:-$build.tree}")
qemu=$(command -v qemu-aarch64-static || true)
[ -n "$qemu" ] || { echo "arm64: skipped, there is no qemu-aarch64-static here (package qemu-user-static)"; exit 77; }
command -v aarch64-linux-gnu-g++ >/dev/null ||
  { echo "arm64: skipped, there is no cross compiler here (package g++-aarch64-linux-gnu)"; exit 77; }
if [ ! -d "$tree" ]; then
  command -v mmdebstrap >/dev/null || { echo "arm64: skipped, there is no mmdebstrap here"; exit 77; }
  echo "arm64: unpacking the libraries"
  # Extracted, not installed: nothing of the tree runs here.
  packages=$(grep -oE '\blib[a-z0-9.+-]+-dev|\bzlib1g-dev' "$top/Dockerfile" | sort -u | paste -sd,)
  mmdebstrap --quiet --arch=arm64 --variant=extract \
    --include="libc6-dev,libstdc++-12-dev,libstdc++6,$packages" bookworm "$tree" ||
    { rm -rf "$tree"; echo "arm64: skipped, the packages cannot be had"; exit 77; }
fi

echo "arm64: building"
cd "$top"
cmake --preset static -B "$build" --toolchain deploy/docker/arm64.cmake \
  -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ -DCMAKE_SYSROOT="$tree" >/dev/null
cmake --build "$build" --target kakehashi kakehashi-keep
tests/keeper/check_static.sh "$build/kakehashi-keep"
aarch64-linux-gnu-g++ --sysroot="$tree" -std=c++20 -O1 -static -I. tests/engines/fake_engine.cpp -o "$build/fake_engine"

scratch=$(mktemp -d)
children=()
clean_up() {
  [ ${#children[@]} -eq 0 ] || kill -KILL "${children[@]}" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$scratch"
}
trap clean_up EXIT
cd "$scratch"
fail() { echo "arm64: $*" >&2; exit 1; }
kakehashi=("$qemu" -L "$tree" "$build/kakehashi")
# Waits until a command succeeds, a minute at most.
until_true() {
  for _ in $(seq 600); do ! "$@" >/dev/null 2>&1 || return 0; sleep 0.1; done
  fail "this never came true: $*; $(tail -n 5 ./*.log)"
}

od -An -tx1 -j18 -N2 "$build/kakehashi" | grep -q 'b7 00' ||
  fail "that is no program for arm64"
"${kakehashi[@]}" --version | grep -q '^kakehashi [0-9]' || fail "it does not tell its version"

"$qemu" "$build/kakehashi-keep" --version | grep -q '^kakehashi-keep [0-9]' || fail "the keeper does not run by itself"

"${kakehashi[@]}" serve --port 0 --max-moves 30 --pair-every now >serve.log 2>&1 &
children+=($!)
until_true grep -q '^listening' serve.log
port=$(sed -n 's/^listening.* port //p' serve.log)
for name in alice bob; do
  printf '%s\n' "server: {host: 127.0.0.1, port: $port}" "account: {name: $name}" \
    "game: {name: test-60-1F, meet_own: true}" \
    "engine: {command: [$qemu, $build/fake_engine, --think-ms, '200', --score, '30']}" >"$name.yaml"
done

echo "arm64: a check and a rehearsal"
"${kakehashi[@]}" check --login alice.yaml >check.log 2>&1 || fail "check: $(cat check.log)"
grep -q '^result    all is well' check.log || fail "check: $(cat check.log)"
"${kakehashi[@]}" rehearse alice.yaml --max-moves 20 --no-watch >rehearse.log 2>&1 || fail "rehearse: $(tail -5 rehearse.log)"
grep -q '^game 1: draw' rehearse.log || fail "rehearse: $(tail -5 rehearse.log)"

echo "arm64: asked to stop in mid-game"
"${kakehashi[@]}" run alice.yaml bob.yaml --status 127.0.0.1:0 >run.log 2>&1 &
bots=$!
children+=("$bots")
until_true grep -q 'status_opened' run.log
shown=127.0.0.1:$(sed -n 's/.*status_opened: .* port //p' run.log)
playing() { "${kakehashi[@]}" status --status "$shown" | grep -q 'alice: playing, move [1-9]'; }
until_true playing
kill -TERM "$bots"
left() { ! kill -0 "$bots"; }
until_true left
status=0
wait "$bots" || status=$?
[ "$status" = 0 ] || fail "it left with status $status: $(tail -5 run.log)"
[ "$(grep -c 'game_ended: ' run.log)" = 2 ] || fail "the game was not finished: $(tail -5 run.log)"
record=$(find records -name '*_alice_bob.csa' -o -name '*_bob_alice.csa')
grep -q '^%' "$record" || fail "the record has no end: $(tail -n 3 "$record")"
echo "arm64: the program is in order"
