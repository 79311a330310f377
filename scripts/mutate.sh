#!/usr/bin/env bash
# Proves that the simulator finds defects: puts each of tests/sim/mutation/*.patch into a copy of its
# source, links the simulator with it, and plays until a story fails. A defect that survives 10,000
# games, or a patch that does not fit the source any more, fails. Nothing in the tree is changed.
#
#   scripts/mutate.sh [BUILD [PATCH...]]    BUILD (default build/dev) has the target "simulate" built
#   scripts/mutate.sh refresh               writes the patches anew for sources that have moved on; names those that must
#                                           be made by hand: change the source, and put `git diff` behind the sentence
#   scripts/mutate.sh fits                  whether all of them fit; builds nothing
set -euo pipefail
cd "$(dirname "$0")/.."
source_root=$PWD

mutated_by() { sed -n 's|^+++ b/||p' "$1"; }

# The mutated copy of a patch's source, if it fits with so many lines of context left out.
mutate() { # PATCH FUZZ COPY
  patch --silent --force --fuzz="$2" --reject-file=- --output="$3" "$(mutated_by "$1")" "$1"
}

if [ "${1:-}" = fits ]; then
  for patch in tests/sim/mutation/*.patch; do
    mutate "$patch" 2 /dev/null || { echo "mutate: $patch does not fit any more: scripts/mutate.sh refresh" >&2; exit 1; }
  done
  exit 0
fi

if [ "${1:-}" = refresh ]; then
  copy=$(mktemp)
  trap 'rm -f "$copy"' EXIT
  stale=()
  for patch in tests/sim/mutation/*.patch; do
    source=$(mutated_by "$patch")
    if ! mutate "$patch" 3 "$copy" >/dev/null 2>&1 || cmp -s "$source" "$copy"; then
      stale+=("$patch")
      continue
    fi
    sentence=$(sed '/^--- a\//,$d' "$patch")
    difference=$(diff -u --label "a/$source" --label "b/$source" "$source" "$copy" || true)
    printf '%s\n\n%s\n' "$sentence" "$difference" >"$patch"
  done
  [ ${#stale[@]} -eq 0 ] || { printf 'mutate: does not fit any more, to be made by hand: %s\n' "${stale[@]}" >&2; exit 1; }
  exit 0
fi

build=$(realpath "${1:-build/dev}")
shift || true
patches=("$@")
[ ${#patches[@]} -gt 0 ] || patches=(tests/sim/mutation/*.patch)
games=10000

# The command that made an output of the build, to be run in the build's folder.
command_of() { ninja -C "$build" -t commands "$1" | tail -n 1; }

link=$(command_of tests/sim/simulate)
survivors=()
for patch in "${patches[@]}"; do
  name=$(basename "$patch" .patch)
  folder=$build/mutation/$name
  rm -rf "$folder"
  mkdir -p "$folder"
  mutated=$(mutated_by "$patch")
  if ! mutate "$patch" 2 "$folder/mutant.cpp"; then
    echo "mutate: $patch does not fit $mutated any more: scripts/mutate.sh refresh" >&2
    exit 1
  fi
  object=$(ninja -C "$build" -t targets all | sed -n "s|^\([^:]*/$mutated\.o\): .*|\1|p" | head -n 1)
  compile=$(command_of "$object")
  compile=${compile//"$object"/"$folder/mutant.o"}
  compile=${compile//"$source_root/$mutated"/"$folder/mutant.cpp"}
  # The object stands before the libraries: theirs of the same source is not looked at.
  relink=${link//-o tests\/sim\/simulate/-o "$folder/simulate" "$folder/mutant.o"}
  (cd "$build" && eval "$compile -w" && eval "$relink")
  if (cd "$folder" && ./simulate --games "$games" --script story.script >story.log 2>&1); then
    survivors+=("$name")
    echo "$name: NOT FOUND in $games games"
    continue
  fi
  # One reader: a pipe whose reader has seen enough would fail the writer of a long log.
  complaint=$(awk '/^FAILED/ { failed = 1 } failed && /@/ { print; exit }' "$folder/story.log")
  if [ -z "$complaint" ]; then
    echo "mutate: $name: the simulator ended without a verdict:" >&2
    tail -n 5 "$folder/story.log" >&2
    exit 1
  fi
  printf '%s: found:%s\n' "$name" "${complaint# }"
done
[ ${#survivors[@]} -eq 0 ] || { echo "mutate: survived: ${survivors[*]}" >&2; exit 1; }
