#!/usr/bin/env bash
# Cuts and resets the way between a bridge and a server in two network namespaces (root; two to three minutes).
set -euo pipefail
cd "$(dirname "$0")/.."
build=build/dev
[ -x $build/kakehashi ] || { echo "half_open: $build/kakehashi is not built" >&2; exit 69; }
exec tests/network/half_open.py $build/kakehashi $build/tests/fake_engine
