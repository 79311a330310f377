#!/usr/bin/env bash
# What ssh and the keeper add to a move, in one run: an engine of this machine, one behind plain ssh, and one that a keeper
# holds behind the same ssh, over OpenSSH on the loopback. Prints the table of docs/internals/performance.md.
#
#   bench/remote.sh [--built DIRECTORY] [--games N] [--runs N]
set -euo pipefail
cd "$(dirname "$0")/.."

built=build/bench games=4 runs=5
while [ $# -gt 0 ]; do
  case "$1" in
    --built) built=$2; shift 2 ;;
    --games) games=$2; shift 2 ;;
    --runs) runs=$2; shift 2 ;;
    *) sed -n '5s/^#   //p' "$0" >&2; exit 64 ;;
  esac
done
if [ "$built" = build/bench ]; then
  cmake --preset bench >/dev/null
  cmake --build --preset bench -j "$(nproc)" --target kakehashi kakehashi-keep bench_latency bench_engine >/dev/null
fi
built=$(cd "$built" && pwd)

work=$(mktemp -d)
sshd=
end() {
  [ -z "$sshd" ] || kill "$sshd" 2>/dev/null || true
  rm -rf "$work"
}
trap end EXIT
mkdir -m 700 "$work/home"
for key in host user; do ssh-keygen -q -t ed25519 -N '' -f "$work/$key"; done
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat >"$work/config" <<CONFIG
Port $port
ListenAddress 127.0.0.1
HostKey $work/host
PidFile none
UsePAM no
AuthorizedKeysFile $work/user.pub
StrictModes no
SetEnv HOME=$work/home
CONFIG
[ "$(id -u)" -ne 0 ] || mkdir -p /run/sshd
/usr/sbin/sshd -D -f "$work/config" -E "$work/log" &
sshd=$!
until ssh-keyscan -p "$port" 127.0.0.1 >"$work/known" 2>/dev/null && [ -s "$work/known" ]; do sleep 0.1; done
export BENCH_SSH="ssh -T -p $port -i $work/user -o BatchMode=yes -o UserKnownHostsFile=$work/known 127.0.0.1"
HOME=$work "$built/kakehashi" engine install "$BENCH_SSH" >/dev/null
echo "$(nproc) cores of $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(ssh -V 2>&1 | cut -d, -f1)"
"$built/bench/bench_latency" --engine "$built/bench/bench_engine" --games "$games" --runs "$runs" \
  --client "bridge=$built/kakehashi" --client "ssh=$built/kakehashi" --client "keeper=$built/kakehashi"
