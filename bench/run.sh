#!/usr/bin/env bash
# Builds the benchmarks (Release) and prints the tables of docs/internals/performance.md, side by side with both
# floors, the smallest programs that can do the job. Wants two quiet cores; takes some ten minutes
# behind the build. What does not end in its time, or fails, says so, and the others go on.
#
#   bench/run.sh [--beside TREE ...] [PART ...]
#                               latency slow busy timers infos last floods nagle cost many parts perft long; all by default. TREE: a work
#                               tree of another commit, whose program is built there and plays in the same turns
#   bench/run.sh --try BUILT    each program and script here for about a second, as it was built there: that it works
set -euo pipefail
cd "$(dirname "$0")/.."

tried='' also=long
if [[ ${1:-} == --try ]]; then
  tried=1 also='archive link remote'
  built=$(cd "$2" && pwd)
  shift 2
else
  others=()
  while [[ ${1:-} == --beside ]]; do
    others+=("$(cd "$2" && pwd)")
    shift 2
  done
  cmake --preset bench >/dev/null
  cmake --build --preset bench -j "$(nproc)" >/dev/null
  built=$PWD/build/bench
fi
wanted=${*:-latency slow busy timers infos last floods nagle cost many parts perft $also}
failed=()

# part NAME SECONDS TITLE COMMAND...
part() {
  local name=$1 limit=$2 title=$3 status=0
  shift 3
  [[ " $wanted " == *" $name "* ]] || return 0
  printf '\n== %s ==\n' "$title"
  timeout --kill-after=5 "$limit" "$@" || status=$?
  if ((status == 124 || status == 137)); then
    echo "FAILED: $name did not end within $limit s"
  elif ((status != 0)); then
    echo "FAILED: $name ended with status $status"
  fi
  ((status == 0)) || failed+=("$name")
}

latency=("$built/bench/bench_latency" --engine "$built/bench/bench_engine" ${tried:+--games 1 --moves 11 --runs 1})
floor=floor=$built/bench/bench_floor
threads=floor-threads=$built/bench/bench_floor
quick=floor-quick=$built/bench/bench_floor
dropping=floor-dropping=$built/bench/bench_floor
threads_dropping=floor-threads-dropping=$built/bench/bench_floor
bridge=bridge=$built/kakehashi
beside=()
for tree in ${others[@]+"${others[@]}"}; do
  (cd "$tree" && { cmake --preset release && cmake --build --preset release -j "$(nproc)" --target kakehashi; } >/dev/null)
  beside+=(--client "bridge-$(git -C "$tree" rev-parse --short HEAD)=$tree/build/release/kakehashi")
done
few=(--games 6)
[[ -z $tried ]] || few=()
many=$'1 60\n2 40\n10 30\n100 20\n500 20' # bots and moves
[[ -z $tried ]] || many='2 4'
fairy=$(command -v fairy-stockfish || echo /usr/games/fairy-stockfish)

many() { # for a shell of its own: the descriptors that the unit grants
  ulimit -n "$(sed -n 's/^LimitNOFILE=//p' systemd/kakehashi.service)"
  while read -r bots moves; do
    "$1/bench/bench_many" --bridge "$1/kakehashi" --engine "$1/bench/bench_engine" \
      --bots "$bots" --moves "$moves"
  done <<<"$2"
}
busy() { # an engine on every processor, and as many neighbours
  local neighbours=()
  for ((i = 0; i < 2 * $(nproc); ++i)); do
    while :; do :; done &
    neighbours+=($!)
  done
  local status=0
  "$@" || status=$?
  kill "${neighbours[@]}"
  return "$status"
}
perft() { node bench/perft.mjs "$1/bench/bench_perft" "$2" "$3"; }
export -f many busy perft

if [[ -z $tried && " $wanted " == *" perft "* ]]; then
  (cd tests/npm && npm ci --no-audit --no-fund --loglevel=error >/dev/null)
