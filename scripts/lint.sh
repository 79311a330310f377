#!/usr/bin/env bash
# Static analysis. cppcheck looks at the whole program in seconds; it is part of the test command.
# clang-tidy (.clang-tidy has its list) needs some four seconds a file, so it looks at what is named.
#
#   scripts/lint.sh                     cppcheck, all of the program
#   scripts/lint.sh tidy [BASE]         clang-tidy, the sources that differ from BASE (default: main)
#   scripts/lint.sh tidy-all            clang-tidy, all of the program: some ten minutes
set -euo pipefail
cd "$(dirname "$0")/.."

folders=(base shogi csa usi config rehearsal bridge status)
jobs=$(nproc)

case "${1:-cppcheck}" in
  cppcheck)
    cppcheck -j "$jobs" --std=c++20 --enable=warning,portability --quiet \
      --error-exitcode=1 --suppressions-list=.cppcheck-suppressions --suppress=missingIncludeSystem \
      --template='{file}:{line}: {severity}: {id}: {message}' -DKAKEHASHI_VERSION='"0"' -I . \
      "${folders[@]}"
    echo "lint: cppcheck finds nothing"
    exit 0 ;;
  tidy) mapfile -t files < <(git diff --name-only --diff-filter=d "${2:-main}" -- "${folders[@]/%//*.cpp}") ;;
  tidy-all) mapfile -t files < <(git ls-files -- "${folders[@]/%//*.cpp}") ;;
  *) sed -n '5,7s/^#   //p' "$0" >&2; exit 64 ;;
esac
if [ ${#files[@]} -eq 0 ]; then
  echo "lint: no source differs"
  exit 0
fi
# A compilation database of clang: g++ has flags that clang-tidy does not know.
cmake --preset asan >/dev/null
printf '%s\n' "${files[@]}" | xargs -P "$jobs" -n 1 clang-tidy -p build/asan --quiet 2>/dev/null
echo "lint: clang-tidy finds nothing in ${#files[@]} files"
