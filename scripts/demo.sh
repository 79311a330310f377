#!/usr/bin/env bash
# From a fresh machine to a finished game: installs what is missing, builds Release, and plays one
# whole game on the embedded CSA server: two bridges, each with Debian's fairy-stockfish, over TCP.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh
cmake --preset release >build-release.log 2>&1 || { cat build-release.log; exit 1; }
rm -f build-release.log
cmake --build --preset release -j "$(nproc)"
exec build/release/kakehashi rehearse config/demo.example.yaml "$@"
