#!/usr/bin/env bash
# Kills the process that plays, of the release build, and looks what that costs.
#
#   scripts/killed.sh games [GAMES [SEED]]   every few seconds in games on the real shogi-server (50: 20 minutes)
#   scripts/killed.sh late [KILLS]           how much later our moves come for it (200: 5 minutes)
#
# The shogi-server is not ours, and fetched by hand: KAKEHASHI_SHOGI_SERVER names the folder of a copy.
set -euo pipefail
cd "$(dirname "$0")/.."

build() { cmake --preset release >/dev/null && cmake --build --preset release -j "$(nproc)" --target kakehashi >/dev/null; }
what=${1:-}
shift || true
case "$what" in
  games)
    if [ ! -f "${KAKEHASHI_SHOGI_SERVER:-}/shogi-server" ]; then
      echo "killed: no copy of shogi-server. Fetch one and name its folder:"
      echo "  git clone https://github.com/TadaoYamaoka/shogi-server FOLDER; export KAKEHASHI_SHOGI_SERVER=FOLDER"
      exit 77
    fi
    build
    fairy=$(command -v fairy-stockfish || echo /usr/games/fairy-stockfish)
    exec tests/kills/shogi_server.py build/release/kakehashi "$fairy" "$KAKEHASHI_SHOGI_SERVER" "$@"
    ;;
  late)
    build
    exec tests/kills/late.py build/release/kakehashi "$@"
    ;;
  *) sed -n '4,5s/^#   //p' "$0" >&2; exit 64 ;;
esac
