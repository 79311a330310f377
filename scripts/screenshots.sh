#!/usr/bin/env bash
# Takes the pictures of the page in docs/images anew, from games that are played for it: a quarter of an hour. Needs
# what the tests need, and chromium-l10n.
#
#   scripts/screenshots.sh [film]    film: that of the README instead, in three minutes
set -euo pipefail
cd "$(dirname "$0")/.."

which=${1:-screenshots}
[[ $which = @(screenshots|film) ]] || { echo "screenshots: unknown argument '$which'; use film, or nothing" >&2; exit 64; }
[ -e /usr/lib/chromium/locales/ja.pak ] || { echo "screenshots: Debian's chromium-l10n is missing" >&2; exit 69; }
cmake --preset dev >/dev/null
cmake --build --preset dev --target kakehashi
engine=$(command -v fairy-stockfish || echo /usr/games/fairy-stockfish)
node "tests/browser/$which.mjs" build/dev/kakehashi "$engine" docs/images
ls -l docs/images
