#!/usr/bin/env bash
# The Dockerfiles and the compose file before linters that are not ours, which must have nothing to say, and
# the Dockerfiles before rules of our own.
set -euo pipefail
top=$(realpath "$(dirname "$0")/../..")
tools=$top/tests/npm/node_modules/.bin
[ -x "$tools/dclint" ] || { echo "run scripts/test.sh, or npm ci in tests/npm" >&2; exit 1; }
bad=0
# Any word is a complaint: the first of the two tells nothing by its exit status.
silent() {
  local said
  said=$("$@" 2>&1) || bad=1
  [ -z "$said" ] || { echo "$said"; bad=1; }
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for file in "$top"/Dockerfile "$top"/deploy/docker/*.Dockerfile; do
  silent "$tools/dockerfile-utils" lint "$file"
done
"$top/tests/packaging/check_dockerfiles.py" || bad=1
silent "$tools/dclint" -c "$top/tests/packaging/dclint.json" "$top/deploy"/compose*.yaml
[ "$bad" = 0 ] || exit 1
# Linters that cannot find a misspelt word would find nothing.
printf 'FRM debian\n' >"$scratch/Dockerfile"
[ -n "$("$tools/dockerfile-utils" lint "$scratch/Dockerfile" 2>&1)" ] || { echo "a bad Dockerfile passed"; exit 1; }
sed 's/read_only:/raed_only:/' "$top/deploy/compose.yaml" >"$scratch/compose.yaml"
! "$tools/dclint" -c "$top/tests/packaging/dclint.json" "$scratch/compose.yaml" >/dev/null 2>&1 ||
  { echo "a bad compose file passed"; exit 1; }
echo "container files: the linters have nothing to say"
