// Reads the records of a generated corpus back with libraries that are not ours: tsshogi and
// shogiops (V2.2 and V3.0), json-kifu-format (V2.2). The same start, the same moves, each of them
// legal, the same times, scores, names and ending.
//
//   node compare_records.mjs <records_tool> <games>
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load, loadModule } from "../npm/load.mjs";

const {
  Color,
  Move,
  RecordMetadataKey,
  formatCSAMove,
  getCSASpecialMoveName,
  importCSA,
} = load("tsshogi");
const { Parsers } = load("json-kifu-format");
const { parseCsaHeader, parseCsaMoveOrDrop } = await loadModule("shogiops/notation/csa");
const { makeSfen } = await loadModule("shogiops/sfen");

function fail(message) {
  console.error(`compare_records: ${message}`);
  process.exit(1);
}

const [tool, count] = process.argv.slice(2);
const directory = mkdtempSync(join(tmpdir(), "kakehashi-records-"));
process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
const made = spawnSync(tool, [directory, count], { encoding: "utf8", timeout: 60_000 });
if (made.status !== 0) fail(`${tool} failed: ${made.error ?? made.stderr}`);

/** The words of EndingKind's numbers; V2.2 has no %MAX_MOVES, and the corpus none of it there. */
const endings = [
  "%TORYO",
  "%CHUDAN",
  "%SENNICHITE",
  "%TIME_UP",
  "%ILLEGAL_MOVE",
  "%+ILLEGAL_ACTION",
  "%-ILLEGAL_ACTION",
  "%JISHOGI",
  "%KACHI",
  "%HIKIWAKE",
  "%MAX_MOVES",
  "%TSUMI",
  "%FUZUMI",
  "%ERROR",
];

/** "2026/11/21 03:04:05" */
function date(seconds) {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replaceAll("-", "/").replace("T", " ");
}

/** What must come out: { black, …, moves: [{ csa, ms, score }], ending, endingMs }. */
function expectation(path) {
  const expected = { moves: [] };
  for (const line of readFileSync(path, "utf8").trimEnd().split("\n")) {
    const [, name, value] = /^(\S+) (.*)$/.exec(line);
    if (name === "move") {
      const [csa, ms] = value.split(" ");
      expected.moves.push({ csa, ms: Number(ms) });
    } else if (name === "score") {
      expected.moves.at(-1).score = value;
    } else if (name === "ending") {
      const [kind, ms] = value.split(" ");
      expected.ending = endings[kind];
      expected.endingMs = Number(ms);
    } else if (name === "started") {
      expected.started = date(Number(value));
    } else {
      expected[name] = value;
    }
  }
  return expected;
}

/** An SFEN without its move number, which the libraries count differently. */
const withoutNumber = (sfen) => sfen.split(" ").slice(0, 3).join(" ");

function same(name, library, what, seen, expected) {
  if (seen !== expected) fail(`${name}: ${library} reads ${seen} for ${expected} (${what})`);
}

function withTsshogi(text, name, expected) {
  const record = importCSA(text);
  if (record instanceof Error) fail(`${name}: tsshogi: ${record.message}`);
  const check = (what, seen, wanted) => same(name, "tsshogi", what, seen, wanted);
  const metadata = (key) => record.metadata.getStandardMetadata(RecordMetadataKey[key]);
  check("black's name", metadata("BLACK_NAME"), expected.black);
  check("white's name", metadata("WHITE_NAME"), expected.white);
  check("event", metadata("TITLE"), expected.event);
  check("start time", metadata("START_DATETIME"), expected.started);

  const position = record.initialPosition.clone();
  check("start", withoutNumber(position.sfen), withoutNumber(expected.start));
  const nodes = record.moves.slice(1);
  const last = nodes.at(-1);
  if (last.move instanceof Move) fail(`${name}: tsshogi sees no ending`);
  const played = nodes.slice(0, -1);
  check("number of moves", played.length, expected.moves.length);
  played.forEach((node, i) => {
    if (!position.isValidMove(node.move)) fail(`${name}: tsshogi: move ${i + 1} is not legal`);
    check(`move ${i + 1}`, formatCSAMove(node.move), expected.moves[i].csa);
    // It multiplies seconds by 1000 in floating point.
    check(`time of move ${i + 1}`, Math.round(node.elapsedMs), expected.moves[i].ms);
    const score = /^\* (-?\d+)/m.exec(node.comment)?.[1];
    check(`score of move ${i + 1}`, score, expected.moves[i].score);
    position.doMove(node.move);
  });
  check("final position", withoutNumber(position.sfen), withoutNumber(expected.final));

  // tsshogi knows who fouled only in relation to the side that moved last, and of %ERROR the name.
  const blackMoved = position.color === Color.WHITE;
  const [lastMover, other] = blackMoved ? ["+", "-"] : ["-", "+"];
  const foul = { foulLose: lastMover, foulWin: other }[last.move.type];
  const accepted = foul
    ? [`%${foul}ILLEGAL_ACTION`, ...(last.move.type === "foulLose" ? ["%ILLEGAL_MOVE"] : [])]
    : [`%${getCSASpecialMoveName(last.move) ?? last.move.name}`];
  if (!accepted.includes(expected.ending)) {
    fail(`${name}: tsshogi reads ${accepted} for ${expected.ending}`);
  }
  check("time of the ending", Math.round(last.elapsedMs), expected.endingMs);
}