fi
echo "$(git describe --always --dirty 2>/dev/null || echo "no commit"), $(nproc) cores of $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), Linux $(uname -r), $(date -u +%F)"
echo "Latency: t1 + t2 over 18 games of 127 moves (2,286 moves), medians of 5 runs, clients in turn."
part latency $((180 + 60 * ${#beside[@]})) "a quiet engine" "${latency[@]}" --client "$floor" --client "$threads" --client "$bridge" ${beside[@]+"${beside[@]}"}
part slow $((180 + 60 * ${#beside[@]})) "an engine that thinks 8 ms: no cache is warm any more (6 games)" \
  "${latency[@]}" ${few[@]+"${few[@]}"} --engine-word think_us=8000 --client "$floor" --client "$threads" --client "$bridge" ${beside[@]+"${beside[@]}"}
part busy $((120 + 60 * ${#beside[@]})) "a quiet engine beside two busy programs on every processor (6 games)" \
  bash -euo pipefail -c 'busy "$@"' bash "${latency[@]}" ${few[@]+"${few[@]}"} --client "$floor" --client "$bridge" ${beside[@]+"${beside[@]}"}
thinking=("${latency[@]}" --engine-word think_us=100000 --client "$bridge" ${beside[@]+"${beside[@]}"})
[[ -n $tried ]] || thinking+=(--games 1 --moves 801 --runs 1)
part timers $((90 + 90 * ${#beside[@]})) "an engine that thinks 100 ms: how late timers ring" "${thinking[@]}"
part timers $((90 + 90 * ${#beside[@]})) "the same beside two busy programs on every processor" \
  bash -euo pipefail -c 'busy "$@"' bash "${thinking[@]}"
part infos $((210 + 60 * ${#beside[@]})) "30 info lines before each move, at the beginning of the thinking" \
  "${latency[@]}" --engine-word infos=30 --client "$dropping" --client "$threads_dropping" --client "$floor" \
  --client "$bridge" ${beside[@]+"${beside[@]}"}
part last $((210 + 60 * ${#beside[@]})) "30 info lines before each move, at the end of the thinking" \
  "${latency[@]}" --engine-word infos=30 --engine-word last \
  --client "$dropping" --client "$threads_dropping" --client "$floor" --client "$bridge" ${beside[@]+"${beside[@]}"}
part floods 180 "an engine that prints 500,000 info lines a second, short ones and long ones" \
  "${latency[@]}" --client "$bridge" --client "$bridge,flood=500000" --client "$bridge,flood=500000,long"
part nagle 120 "a server that leaves Nagle's algorithm on (2 games, 254 moves)" \
  "${latency[@]}" --nagle --games ${tried:-2} --client "$floor" --client "$quick" --client "$bridge"
part cost 90 "beside the moves" \
  "$built/bench/bench_cost" --bridge "$built/kakehashi" --engine "$built/bench/bench_engine" ${tried:+--runs 1 --idle-s 1}
part many 240 "many bots in one process, a move a second each (descriptors as in the unit)" \
  bash -euo pipefail -c 'many "$1" "$2"' bash "$built" "$many"
part parts 90 "the parts" "$built/bench/bench_parts" "--benchmark_min_time=0.${tried:+00}2"
part perft 90 "perft" bash -euo pipefail -c 'perft "$1" "$2" "$3"' bash "$built" "$fairy" "${tried:-5}"
part long 120 "instructions of a whole move, by ply" \
  tests/instructions/check.sh "$built/bench/bench_counted_move" --print
# Those of other pages, which take longer: by hand, but that they work is tried with the rest.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
part archive 30 "the archive" "$built/bench/bench_archive" "$scratch/games.db" 100 20
part link 60 "a slow link" bench/link.sh --built "$built" --pairs 1 --moves 4 5:1:0:0:0-1:1
part remote 60 "an engine behind ssh" bench/remote.sh --built "$built" --games 1 --runs 1

if ((${#failed[@]} > 0)); then
  printf '\nFAILED: %s\n' "${failed[*]}"
  exit 1
fi
