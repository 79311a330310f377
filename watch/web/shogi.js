// --- positions and moves, as far as a board needs them: what is legal and how a move is called, the program says
const kanji = { P: "歩", L: "香", N: "桂", S: "銀", G: "金", B: "角", R: "飛", K: "玉", "+P": "と", "+L": "杏", "+N": "圭", "+S": "全", "+B": "馬", "+R": "龍" };
const ranks = "一二三四五六七八九", files = "１２３４５６７８９";
const csaKinds = { FU: "P", KY: "L", KE: "N", GI: "S", KI: "G", KA: "B", HI: "R", OU: "K", TO: "+P", NY: "+L", NK: "+N", NG: "+S", UM: "+B", RY: "+R" };
const handKinds = ["R", "B", "G", "S", "N", "L", "P"];

function parseSfen(sfen) {
  const [rows, turn, hands] = sfen.split(" ");
  const position = { board: {}, hands: { black: {}, white: {} }, turn: turn === "w" ? "white" : "black" };
  rows.split("/").forEach((row, r) => {
    let file = 9;
    for (let i = 0; i < row.length; ++i) {
      if (row[i] >= "1" && row[i] <= "9") { file -= Number(row[i]); continue; }
      const promoted = row[i] === "+"; if (promoted) ++i;
      const kind = (promoted ? "+" : "") + row[i].toUpperCase();
      position.board[file + "" + (r + 1)] = { kind, side: row[i] === row[i].toUpperCase() ? "black" : "white" }; --file;
    }
  });
  for (const [, count, piece] of (hands || "-").matchAll(/(\d*)([A-Za-z])/g)) {
    position.hands[piece === piece.toUpperCase() ? "black" : "white"][piece.toUpperCase()] = Number(count || 1);
  }
  return position;
}

function formatSfen(position, ply) {
  const rows = [];
  for (let rank = 1; rank <= 9; ++rank) {
    let row = "", empty = 0;
    for (let file = 9; file >= 1; --file) {
      const piece = position.board[file + "" + rank];
      if (!piece) { ++empty; continue; }
      row += (empty || "") + (piece.side === "black" ? piece.kind : piece.kind.toLowerCase()); empty = 0;
    }
    rows.push(row + (empty || ""));
  }
  let hands = "";
  for (const side of ["black", "white"]) for (const kind of handKinds) {
    const count = position.hands[side][kind];
    if (count) hands += (count > 1 ? count : "") + (side === "black" ? kind : kind.toLowerCase());
  }
  return `${rows.join("/")} ${position.turn === "black" ? "b" : "w"} ${hands || "-"} ${ply + 1}`;
}

// "+7776FU" or "7g7f" as { from, to, kind }; nothing when it is no move.
function readMove(position, text) {
  const csa = /^([+-])([0-9])([0-9])([1-9])([1-9])([A-Z]{2})$/.exec(text);
  if (csa) {
    const kind = csaKinds[csa[6]], from = csa[2] + csa[3];
    return kind ? { from: from === "00" ? "" : from, to: csa[4] + csa[5], kind, side: csa[1] === "+" ? "black" : "white" } : null;
  }
  const usi = /^(?:([1-9])([a-i])|([PLNSGBR])\*)([1-9])([a-i])(\+?)$/.exec(text);
  if (!usi) return null;
  const rank = letter => letter.charCodeAt(0) - 96, from = usi[3] ? "" : usi[1] + rank(usi[2]);
  const moving = from ? position.board[from] : { kind: usi[3] };
  return moving ? { from, to: usi[4] + rank(usi[5]), kind: (usi[6] && !moving.kind.startsWith("+") ? "+" : "") + moving.kind, side: position.turn } : null;
}

// The position behind a move; the same position when the text is no move.
function playMove(position, text) {
  const move = readMove(position, text);
  const next = { board: { ...position.board }, hands: { black: { ...position.hands.black }, white: { ...position.hands.white } }, turn: position.turn === "black" ? "white" : "black", last: move };
  if (!move) return next;
  const taken = next.board[move.to], hand = next.hands[move.side], unpromoted = kind => kind.replace("+", "");
  if (move.from) delete next.board[move.from];
  else hand[unpromoted(move.kind)] = Math.max(0, (hand[unpromoted(move.kind)] || 0) - 1);
  if (taken && taken.side !== move.side && taken.kind !== "K") hand[unpromoted(taken.kind)] = (hand[unpromoted(taken.kind)] || 0) + 1;
  next.board[move.to] = { kind: move.kind, side: move.side };
  next.turn = move.side === "black" ? "white" : "black";
  return next;
}