function withShogiops(text, name, expected) {
  const check = (what, seen, wanted) => same(name, "shogiops", what, seen, wanted);
  const lines = text.split("\n");
  const header = parseCsaHeader(lines.filter((line) => /^P|^[+-]$/.test(line)).join("\n"));
  if (header.isErr) fail(`${name}: shogiops: ${header.error.message}`);
  const position = header.value;
  check("start", withoutNumber(makeSfen(position)), withoutNumber(expected.start));
  const moves = lines.filter((line) => /^[+-]\d{4}/.test(line));
  check("number of moves", moves.length, expected.moves.length);
  moves.forEach((line, i) => {
    const move = parseCsaMoveOrDrop(position, line);
    if (!move || !position.isLegal(move)) fail(`${name}: shogiops: ${line} is not legal`);
    check(`move ${i + 1}`, line, expected.moves[i].csa);
    position.play(move);
  });
  check("final position", withoutNumber(makeSfen(position)), withoutNumber(expected.final));
}

const promoted = { FU: "TO", KY: "NY", KE: "NK", GI: "NG", KA: "UM", HI: "RY" };

function withJsonKifuFormat(text, name, expected) {
  let parsed;
  try {
    parsed = Parsers.parseCSA(text);
  } catch (error) {
    fail(`${name}: json-kifu-format: ${error.message}`);
  }
  const check = (what, seen, wanted) => same(name, "json-kifu-format", what, seen, wanted);
  check("black's name", parsed.header["先手"], expected.black);
  check("white's name", parsed.header["後手"], expected.white);
  const moves = parsed.moves.filter((entry) => entry.move);
  check("number of moves", moves.length, expected.moves.length);
  moves.forEach(({ move, time }, i) => {
    const square = (place) => (place ? `${place.x}${place.y}` : "00");
    const sign = move.color === 0 ? "+" : move.color === 1 ? "-" : expected.moves[i].csa[0];
    const piece = move.promote ? promoted[move.piece] : move.piece;
    check(
      `move ${i + 1}`,
      `${sign}${square(move.from)}${square(move.to)}${piece}`,
      expected.moves[i].csa,
    );
    const ms = ((time.now.h ?? 0) * 3600 + time.now.m * 60 + time.now.s) * 1000;
    check(`time of move ${i + 1}`, ms, expected.moves[i].ms);
  });
  check("ending", `%${parsed.moves.at(-1).special}`, expected.ending);
}

let moves = 0;
for (let i = 0; i < Number(count); ++i) {
  for (const version of ["v2", "v3"]) {
    const name = `game-${i}.${version}`;
    const text = readFileSync(join(directory, `${name}.csa`), "utf8");
    const expected = expectation(join(directory, `${name}.txt`));
    withTsshogi(text, name, expected);
    withShogiops(text, name, expected);
    if (version === "v2") withJsonKifuFormat(text, name, expected);
    moves += expected.moves.length;
  }
}
if (moves < Number(count) * 2 * 40) {
  fail(`only ${moves} moves in twice ${count} games: the corpus is broken`);
}
console.log(`compare_records: ${count} games in two versions, ${moves} moves, all read back alike`);
