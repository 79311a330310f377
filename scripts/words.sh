#!/bin/sh
# Compares the sentences of the sources, which stand behind say( and say_as(, with po/ja.po.
# Usage: scripts/words.sh
# Shows each one that has no Japanese, and each in po/ja.po that no source says any more ("#~"); fails where there is one.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{ find . \( -type d -name 'build*' -o -path ./.git -o -path ./tests -o -path ./bench -o -path ./keeper \) -prune -o -name '*.[ch]pp' -print
  echo keeper/client.cpp; } | LC_ALL=C sort |
  xgettext --language=C++ --from-code=UTF-8 --keyword --keyword=say:1 --keyword=say_as:1c,2 --no-wrap \
    --files-from=- --output="$work/said.pot"
sed -n 's/data-context=\("[^"]*"\) data-say=\("[^"]*"\)/\nsayAs(\1, \2);\n/g; s/ data-say=\("[^"]*"\)/\nsay(\1);\n/gp' \
  watch/web/page.html | grep '^say' > "$work/page.js"
xgettext --language=JavaScript --from-code=UTF-8 --keyword --keyword=say:1 --keyword=sayAs:1c,2 --no-wrap \
  --join-existing --output="$work/said.pot" watch/web/*.js "$work/page.js"
msgmerge --quiet --no-fuzzy-matching --no-wrap po/ja.po "$work/said.pot" > "$work/both.po"
msgattrib --untranslated --no-obsolete --no-wrap "$work/both.po" | sed '1,/^$/d' | tee "$work/missing"
msgattrib --only-obsolete --no-wrap "$work/both.po" | sed -n '/^#~/p' | tee "$work/left"
[ ! -s "$work/missing" ] && [ ! -s "$work/left" ]
