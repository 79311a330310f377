#!/usr/bin/env bash
# The container image as a user runs it, on a Docker of the test's own: built without a registry on a base made
# by mmdebstrap, run read-only, without capabilities, as nobody in particular; healthy in Docker's eyes; trusting
# the system's authorities over TLS; its first process reaps orphans; a game is finished by `docker stop`; a
# program that hangs is replaced.
#
#   check_container.sh KAKEHASHI [BASE.tar|IMAGE.oci.tar]
#
# KAKEHASHI is the program of the preset "static", beside kakehashi-keep. BASE.tar is a Debian tree as mmdebstrap makes it,
# which this does by itself otherwise; IMAGE.oci.tar an image of scripts/release.sh, which is loaded instead. Needs root; exit status 77 where it cannot be.
set -euo pipefail
program=$(realpath "$1")
base=$(realpath "${2:-/}")
top=$(realpath "$(dirname "$0")/../..")
# A machine's own word about certificates would hide what the image lacks.
unset SSL_CERT_FILE SSL_CERT_DIR

for tool in dockerd docker mmdebstrap openssl python3 unshare; do
  command -v "$tool" >/dev/null || { echo "container: skipped, there is no $tool here"; exit 77; }
done
[ "$(id -u)" -eq 0 ] || { echo "container: skipped, it needs root"; exit 77; }
if [ "${KAKEHASHI_IN_NAMESPACE:-}" != yes ]; then
  # What Docker leaves mounted goes with the namespace.
  KAKEHASHI_IN_NAMESPACE=yes exec unshare -m "$0" "$program" "$base"
fi

scratch=$(mktemp -d)
daemon_id=
serve_id=
peer_id=
opponent_id=
clean_up() {
  docker rm -f bot hung gpu >/dev/null 2>&1 || true
  for id in $opponent_id $peer_id $serve_id $daemon_id; do kill "$id" 2>/dev/null || true; done
  wait 2>/dev/null || true
  awk -v below="$scratch/" 'index($2, below) == 1 { print $2 }' /proc/mounts | sort -r | xargs -r umount -l || true
  rm -rf "$scratch"
}
trap clean_up EXIT
fail() { echo "container: $*" >&2; exit 1; }
# Waits until a command succeeds, two minutes at most.
until_true() {
  for _ in $(seq 1200); do ! "$@" >/dev/null 2>&1 || return 0; sleep 0.1; done
  fail "this never came true: $*"
}

# Debian's client builds by itself; others want a plugin for that.
client=$(command -v docker)
[ ! -x /usr/bin/docker ] || client=/usr/bin/docker
export DOCKER_HOST=unix://$scratch/docker.sock DOCKER_BUILDKIT=1
docker() { "$client" "$@"; }
dockerd --data-root "$scratch/data" --exec-root "$scratch/exec" --pidfile "$scratch/pid" --storage-driver vfs \
  --iptables=false --bridge=none -H "$DOCKER_HOST" >"$scratch/docker.log" 2>&1 &
daemon_id=$!
until_true docker info

if [ ! -f "$base" ]; then
  echo "container: making the base"
  base=$scratch/base.tar
  mmdebstrap --quiet --variant=minbase bookworm "$base"
fi
if [[ "$base" = *.oci.tar ]]; then
  docker load -i "$base" >"$scratch/load.log" || fail "the image cannot be loaded"
  docker tag "$(sed -n 's/^Loaded image: //p' "$scratch/load.log")" kakehashi
  docker tag kakehashi base
else
  docker import "$base" base >/dev/null
  rm -f "$scratch/base.tar"
fi

