#!/usr/bin/env bash
# Kills the process that plays, and goes on.
#
#   scripts/killed.sh games [GAMES [SEED]]   every few seconds in games on the real shogi-server (50: 20 minutes)
#   scripts/killed.sh late [KILLS]           how much later our moves come for it, in the release build (200: 4 minutes)
#
# The shogi-server is not ours, and fetched by hand: KAKEHASHI_SHOGI_SERVER names the folder of a copy.
set -euo pipefail
cd "$(dirname "$0")/.."

what=${1:-}
shift || true
case "$what" in
  games)
    if [ ! -f "${KAKEHASHI_SHOGI_SERVER:-}/shogi-server" ]; then
      echo "killed: no copy of shogi-server. Fetch one and name its folder:"
      echo "  git clone https://github.com/TadaoYamaoka/shogi-server FOLDER; export KAKEHASHI_SHOGI_SERVER=FOLDER"
      exit 77
    fi
    [ -x build/dev/kakehashi ] || { echo "killed: build/dev/kakehashi is not built" >&2; exit 69; }
    fairy=$(command -v fairy-stockfish || echo /usr/games/fairy-stockfish)
    exec tests/kills/shogi_server.py build/dev/kakehashi "$fairy" "$KAKEHASHI_SHOGI_SERVER" "$@"
    ;;
  late)
    [ -x build/release/kakehashi ] || { echo "killed: build/release/kakehashi is not built" >&2; exit 69; }
    exec tests/kills/late.py build/release/kakehashi "$@"
    ;;
  *) sed -n '4,5s/^#   //p' "$0" >&2; exit 64 ;;
esac
