#!/usr/bin/env bash
# What share of its time an engine gets over a link, and whether a game is lost on time: bots play
# each other on the embedded server, each line to it delayed (slow_link.cpp), with an engine that
# uses all the time it is given on every move (thinker.cpp). Prints the table of docs/reliability.md.
#
#   bench/link.sh [--built DIRECTORY] [--pairs N] [--games N] [DELAY_MS ...]
#
# Each pair plays so many games with each clock over each delay, pairs side by side. Of a thousand
# pieces five are late by a round trip and 200 ms more, as a lost packet would be.
set -euo pipefail
cd "$(dirname "$0")/.."

built=build/bench
pairs=20
games=6
delays=()
while [ $# -gt 0 ]; do
  case "$1" in
    --built) built=$2; shift 2 ;;
    --pairs) pairs=$2; shift 2 ;;
    --games) games=$2; shift 2 ;;
    *) delays+=("$1"); shift ;;
  esac
done
[ ${#delays[@]} -gt 0 ] || delays=(0 20 100)
if [ "$built" = build/bench ]; then
  cmake --preset bench >/dev/null
  cmake --build --preset bench -j "$(nproc)" \
    --target kakehashi bench_slow_link bench_thinker >/dev/null
fi
built=$(cd "$built" && pwd)

work=$(mktemp -d)
server=0
link=0
end() {
  [ "$link" = 0 ] || kill "$link" 2>/dev/null || true
  [ "$server" = 0 ] || kill "$server" 2>/dev/null || true
  rm -rf "$work"
}
trap end EXIT

# The first line of a file, once it is there.
first_line() {
  until [ -s "$1" ]; do sleep 0.05; done
  head -n 1 "$1"
}

# delay, jitter, clock
play() {
  local delay=$1 jitter=$2 clock=$3 bots=$work/bots
  rm -rf "$bots" "$work/serve" "$work/link"
  mkdir "$bots"
  "$built/kakehashi" serve --port 0 >"$work/serve" &
  server=$!
  local port
  port=$(first_line "$work/serve" | grep -o '[0-9]*$')
  "$built/bench/bench_slow_link" "$port" "$delay" "$jitter" 5 $((200 + 2 * delay)) 1 >"$work/link" &
  link=$!
  port=$(first_line "$work/link")
  for pair in $(seq "$pairs"); do
    for side in a b; do
      cat >"$bots/$pair$side.yaml" <<YAML
server: {host: 127.0.0.1, port: $port}
account: {name: p$pair$side, password_env: LINK_PASSWORD}
game: {name: p$pair-$clock, count: $games}
engine: {command: [$built/bench/bench_thinker]}
records: {enabled: false}
journal: {enabled: false}
YAML
    done
  done
  LINK_PASSWORD=link "$built/kakehashi" run --log-format json "$bots" 2>"$work/log" || true
  kill "$link" "$server"
  wait "$link" "$server" 2>/dev/null || true
  link=0
  server=0
  summarise "$delay" "$jitter" "$clock" <"$work/log"
  [ -z "${LINK_LOGS:-}" ] || cp "$work/log" "$LINK_LOGS/$delay-$clock.log"
}

# One row of the table from the bots' log. Each game is told by both of its bots.
summarise() {
  awk -v delay="$1" -v jitter="$2" -v clock="$3" '
    function field(name) {
      return match($0, "\"" name "\":\"[^\"]*\"") \
        ? substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 5) : ""
    }
    /"code":"game_ended"/ { ++ended; if (field("reason") == "#TIME_UP") ++fallen }
    /"code":"time_used"/ {
      moves += field("moves"); entitled += field("entitled_ms"); given += field("given_ms")
      used += field("used_ms"); lost += field("lost_ms")
    }
    /"code":"(rescue_move|engine_lost|game_lost_sight)"/ { ++rescued }
    /"code":"engine_hurried"/ { ++hurried }
    END {
      printf "| %s to %s ms | %s | %d | %d | %.1f %% | %.1f %% | %.0f ms | %d | %d | %d |\n",
        delay, delay + jitter, clock, ended / 2, moves, 100 * given / entitled,
        100 * used / entitled, (entitled - given) / moves, hurried, rescued, fallen / 2
    }'
}

echo "| one way | clock | games | moves | offered | used | kept back a move | told to stop | rescued | lost on time |"
echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
for delay in "${delays[@]}"; do
  jitter=$((delay / 2))
  [ "$jitter" -gt 0 ] || jitter=2
  for clock in 0-2 2-1F; do
    play "$delay" "$jitter" "$clock"
  done
done
