#!/usr/bin/env bash
# The container image as a user runs it: built without a registry on a base made by mmdebstrap, run
# read-only, without capabilities, as nobody in particular; healthy; its first process reaps orphans;
# a game is finished when it is asked to stop.
#
#   check_container.sh KAKEHASHI [BASE.tar]
#
# KAKEHASHI is the program of the preset "container". BASE.tar is a Debian tree as mmdebstrap makes it,
# which this does by itself otherwise. Needs root; exit status 77 where it cannot be.
set -euo pipefail
program=$(realpath "$1")
base=$(realpath "${2:-/}")
top=$(realpath "$(dirname "$0")/../..")

for tool in buildah podman crun mmdebstrap unshare; do
  command -v "$tool" >/dev/null || { echo "container: skipped, there is no $tool here"; exit 77; }
done
[ "$(id -u)" -eq 0 ] || { echo "container: skipped, it needs root"; exit 77; }
if [ "${KAKEHASHI_IN_NAMESPACE:-}" != yes ]; then
  KAKEHASHI_IN_NAMESPACE=yes exec unshare -m "$0" "$program" "$base"
fi

# Where the machine has control groups of the first kind, podman needs to see those of the second.
if [ ! -e /sys/fs/cgroup/cgroup.controllers ]; then
  umount -R /sys/fs/cgroup 2>/dev/null || true
  mount -t cgroup2 cgroup2 /sys/fs/cgroup
fi
scratch=$(mktemp -d)
serve_id=
opponent_id=
clean_up() {
  podman rm -f -t 0 bot gpu >/dev/null 2>&1 || true
  [ -z "$opponent_id" ] || kill -KILL "$opponent_id" 2>/dev/null || true
  [ -z "$serve_id" ] || kill -KILL "$serve_id" 2>/dev/null || true
  # A container that was just removed may still be mounted.
  awk -v below="$scratch/" 'index($2, below) == 1 { print $2 }' /proc/mounts | sort -r | xargs -r umount -l || true
  rm -rf "$scratch"
}
trap clean_up EXIT
fail() { echo "container: $*" >&2; exit 1; }
# Waits until a command succeeds, a minute at most.
until_true() {
  for _ in $(seq 600); do ! "$@" >/dev/null 2>&1 || return 0; sleep 0.1; done
  fail "this never came true: $*"
}

export STORAGE_DRIVER=vfs CONTAINERS_CONF=$scratch/containers.conf
printf '%s\n' '[containers]' 'default_ulimits = ["nofile=10000:10000","nproc=9000:9000"]' \
  'cgroups = "disabled"' 'pids_limit = 0' '[engine]' 'cgroup_manager = "cgroupfs"' \
  'runtime = "crun"' 'events_logger = "file"' >"$CONTAINERS_CONF"
podman() { command podman --root "$scratch/store" --runroot "$scratch/run" "$@"; }
build() {
  buildah --root "$scratch/store" --runroot "$scratch/run" bud --isolation chroot --format docker "$@" \
    >"$scratch/build.log" 2>&1 || { cat "$scratch/build.log"; fail "the image cannot be built"; }
}

if [ ! -f "$base" ]; then
  echo "container: making the base"
  base=$scratch/base.tar
  mmdebstrap --quiet --variant=minbase bookworm "$base"
fi
podman import -q "$base" localhost/base >/dev/null
rm -f "$scratch/base.tar"

echo "container: building"
# What the first stage makes, without building the program once more.
install -D -s "$program" "$scratch/made/out/usr/bin/kakehashi"
install -D -m 644 /etc/ssl/certs/ca-certificates.crt "$scratch/made/out/etc/ssl/certs/ca-certificates.crt"
install -d "$scratch/made/state"
build --build-context "build=$scratch/made" --build-arg BASE=localhost/base -t kakehashi "$top"
size() { podman image inspect --format '{{.Size}}' "$1"; }
layer=$(($(size kakehashi) - $(size localhost/base)))
echo "container: $layer bytes over the base"
[ "$layer" -le 10000000 ] || fail "the image is more than 10 MB larger than its base"
build --build-arg BASE=localhost/kakehashi -f "$top/deploy/docker/fairy-stockfish.Dockerfile" \
  -t kakehashi-fairy "$top/deploy/docker"
rm -rf "$scratch/yaneuraou" && mkdir "$scratch/yaneuraou"
printf '#!/bin/sh\n' >"$scratch/yaneuraou/YaneuraOu"
build --build-arg BASE=localhost/kakehashi -f "$top/deploy/docker/yaneuraou.Dockerfile" \
  -t kakehashi-yaneuraou "$scratch/yaneuraou"
# NVIDIA's base cannot be had here; all else of that image can.
rm -rf "$scratch/gpu" && mkdir "$scratch/gpu"
printf '#!/bin/sh\n' >"$scratch/gpu/engine"
build --build-arg BRIDGE=localhost/kakehashi --build-arg BASE=localhost/base \
  -f "$top/deploy/docker/gpu.Dockerfile" -t kakehashi-gpu "$scratch/gpu"
podman run --name gpu --read-only --cap-drop=ALL kakehashi-gpu --version >"$scratch/gpu.version"
grep -q '^kakehashi [0-9]' "$scratch/gpu.version" || fail "the image for a GPU does not start"

echo "container: playing"
"$program" serve --port 0 --max-moves 60 >"$scratch/serve.log" 2>&1 &
serve_id=$!
until_true grep -q '^listening' "$scratch/serve.log"
port=$(sed -n 's/^listening.* port //p' "$scratch/serve.log")
bot() { # name, engine
  printf '%s\n' "server: {host: 127.0.0.1, port: $port}" "account: {name: $1}" \
    "game: {name: test-5-1F}" "engine: {command: [$2], options: {Threads: 1, Hash: 16}}"
}
bot inside /usr/games/fairy-stockfish >"$scratch/bot.yaml"
bot outside /usr/games/fairy-stockfish >"$scratch/opponent.yaml"
podman run -d --name bot --network host --read-only --cap-drop=ALL --security-opt=no-new-privileges \
  --volume "$scratch/bot.yaml:/etc/kakehashi/bot.yaml:ro" --volume state:/var/lib/kakehashi \
  kakehashi-fairy >/dev/null
until_true podman healthcheck run bot
waiting() { podman exec bot /usr/bin/kakehashi status | grep -q 'waiting for a game'; }
until_true waiting
[ "$(podman exec bot id -u)" = 10001 ] || fail "it runs as root"

podman exec bot sh -c '(sleep 0.1 &)'
no_zombies() { ! podman exec bot sh -c 'cat /proc/[0-9]*/status' | grep -q '^State:.*Z'; }
until_true no_zombies

(cd "$scratch" && exec "$program" run opponent.yaml) >"$scratch/opponent.log" 2>&1 &
opponent_id=$!
playing() { podman exec bot /usr/bin/kakehashi status | grep -q 'playing, move [1-9]'; }
until_true playing
podman stop -t 240 bot >/dev/null 2>&1
[ "$(podman inspect --format '{{.State.ExitCode}}' bot)" = 0 ] ||
  fail "it did not leave well: $(podman logs bot 2>&1 | tail -5)"
podman logs bot >"$scratch/bot.log" 2>&1
grep -q 'game_ended' "$scratch/bot.log" || fail "the game was not finished: $(tail -5 "$scratch/bot.log")"
record=$(find "$scratch/store/volumes/state" -name '*.csa')
[ -s "$record" ] || fail "there is no record"
echo "container: the image is in order"
