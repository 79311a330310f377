#!/usr/bin/env bash
# What the linker and the compiler made of the hardening flags of the release build, looked up in the
# program itself: position independent, full RELRO, no executable stack, nothing writable and
# executable, stack protector, fortified calls, control-flow protection, no run path.
#
#   check_release_flags.sh PROGRAM
set -euo pipefail
program=$1
wrong=0
claim() { # what, command...
  local what=$1
  shift
  if "$@" >/dev/null; then
    echo "  $what"
  else
    echo "hardening: $program: NOT $what" >&2
    wrong=1
  fi
}
header=$(readelf -hW "$program")
segments=$(readelf -lW "$program")
dynamic=$(readelf -dW "$program")
symbols=$(readelf --dyn-syms -W "$program")
has() { grep -Eq "$2" <<<"$1"; }
lacks() { ! has "$@"; }

echo "$program is"
claim "a position independent executable" has "$header" 'Type: +DYN'
claim "flagged as such" has "$dynamic" 'FLAGS_1.*PIE'
claim "relocated read-only" has "$segments" 'GNU_RELRO'
claim "bound at its start (full RELRO)" has "$dynamic" 'BIND_NOW|FLAGS_1.*NOW'
claim "without an executable stack" has "$segments" 'GNU_STACK .* RW +0x'
claim "without a segment that can be written and executed" lacks "$segments" 'LOAD .* RWE '
claim "guarded by stack protectors" has "$symbols" '__stack_chk_fail'
claim "calling fortified functions" has "$symbols" '__[a-z]+_chk'
claim "without a run path" lacks "$dynamic" 'RPATH|RUNPATH'
# The note that switches the protection on is another matter: Debian's start files lack it.
if [ "$(uname -m)" = x86_64 ]; then
  claim "built with landing pads for indirect calls" has \
    "$(objdump -d --no-show-raw-insn --disassemble=main "$program")" 'endbr64'
fi
exit "$wrong"
