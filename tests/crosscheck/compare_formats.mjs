// Reads a corpus of games back, in every format that tsshogi and json-kifu-format know: the same
// start, the same moves, each of them legal, the same times, names and ending, and in KI2 and JKF
// the same words for which of several pieces moved. Then the other way: what these libraries write
// of each game, our readers read as the same game.
//
//   node compare_formats.mjs <formats_tool> <generated games> <transcripts>
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "../npm/load.mjs";

const tsshogi = load("tsshogi");
const { Parsers, Normalizer, JKFPlayer } = load("json-kifu-format");
const { Color, Move, RecordMetadataKey, formatCSAMove, getDirectionModifier } = tsshogi;

function fail(message) {
  console.error(`compare_formats: ${message}`);
  process.exit(1);
}

const [tool, count, transcripts] = process.argv.slice(2);
const directory = mkdtempSync(join(tmpdir(), "kakehashi-formats-"));
process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
const made = spawnSync(tool, ["write", directory, count, transcripts], {
  encoding: "utf8",
  timeout: 120_000,
});
if (made.status !== 0) fail(`${tool} failed: ${made.error ?? made.stderr}`);

const withoutNumber = (sfen) => sfen.split(" ").slice(0, 3).join(" ");

function same(name, library, what, seen, expected) {
  if (seen !== expected) fail(`${name}: ${library} reads ${seen} for ${expected} (${what})`);
}

/** The side to move at the end: "+" or "-". */
const moverAtEnd = (expected) => (expected.final.split(" ")[1] === "b" ? "+" : "-");

/** The words of CSA with which a reader may name that ending, given what its format can say. */
function acceptedEndings(expected, format) {
  const mover = moverAtEnd(expected);
  const other = mover === "+" ? "-" : "+";
  const drawn = ["%JISHOGI", "%HIKIWAKE", "%MAX_MOVES"];
  if (["kifu", "ki2u"].includes(format)) {
    if (drawn.includes(expected.ending)) return drawn;
    if (["%CHUDAN", "%ERROR"].includes(expected.ending)) return ["%CHUDAN"];
  }
  if (expected.ending === "%ILLEGAL_MOVE" || expected.ending === `%${mover}ILLEGAL_ACTION`) {
    return ["%ILLEGAL_MOVE", `%${mover}ILLEGAL_ACTION`];
  }
  if (expected.ending === `%${other}ILLEGAL_ACTION`) return [expected.ending];
  return [expected.ending];
}

const modifiers = { 左: "L", 直: "C", 右: "R", 上: "U", 寄: "M", 引: "D", 打: "H" };
const letters = (words) => [...words].map((word) => modifiers[word]).join("");

/** CSA's word for what tsshogi read, given the side to which it relates a foul. */
function tsshogiEnding(last, mover) {
  const other = mover === "+" ? "-" : "+";
  if (last.type === "foulLose") return `%${mover}ILLEGAL_ACTION`;
  if (last.type === "foulWin") return `%${other}ILLEGAL_ACTION`;
  return `%${tsshogi.getCSASpecialMoveName(last) ?? last.name}`;
}

/** What a person wrote of a move stands between what the engine thought and what KI2 says of the end. */
function checkComments(where, seen, wanted, i) {
  if (wanted && !`\n${seen}\n`.includes(`\n${wanted.join("\n").trimEnd()}\n`)) {
    fail(`${where}: comment of move ${i + 1}: ${JSON.stringify(seen)}`);
  }
}

