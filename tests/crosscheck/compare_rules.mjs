// Compares our rules with those of tsshogi, an independent library, on thousands of positions: the
// set of legal moves, in both directions, over every conceivable move; check; the declaration of an
// entering-king win by 27 points.
//
//   node compare_rules.mjs <games_tool> <arguments of games_tool…>
import { spawnSync } from "node:child_process";
import { load } from "../npm/load.mjs";

const {
  Color,
  JishogiDeclarationResult,
  JishogiDeclarationRule,
  Position,
  Square,
  countJishogiDeclarationPoint,
  countNotExistingPieces,
  handPieceTypes,
  judgeJishogiDeclaration,
} = load("tsshogi");

const positionsMin = 3_000; // fewer would mean that the games broke off
const movesShownMax = 20;

function fail(message) {
  console.error(`compare_rules: ${message}`);
  process.exit(1);
}

function legalMoves(position) {
  const legal = [];
  const judge = (move) => {
    if (position.isValidMove(move)) legal.push(move.usi);
  };
  for (const to of Square.all) {
    for (const from of Square.all) {
      if (position.board.at(from)?.color !== position.color) continue;
      const move = position.createMove(from, to);
      judge(move);
      judge(move.withPromote());
    }
    for (const type of handPieceTypes) {
      judge(position.createMove(type, to));
    }
  }
  return legal;
}

/** What tsshogi adds to white's points: the pieces missing from the set. The servers do not. */
function handicapPoints(position) {
  const { king, rook, bishop, ...others } = countNotExistingPieces(position);
  const small = Object.values(others).reduce((sum, count) => sum + count, 0);
  return position.color === Color.WHITE ? 5 * (rook + bishop) + small : 0;
}

const [tool, ...toolArguments] = process.argv.slice(2);
const games = spawnSync(tool, toolArguments, {
  encoding: "utf8",
  maxBuffer: 1 << 30,
  timeout: 120_000,
});
if (games.error || games.status !== 0) {
  fail(`${tool}: ${games.error ?? `exit status ${games.status}: ${games.stderr}`}`);
}

const seen = { positions: 0, moves: 0, checks: 0, mates: 0, declarations: 0 };
let differences = 0;
function differ(sfen, what) {
  ++differences;
  if (differences <= movesShownMax) console.error(`${sfen}: ${what}`);
}

for (const line of games.stdout.trimEnd().split("\n")) {
  const [sfen, check, declaration, points, moves] = line.split("\t");
  const position = Position.newBySFEN(sfen);
  if (!position) fail(`tsshogi does not read our SFEN: ${sfen}`);
  if (position.sfen !== sfen) differ(sfen, `tsshogi writes it as ${position.sfen}`);

  const ours = new Set(moves.split(" ").filter((move) => move !== ""));
  const theirs = new Set(legalMoves(position));
  for (const move of ours) if (!theirs.has(move)) differ(sfen, `${move} is legal only for us`);
  for (const move of theirs) if (!ours.has(move)) differ(sfen, `${move} is legal only for tsshogi`);

  if ((check === "check") !== position.checked) differ(sfen, `check: ours ${check}`);
  const { color } = position;
  const handicap = handicapPoints(position);
  const theirPoints = countJishogiDeclarationPoint(position, color) - handicap;
  if (Number(points) !== theirPoints) differ(sfen, `points: ours ${points}, theirs ${theirPoints}`);
  const wins =
    judgeJishogiDeclaration(JishogiDeclarationRule.GENERAL27, position, color) ===
    JishogiDeclarationResult.WIN;
  if (handicap === 0 && (declaration === "win") !== wins) {
    differ(sfen, `declaration: ours ${declaration}`);
  }

  ++seen.positions;
  seen.moves += ours.size;
  if (check === "check") ++seen.checks;
  if (check === "check" && ours.size === 0) ++seen.mates;
  if (declaration === "win") ++seen.declarations;
}

if (differences > 0) fail(`${differences} differences`);
if (seen.positions < positionsMin) fail(`only ${seen.positions} positions`);
for (const [what, count] of Object.entries(seen)) {
  if (count === 0) fail(`the games held no ${what}`);
}
console.log(
  `${seen.positions} positions, ${seen.moves} legal moves: the same; ` +
    `${seen.checks} checks, ${seen.mates} mates, ${seen.declarations} valid declarations among them`,
);
