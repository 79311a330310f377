#!/usr/bin/env bash
# Makes the film of the README anew, docs/images/killed.*.webp, from games that are played for it: three minutes.
# Needs what scripts/screenshots.sh needs.
set -euo pipefail
cd "$(dirname "$0")/.."

[ -e /usr/lib/chromium/locales/ja.pak ] || { echo "film: Debian's chromium-l10n is missing" >&2; exit 69; }
cmake --preset dev >/dev/null
cmake --build --preset dev --target kakehashi
engine=$(command -v fairy-stockfish || echo /usr/games/fairy-stockfish)
node tests/browser/film.mjs build/dev/kakehashi "$engine" docs/images