function withTsshogi(text, format, name, expected) {
  const importers = {
    csa: tsshogi.importCSA,
    csa3: tsshogi.importCSA,
    kifu: tsshogi.importKIF,
    ki2u: tsshogi.importKI2,
    jkf: tsshogi.importJKFString,
    usi: (line) => tsshogi.Record.newByUSI(line.trim()),
  };
  const record = importers[format](text);
  if (record instanceof Error) fail(`${name}: tsshogi: ${record.message}`);
  const check = (what, seen, wanted) => same(name, "tsshogi", what, seen, wanted);
  if (format !== "usi") {
    const { metadata } = record;
    const of = (...keys) =>
      keys.map((key) => metadata.getStandardMetadata(RecordMetadataKey[key])).find(Boolean) ?? "";
    check("black's name", of("BLACK_NAME", "SHITATE_NAME"), expected.black);
    check("white's name", of("WHITE_NAME", "UWATE_NAME"), expected.white);
    check("event", of("TITLE", "TOURNAMENT"), expected.event);
  }
  const position = record.initialPosition.clone();
  check("start", withoutNumber(position.sfen), withoutNumber(expected.start));
  const nodes = record.moves.slice(1);
  const played = nodes.filter((node) => node.move instanceof Move);
  check("number of moves", played.length, expected.moves.length);
  played.forEach((node, i) => {
    const wanted = expected.moves[i];
    if (!position.isValidMove(node.move)) fail(`${name}: tsshogi: move ${i + 1} is not legal`);
    check(`move ${i + 1}`, formatCSAMove(node.move), wanted.csa);
    check(`KI2 of ${i + 1}`, letters(getDirectionModifier(node.move, position)), wanted.relative);
    if (wanted.ms !== undefined && !["ki2u", "usi"].includes(format)) {
      const ms = format === "csa3" ? wanted.ms : wanted.ms - (wanted.ms % 1000);
      check(`time of move ${i + 1}`, Math.round(node.elapsedMs), ms);
    }
    if (wanted.score !== undefined && Math.abs(wanted.score) < 100000 && format !== "usi") {
      const score = /(?:^\* |^\*評価値=)(-?\d+)/m.exec(node.comment)?.[1];
      check(`score of move ${i + 1}`, score, String(wanted.score));
    }
    position.doMove(node.move);
  });
  check("final position", withoutNumber(position.sfen), withoutNumber(expected.final));
  // Of CSA files it takes the comments of programs alone.
  if (["kifu", "ki2u", "jkf"].includes(format)) {
    check("comment before the moves", record.moves[0].comment.trimEnd(), expected.comments.join("\n"));
    played.forEach((node, i) => {
      checkComments(`${name}: tsshogi`, node.comment, expected.moves[i].comments, i);
    });
  }
  if (!expected.ending || format === "usi") return;
  const last = nodes.at(-1);
  if (last.move instanceof Move) fail(`${name}: tsshogi sees no ending`);
  // It relates the fouls of CSA and JKF to the side that moved last, those of KIF to the mover.
  const mover = moverAtEnd(expected);
  const lastMover = mover === "+" ? "-" : "+";
  const isPlainFoul = expected.ending === "%ILLEGAL_MOVE";
  const related = /^(csa|jkf)/.test(format) && !isPlainFoul ? lastMover : mover;
  const seen = tsshogiEnding(last.move, related);
  const wanted = expected.ending === "%ERROR" && format.startsWith("csa") ? ["%ERROR"]
    : expected.ending === "%MAX_MOVES" && format === "csa" ? ["%HIKIWAKE"]
    : acceptedEndings(expected, format);
  if (!wanted.includes(seen)) fail(`${name}: tsshogi reads ${seen} for ${expected.ending}`);
}

const promoted = { FU: "TO", KY: "NY", KE: "NK", GI: "NG", KA: "UM", HI: "RY" };

