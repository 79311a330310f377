#!/usr/bin/env bash
# Counts what whole moves of one long game cost, whatever the machine: instructions (with valgrind's callgrind), how
# often memory is taken, and bytes that are written; and compares them with counts.txt.
#
#   check.sh COUNTED_MOVE            compares: none may be 5 % more or less than noted, and a later
#                                    move only so many instructions more as its longer `position` costs
#   check.sh COUNTED_MOVE --refresh  writes counts.txt anew
#   check.sh COUNTED_MOVE --print    only counts
set -euo pipefail
program=$1
counts=$(cd "$(dirname "$0")" && pwd)/counts.txt
plies=(11 101 1001)
what=(instructions allocations bytes)
# Each ply makes `position` five bytes longer: built, copied to the engine, and into the journal with its
# checksum. Work that grew with the game otherwise would cost thousands a ply.
instructions_a_ply_max=1500

command -v valgrind >/dev/null || { echo "check: valgrind is missing; scripts/setup.sh installs it" >&2; exit 69; }

count() { # ply
  local said
  said=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null --collect-atstart=no \
    --toggle-collect=counted_move "$program" "$1" 2>&1) || { echo "$said" >&2; exit 1; }
  echo "$(sed -n 's/.*Collected : *//p' <<<"$said") $(grep -E '^[0-9]+ [0-9]+$' <<<"$said")"
}

declare -A now
for ply in "${plies[@]}"; do
  now[$ply]=$(count "$ply")
  [[ ${now[$ply]} =~ ^[1-9][0-9]+\ [1-9][0-9]+\ [1-9][0-9]+$ ]] || { echo "check: nothing was counted at ply $ply" >&2; exit 1; }
  echo "ply $ply: ${now[$ply]} (${what[*]})"
done

if [[ ${2:-} == --refresh ]]; then
  {
    echo "# ${what[*]^} of one whole move, by ply, in the development build; written by check.sh --refresh."
    for ply in "${plies[@]}"; do echo "$ply ${now[$ply]}"; done
  } >"$counts"
  exit 0
fi

[[ ${2:-} == --print ]] && exit 0

failed=0
for ((i = 1; i < ${#plies[@]}; ++i)); do
  more=$((${now[${plies[i]}]%% *} - ${now[${plies[i - 1]}]%% *}))
  between=$((plies[i] - plies[i - 1]))
  if ((more > between * instructions_a_ply_max)); then
    echo "check: $((more / between)) instructions more for each ply between ${plies[i - 1]} and ${plies[i]}: work that grows with the game" >&2
    failed=1
  fi
done
while read -r ply noted; do
  [[ $ply == \#* ]] && continue
  read -ra before <<<"$noted"
  read -ra after <<<"${now[$ply]}"
  for i in "${!what[@]}"; do
    if ((after[i] * 100 > before[i] * 105 || after[i] * 100 < before[i] * 95)); then
      echo "check: ply $ply took ${after[i]} ${what[i]}, ${before[i]} are noted; if that is meant: check.sh PROGRAM --refresh" >&2
      failed=1
    fi
  done
done <"$counts"
exit "$failed"
