#!/usr/bin/env bash
# Makes what is given to users, for x86-64 (amd64) and 64-bit ARM (arm64), out of the commit that is checked out:
# a Debian 12 package, a tarball for any Linux, the container image as an OCI archive, the source, a bill of
# materials (CycloneDX), release notes, checksums. The same commit and the same Debian packages give the same bytes.
#
#   scripts/release.sh VERSION [OUTPUT [WORK]]
#
# OUTPUT (build/kakehashi-VERSION) must not exist yet. WORK (build/release-work) holds sources, builds and Debian
# trees; one that is left there is built upon. KAKEHASHI_ARCHITECTURES ("amd64 arm64") and KAKEHASHI_PARTS ("deb
# tarball image") make less of it. Needs a Debian 12 on amd64, root for the packages of scripts/setup.sh release and
# for the image, and a Debian mirror. Half an hour on two cores the first time, most of it compiling.
set -euo pipefail
cd "$(dirname "$0")/.."
top=$PWD

say() { printf 'release: %s\n' "$*"; }
fail() { printf 'release: %s\n' "$*" >&2; exit 1; }
[ $# -ge 1 ] || { sed -n '6s/^#   //p' "$0" >&2; exit 64; }
version=$1
output=$(realpath -m "${2:-build/kakehashi-$version}")
work=$(realpath -m "${3:-build/release-work}")
architectures=${KAKEHASHI_ARCHITECTURES:-amd64 arm64}
parts=" ${KAKEHASHI_PARTS:-deb tarball image} "
wants() { [[ "$parts" = *" $1 "* ]]; }

[ "$(sed -n 's/^project(kakehashi VERSION \([^ ]*\) .*/\1/p' CMakeLists.txt)" = "$version" ] ||
  fail "CMakeLists.txt is of another version than $version"
grep -q "^kakehashi ($version-" deploy/debian/changelog || fail "deploy/debian/changelog does not begin with $version"
grep -q "^## $version\b" CHANGELOG.md || fail "CHANGELOG.md has no chapter \"## $version\""
[ ! -e "$output" ] || fail "$output exists already"
[ "$(dpkg --print-architecture 2>/dev/null)" = amd64 ] || fail "this wants a Debian 12 on amd64"
scripts/setup.sh release

# Only what is committed, and nothing of this place: no name of a directory, no time but that of the commit.
mkdir -p "$work" "$output"
rm -rf "$work/source.new"
mkdir "$work/source.new"
git archive --format=tar HEAD | tar -x -C "$work/source.new"
# A file that is as it was keeps its time, so that a WORK that is left is built upon.
python3 - "$work/source" "$work/source.new" <<'PYTHON'
import filecmp, os, pathlib, sys
old, new = map(pathlib.Path, sys.argv[1:])
for file in new.rglob("*"):
    before = old / file.relative_to(new)
    if file.is_file() and before.is_file() and filecmp.cmp(before, file, shallow=False):
        os.utime(file, ns=(before.stat().st_mtime_ns,) * 2)
PYTHON
rm -rf "$work/source"
mv "$work/source.new" "$work/source"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
commit=$(git rev-parse HEAD)
export SOURCE_DATE_EPOCH TZ=UTC
umask 022
unset CXXFLAGS CPPFLAGS LDFLAGS KAKEHASHI_COMMIT
# No object out of a cache: one that an earlier compilation left there is of the same code, but has been seen to make
# the optimiser of the link lay the program out otherwise.
export CCACHE_DISABLE=1

# A tar whose bytes depend on names, modes and contents alone.
pack() { # directory, names...
  tar -C "$1" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
    --pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime -cf - "${@:2}"
}

# Runs a command where programs for arm64 run as if they were this machine's: by the machine's own binfmt_misc, or by
# one of a namespace of our own.
with_arm64() {
  if [ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ]; then
    "$@"
    return
  fi
  local gate child status=0
  gate=$(mktemp -d)
  mkfifo "$gate/open"
  # The namespace has its users before the program in it begins.
  unshare --user sh -c 'read -r _ <"$1"; shift; exec "$@"' - "$gate/open" \
    unshare --mount --pid --fork --kill-child --mount-proc sh -c '
      mount -t binfmt_misc none /proc/sys/fs/binfmt_misc &&
        sed -n "s/^\(:qemu-aarch64:.*\)/\1/p" "$1" >/proc/sys/fs/binfmt_misc/register || exit 1
      shift
      exec "$@"' - /usr/lib/binfmt.d/qemu-aarch64.conf "$@" &
  child=$!
  until [ "$(readlink "/proc/$child/ns/user")" != "$(readlink /proc/self/ns/user)" ]; do sleep 0.1; done
  echo '0 0 65536' >"/proc/$child/uid_map"
  echo '0 0 65536' >"/proc/$child/gid_map"
  echo >"$gate/open"
  wait "$child" || status=$?
  rm -r "$gate"
  return "$status"
}

# The libraries for arm64, unpacked, with what dpkg-shlibdeps wants to know of them.
make_sysroot() { # architecture
  local tree=$work/sysroot-$1 packages
  [ ! -d "$tree" ] || return 0
  say "unpacking the libraries of $1"
  packages=$(grep -oE '\blib[a-z0-9.+-]+-dev|\bzlib1g-dev' Dockerfile | sort -u | paste -sd,)
  mmdebstrap --quiet --arch="$1" --variant=extract --include="libc6-dev,libstdc++-12-dev,libstdc++6,$packages" \
    --extract-hook='
      info=$1/var/lib/dpkg/info
      mkdir -p "$info"
      : >"$1/var/lib/dpkg/status"
      echo 1 >"$info/format"
      for deb in "$1"/var/cache/apt/archives/*.deb; do
        name=$(dpkg-deb -f "$deb" Package)
        [ "$(dpkg-deb -f "$deb" Multi-Arch)" != same ] || name=$name:$(dpkg-deb -f "$deb" Architecture)
        { dpkg-deb -f "$deb"; printf "Status: install ok installed\n\n"; } >>"$1/var/lib/dpkg/status"
        # dpkg-shlibdeps looks the packages of libraries up by where the libraries lie.
        dpkg-deb --fsys-tarfile "$deb" | tar -t | sed "s|^\.|${1%.new}|; s|/\$||" >"$info/$name.list"
        for what in symbols shlibs; do
          dpkg-deb --ctrl-tarfile "$deb" | tar -xO "./$what" >"$info/$name.$what" 2>/dev/null || rm "$info/$name.$what"
        done
      done' \
    bookworm "$tree.new"
  mv "$tree.new" "$tree"
}

configure() { # directory, architecture, more...
  local build=$1 architecture=$2 more=()
  if [ "$architecture" = arm64 ]; then
    make_sysroot arm64
    more=(--toolchain deploy/docker/arm64.cmake -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++
      -DCMAKE_SYSROOT="$work/sysroot-arm64"
      "-DCMAKE_CROSSCOMPILING_EMULATOR=qemu-aarch64-static;-L;$work/sysroot-arm64")
  fi
  cmake -G Ninja -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=g++ -DKAKEHASHI_TESTS=OFF \
    -DKAKEHASHI_KEEPERS=ON "${more[@]}" "${@:3}" >"$build.log" 2>&1 || { tail -n 30 "$build.log"; fail "cmake failed"; }
}
build() { # directory
  nice cmake --build "$1" -j "$(nproc)" >"$1.log" 2>&1 || { tail -n 30 "$1.log"; fail "the build failed, see $1.log"; }
}
machine_of() { [ "$1" = amd64 ] && echo x86_64 || echo aarch64; }
strip_of() { [ "$1" = amd64 ] && echo strip || echo aarch64-linux-gnu-strip; }

cd "$work/source"
for architecture in $architectures; do
  machine=$(machine_of "$architecture")
  if wants tarball || wants image; then
    say "building the static program for $architecture"
    configure "$work/static-$architecture" "$architecture" -DKAKEHASHI_STATIC=ON -DCMAKE_INSTALL_PREFIX=/usr/local
    build "$work/static-$architecture"
    staged=$work/staged-$architecture
    rm -rf "$staged"
    DESTDIR=$staged cmake --install "$work/static-$architecture" >/dev/null
    "$(strip_of "$architecture")" "$staged"/usr/local/bin/*
  fi
  if wants tarball; then
    name=kakehashi-$version-linux-$machine
    mv "$staged/usr/local" "$staged/$name"
    pack "$staged" "$name" | gzip -9n >"$output/$name.tar.gz"
    mv "$staged/$name" "$staged/usr/local"
  fi
  if wants deb; then
    say "building the Debian package for $architecture"
    configure "$work/debian-$architecture" "$architecture"
    build "$work/debian-$architecture"
    rm -rf "$work/package"
    (
      if [ "$architecture" = arm64 ]; then
        # cpack does not tell dpkg-shlibdeps where to look.
        mkdir -p "$work/tools"
        sysroot=$work/sysroot-arm64
        printf '#!/bin/sh\nexec /usr/bin/dpkg-shlibdeps --admindir="%s" -l"%s" -l"%s" "$@"\n' "$sysroot/var/lib/dpkg" \
          "$sysroot/usr/lib/aarch64-linux-gnu" "$sysroot/lib/aarch64-linux-gnu" >"$work/tools/dpkg-shlibdeps"
        chmod +x "$work/tools/dpkg-shlibdeps"
        export DEB_HOST_ARCH=arm64 PATH="$work/tools:$PATH"
      fi
      cpack -G DEB --config "$work/debian-$architecture/CPackConfig.cmake" -B "$work/package" >"$work/cpack.log" 2>&1
    ) || { cat "$work/cpack.log"; fail "cpack failed"; }
    mv "$work/package"/*.deb "$output/"
  fi
  if wants image; then
    say "making the image for $architecture"
    base=$work/base-$architecture.tar
    slim=(--dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright'
      --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*')
    if [ ! -e "$base" ]; then
      if [ "$architecture" = amd64 ]; then
        mmdebstrap --quiet --format=tar --variant=minbase "${slim[@]}" bookworm "$base.new"
      else
        with_arm64 mmdebstrap --quiet --format=tar --mode=root --skip=check/qemu --arch=arm64 --variant=minbase "${slim[@]}" \
          bookworm "$base.new"
      fi
      mv "$base.new" "$base"
    fi
    layer=$work/layer-$architecture
    rm -rf "$layer"
    install -D "$staged/usr/local/bin/kakehashi" "$layer/usr/bin/kakehashi"
    install -D "$staged/usr/local/bin/kakehashi-keep" "$layer/usr/bin/kakehashi-keep"
    install -D -m 644 /etc/ssl/certs/ca-certificates.crt "$layer/etc/ssl/certs/ca-certificates.crt"
    install -D -m 644 LICENSE "$layer/usr/share/doc/kakehashi/LICENSE"
    install -d "$layer/var/lib/kakehashi"
    pack "$layer" usr etc >"$layer.tar"
    tar -C "$layer" --mtime="@$SOURCE_DATE_EPOCH" --owner=10001 --group=10001 --numeric-owner -rf "$layer.tar" var/lib/kakehashi
    rm -rf "$layer.oci"
    "$top/scripts/release_files.py" image --dockerfile Dockerfile --base "$base" --layer "$layer.tar" \
      --architecture "$architecture" --version "$version" --commit "$commit" --out "$layer.oci"
    pack "$layer.oci" blobs index.json manifest.json oci-layout >"$output/kakehashi-$version-image-$architecture.oci.tar"
  fi
done

say "writing what goes with it"
git -C "$top" archive --format=tar --prefix="kakehashi-$version/" HEAD | gzip -9n >"$output/kakehashi-$version.tar.gz"
statuses=()
for architecture in $architectures; do
  status=/var/lib/dpkg/status
  if [ "$architecture" != amd64 ]; then
    make_sysroot "$architecture"
    status=$work/sysroot-$architecture/var/lib/dpkg/status
  fi
  statuses+=(--libraries "$architecture=$status")
  ! wants image || statuses+=(--base "$architecture=$work/base-$architecture.tar")
done
"$top/scripts/release_files.py" sbom --version "$version" --commit "$commit" "${statuses[@]}" \
  >"$output/kakehashi-$version.cdx.json"
"$top/scripts/release_files.py" notes --version "$version" CHANGELOG.md >"$output/RELEASE-NOTES.md"
(export LC_ALL=C; cd "$output" && sha256sum -- *.deb *.tar *.tar.gz *.json *.md 2>/dev/null >SHA256SUMS || true)
(cd "$output" && du -b -- * | awk '{ printf "release: %10d  %s\n", $1, $2 }')
say "ready: $output"
