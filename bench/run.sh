#!/usr/bin/env bash
# Builds the benchmarks (Release) and prints the tables of docs/performance.md, side by side with the
# floor, the smallest program that can do the job. Wants two quiet cores; takes a few minutes.
set -euo pipefail
cd "$(dirname "$0")/.."

cmake --preset bench >/dev/null
cmake --build --preset bench -j "$(nproc)" >/dev/null
built=$PWD/build/bench
latency() { "$built/bench/bench_latency" --engine "$built/bench/bench_engine" "$@"; }
floor=floor=$built/bench/bench_floor
quick=floor-quick=$built/bench/bench_floor
bridge=bridge=$built/kakehashi

echo "Added latency, t1 + t2 over 18 games of 127 moves (2,286 moves), medians of 5 runs."
echo
echo "== a quiet engine =="
latency --client "$floor" --client "$bridge"
echo
echo "== 30 info lines before each move =="
latency --engine-word infos=30 --client "$floor" --client "$bridge"
echo
echo "== an engine that prints 500,000 info lines a second, short ones and long ones =="
latency --client "$bridge" --client "$bridge,flood=500000" --client "$bridge,flood=500000,long"
echo
echo "== a server that leaves Nagle's algorithm on (3 games, 3 runs) =="
latency --nagle --games 3 --runs 3 --client "$floor" --client "$quick" --client "$bridge"
echo
echo "== beside the moves =="
"$built/bench/bench_cost" --bridge "$built/kakehashi" --engine "$built/bench/bench_engine"
echo
echo "== many bots in one process, a move a second each (descriptors as in the unit) =="
ulimit -n 8192
for bots in 2 10 100 500; do
  "$built/bench/bench_many" --bridge "$built/kakehashi" --engine "$built/bench/bench_engine" \
    --bots "$bots"
done
echo
echo "== the parts =="
"$built/bench/bench_parts" --benchmark_min_time=0.2 2>/dev/null
echo
echo "== perft =="
(cd tests/npm && npm ci --no-audit --no-fund --loglevel=error >/dev/null)
node bench/perft.mjs "$built/bench/bench_perft" "$(command -v fairy-stockfish || echo /usr/games/fairy-stockfish)"
