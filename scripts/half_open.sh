#!/usr/bin/env bash
# Between a bridge and a server in two network namespaces (root; nine minutes): cuts the way for a while, and for
# good, and resets it; moves the server's name to another address, takes the name away, and changes the bridge's own address in mid-game.
set -euo pipefail
cd "$(dirname "$0")/.."
build=build/dev
[ -x $build/kakehashi ] || { echo "half_open: $build/kakehashi is not built" >&2; exit 69; }
tests/network/outage.py $build/kakehashi $build/tests/fake_engine 20 30 40 60 100
tests/network/half_open.py $build/kakehashi $build/tests/fake_engine
exec tests/network/changed_address.py $build/kakehashi $build/tests/fake_engine
