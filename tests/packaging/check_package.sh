#!/usr/bin/env bash
# The Debian package as a user gets it: lintian has nothing to say, the program in it runs, the shells
# can read their completions, systemd its units.
#
#   check_package.sh BUILD_DIRECTORY
set -euo pipefail
build=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() { echo "packaging: $*" >&2; exit 1; }
# Runs a command whose every word of output is a complaint.
silent() { local said; said=$("$@" 2>&1) || fail "$*: $said"; [ -z "$said" ] || fail "$*: $said"; }

cpack -G DEB --config "$build/CPackConfig.cmake" -B "$scratch" >"$scratch/cpack.log" 2>&1 ||
  { cat "$scratch/cpack.log"; fail "cpack failed"; }
package=$(ls "$scratch"/kakehashi_*.deb)

silent lintian --allow-root --fail-on error,warning "$package"
dpkg-deb -x "$package" "$scratch/tree"
tree=$scratch/tree

"$tree/usr/bin/kakehashi" version | grep -q '^kakehashi [0-9]' || fail "the program does not run"
"$tree/usr/bin/kakehashi-keep" --version | grep -q '^kakehashi-keep [0-9]' || fail "the keeper does not run"
for program in kakehashi kakehashi-keep; do
  "$tree/usr/bin/$program" --version | grep -Eq '\(commit ([0-9a-f]{12}(\+changes)?|unknown), ' || fail "$program names no commit"
done
for page in README.md README.ja.md docs/configuration.md copyright; do
  [ -s "$tree/usr/share/doc/kakehashi/$page" ] || fail "$page is missing"
done
"$tree/usr/bin/kakehashi" check "$tree/usr/share/kakehashi/examples/demo.example.yaml" >"$scratch/check.log" 2>&1 ||
  true # it has no engine here; what counts is that it can be read
! grep -q ':[0-9]*:[0-9]*:' "$scratch/check.log" || fail "an example is not accepted: $(cat "$scratch/check.log")"
for page in kakehashi kakehashi-keep; do
  man -l --warnings "$tree/usr/share/man/man1/$page.1.gz" >/dev/null 2>"$scratch/man.log" ||
    fail "the man page: $(cat "$scratch/man.log")"
  [ ! -s "$scratch/man.log" ] || fail "the man page: $(cat "$scratch/man.log")"
done

silent bash -n "$tree/usr/share/bash-completion/completions/kakehashi"
silent zsh -n "$tree/usr/share/zsh/vendor-completions/_kakehashi"
silent fish --no-execute "$tree/usr/share/fish/vendor_completions.d/kakehashi.fish"

# What is offered: a command, and the words of an option.
offered_by_fish() {
  PATH=$tree/usr/bin:$PATH XDG_DATA_DIRS=$tree/usr/share:/usr/share HOME=$scratch fish --command "complete -C '$1'" |
    cut -f1 | paste -sd' '
}
offered_by_bash() {
  PATH=$tree/usr/bin:$PATH bash -c 'source "$1"; COMP_WORDS=($2 "$3"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _kakehashi; echo "${COMPREPLY[@]}"' \
    - "$tree/usr/share/bash-completion/completions/kakehashi" "$1" "$2"
}
offered_by_zsh() { # words; its own ways of showing them are replaced
  PATH=$tree/usr/bin:$PATH zsh -fc 'file=$1; shift; words=("$@"); CURRENT=$#; PREFIX=$words[CURRENT]; set --
    compadd() { shift; print -r -- "$@"; }; _describe() { print -r -- ${${(P)@[-1]}%%:*}; }; source $file' \
    - "$tree/usr/share/zsh/vendor-completions/_kakehashi" "$@"
}
[ "$(offered_by_fish 'kakehashi ch')" = check ] || fail "fish completes ch by: $(offered_by_fish 'kakehashi ch')"
[ "$(offered_by_bash kakehashi ch)" = check ] || fail "bash completes ch by: $(offered_by_bash kakehashi ch)"
[[ " $(offered_by_zsh kakehashi ch) " = *" check "* ]] || fail "zsh completes ch by: $(offered_by_zsh kakehashi ch)"
[ "$(offered_by_zsh kakehashi rehearse --event '')" = "wcsc denryu floodgate" ] ||
  fail "zsh completes --event by: $(offered_by_zsh kakehashi rehearse --event '')"
[ "$(offered_by_fish 'kakehashi rehearse --event ')" = "denryu floodgate wcsc" ] ||
  fail "fish completes --event by: $(offered_by_fish 'kakehashi rehearse --event ')"
[ "$(offered_by_bash 'kakehashi rehearse bot.yaml --faults' m)" = mild ] ||
  fail "bash completes --faults m by: $(offered_by_bash 'kakehashi rehearse bot.yaml --faults' m)"

# `cmake --install` below a prefix of one's own: the same files but Debian's, where zsh looks for what is installed
# by hand, and units that start what lies there.
prefix=$scratch/prefix
cmake --install "$build" --prefix "$prefix" >"$scratch/install.log" || { cat "$scratch/install.log"; fail "cmake --install failed"; }
"$prefix/bin/kakehashi" version | grep -q '^kakehashi [0-9]' || fail "the installed program does not run"
files() { (cd "$1" && find . -type f | grep -v '/LICENSE$\|/copyright$\|/changelog\.Debian\.gz$\|/lintian/' |
  sed 's|/zsh/site-functions/|/zsh/vendor-completions/|' | sort); }
diff <(files "$tree/usr") <(files "$prefix") >&2 || fail "cmake --install and the package bring other files"
[ -e "$prefix/share/zsh/site-functions/_kakehashi" ] || fail "zsh does not find what is installed by hand"
silent systemd-analyze verify --man=no "$prefix/lib/systemd/system/kakehashi.service" \
  "$prefix/lib/systemd/system/kakehashi@bot.service"

# systemd-analyze looks for the program that a unit starts.
units=$scratch/units
mkdir "$units"
for unit in kakehashi.service kakehashi@.service; do
  sed "s|/usr/bin/kakehashi|$tree/usr/bin/kakehashi|" "$tree/usr/lib/systemd/system/$unit" >"$units/$unit"
done
silent systemd-analyze verify --man=no "$units/kakehashi.service" "$units/kakehashi@bot.service"
for unit in kakehashi.service kakehashi@.service; do
  systemd-analyze security --offline=true --threshold=15 "$units/$unit" >"$scratch/security.log" 2>&1 ||
    fail "$unit is too exposed: $(tail -1 "$scratch/security.log")"
done
# The drop-ins, each on top of each unit.
exposed_at_most() { # tenths, drop-in, unit
  install -D -m 644 "$tree/usr/share/kakehashi/dropins/$2.conf" "$scratch/$2/$3.d/$2.conf"
  cp "$units/$3" "$scratch/$2/$3"
  silent env SYSTEMD_UNIT_PATH="$scratch/$2:" systemd-analyze verify --man=no \
    "$scratch/$2/${3/@./@bot.}"
  SYSTEMD_UNIT_PATH="$scratch/$2:" systemd-analyze security --offline=true --threshold="$1" \
    "$scratch/$2/$3" >"$scratch/security.log" 2>&1 ||
    fail "$3 with $2.conf is too exposed: $(tail -1 "$scratch/security.log")"
  tail -1 "$scratch/security.log"
}
for unit in kakehashi.service kakehashi@.service; do
  exposed_at_most 20 gpu "$unit"
  exposed_at_most 15 strict "$unit"
done
echo "packaging: the package is in order"
