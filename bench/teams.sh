#!/usr/bin/env bash
# What thinking ahead on several replies is worth: the same engine alone, with a team of 3 and with one of 5 plays
# against itself without pondering, from the same positions with both colors, on the embedded server. Prints a row
# for each: how many of the replies it had thought about, the time that gained, and the result with its interval.
#
#   bench/teams.sh [KAKEHASHI [GAMES [CLOCK]]]     build/release/kakehashi, 20, bench-15-0
#
# Needs fairy-stockfish and two processors. The opponent has the first processor to itself, and the team all others: what slows the members
# down, where they are more than their processors, is each other and nothing else. Engines use a tenth of the time that
# they are given, so that games are short.
set -euo pipefail
cd "$(dirname "$0")/.."
kakehashi=$(realpath "${1:-build/release/kakehashi}")
games=${2:-20}
clock=${3:-bench-15-0}
engine=${ENGINE:-/usr/games/fairy-stockfish}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

last=$(($(nproc) - 1))
# NAME PONDER MEMBERS CPUS
configuration() {
  cat <<YAML
server: {host: localhost}
account: {name: $1, password_env: TEAMS_PASSWORD}
game: {name: $clock}
ponder: $2
archive: {enabled: false}
engine:
  command: [$engine]
  options: {Threads: 1, Slow Mover: 10}
  limits: {cpus: "$4"}
YAML
  if [ "$3" -gt 1 ]; then
    printf '  team_play: multi_ponder\n  team:\n'
    for i in $(seq 2 "$3"); do printf '    - {name: member%d}\n' "$i"; done
  fi
}
# Beginnings that are played: two games of each.
cat > openings.txt <<'POSITIONS'
startpos moves 7g7f 3c3d
startpos moves 2g2f 8c8d
startpos moves 7g7f 8c8d
startpos moves 2g2f 3c3d
startpos moves 7g7f 3c3d 6g6f
startpos moves 7g7f 8c8d 6g6f
startpos moves 2g2f 8c8d 2f2e
startpos moves 7g7f 3c3d 2g2f
startpos moves 5g5f 3c3d
startpos moves 7g7f 4a3b
POSITIONS
configuration opponent false 1 0 > opponent.yaml

export TEAMS_PASSWORD=x
printf '| engines | thought ahead | replies among them | gained of all thinking | games (won, lost, drawn) | Elo (95 %%) |\n'
printf '| --- | --- | --- | --- | --- | --- |\n'
for members in 1 3 5; do
  name=team$members
  configuration "$name" true "$members" "1-$last" > "$name.yaml"
  "$kakehashi" rehearse "$name.yaml" opponent.yaml --games "$games" --openings openings.txt --max-moves 160 --no-watch \
    --out "$name" > "$name.log" 2>&1 || { tail -n 5 "$name.log" >&2; exit 1; }
  "$kakehashi" games stats --archive "$name/games.db" --bot "$name" > "$name.stats"
  awk -v engines="$members" '
    /^all games/ { played = $3 " (" $4 ", " $5 ", " $6 ")" }
    /^pondering:/ { split($0, part, ", "); sub(/^pondering: /, "", part[1]); sub(/ searches?/, "", part[1])
                    thought = part[1]; hits = part[2]; sub(/ hits/, "", hits)
                    share = $0; sub(/.*\(/, "", share); sub(/ of all thinking.*/, "", share) }
    FILENAME ~ /log$/ && /^Elo / { elo = $0; sub(/^Elo +/, "", elo); sub(/;.*/, "", elo) }
    END { printf "| %d | %s | %s | %s | %s | %s |\n", engines, thought, hits, share, played, elo }
  ' "$name.stats" "$name.log"
done
