#!/usr/bin/env bash
# Cuts the link to an engine on another machine, in games over a real OpenSSH between two network namespaces (root).
#
#   scripts/cuts.sh table [WORD...]     the table of docs/internals/reliability.md: every kind of cut at each moment, on
#                                       one way and on two (20 minutes); the WORDs choose rows: searching 5s silence 1ways
#   scripts/cuts.sh games CUTS [SEED]   as many cuts at random moments of games (1,000: 10 minutes)
#
# KAKEHASHI_CUTS_AT_ONCE games (10) are played side by side: they think little.
set -euo pipefail
cd "$(dirname "$0")/.."
build=build/dev
[ -x $build/kakehashi-keep ] || { echo "cuts: $build/kakehashi-keep is not built" >&2; exit 69; }
fairy=$(command -v fairy-stockfish || echo /usr/games/fairy-stockfish)
what=${1:?table or games}
shift
exec tests/remote/cuts.py "$what" $build/kakehashi "$fairy" "$@"
