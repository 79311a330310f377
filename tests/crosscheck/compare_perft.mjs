// Compares our move generator with fairy-stockfish's: for every position of positions.txt, the
// number of leaves below each root move must be the same.
//
//   node compare_perft.mjs <perft_tool> <positions.txt> <fairy-stockfish>
//
// One difference is known and accounted for exactly. fairy-stockfish lists a pawn drop that mates
// (uchifuzume) as a move, after which its side has lost; for us and for the servers it is no move.
// perft_tool counts those drops in a column of its own.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const leavesMax = 400_000; // per position: the whole comparison takes seconds

function fail(message) {
  console.error(`compare_perft: ${message}`);
  process.exit(1);
}

function run(program, input) {
  const result = spawnSync(program, { input, encoding: "utf8", timeout: 60_000 });
  if (result.error || result.status !== 0) {
    const hint = result.error?.code === "ENOENT" ? " (scripts/setup.sh installs it)" : "";
    fail(`${program}: ${result.error ?? `exit status ${result.status}: ${result.stderr}`}${hint}`);
  }
  return result.stdout;
}

/** The positions with the greatest depth whose count of leaves is known and not too large. */
function readPositions(path) {
  const rows = [];
  for (const line of readFileSync(path, "utf8").split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [name, sfen, counts] = line.split("|").map((field) => field.trim());
    const known = counts.split(" ").map(Number);
    const depth = known.filter((count) => count <= leavesMax).length;
    if (depth === 0) fail(`${name}: no count of at most ${leavesMax} leaves`);
    rows.push({ name, sfen, depth, count: known[depth - 1] });
  }
  return rows;
}

/** Our answers: per position the leaves by root move, as the other program counts them. */
function readOurs(output) {
  const answers = [];
  let byMove = new Map();
  for (const line of output.trimEnd().split("\n")) {
    const [move, leaves, mates] = line.split(" ");
    if (move === "total") {
      answers.push({ byMove, leaves: Number(leaves), mates: Number(mates) });
      byMove = new Map();
    } else {
      byMove.set(move, Number(leaves) + Number(mates));
    }
  }
  return answers;
}

/** fairy-stockfish's: "7g7f: 30" lines, closed by "Nodes searched: 900". */
function readTheirs(output) {
  const answers = [];
  let byMove = new Map();
  for (const line of output.slice(output.indexOf("usiok")).split("\n")) {
    const total = /^Nodes searched: (\d+)/.exec(line);
    const move = /^([1-9A-Z][1-9a-i*][1-9][a-i]\+?): (\d+)/.exec(line);
    if (total) {
      answers.push({ byMove, total: Number(total[1]) });
      byMove = new Map();
    } else if (move) {
      byMove.set(move[1], Number(move[2]));
    }
  }
  return answers;
}

const [tool, positionsPath, engine] = process.argv.slice(2);
if (!engine) fail("needs the paths of perft_tool, positions.txt and fairy-stockfish");

const positions = readPositions(positionsPath);
const ours = readOurs(run(tool, positions.map((p) => `${p.depth} ${p.sfen}\n`).join("")));
const theirs = readTheirs(
  run(engine, `usi\n${positions.map((p) => `position sfen ${p.sfen}\ngo perft ${p.depth}\n`).join("")}quit\n`),
);
if (ours.length !== positions.length || theirs.length !== positions.length) {
  fail(`${positions.length} positions, ${ours.length} answers from us, ${theirs.length} from ${engine}`);
}

let differences = 0;
let leaves = 0;
let mates = 0;
positions.forEach((position, i) => {
  leaves += ours[i].leaves;
  mates += ours[i].mates;
  if (ours[i].leaves !== position.count) {
    ++differences;
    console.error(`${position.name}: ${ours[i].leaves} leaves instead of ${position.count}`);
  }
  for (const move of new Set([...ours[i].byMove.keys(), ...theirs[i].byMove.keys()])) {
    const [our, their] = [ours[i].byMove.get(move), theirs[i].byMove.get(move)];
    if (our !== their) {
      ++differences;
      console.error(`${position.name} (${position.sfen}): ${move}: ours ${our}, theirs ${their}`);
    }
  }
});
if (differences > 0) fail(`${differences} differences`);
if (mates === 0) fail("no position had a mating pawn drop; the known difference was not exercised");
console.log(
  `${positions.length} positions, ${leaves} leaves: the same move by move, ` +
    `${mates} mating pawn drops aside`,
);
