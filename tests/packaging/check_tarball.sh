#!/usr/bin/env bash
# The tarball where nothing of Debian 12 is: in a tree of an older distribution (Debian 11), whose libraries are older
# than those that it was linked with, and in one that has nothing but busybox; each time from unpacking to a finished
# game, with names resolved as the machine resolves them.
#
#   check_tarball.sh TARBALL FAKE_ENGINE [OLD_TREE.tar]
#
# FAKE_ENGINE is a static build of tests/engines/fake_engine.cpp for the same machine. OLD_TREE.tar is what mmdebstrap makes of bullseye
# with libnss-myhostname; without it one is made. Needs root and a Debian mirror; exit status 77 where they cannot be had.
set -euo pipefail
tarball=$(realpath "$1")
engine=$(realpath "$2")
old=$(realpath "${3:-/}")
for tool in mmdebstrap unshare chroot; do
  command -v "$tool" >/dev/null || { echo "tarball: skipped, there is no $tool here"; exit 77; }
done
[ "$(id -u)" -eq 0 ] || { echo "tarball: skipped, it needs root"; exit 77; }
if [ "${KAKEHASHI_IN_NAMESPACE:-}" != yes ]; then
  KAKEHASHI_IN_NAMESPACE=yes exec unshare --mount --pid --fork --kill-child "$0" "$tarball" "$engine" "$old"
fi
scratch=$(mktemp -d)
trap 'umount "$scratch"/*/proc 2>/dev/null || true; rm -rf "$scratch"' EXIT
fail() { echo "tarball: $*" >&2; exit 1; }
within() { # tree, command...
  chroot "$scratch/$1" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/root "${@:2}"
}

if [ ! -f "$old" ]; then
  old=$scratch/old.tar
  mmdebstrap --quiet --variant=essential --include=libnss-myhostname bullseye "$old" ||
    { echo "tarball: skipped, no Debian mirror answers"; exit 77; }
fi
mkdir "$scratch/old" "$scratch/bare"
tar -xf "$old" -C "$scratch/old"
(cd "$scratch" && apt-get download -q busybox-static >/dev/null 2>&1) ||
  { echo "tarball: skipped, busybox-static cannot be had"; exit 77; }
dpkg-deb -x "$scratch"/busybox-static_*.deb "$scratch/bare"
mkdir -p "$scratch"/bare/{usr/bin,usr/local,proc,dev,etc,root,tmp}
chroot "$scratch/bare" /bin/busybox --install -s /bin
ln -s /bin/env "$scratch/bare/usr/bin/env"
echo '127.0.0.1 localhost server.example' >"$scratch/bare/etc/hosts"
# A service that no static program has built in, and which Debian 11 has for its own C library.
sed -i 's/^hosts:.*/hosts: files myhostname dns/' "$scratch/old/etc/nsswitch.conf"
echo 'nameserver 127.0.0.1' >"$scratch/old/etc/resolv.conf"

for tree in old bare; do
  began=$SECONDS
  mount -t proc proc "$scratch/$tree/proc"
  [ -c "$scratch/$tree/dev/null" ] || mknod -m 666 "$scratch/$tree/dev/null" c 1 3
  cp "$tarball" "$scratch/$tree/root/kakehashi.tar.gz"
  cp "$engine" "$scratch/$tree/root/engine"
  within "$tree" tar -C /usr/local --strip-components=1 -xzf /root/kakehashi.tar.gz || fail "$tree: it cannot be unpacked"
  within "$tree" kakehashi --version | grep -q '^kakehashi [0-9].*static)$' || fail "$tree: it does not run"
  within "$tree" kakehashi-keep --version | grep -q '^kakehashi-keep [0-9]' || fail "$tree: the keeper does not run"
  [ -e "$scratch/$tree/usr/local/lib/kakehashi/kakehashi-keep.aarch64" ] ||
    [ -e "$scratch/$tree/usr/local/lib/kakehashi/kakehashi-keep.x86_64" ] || fail "$tree: the other keeper is missing"
  # myhostname knows every name below localhost; the other tree has its name in /etc/hosts.
  name=any.localhost
  [ "$tree" = old ] || name=server.example
  within "$tree" kakehashi serve --port 0 >"$scratch/serve.log" 2>&1 &
  until grep -qs ' port ' "$scratch/serve.log"; do sleep 0.1; done
  port=$(sed -n 's/^listening.* port //p' "$scratch/serve.log")
  within "$tree" kakehashi init --yes --server "$name:$port" --name mybot --game test-60-1F --engine /root/engine \
    --output /root/mybot.yaml 2>"$scratch/init.log" || { cat "$scratch/init.log"; fail "$tree: init failed"; }
  grep -q '^server .* answers' "$scratch/init.log" || fail "$tree: the server was not found by its name"
  kill %1
  wait 2>/dev/null || true
  within "$tree" sh -c 'cd /root && exec kakehashi rehearse mybot.yaml --games 1 --max-moves 20 --no-watch' \
    >"$scratch/game.log" 2>&1 || { tail -20 "$scratch/game.log"; fail "$tree: no game was finished"; }
  grep -q '^game 1: ' "$scratch/game.log" || { tail -20 "$scratch/game.log"; fail "$tree: no game was finished"; }
  echo "tarball: $tree: a finished game after $((SECONDS - began)) s; $(grep '^game 1: ' "$scratch/game.log")"
done
echo "tarball: it needs nothing but the kernel"
