#!/usr/bin/env bash
# Builds the simulator (release) and plays stories with fresh seeds on all processors. Ends with a
# summary of each processor: games, faults by kind, endings, violations, games per minute.
#
#   scripts/simulate.sh HOURS           so long; 0.5 is half an hour
#   scripts/simulate.sh --games N       until N games came to their end, shared by the processors
#
# The exit status is 1 when a story failed; its seed, what was wrong and a golden script stand above.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() { sed -n '5,6s/^#   //p' "$0" >&2; exit 64; }
jobs=$(nproc)
case "${1:-}" in
  --games)
    [[ "${2:-}" =~ ^[0-9]+$ ]] || usage
    limit=(--games $((($2 + jobs - 1) / jobs))) ;;
  '' | -*) usage ;;
  *)
    minutes=$(awk -v hours="$1" 'BEGIN { if (hours + 0 <= 0) exit 1; printf "%d", hours * 60 + 0.5 }') || usage
    limit=(--minutes "$((minutes > 0 ? minutes : 1))") ;;
esac

cmake --preset release -B build/sim -DKAKEHASHI_SIMULATOR=ON >/dev/null
cmake --build build/sim --target simulate -j "$jobs" >/dev/null

# A second has a million seeds: no two runs share one, and no two processors.
first=$(($(date +%s) * 1000000))
pids=()
stop() { kill "${pids[@]}" 2>/dev/null || true; }
trap stop INT TERM
for ((i = 0; i < jobs; i++)); do
  seed=$((first + i * 1000000000000))
  echo "processor $i: seeds from $seed"
  build/sim/tests/sim/simulate --seed "$seed" "${limit[@]}" >"build/sim/processor-$i.log" 2>&1 \
    --script "build/sim/seed-of-$i.script" &
  pids+=($!)
done
status=0
for pid in "${pids[@]}"; do wait "$pid" || status=1; done
for ((i = 0; i < jobs; i++)); do
  printf '\n== processor %d ==\n' "$i"
  cat "build/sim/processor-$i.log"
done
exit "$status"
