// Reads the records of a generated corpus back with libraries that are not ours: tsshogi (V2.2 and
// V3.0) and json-kifu-format (V2.2). The same moves, each legal, the same times, the same ending.
//
//   node compare_records.mjs <records_tool> <games>
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "../npm/load.mjs";

const { Color, Move, formatCSAMove, getCSASpecialMoveName, importCSA } = load("tsshogi");
const { Parsers } = load("json-kifu-format");

function fail(message) {
  console.error(`compare_records: ${message}`);
  process.exit(1);
}

const [tool, count] = process.argv.slice(2);
const directory = mkdtempSync(join(tmpdir(), "kakehashi-records-"));
process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
const made = spawnSync(tool, [directory, count], { encoding: "utf8", timeout: 60_000 });
if (made.status !== 0) fail(`${tool} failed: ${made.error ?? made.stderr}`);

/** What must come out: { moves: [{ csa, ms }], ending }. */
function expectation(path) {
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const moves = lines.slice(1, -1).map((line) => {
    const [csa, ms] = line.split(" ");
    return { csa, ms: Number(ms) };
  });
  if (moves.length !== Number(lines[0])) fail(`${path} contradicts itself`);
  return { moves, ending: lines.at(-1) };
}

function withTsshogi(text, name, expected) {
  const record = importCSA(text);
  if (record instanceof Error) fail(`${name}: tsshogi: ${record.message}`);
  const position = record.initialPosition.clone();
  const nodes = record.moves.slice(1);
  const last = nodes.at(-1);
  if (last.move instanceof Move) fail(`${name}: tsshogi sees no ending`);
  const played = nodes.slice(0, -1);
  if (played.length !== expected.moves.length) {
    fail(`${name}: tsshogi sees ${played.length} of ${expected.moves.length} moves`);
  }
  played.forEach((node, i) => {
    if (!position.isValidMove(node.move)) fail(`${name}: tsshogi: move ${i + 1} is not legal`);
    const csa = formatCSAMove(node.move);
    if (csa !== expected.moves[i].csa) {
      fail(`${name}: tsshogi reads ${csa} for ${expected.moves[i].csa}`);
    }
    // It multiplies seconds by 1000 in floating point.
    if (Math.round(node.elapsedMs) !== expected.moves[i].ms) {
      fail(`${name}: tsshogi reads ${node.elapsedMs} ms for ${expected.moves[i].ms} ms`);
    }
    position.doMove(node.move);
  });
  // tsshogi knows who fouled only in relation to the side that moved last.
  const blackMoved = position.color === Color.WHITE;
  const foul = { foulLose: blackMoved ? "+" : "-", foulWin: blackMoved ? "-" : "+" }[last.move.type];
  const accepted = foul
    ? [`%${foul}ILLEGAL_ACTION`, ...(last.move.type === "foulLose" ? ["%ILLEGAL_MOVE"] : [])]
    : [`%${getCSASpecialMoveName(last.move)}`];
  if (!accepted.includes(expected.ending)) {
    fail(`${name}: tsshogi reads ${accepted} for ${expected.ending}`);
  }
}

const promoted = { FU: "TO", KY: "NY", KE: "NK", GI: "NG", KA: "UM", HI: "RY" };

function withJsonKifuFormat(text, name, expected) {
  let parsed;
  try {
    parsed = Parsers.parseCSA(text);
  } catch (error) {
    fail(`${name}: json-kifu-format: ${error.message}`);
  }
  const moves = parsed.moves.filter((entry) => entry.move);
  if (moves.length !== expected.moves.length) {
    fail(`${name}: json-kifu-format sees ${moves.length} of ${expected.moves.length} moves`);
  }
  moves.forEach(({ move, time }, i) => {
    const square = (place) => (place ? `${place.x}${place.y}` : "00");
    const sign = move.color === 0 ? "+" : move.color === 1 ? "-" : expected.moves[i].csa[0];
    const piece = move.promote ? promoted[move.piece] : move.piece;
    const csa = `${sign}${square(move.from)}${square(move.to)}${piece}`;
    if (csa !== expected.moves[i].csa) {
      fail(`${name}: json-kifu-format reads ${csa} for ${expected.moves[i].csa}`);
    }
    const ms = ((time.now.h ?? 0) * 3600 + time.now.m * 60 + time.now.s) * 1000;
    if (ms !== expected.moves[i].ms) {
      fail(`${name}: json-kifu-format reads ${ms} ms for ${expected.moves[i].ms} ms`);
    }
  });
  const special = parsed.moves.at(-1).special;
  if (`%${special}` !== expected.ending) {
    fail(`${name}: json-kifu-format reads %${special} for ${expected.ending}`);
  }
}

let moves = 0;
for (let i = 0; i < Number(count); ++i) {
  for (const version of ["v2", "v3"]) {
    const name = `game-${i}.${version}`;
    const text = readFileSync(join(directory, `${name}.csa`), "utf8");
    const expected = expectation(join(directory, `${name}.txt`));
    withTsshogi(text, name, expected);
    if (version === "v2") withJsonKifuFormat(text, name, expected);
    moves += expected.moves.length;
  }
}
if (moves < Number(count) * 40) fail(`only ${moves} moves in ${count} games: the corpus is broken`);
console.log(`compare_records: ${count} games in two versions, ${moves} moves, all read back alike`);