echo "container: building"
build() { # name, Dockerfile, context, arguments...
  local name=$1 file=$2 context=$3
  shift 3
  # Its first line would have Docker fetch the reader of the file.
  grep -v '^# syntax=' "$file" >"$scratch/Dockerfile"
  docker build --network host -t "$name" -f "$scratch/Dockerfile" "$@" "$context" >"$scratch/build.log" 2>&1 ||
    { cat "$scratch/build.log"; fail "the image $name cannot be built"; }
}
# What the first stage makes, without building the program once more; the second stage as it stands.
made=$scratch/made
install -D -s "$program" "$made/out/usr/bin/kakehashi"
install -D -s "$(dirname "$program")/kakehashi-keep" "$made/out/usr/bin/kakehashi-keep"
install -D -m 644 /etc/ssl/certs/ca-certificates.crt "$made/out/etc/ssl/certs/ca-certificates.crt"
install -d "$made/state"
if [[ "$base" != *.oci.tar ]]; then
  {
    printf '%s\n' 'ARG BASE' "FROM \${BASE} AS build" 'COPY out /out' 'COPY state /state'
    sed -n '/^FROM \${BASE}$/,$p' "$top/Dockerfile"
  } >"$made/Dockerfile"
  build kakehashi "$made/Dockerfile" "$made" --build-arg BASE=base
  [ "$(docker image inspect --format '{{index .Config.Labels "org.opencontainers.image.base.name"}}' kakehashi)" = base ] ||
    fail "the image names another base"
  size() { docker image inspect --format '{{.Size}}' "$1"; }
  layer=$(($(size kakehashi) - $(size base)))
  echo "container: $layer bytes over the base"
  [ "$layer" -le 13000000 ] || fail "the image is more than 13 MB larger than its base"
fi
build kakehashi-fairy "$top/deploy/docker/fairy-stockfish.Dockerfile" "$top/deploy/docker"
mkdir "$scratch/yaneuraou" "$scratch/gpu"
printf '#!/bin/sh\n' >"$scratch/yaneuraou/YaneuraOu"
build kakehashi-yaneuraou "$top/deploy/docker/yaneuraou.Dockerfile" "$scratch/yaneuraou"
# NVIDIA's base cannot be had here; all else of that image can.
printf '#!/bin/sh\n' >"$scratch/gpu/engine"
build kakehashi-gpu "$top/deploy/docker/gpu.Dockerfile" "$scratch/gpu" --build-arg BASE=base
docker run --name gpu --network none --read-only --cap-drop ALL kakehashi-gpu --version >"$scratch/gpu.version"
grep -q '^kakehashi [0-9]' "$scratch/gpu.version" || fail "the image for a GPU does not start"

echo "container: a server, and a peer that speaks TLS"
"$program" serve --port 0 --max-moves 60 >"$scratch/serve.log" 2>&1 &
serve_id=$!
until_true grep -q '^listening' "$scratch/serve.log"
port=$(sed -n 's/^listening.* port //p' "$scratch/serve.log")
ssl=$scratch/ssl
mkdir "$ssl"
{
  openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority -keyout "$ssl/ca.key" -out "$ssl/ca.pem"
  openssl req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout "$ssl/key.pem" -out "$ssl/request.pem"
  openssl x509 -req -in "$ssl/request.pem" -CA "$ssl/ca.pem" -CAkey "$ssl/ca.key" -CAcreateserial -days 2 \
    -extfile <(echo subjectAltName=DNS:localhost) -out "$ssl/certificate.pem"
} >"$scratch/openssl.log" 2>&1 || { cat "$scratch/openssl.log"; fail "no certificates"; }
cat "$made/out/etc/ssl/certs/ca-certificates.crt" "$ssl/ca.pem" >"$ssl/bundle.crt"
chmod 644 "$ssl/bundle.crt"
cat >"$scratch/peer.py" <<'PYTHON'
# TLS before the server of the rehearsals, and a webhook. Arguments: directory of certificates, server's port.
import socket, ssl, sys, threading
folder, server = sys.argv[1], int(sys.argv[2])
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(folder + "/certificate.pem", folder + "/key.pem")

