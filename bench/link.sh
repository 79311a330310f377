#!/usr/bin/env bash
# What share of its time an engine gets over a link, and whether a game is lost on time: bots play
# each other on the embedded server, each line to it delayed (slow_link.cpp), with an engine that
# uses all the time it is given on every move (thinker.cpp). Prints the tables of docs/internals/reliability.md.
#
#   bench/link.sh [--built DIRECTORY] [--pairs N] [--moves N] [ROW ...]
#
# A row is DELAY_MS:JITTER_MS:LOST_PERMILLE:ACCIDENT_MS:CLOCK:GAMES, the delay one way. LOST of a
# thousand pieces are late by a round trip and 200 ms more, as a lost packet would be; ACCIDENT is what the
# echo of the third move is late by, once a game. So many pairs play so many games
# of so many moves (60), all rows side by side.
set -euo pipefail
cd "$(dirname "$0")/.."

built=build/bench
pairs=10
moves=60
rows=()
while [ $# -gt 0 ]; do
  case "$1" in
    --built) built=$2; shift 2 ;;
    --pairs) pairs=$2; shift 2 ;;
    --moves) moves=$2; shift 2 ;;
    *) rows+=("$1"); shift ;;
  esac
done
[ ${#rows[@]} -gt 0 ] || rows=(
  10:1:0:1000:0-10:1 10:1:0:1000:300-10F:1 10:1:0:1000:60-2F:1
  0:2:0:0:0-1:2 50:10:0:0:0-1:2 150:30:0:0:0-1:2 260:10:0:0:0-1:2 300:0:0:0:0-1:2 250:50:0:0:0-1:2
  300:0:0:0:0-1F:2 250:50:0:0:0-2:2 600:30:0:0:0-2:2
  0:2:5:0:0-2:2 0:2:5:0:2-1F:2 20:10:5:0:0-2:2 20:10:5:0:2-1F:2 100:50:5:0:0-2:2 100:50:5:0:2-1F:2)
if [ "$built" = build/bench ]; then
  cmake --preset bench >/dev/null
  cmake --build --preset bench -j "$(nproc)" \
    --target kakehashi bench_slow_link bench_thinker >/dev/null
fi
built=$(cd "$built" && pwd)

work=$(mktemp -d)
mkdir "$work/started"
end() {
  for file in "$work"/started/*; do
    [ ! -e "$file" ] || kill "$(basename "$file")" 2>/dev/null || true
  done
  rm -rf "$work"
}
trap end EXIT

# The first line of a file, once it is there.
first_line() {
  until [ -s "$1" ]; do sleep 0.05; done
  head -n 1 "$1"
}

# One row: delay, jitter, lost, accident, clock, games.
play() {
  local delay=$1 jitter=$2 lost=$3 accident=$4 clock=$5 games=$6
  local here=$work/$delay-$jitter-$lost-$accident-$clock
  mkdir -p "$here/bots"
  "$built/kakehashi" serve --port 0 --max-moves "$moves" >"$here/serve" &
  local server=$!
  touch "$work/started/$server"
  local port
  port=$(first_line "$here/serve" | grep -o '[0-9]*$')
  "$built/bench/bench_slow_link" "$port" "$delay" "$jitter" "$lost" $((200 + 2 * delay)) \
    "$accident" 1 >"$here/link" &
  local link=$!
  touch "$work/started/$link"
  port=$(first_line "$here/link")
  for pair in $(seq "$pairs"); do
    for side in a b; do
      cat >"$here/bots/$pair$side.yaml" <<YAML
server: {host: 127.0.0.1, port: $port}
account: {name: p$pair$side, password_env: LINK_PASSWORD}
game: {name: p$pair-$clock, count: $games, meet_own: true}
engine: {command: [$built/bench/bench_thinker]}
records: {enabled: false}
journal: {enabled: false}
YAML
    done
  done
  LINK_PASSWORD=link "$built/kakehashi" run --log-format json "$here/bots" 2>"$here/log" &
  local bots=$!
  touch "$work/started/$bots"
  wait "$bots" || true
  kill "$link" "$server"
  wait "$link" "$server" 2>/dev/null || true
  rm "$work/started/$server" "$work/started/$link" "$work/started/$bots"
  [ -z "${LINK_LOGS:-}" ] || cp "$here/log" "$LINK_LOGS/$(basename "$here").log"
  summarise "$@" <"$here/log" >"$here/row"
}

# One row of the table from the bots' log. Each game is told by both of its bots.
summarise() {
  awk -v delay="$1" -v jitter="$2" -v lost="$3" -v accident="$4" -v clock="$5" '
    function field(name) {
      return match($0, "\"" name "\":\"[^\"]*\"") \
        ? substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 5) : ""
    }
    /"code":"game_ended"/ { ++ended; if (field("reason") == "#TIME_UP") ++fallen }
    /"code":"time_used"/ {
      ++told; moves += field("moves"); granted += field("granted_ms"); had += field("had_ms")
      margin += field("margin_ms")
    }
    /"code":"(rescue_move|engine_lost|game_lost_sight)"/ { ++rescued }
    /"code":"engine_hurried"/ { ++hurried }
    END {
      printf "| %d to %d ms | %s | %s | %s | %d | %d | %.1f %% | %.0f ms | %d | %d | %d |\n",
        2 * delay, 2 * (delay + jitter), clock, (lost > 0 ? lost / 10 " %" : "-"),
        (accident > 0 ? accident / 1000 " s" : "-"), ended / 2, moves,
        (granted > 0 ? 100 * had / granted : 0), (told > 0 ? margin / told : 0),
        hurried, rescued, fallen / 2
    }'
}

for row in "${rows[@]}"; do
  IFS=: read -r delay jitter lost accident clock games <<<"$row"
  play "$delay" "$jitter" "$lost" "$accident" "$clock" "$games" &
done
wait
echo "| round trip | clock | lost packets | late echo | games | moves | had | kept back a move | told to stop | rescued | lost on time |"
echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
for row in "${rows[@]}"; do
  IFS=: read -r delay jitter lost accident clock games <<<"$row"
  cat "$work/$delay-$jitter-$lost-$accident-$clock/row"
done
