#!/usr/bin/env bash
# A whole release, as users get it: made twice, in different folders, to the same bytes; then the Debian package in a
# clean Debian 12, the tarball on other trees and on the oldest kernel, each to a finished game; the programs for arm64
# under qemu; the images as their parts say.
#
#   check_release.sh [DIRECTORY]
#
# DIRECTORY (build/release-check) is made anew. An hour and a half on two cores. Needs root and a Debian mirror;
# exit status 77 where they cannot be had.
set -euo pipefail
cd "$(dirname "$0")/../.."
directory=$(realpath -m "${1:-build/release-check}")
[ "$(id -u)" -eq 0 ] || { echo "release: skipped, it needs root"; exit 77; }
fail() { echo "release: $*" >&2; exit 1; }
version=$(sed -n 's/^project(kakehashi VERSION \([^ ]*\) .*/\1/p' CMakeLists.txt)
rm -rf "$directory"
mkdir -p "$directory"

scripts/release.sh "$version" "$directory/first" "$directory/here/work"
scripts/release.sh "$version" "$directory/second" "$directory/another/place/work"
diff "$directory/first/SHA256SUMS" "$directory/second/SHA256SUMS" || fail "made twice, it is not the same"
cd "$directory/first"
sha256sum --quiet -c SHA256SUMS
cd - >/dev/null

tests/packaging/check_install.sh "$directory/first/kakehashi_$version-1_amd64.deb"
g++ -std=c++20 -O1 -static -I. tests/engines/fake_engine.cpp -o "$directory/fake_engine"
tests/packaging/check_tarball.sh "$directory/first/kakehashi-$version-linux-x86_64.tar.gz" "$directory/fake_engine"
aarch64-linux-gnu-g++ -std=c++20 -O1 -static -I. tests/engines/fake_engine.cpp -o "$directory/fake_engine.arm64"
tests/packaging/check_kernel.sh "$directory/first/kakehashi-$version-linux-x86_64.tar.gz" "$directory/fake_engine" amd64
tests/packaging/check_kernel.sh "$directory/first/kakehashi-$version-linux-aarch64.tar.gz" "$directory/fake_engine.arm64" arm64

# The file for arm64 is of that kind, and runs.
tar -xf "$directory/first/kakehashi-$version-linux-aarch64.tar.gz" -C "$directory"
arm64=$directory/kakehashi-$version-linux-aarch64
tests/keeper/check_static.sh "$arm64/bin/kakehashi-keep"
for program in kakehashi kakehashi-keep; do
  ! readelf --program-headers --dynamic "$arm64/bin/$program" | grep -E 'INTERP|NEEDED' || fail "$program for arm64 needs something"
  qemu-aarch64-static "$arm64/bin/$program" --version | grep -q ', aarch64, release' || fail "$program for arm64 does not run"
done
"$arm64/lib/kakehashi/kakehashi-keep.x86_64" --version | grep -q ', x86_64, release' || fail "arm64 lacks the keeper for x86-64"

# `engine install` on a machine for arm64: one that says that it is, and runs its programs under qemu.
far=$directory/far
mkdir -p "$far/bin" "$far/home" "$directory/near"
tar -xf "$directory/first/kakehashi-$version-linux-x86_64.tar.gz" -C "$directory/near" --strip-components=1
printf '#!/bin/bash\nPATH=%s:$PATH eval "${!#}"\n' "$far/bin" >"$far/bin/ssh"
printf '#!/bin/sh\necho aarch64\n' >"$far/bin/uname"
chmod +x "$far"/bin/*
HOME=$far/home PATH=$far/bin:$PATH "$directory/near/bin/kakehashi" engine install far >"$directory/far.log" 2>&1 || true
tests/keeper/check_static.sh "$far/home/.kakehashi/bin/kakehashi-keep"
qemu-aarch64-static "$far/home/.kakehashi/bin/kakehashi-keep" --version | grep -q ', aarch64, ' ||
  fail "engine install brings another keeper: $(cat "$directory/far.log")"

for architecture in amd64 arm64; do
  python3 - "$directory/first/kakehashi-$version-image-$architecture.oci.tar" "$architecture" <<'PYTHON'
import gzip, hashlib, json, sys, tarfile
path, architecture = sys.argv[1:]
with tarfile.open(path) as tar:
    def blob(digest):
        data = tar.extractfile("blobs/" + digest.replace(":", "/")).read()
        assert hashlib.sha256(data).hexdigest() == digest.split(":")[1], digest
        return data
    index = json.load(tar.extractfile("index.json"))
    manifest = json.loads(blob(index["manifests"][0]["digest"]))
    image = json.loads(blob(manifest["config"]["digest"]))
    assert image["architecture"] == architecture and image["config"]["User"] == "10001:10001", image
    assert image["config"]["Entrypoint"] == ["/usr/bin/kakehashi"], image
    layers = [len(gzip.decompress(blob(layer["digest"]))) for layer in manifest["layers"]]
    assert len(layers) == 2 and layers[1] < 13_000_000, layers
    print(f"release: the image for {architecture} is {layers[1]} bytes over its base of {layers[0]}")
PYTHON
done
tests/packaging/check_container.sh "$directory/near/bin/kakehashi" "$directory/first/kakehashi-$version-image-amd64.oci.tar"
echo "release: $version is in order"
du -b "$directory"/first/* | sed "s|$directory/first/||"
