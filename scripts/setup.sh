#!/usr/bin/env bash
# Installs what building, testing and the demo need: Debian packages by name.
# Safe to run again: what is present is left alone, and nothing is downloaded then.
#
#   scripts/setup.sh          everything that scripts/test.sh needs
#   scripts/setup.sh demo     only what the build and the demo need
#   scripts/setup.sh nightly  what scripts/nightly.sh needs besides
#   scripts/setup.sh release  what the build and scripts/release.sh need
set -euo pipefail

which=${1:-all}
case "$which" in
  all | demo | nightly | release) ;;
  *) echo "setup: unknown argument '$which'; use all, demo, nightly or release" >&2; exit 64 ;;
esac

packages=(
  g++ cmake ninja-build ccache git fairy-stockfish openssh-server
  make # g++ optimises at the link with all processors only where there is one
  # libraries of the program
  libboost1.81-dev libboost-json1.81-dev libboost-url1.81-dev
  libssl-dev libyaml-cpp-dev zlib1g-dev libcli11-dev libsqlite3-dev libfmt-dev
  gettext # msgfmt compiles po/ja.po in
)
tests=(
  clang libclang-rt-14-dev llvm-14 libgtest-dev libgmock-dev libbenchmark-dev python3 procps patch valgrind
  clang-tidy cppcheck tzdata
  # system calls that fail; network namespaces with lines that die
  strace iproute2 nftables
  # the Debian package and what it is checked with
  dpkg-dev lintian man-db groff zsh fish systemd
  # the unit under a real systemd, the container image
  mmdebstrap util-linux docker.io
  # what the documents call besides the program
  curl openssl
  # the live page and the metrics
  chromium fonts-noto-cjk prometheus
)
nightly=(
  # the program for 64-bit ARM, cross-compiled and run
  g++-aarch64-linux-gnu qemu-user-static
  # the real shogi-server
  ruby ruby-webrick
  # the oldest kernel that is promised, booted
  qemu-system-x86 qemu-system-arm cpio
)
release=(g++-aarch64-linux-gnu qemu-user-static dpkg-dev mmdebstrap util-linux python3 ca-certificates)
case "$which" in
  all) packages+=("${tests[@]}") ;;
  nightly) packages+=("${tests[@]}" "${nightly[@]}") ;;
  release) packages+=("${release[@]}") ;;
esac
if [[ "$which" = @(all|nightly) ]] && { ! command -v node >/dev/null 2>&1 || ! command -v npm >/dev/null 2>&1; }; then
  packages+=(nodejs npm) # the tests read records back with libraries from npm
fi

missing=()
for package in "${packages[@]}"; do
  state=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
  [ "$state" = "install ok installed" ] || missing+=("$package")
done

if [ ${#missing[@]} -eq 0 ]; then
  echo "setup: all Debian packages are present"
  exit 0
fi

if ! command -v apt-get >/dev/null 2>&1; then
  echo "setup: this script installs Debian packages, and apt-get was not found here." >&2
  echo "setup: install the counterparts of these by hand, then run the build: ${missing[*]}" >&2
  exit 69
fi

if [ "$(id -u)" -eq 0 ]; then
  as_root=()
elif command -v sudo >/dev/null 2>&1 && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
  as_root=(sudo)
else
  echo "setup: these Debian packages are missing: ${missing[*]}" >&2
  echo "setup: installing them needs root. Run this as root, or ask an administrator for:" >&2
  echo "  apt-get install --no-install-recommends ${missing[*]}" >&2
  exit 77
fi

echo "setup: installing ${missing[*]}"
"${as_root[@]}" apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -q --no-install-recommends "${missing[@]}"
echo "setup: done"
