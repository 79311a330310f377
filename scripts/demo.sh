#!/usr/bin/env bash
# From a fresh machine to a finished game: installs what is missing, builds Release, and plays one
# whole game on the embedded CSA server: two bridges, each with Debian's fairy-stockfish, over TCP.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh demo
cmake --preset release >build-release.log 2>&1 || { cat build-release.log; exit 1; }
rm -f build-release.log
cmake --build --preset release -j "$(nproc)"
# Each move is charged a second at least, and the increment gives it back: the game stays short.
exec build/release/kakehashi rehearse config/demo.example.yaml --least-time 1 --max-moves 200 "$@"
