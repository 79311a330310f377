#!/usr/bin/env bash
# Static analysis. cppcheck looks at the whole program in seconds. clang-tidy (.clang-tidy has its list)
# needs some seconds a file, so a file that has not changed since it was clean, and whose headers have not
# either, is not looked at again (scripts/tidy.py). scripts/test.sh all has cppcheck and "tidy-quick".
#
#   scripts/lint.sh                     cppcheck, all of the program; that each script can be read, and each mutation fits
#   scripts/lint.sh tidy [BASE]         clang-tidy, the sources that differ from BASE (default: main)
#   scripts/lint.sh tidy-quick          clang-tidy, all of the program, what was changed last first; but none that
#                                       follows paths through the code
#   scripts/lint.sh tidy-all            clang-tidy, all of the program (scripts/nightly.sh)
set -euo pipefail
cd "$(dirname "$0")/.."

folders=(base shogi csa usi keeper config words bridge journal games watch holder daemon rehearse cli)
jobs=$(nproc)
# Files of ours, those that were changed last first: what is not committed, then commit by commit.
changed() {
  git status --porcelain --no-renames --untracked-files=all | cut -c4-
  git log -n 300 --no-renames --name-only --format=
}
# Where time is limited, what was changed last is looked at; a source counts as changed with its header. Sources that were
# unpacked from an archive, which git knows nothing of, come by their names.
all_sources() {
  local sources
  sources=$(find "${folders[@]}" -name '*.cpp' | LC_ALL=C sort)
  awk 'NR == FNR { is_source[$0]; next } { sub(/\.hpp$/, ".cpp") } $0 in is_source && !is_listed[$0]++' \
    <(echo "$sources") <(changed 2>/dev/null || true; echo "$sources")
}

quick=()
# Those too that no test runs.
read_scripts() {
  local script
  while read -r script; do
    case $script in
      *.sh) bash -n "$script" ;;
      *.mjs) node --check "$script" ;;
      *.py) python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read(), sys.argv[1])' "$script" ;;
      *) sh -n "$script" ;;
    esac
  done < <(find bench deploy scripts tests -name node_modules -prune -o \
    \( -name '*.sh' -o -name '*.mjs' -o -name '*.py' -o -name postinst -o -name prerm -o -name postrm \) -print)
  echo "lint: each script can be read"
}

case "${1:-cppcheck}" in
  cppcheck)
    read_scripts
    scripts/mutate.sh fits
    cppcheck -j "$jobs" --std=c++20 --enable=warning,portability --quiet \
      --error-exitcode=1 --suppressions-list=.cppcheck-suppressions --suppress=missingIncludeSystem \
      --template='{file}:{line}: {severity}: {id}: {message}' -DKAKEHASHI_VERSION='"0"' -I . \
      "${folders[@]}"
    echo "lint: cppcheck finds nothing"
    exit 0 ;;
  tidy) mapfile -t files < <(git diff --name-only --diff-filter=d "${2:-main}" -- "${folders[@]/%//*.cpp}") ;;
  tidy-all) mapfile -t files < <(all_sources) ;;
  tidy-quick) mapfile -t files < <(all_sources); quick=(--quick) ;;
  *) sed -n '6,10s/^#   //p' "$0" >&2; exit 64 ;;
esac
if [ ${#files[@]} -eq 0 ]; then
  echo "lint: no source differs"
  exit 0
fi
# A compilation database of clang: g++ has flags that clang-tidy does not know. Without precompiled headers it shows
# what forgets to include them.
cmake --preset asan -B build/tidy -DKAKEHASHI_PCH=OFF >/dev/null
cmake --build build/tidy --target words/ja.inc >/dev/null  # what is included and made
exec scripts/tidy.py "${quick[@]}" build/tidy "${files[@]}"