def carry(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass
    finally:
        target.close()

def to_server(client):
    plain = socket.create_connection(("127.0.0.1", server))
    threading.Thread(target=carry, args=(plain, client), daemon=True).start()
    carry(client, plain)

def webhook(client):
    print("webhook:", client.recv(65536).split(b"\r\n")[0].decode(), flush=True)
    client.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")
    client.close()

def serve(name, handle):
    listener = socket.create_server(("127.0.0.1", 0))
    print(f"{name} {listener.getsockname()[1]}\n", end="", flush=True)  # one write, of two threads
    def meet(raw):
        try:
            handle(context.wrap_socket(raw, server_side=True))
        except OSError as why:
            print(name, "refused:", why, flush=True)
    while True:
        threading.Thread(target=meet, args=(listener.accept()[0],), daemon=True).start()

threading.Thread(target=serve, args=("hook-port", webhook), daemon=True).start()
serve("csa-port", to_server)
PYTHON
python3 "$scratch/peer.py" "$ssl" "$port" >"$scratch/peer.log" 2>&1 &
peer_id=$!
until_true grep -q '^csa-port' "$scratch/peer.log"
until_true grep -q '^hook-port' "$scratch/peer.log"
csa_port=$(sed -n 's/^csa-port //p' "$scratch/peer.log")
hook_port=$(sed -n 's/^hook-port //p' "$scratch/peer.log")

engine() { printf '%s\n' "engine: {command: [/usr/games/fairy-stockfish], options: {Threads: 1, Hash: 16}}"; }
{
  printf '%s\n' "server: {host: localhost, port: $csa_port, tls: true}" "account: {name: inside}" \
    "game: {name: test-5-1F}" "notify: [{url_file: /etc/kakehashi/hook.url}]"
  engine
} >"$scratch/bot.yaml"
{
  printf '%s\n' "server: {host: 127.0.0.1, port: $port}" "account: {name: outside}" "game: {name: test-5-1F}"
  engine
} >"$scratch/opponent.yaml"
echo "https://localhost:$hook_port/hook" >"$scratch/hook.url"
chown 10001:10001 "$scratch/hook.url"
chmod 600 "$scratch/hook.url"
start() { # name, arguments...
  local name=$1
  shift
  docker run -d --name "$name" --network host --read-only --cap-drop ALL --security-opt no-new-privileges \
    --health-interval 2s --volume "$scratch/bot.yaml:/etc/kakehashi/bot.yaml:ro" \
    --volume "$scratch/hook.url:/etc/kakehashi/hook.url:ro" \
    --volume state:/var/lib/kakehashi "$@" kakehashi-fairy >/dev/null
}

echo "container: a peer whose authority is not among the image's"
start bot
until_true sh -c "'$client' logs bot 2>&1 | grep -q 'which is not trusted here'"
docker rm -f bot >/dev/null

echo "container: playing"
start bot --volume "$ssl/bundle.crt:/etc/ssl/certs/ca-certificates.crt:ro"
waiting() { docker exec "$1" kakehashi status | grep -q 'waiting for a game'; }
until_true waiting bot
healthy() { [ "$(docker inspect --format '{{.State.Health.Status}}' bot)" = healthy ]; }
until_true healthy
[ "$(docker exec bot id -u)" = 10001 ] || fail "it runs as root"
docker exec bot kakehashi notify test /etc/kakehashi/bot.yaml >"$scratch/notify.log" 2>&1 ||
  fail "the webhook was not reached: $(cat "$scratch/notify.log")"
grep -q '^webhook: POST /hook' "$scratch/peer.log" || fail "the webhook heard nothing"
docker exec bot kakehashi reload >/dev/null || fail "it does not read its configuration again when it is asked to"
docker exec bot kakehashi upgrade >/dev/null || fail "the first process does not go on with its own program"
until_true waiting bot

docker exec bot sh -c '(sleep 0.1 &)'
no_zombies() { ! docker exec bot sh -c 'cat /proc/[0-9]*/status' | grep -q '^State:.*Z'; }
until_true no_zombies

(cd "$scratch" && exec "$program" run opponent.yaml) >"$scratch/opponent.log" 2>&1 &
opponent_id=$!
playing() { docker exec bot kakehashi status | grep -q 'playing, move [1-9]'; }
until_true playing
docker stop --time 240 bot >/dev/null
[ "$(docker inspect --format '{{.State.ExitCode}}' bot)" = 0 ] ||
  fail "it did not leave well: $(docker logs bot 2>&1 | tail -5)"
docker logs bot >"$scratch/bot.log" 2>&1
grep -q 'game_ended' "$scratch/bot.log" || fail "the game was not finished: $(tail -5 "$scratch/bot.log")"
record=$(find "$scratch/data/volumes/state" -name '*.csa')
[ -s "$record" ] || fail "there is no record"
kill "$opponent_id"

echo "container: hanging"
start hung --restart unless-stopped --volume "$ssl/bundle.crt:/etc/ssl/certs/ca-certificates.crt:ro"
until_true waiting hung
docker exec hung sh -c 'for one in /proc/[0-9]*; do
    [ "$(cat "$one/comm")" = kakehashi ] && [ "$one" != /proc/1 ] && kill -STOP "${one#/proc/}"; done; true'
restarted() { [ "$(docker inspect --format '{{.RestartCount}}' hung)" = 1 ]; }
until_true restarted
until_true waiting hung
docker logs hung 2>&1 | grep -q 'no sign of life for' || fail "nothing says why it was started anew"
echo "container: the image is in order"
