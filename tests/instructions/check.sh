#!/usr/bin/env bash
# Counts the instructions of whole moves of one long game, with valgrind's callgrind, and compares
# them with counts.txt: a regression shows whatever else the machine does.
#
#   check.sh COUNTED_MOVE            compares: none may cost 5 % more or less than noted, and a move
#                                    at ply 1001 may cost only what its longer lines cost
#   check.sh COUNTED_MOVE --refresh  writes counts.txt anew
set -euo pipefail
program=$1
counts=$(cd "$(dirname "$0")" && pwd)/counts.txt
plies=(11 101 1001)

command -v valgrind >/dev/null || { echo "check: valgrind is missing; scripts/setup.sh installs it" >&2; exit 69; }

count() { # ply
  local said
  said=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null --collect-atstart=no \
    --toggle-collect=counted_move "$program" "$1" 2>&1) || { echo "$said" >&2; exit 1; }
  sed -n 's/.*Collected : *//p' <<<"$said"
}

declare -A now
for ply in "${plies[@]}"; do
  now[$ply]=$(count "$ply")
  [[ ${now[$ply]} =~ ^[1-9][0-9]+$ ]] || { echo "check: nothing was counted at ply $ply" >&2; exit 1; }
  echo "ply $ply: ${now[$ply]} instructions"
done

if [[ ${2:-} == --refresh ]]; then
  {
    echo "# Instructions of one whole move by ply, in the development build; written by check.sh --refresh."
    for ply in "${plies[@]}"; do echo "$ply ${now[$ply]}"; done
  } >"$counts"
  exit 0
fi

failed=0
while read -r ply noted; do
  [[ $ply == \#* ]] && continue
  if ((now[$ply] * 100 > noted * 105 || now[$ply] * 100 < noted * 95)); then
    echo "check: ply $ply took ${now[$ply]} instructions, $noted are noted; if that is meant: check.sh PROGRAM --refresh" >&2
    failed=1
  fi
done <"$counts"
exit "$failed"