function withJsonKifuFormat(text, format, name, expected) {
  // Its grammars know no such end of a game, and its KI2 none of a declaration.
  const unknown = ["%KACHI", "%MAX_MOVES", "%ERROR"].includes(expected.ending);
  if (format === "ki2u" && expected.ending === "%KACHI") return false;
  let parsed;
  try {
    parsed = { kifu: Parsers.parseKIF, ki2u: Parsers.parseKI2, jkf: JSON.parse }[format](text);
    if (format === "jkf") new JKFPlayer(parsed).goto(expected.moves.length);
  } catch (error) {
    fail(`${name}: json-kifu-format: ${error.message ?? error}`);
  }
  const check = (what, seen, wanted) => same(name, "json-kifu-format", what, seen, wanted);
  check("black's name", parsed.header["先手"] ?? parsed.header["下手"], expected.black);
  check("white's name", parsed.header["後手"] ?? parsed.header["上手"], expected.white);
  const player = new JKFPlayer(parsed);
  const seenStart = player.shogi.toSFENString(1);
  check("start", withoutNumber(seenStart), withoutNumber(expected.start));
  const moves = parsed.moves.filter((entry) => entry.move);
  check("number of moves", moves.length, expected.moves.length);
  moves.forEach(({ move, time, comments }, i) => {
    const wanted = expected.moves[i];
    const square = (place) => (place ? `${place.x}${place.y}` : "00");
    const sign = move.color === 0 ? "+" : "-";
    const piece = move.promote ? promoted[move.piece] : move.piece;
    check(`move ${i + 1}`, `${sign}${square(move.from)}${square(move.to)}${piece}`, wanted.csa);
    // It has no own words for drops onto squares that no other piece reaches.
    check(`KI2 of ${i + 1}`, move.relative ?? "", wanted.relative);
    checkComments(`${name}: json-kifu-format`, (comments ?? []).join("\n"), wanted.comments, i);
    if (wanted.ms !== undefined && format !== "ki2u") {
      const ms = ((time.now.h ?? 0) * 3600 + time.now.m * 60 + time.now.s) * 1000;
      check(`time of move ${i + 1}`, ms, wanted.ms - (wanted.ms % 1000));
    }
  });
  player.goto(moves.length);
  check("final position", withoutNumber(player.shogi.toSFENString(1)), withoutNumber(expected.final));
  if (expected.ending && !(unknown && format !== "jkf")) {
    const seen = `%${parsed.moves.at(-1).special}`;
    if (!acceptedEndings(expected, format).includes(seen)) {
      fail(`${name}: json-kifu-format reads ${seen} for ${expected.ending}`);
    }
  }
  return true;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
const shiftJis = new TextDecoder("shift_jis", { fatal: true });
const games = readdirSync(directory)
  .filter((name) => name.endsWith(".json"))
  .map((name) => name.slice(0, -5));
const counted = { moves: 0, told: 0, files: 0 };
for (const game of games) {
  const expected = JSON.parse(readFileSync(join(directory, `${game}.json`), "utf8"));
  counted.moves += expected.moves.length;
  counted.told += expected.moves.filter((move) => move.relative).length;
  for (const word of ["csa", "csa3", "kifu", "kif", "ki2u", "ki2", "jkf", "usi"]) {
    const name = `${game}.${word}`;
    // The older files differ in their encoding alone.
    const format = { kif: "kifu", ki2: "ki2u" }[word] ?? word;
    const text = (format === word ? utf8 : shiftJis).decode(readFileSync(join(directory, name)));
    withTsshogi(text, format, name, expected);
    if (["kifu", "ki2u", "jkf"].includes(format)) withJsonKifuFormat(text, format, name, expected);
    counted.files += 1;
  }
}
/** What the libraries make of a game: format's word, who, text. tsshogi has no short word for USI. */
function foreignFiles(game) {
  const text = (format) => readFileSync(join(directory, `${game}.${format}`), "utf8");
  const record = tsshogi.importCSA(text("csa3"));
  record.goto(Number.MAX_SAFE_INTEGER);
  return [
    ["csa", "tsshogi-v2", tsshogi.exportCSA(record, {})],
    ["csa3", "tsshogi-v3", tsshogi.exportCSA(record, { v3: { milliseconds: true } })],
    ["kifu", "tsshogi", tsshogi.exportKIF(record)],
    ["ki2u", "tsshogi", tsshogi.exportKI2(record)],
    ["jkf", "tsshogi", tsshogi.exportJKFString(record)],
    ["usi", "tsshogi", record.getUSI({ allMoves: true })],
    ["jkf", "json-kifu-format", JSON.stringify(Parsers.parseKIF(text("kifu")))],
  ];
}

const foreign = [];
for (const game of games) {
  for (const [format, by, text] of foreignFiles(game)) {
    foreign.push({ game, format, name: `${game}.${by}.${format}` });
    writeFileSync(join(directory, `${game}.${by}.${format}.foreign`), text);
  }
}
const readBack = spawnSync(tool, ["read", directory], { encoding: "utf8", timeout: 120_000 });
if (readBack.status !== 0) fail(`${tool} read failed: ${readBack.error ?? readBack.stderr}`);
for (const { game, format, name } of foreign) {
  const expected = JSON.parse(readFileSync(join(directory, `${game}.json`), "utf8"));
  const seen = JSON.parse(readFileSync(join(directory, `${name}.seen`), "utf8"));
  if (seen.error) fail(`${name}: we cannot read it: ${seen.error}`);
  const check = (what, ours, wanted) => same(name, "kakehashi", what, ours, wanted);
  check("format", seen.detected, format === "csa3" ? "csa" : format);
  check("start", seen.start, expected.start);
  check("final position", seen.final, expected.final);
  const moves = (all) => all.moves.map((move) => move.csa).join(" ");
  check("moves", moves(seen), moves(expected));
  if (["kifu", "jkf", "csa"].includes(format)) {
    seen.moves.forEach((move, i) => {
      const { ms } = expected.moves[i];
      if (ms !== undefined) check(`time of move ${i + 1}`, move.ms, ms - (ms % 1000));
    });
  }
  // tsshogi reads and writes the two special moves for fouls with the sides exchanged.
  const isFoul = expected.ending?.includes("ILLEGAL");
  if (expected.ending && format !== "usi" && !isFoul && expected.ending !== "%ERROR") {
    const drawn = ["%JISHOGI", "%HIKIWAKE", "%MAX_MOVES"];
    const isUnsaid = name.includes("json-kifu-format") && expected.ending === "%KACHI";
    if (!isUnsaid && !(drawn.includes(expected.ending) && drawn.includes(seen.ending))) {
      check("ending", seen.ending, expected.ending);
    }
  }
}

if (games.length < Number(count) + 10 || counted.moves < games.length * 30 || counted.told < 100) {
  fail(`the corpus is broken: ${JSON.stringify({ games: games.length, ...counted })}`);
}
console.log(
  `compare_formats: ${games.length} games, ${counted.files} files, ${counted.moves} moves, ` +
    `${counted.told} of them told from others, all read back alike; ` +
    `${foreign.length} files of other programs read`,
);
