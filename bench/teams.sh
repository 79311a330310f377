#!/usr/bin/env bash
# What thinking ahead on several replies is worth: the same engine alone, with a team of 3 and with one of 5 plays
# against itself without pondering, from the same positions with both colors, on the embedded server. Prints a row
# for each: how many of the replies it had thought about, the time that gained, and the result with its interval.
#
#   bench/teams.sh [KAKEHASHI [GAMES [CLOCK]]]     build/release/kakehashi, 20, bench-15-0
#
# Needs fairy-stockfish, and root: each engine has SHARE (10) hundredths of a processor to itself, by a control group of
# its own, so that members do not slow each other down: two processors are then as many slow ones. The rows are played at the same time. SLOW_MOVER (50) is how much of its time the engine uses; games are short
# that way. ROWS (1 3 5) are the sizes of the teams, CONCURRENCY (1) the games of each at the same time. Killed and
# started again with the same OUT=DIRECTORY, it goes on where it was. Other work on the machine costs games on time.
set -euo pipefail
cd "$(dirname "$0")/.."
kakehashi=$(realpath "${1:-build/release/kakehashi}")
games=${2:-20}
clock=${3:-bench-15-0}
engine=${ENGINE:-/usr/games/fairy-stockfish}
rows=${ROWS:-1 3 5}

# The control groups of processors: of a system's first kind, or of the second.
if [ -d /sys/fs/cgroup/cpu ]; then
  groups=/sys/fs/cgroup/cpu/kakehashi_teams
  quota='echo "$period" > "$group/cpu.cfs_period_us"; echo "$quota" > "$group/cpu.cfs_quota_us"'
else
  groups=/sys/fs/cgroup/kakehashi_teams
  quota='echo "$quota $period" > "$group/cpu.max"'
fi
mkdir -p "$groups" 2>/dev/null || { echo "teams: no control group can be made in ${groups%/*}; run this as root" >&2; exit 77; }
[ ! -e "$groups/cgroup.subtree_control" ] || echo +cpu > "$groups/cgroup.subtree_control"

if [ -n "${OUT:-}" ]; then
  mkdir -p "$OUT"
  folder=$(realpath "$OUT")
else
  folder=$(mktemp -d)
fi
leave() {
  [ -n "${OUT:-}" ] || rm -rf "$folder"
  find "$groups" -depth -type d -exec rmdir {} + 2>/dev/null || true
}
trap leave EXIT
cd "$folder"

cat > engine.sh <<ENGINE
#!/bin/sh -e
group=$groups/\$\$
period=20000
quota=$((${SHARE:-10} * 200)) # the kernel takes 1000 at least
mkdir -p "\$group"
$(printf '%s' "$quota")
echo \$\$ > "\$group/cgroup.procs"
exec $engine "\$@"
ENGINE
chmod +x engine.sh

# NAME PONDER MEMBERS
configuration() {
  cat <<YAML
server: {host: localhost}
account: {name: $1, password_env: TEAMS_PASSWORD}
game: {name: $clock}
ponder: $2
archive: {enabled: false}
engine:
  command: [$folder/engine.sh]
  options: {Threads: 1, Slow Mover: ${SLOW_MOVER:-50}}
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
configuration opponent false 1 > opponent.yaml

export TEAMS_PASSWORD=x
pids=()
for members in $rows; do
  name=team$members
  configuration "$name" true "$members" > "$name.yaml"
  "$kakehashi" rehearse "$name.yaml" opponent.yaml --games "$games" --openings openings.txt --max-moves 200 --no-watch --concurrency "${CONCURRENCY:-1}" \
    --out "$name" > "$name.log" 2>&1 &
  pids+=($!)
done
trap 'kill "${pids[@]}" 2>/dev/null || true; exit 1' INT TERM
status=0
for pid in "${pids[@]}"; do wait "$pid" || status=1; done

printf '| engines | thought ahead | replies among them | gained of all thinking | games (won, lost, drawn) | Elo (95 %%) |\n'
printf '| --- | --- | --- | --- | --- | --- |\n'
for members in $rows; do
  name=team$members
  if ! "$kakehashi" games stats --archive "$name/games.db" --opponent opponent > "$name.stats"; then
    tail -n 5 "$name.log" >&2
    status=1
    continue
  fi
  awk -v engines="$members" '
    /^all games/ { played = $3 " (" $4 ", " $5 ", " $6 ")" }
    /^pondering:/ { split($0, part, ", "); sub(/^pondering: /, "", part[1]); sub(/ searches?/, "", part[1])
                    thought = part[1]; hits = part[2]; sub(/ hits/, "", hits)
                    share = $0; sub(/.*\(/, "", share); sub(/ of all thinking.*/, "", share) }
    FILENAME ~ /log$/ && /^Elo / { elo = $0; sub(/^Elo +/, "", elo); sub(/;.*/, "", elo) }
    END { printf "| %d | %s | %s | %s | %s | %s |\n", engines, thought, hits, share, played, elo }
  ' "$name.stats" "$name.log"
done
exit "$status"
