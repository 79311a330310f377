#!/usr/bin/env bash
# The tarball on the oldest kernel that docs/stability.md promises, Linux 5.10: that of Debian 11, booted in a machine
# that qemu makes up, with nothing but busybox, the program and an engine in it, to a finished game.
#
#   check_kernel.sh TARBALL FAKE_ENGINE [amd64|arm64]
#
# FAKE_ENGINE is a static build of tests/engines/fake_engine.cpp for that kind of machine. A minute or two. Needs
# mmdebstrap, qemu-system-x86 or qemu-system-arm, and a Debian mirror; exit status 77 where they cannot be had.
set -euo pipefail
tarball=$(realpath "$1")
engine=$(realpath "$2")
architecture=${3:-amd64}
case "$architecture" in
  amd64) machine=(qemu-system-x86_64 -cpu max -append "console=ttyS0 quiet panic=-1") ;;
  arm64) machine=(qemu-system-aarch64 -machine virt -cpu cortex-a57 -append "console=ttyAMA0 quiet panic=-1") ;;
esac
for tool in mmdebstrap cpio "${machine[0]}"; do
  command -v "$tool" >/dev/null || { echo "kernel: skipped, there is no $tool here"; exit 77; }
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "kernel: $*" >&2; tail -n 20 "$scratch/console" >&2 || true; exit 1; }

# Without the updates that came later: not all of them are kept.
mmdebstrap --quiet --arch="$architecture" --variant=extract --dpkgopt='path-exclude=/lib/modules/*' \
  --setup-hook='sed -i /security/d "$1/etc/apt/sources.list"' \
  --include="busybox-static,linux-image-$architecture" bullseye "$scratch/debian" 2>"$scratch/console" ||
  { cat "$scratch/console"; echo "kernel: skipped, no Debian mirror answers"; exit 77; }

tree=$scratch/tree
mkdir -p "$tree"/{bin,dev,proc,sys,tmp,root,usr/local}
cp "$scratch"/debian/bin/busybox "$tree/bin/"
tar -C "$tree/usr/local" --strip-components=1 -xzf "$tarball"
cp "$engine" "$tree/root/engine"
cat >"$tree/init" <<'INIT'
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/usr/local/bin:/bin HOME=/root
mount -t devtmpfs dev /dev
mount -t proc proc /proc
mount -t sysfs sys /sys
ip link set lo up
cd /root
echo "kernel $(uname -r)"
kakehashi-keep --version
kakehashi init --yes --no-test --server 127.0.0.1 --name mybot --game test-600-10F --engine /root/engine \
  --output mybot.yaml && kakehashi rehearse mybot.yaml --games 1 --max-moves 20 --no-watch
echo "ended with $?"
poweroff -f
INIT
chmod +x "$tree/init"
(cd "$tree" && find . | cpio --quiet -o -H newc) | gzip -1 >"$scratch/initrd"

timeout 600 "${machine[@]}" -m 768 -nographic -no-reboot -nic none -kernel "$(echo "$scratch"/debian/boot/vmlinuz-*)" \
  -initrd "$scratch/initrd" </dev/null >"$scratch/console" 2>&1 || fail "the machine did not end"
# The firmware leaves signs of its own before the first line.
said() { tr -d '\r' <"$scratch/console" | grep -ao "$1"; }
said 'kernel 5\.10\..*' >/dev/null || fail "it is another kernel"
said '^kakehashi-keep [0-9]' >/dev/null || fail "the keeper does not run"
said '^game 1: .*' >/dev/null || fail "no game was finished"
echo "kernel: $architecture, Linux $(said 'kernel 5.*' | cut -d' ' -f2): $(said '^game 1: .*')"
