#!/usr/bin/env bash
# The Debian package in a clean Debian 12: apt installs it with what it needs and nothing more, `kakehashi init` makes a
# bot with Debian's engine, which is rehearsed to a finished game, the files are where they belong, and nothing is left
# when it is purged.
#
#   check_install.sh PACKAGE|BUILD_DIRECTORY [BASE.tar]
#
# Of a directory of a build the package is made first. BASE.tar is a tree as `mmdebstrap --variant=apt bookworm` makes it, which this does by itself
# otherwise. Needs root and a Debian mirror; exit status 77 where they cannot be had.
set -euo pipefail
build=$(realpath "$1")
base=$(realpath "${2:-/}")
for tool in mmdebstrap cpack unshare chroot; do
  command -v "$tool" >/dev/null || { echo "install: skipped, there is no $tool here"; exit 77; }
done
[ "$(id -u)" -eq 0 ] || { echo "install: skipped, it needs root"; exit 77; }
if [ "${KAKEHASHI_IN_NAMESPACE:-}" != yes ]; then
  # Mounts and processes of the tree end with this script.
  KAKEHASHI_IN_NAMESPACE=yes exec unshare --mount --pid --fork --kill-child "$0" "$build" "$base"
fi
scratch=$(mktemp -d)
trap 'umount -R "$scratch"/tree/{proc,dev} 2>/dev/null || true; rm -rf "$scratch"' EXIT
tree=$scratch/tree
fail() { echo "install: $*" >&2; exit 1; }
within() { chroot "$tree" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
  DEBIAN_FRONTEND=noninteractive HOME=/root "$@"; }

if [ ! -f "$base" ]; then
  echo "install: making a clean tree"
  base=$scratch/base.tar
  mmdebstrap --quiet --variant=apt bookworm "$base" ||
    { echo "install: skipped, no Debian mirror answers"; exit 77; }
fi
mkdir "$tree"
tar -xf "$base" -C "$tree"
mount -t proc proc "$tree/proc"
mount --rbind /dev "$tree/dev"
cp /etc/resolv.conf "$tree/etc/resolv.conf"
if [ -d "$build" ]; then
  cpack -G DEB --config "$build/CPackConfig.cmake" -B "$scratch" >"$scratch/cpack.log" 2>&1 ||
    { cat "$scratch/cpack.log"; fail "cpack failed"; }
  cp "$scratch"/kakehashi_*.deb "$tree/srv/kakehashi.deb"
else
  cp "$build" "$tree/srv/kakehashi.deb"
fi
within sh -c 'dpkg -l | cut -c 1-60 | sort' >"$scratch/before"

echo "install: installing"
began=$SECONDS
within apt-get update -qq
within apt-get install -y -qq --no-install-recommends /srv/kakehashi.deb fairy-stockfish \
  >"$scratch/apt.log" 2>&1 || { cat "$scratch/apt.log"; fail "apt cannot install it"; }
[ -z "$(within dpkg --verify kakehashi)" ] || fail "files differ from those of the package"
within kakehashi version | grep -q '^kakehashi [0-9]' || fail "the program does not run"
[ -d "$tree/etc/kakehashi/passwords" ] || fail "there is no place for passwords"

echo "install: a bot, and its first game"
within kakehashi serve --port 0 >"$scratch/serve.log" 2>&1 &
until grep -qs ' port ' "$scratch/serve.log"; do sleep 0.1; done
within kakehashi init --yes --server "127.0.0.1:$(sed -n 's/^listening.* port //p' "$scratch/serve.log")" --name mybot \
  --game test-60-1F --engine /usr/games/fairy-stockfish --output /root/mybot.yaml >"$scratch/init.log" 2>&1 ||
  { cat "$scratch/init.log"; fail "init failed"; }
kill %1
within sh -c 'cd /root && timeout 300 kakehashi rehearse mybot.yaml --games 1 --least-time 1 --max-moves 40 --no-watch' \
  >"$scratch/game.log" 2>&1 || { tail -30 "$scratch/game.log"; fail "the rehearsal failed"; }
grep -q 'after [0-9]* moves' "$scratch/game.log" || { cat "$scratch/game.log"; fail "no game was finished"; }
echo "install: from a fresh Debian 12 to a finished game in $((SECONDS - began)) s"

echo "install: removing"
touch "$tree/etc/kakehashi/mybot.yaml"
within apt-get remove -y -qq kakehashi >"$scratch/apt.log" 2>&1 || { cat "$scratch/apt.log"; fail "it cannot be removed"; }
[ ! -e "$tree/usr/bin/kakehashi" ] || fail "the program is left behind"
[ -e "$tree/etc/kakehashi/mybot.yaml" ] || fail "a configuration is gone"
within apt-get purge -y -qq kakehashi >"$scratch/apt.log" 2>&1 || { cat "$scratch/apt.log"; fail "it cannot be purged"; }
left=$(cd "$tree" && find usr etc lib var -xdev -name '*kakehashi*' -not -path 'var/lib/dpkg/*' -not -path 'etc/kakehashi' \
  -not -path 'var/log/*' -not -path 'var/cache/*' 2>/dev/null || true)
[ -z "$left" ] || fail "purged, and this is left: $left"
[ -e "$tree/etc/kakehashi/mybot.yaml" ] || fail "purging took a user's configuration"
echo "install: the package is at home in a clean Debian"
