#!/usr/bin/env bash
# Sets up, builds and runs the tests in three tiers: what everybody runs, what CI runs, and what is too
# long for both (scripts/nightly.sh). Each build ends with ctest's summary.
#
#   scripts/test.sh            the development build (g++, warnings are errors) and its tests but the long ones;
#                              12 minutes from a clean tree on two cores
#   scripts/test.sh all        what CI runs: static analysis, the development build with the long tests too (real
#                              peers, whole games, packages, a browser), every header alone, AddressSanitizer and
#                              UndefinedBehaviorSanitizer (clang), threads; 30 minutes
#   scripts/test.sh asan       only the sanitizer build
#   scripts/test.sh tsan       what has threads of its own, under ThreadSanitizer (in seconds)
#   scripts/test.sh tsan all   the system tests and combinations of settings too, with the program (minutes, behind a long build; not part of the rest)
#   scripts/test.sh container  the container image: built, run, stopped in mid-game (not part of the rest)
#   scripts/test.sh core       only what decides: no socket, no process, no file; in the development build
set -euo pipefail
cd "$(dirname "$0")/.."

# The sanitizers' own run time needs a pipe to look at an object: a process without descriptors is
# tested in the development build only. So is a clock that is set, which their own clock_gettime hides, and
# what lies in a process's memory, of which the sanitizers keep copies of their own, and a memcmp or a malloc that is put before theirs.
# LeakSanitizer cannot run under ptrace, which strace needs: no system call is made to fail there. And a sanitizer's
# own instructions are nobody's cost.
asan_choice=(-LE 'crosscheck|packaging|browser|nightly|faults|instructions'
  -E 'a_process_without_descriptors|a_clock_on_the_wall|the_login_line_is_wiped_from_memory|of_which_one_process|takes_no_memory|an_exception_that_leaves')

which=${1:-dev}
case "$which" in
  all | dev | asan | tsan | core | container) ;;
  *) echo "test: unknown argument '$which'; use all, asan, tsan, core or container, or nothing" >&2; exit 64 ;;
esac

step() { printf '\n== %s ==\n' "$*"; }
jobs=$(nproc)
tests_at_once=$((2 * jobs + 1)) # most of their time they wait for a timer or a peer; a sanitizer's do not

step "setup"
scripts/setup.sh
step "npm packages for the tests"
(cd tests/npm && npm ci --no-audit --no-fund --loglevel=error)

static_analysis() {
  step "static analysis"
  scripts/lint.sh
  scripts/lint.sh tidy-quick
}

check_headers() {
  step "every header stands alone"
  cmake --build --preset dev -j "$jobs" --target all_verify_interface_header_sets
}

run() { # preset and targets in one word, ctest arguments...
  local preset=${1%% *} targets=()
  [ "$1" = "$preset" ] || read -ra targets <<<"--target ${1#* }"
  shift
  step "configure $preset"
  cmake --preset "$preset" >"build-$preset.log" 2>&1 || { cat "build-$preset.log"; exit 1; }
  rm -f "build-$preset.log"
  step "build $preset"
  cmake --build --preset "$preset" -j "$jobs" "${targets[@]}"
  step "test $preset"
  [ "$preset" != asan ] || tests_at_once=$((jobs + 1))
  ctest --preset "$preset" -j "$tests_at_once" --no-tests=error "$@"
}

threads() { # "all": the program and its system tests too
  local targets=(threads_test) chosen='^threads\.'
  if [ "${1:-}" = all ]; then
    targets+=(kakehashi kakehashi-keep system_test)
    chosen='^(threads|system|settings)\.'
  fi
  step "configure tsan"
  cmake --preset tsan >/dev/null
  step "build tsan"
  cmake --build --preset tsan -j "$jobs" --target "${targets[@]}"
  step "test tsan"
  # ThreadSanitizer's shadow memory has its fixed place, where a random address space may lie already.
  local fixed=()
  ! setarch -R true 2>/dev/null || fixed=(setarch -R)
  "${fixed[@]}" ctest --preset tsan -j "$jobs" --no-tests=error -R "$chosen"
}

container() {
  step "build the program of the image"
  cmake --preset static >/dev/null
  cmake --build --preset static -j "$jobs" --target kakehashi kakehashi-keep
  step "test the image"
  tests/packaging/check_container.sh build/static/kakehashi
}

case "$which" in
  container) container ;;
  tsan) threads "${2:-}" ;;
  core)
    rooms='base shogi csa usi keeper config words bridge journal games watch rehearse_server golden'
    run "dev ${rooms// /_test }_test" -LE 'nightly|long' -R "^(${rooms// /|})([._]|$)" ;;
  dev) run "dev short_tests" -LE 'nightly|long' -E '^(sim|fuzz|chaos)_test_NOT_BUILT$' ;; # of which all tests are long
  asan) run asan "${asan_choice[@]}" ;;
  all)
    static_analysis
    run dev -LE nightly
    check_headers
    # These look at results and files from outside; sanitizing them again shows nothing new.
    run asan "${asan_choice[@]}"
    threads
    ;;
esac
