// --- making elements, and the board
const svg = (name, attributes, text) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  if (text !== undefined) made.textContent = text;
  return made;
};
const html = (name, className, text) => {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
};
// Written only when it differs: a screen reader and a selection are left alone by what stays the same.
const set = (element, text) => { if (element.textContent !== String(text)) element.textContent = text; };
const setAttribute = (element, name, text) => { if (element.getAttribute(name) !== String(text)) element.setAttribute(name, text); };
const button = (className, text, act) => {
  const made = html("button", className, text);
  made.type = "button"; made.addEventListener("click", act);
  return made;
};
const named = (element, text) => { setAttribute(element, "aria-label", text); element.title = text; };

// A board as it stands on a table: a little higher than wide, the hands on stands beside it, or above and below
// where there is no room beside it.
const cell = { width: 60, height: 64 }, frame = 28, stand = 104;
const sizes = { K: 1, R: 0.98, B: 0.98, G: 0.94, S: 0.94, N: 0.9, L: 0.88, P: 0.84 };

class Board {
  constructor() {
    this.element = html("figure", "board");
    this.picture = svg("svg", { role: "img" });
    this.caption = html("div", "hidden");
    this.element.append(this.picture, this.caption);
    this.drawn = "";
  }

  // `label` is what a screen reader says of it; `isLine`: a position that was not played.
  show(position, { label, flipped = false, narrow = false, isLine = false, withTable = true }) {
    const key = JSON.stringify([position, label, flipped, narrow, isLine, language]);
    if (key === this.drawn) return;
    this.drawn = key;
    setAttribute(this.picture, "aria-label", label);
    this.draw(position, flipped, narrow, isLine);
    if (withTable) this.describe(position);
  }

  draw(position, flipped, narrow, isLine) {
    const width = 9 * cell.width, height = 9 * cell.height;
    const left = narrow ? 4 : stand + 18, top = narrow ? 70 : 4;
    const all = { width: width + 2 * left + 2 * frame, height: height + 2 * frame + 2 * top };
    const x0 = left + frame, y0 = top + frame, parts = [];
    const put = (...made) => parts.push(...made);
    const corner = square => {
      const column = flipped ? Number(square[0]) - 1 : 9 - Number(square[0]), row = flipped ? 9 - Number(square[1]) : Number(square[1]) - 1;
      return [x0 + column * cell.width, y0 + row * cell.height];
    };
    put(svg("rect", { x: left, y: top, width: width + 2 * frame, height: height + 2 * frame, rx: 5, class: "wood" }),
      svg("rect", { x: left, y: top, width: width + 2 * frame, height: height + 2 * frame, rx: 5, class: "grain" }));
    const last = position.last;
    if (last) {
      for (const [square, name] of [[last.from, "left"], [last.to, "reached"]]) {
        if (!square) continue;
        const [x, y] = corner(square);
        put(svg("rect", { x: x + 2, y: y + 2, width: cell.width - 4, height: cell.height - 4, class: name + (isLine ? " line" : "") }));
      }
    }
    let lines = "";
    for (let i = 0; i <= 9; ++i) lines += `M${x0 + i * cell.width} ${y0}v${height}M${x0} ${y0 + i * cell.height}h${width}`;
    put(svg("path", { d: lines, class: "grid" }), svg("rect", { x: x0, y: y0, width, height, class: "rim" }));
    for (const [i, j] of [[3, 3], [6, 3], [3, 6], [6, 6]]) put(svg("circle", { cx: x0 + i * cell.width, cy: y0 + j * cell.height, r: 4, class: "star" }));
    for (let i = 1; i <= 9; ++i) {
      const [x] = corner(i + "1"), [, y] = corner("1" + i);
      put(svg("text", { x: x + cell.width / 2, y: top + frame - 8, class: "coordinate" }, files[i - 1]),
        svg("text", { x: x0 + width + frame / 2, y: y + cell.height / 2 + 6, class: "coordinate" }, ranks[i - 1]));
    }
    for (const square in position.board) {
      const [x, y] = corner(square);
      put(this.piece(x + cell.width / 2, y + cell.height / 2, position.board[square].kind, position.board[square].side, flipped));
    }
    for (const side of ["black", "white"]) put(...this.hand(position.hands[side], side, (side === "black") !== flipped, flipped, narrow, all));
    this.picture.setAttribute("viewBox", `0 0 ${all.width} ${all.height}`);
    this.picture.replaceChildren(...parts);
  }

  piece(x, y, kind, side, flipped) {
    const plain = kind.replace("+", ""), size = sizes[plain] || 1, turned = (side === "white") !== flipped;
    const group = svg("g", { class: "piece", transform: `translate(${x} ${y})${turned ? " rotate(180)" : ""} scale(${size})` });
    const shape = "M0-29 17-21 24 27H-24L-17-21Z";
    group.append(svg("path", { d: shape, class: "shade", transform: turned ? "translate(-1.5 -2.5)" : "translate(1.5 2.5)" }), svg("path", { d: shape, class: "body" }),
      svg("text", { y: 15, class: kind[0] === "+" ? "promoted" : "" }, plain === "K" && side === "white" ? "王" : kanji[kind]));
    return group;
  }

  hand(held, side, isBottom, flipped, narrow, all) {
    const kinds = handKinds.filter(kind => held[kind]), made = [];
    const place = narrow
      ? i => isBottom ? [40 + i * 84, all.height - 33] : [all.width - 70 - i * 84, 33]
      : i => isBottom ? [all.width - stand / 2, all.height - 46 - (kinds.length - 1 - i) * 66] : [stand / 2, 46 + (kinds.length - 1 - i) * 66];
    const depth = Math.max(kinds.length, 1) * 66 + 20;
    if (!narrow) made.push(svg("rect", { x: isBottom ? all.width - stand : 0, y: isBottom ? all.height - depth - 4 : 4, width: stand, height: depth, rx: 5, class: "stand" }));
    kinds.forEach((kind, i) => {
      const [x, y] = place(i), count = held[kind];
      made.push(this.piece(narrow ? x : x - 12, y, kind, side, flipped));
      if (count > 1) made.push(svg("text", { x: narrow ? x + 36 : x + 24, y: y + 10, class: "count" }, count));
    });
    return made;
  }

  // The same in words, a table that only a screen reader meets.
  describe(position) {
    const table = html("table"), caption = html("caption", "", say("The board, rank by rank, and the hands"));
    table.lang = "ja"; caption.lang = language; table.append(caption);
    for (let rank = 1; rank <= 9; ++rank) {
      const row = html("tr"), head = html("th", "", ranks[rank - 1]); head.scope = "row"; row.append(head);
      for (let file = 9; file >= 1; --file) {
        const piece = position.board[file + "" + rank];
        row.append(html("td", "", piece ? (piece.side === "black" ? "▲" : "△") + kanji[piece.kind] : "・"));
      }
      table.append(row);
    }
    const hands = ["black", "white"].map(side => {
      const held = handKinds.filter(kind => position.hands[side][kind]).map(kind => kanji[kind] + (position.hands[side][kind] > 1 ? position.hands[side][kind] : "")).join(" ");
      return html("p", "", say("{}'s hand", sideText(side)) + ": " + (held || sayAs("page", "nothing")));
    });
    this.caption.replaceChildren(table, ...hands);
  }
}
