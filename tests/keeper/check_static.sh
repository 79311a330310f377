#!/usr/bin/env bash
# The keeper runs where nothing of ours is installed: it asks for no library and no loader, and is small.
#
#   check_static.sh KEEPER
set -euo pipefail
fail() { echo "keeper: $*" >&2; exit 1; }
! readelf --program-headers --dynamic "$1" | grep -E 'INTERP|NEEDED' || fail "it needs something"
stripped=$(mktemp)
trap 'rm -f "$stripped"' EXIT
strip -o "$stripped" "$1" 2>/dev/null || aarch64-linux-gnu-strip -o "$stripped" "$1"  # each knows its own kind of machine
bytes=$(stat -c %s "$stripped")
[ "$bytes" -lt 1500000 ] || fail "it has $bytes bytes"
