#!/usr/bin/env bash
# Builds the fuzz targets (clang's libFuzzer with AddressSanitizer and UndefinedBehaviorSanitizer) and
# runs them one after another, each for so many seconds, from the corpus in tests/fuzz/corpus. What
# they learn stays in build/fuzz/corpus. Ends with the number of executions of each; the exit status
# is 1 when one found something, and the input that shows it lies in build/fuzz/findings.
#
#   scripts/fuzz.sh [SECONDS [TARGET...]]     default: 30 seconds, all targets
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-30}
[[ "$seconds" =~ ^[1-9][0-9]*$ ]] || { sed -n '7s/^#   //p' "$0" >&2; exit 64; }
shift || true
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
  for folder in tests/fuzz/corpus/*/; do targets+=("$(basename "$folder")"); done
fi

cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target fuzz -j "$(nproc)" >/dev/null

status=0
mkdir -p build/fuzz/findings
for target in "${targets[@]}"; do
  [ -d "tests/fuzz/corpus/$target" ] || { echo "fuzz: there is no target $target" >&2; exit 64; }
  learnt=build/fuzz/corpus/$target
  mkdir -p "$learnt"
  log=build/fuzz/$target.log
  words=()
  [ -f "tests/fuzz/dictionaries/$target.dict" ] && words=("-dict=tests/fuzz/dictionaries/$target.dict")
  result=ok
  KAKEHASHI_FUZZ_TARGET=$target build/fuzz/tests/fuzz/fuzz "${words[@]}" -max_total_time="$seconds" \
    -max_len=8192 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 -verbosity=1 \
    -artifact_prefix="build/fuzz/findings/$target-" "$learnt" "tests/fuzz/corpus/$target" \
    >"$log" 2>&1 || { result=FOUND; status=1; }
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  printf '%-14s %12s executions in %s s: %s\n' "$target" "${executions:-?}" "$seconds" "$result"
  [ "$result" = ok ] || grep -m 3 -E 'ERROR|does not hold|Test unit written|what\(\)' "$log" || true
done
exit "$status"
