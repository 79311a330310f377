#!/usr/bin/env bash
# Takes the pictures of the page in docs/images anew, from games that are played for it: some five minutes.
set -euo pipefail
cd "$(dirname "$0")/.."

cmake --preset dev >/dev/null
cmake --build --preset dev --target kakehashi
engine=$(command -v fairy-stockfish || echo /usr/games/fairy-stockfish)
node tests/browser/screenshots.mjs build/dev/kakehashi "$engine" docs/images
ls -l docs/images
