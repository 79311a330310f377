// --- evaluation and time over the moves, with scales and one cursor through both
class Graphs {
  // `choose` is called with the ply that a person points to.
  constructor(choose) {
    this.element = html("div", "graphs");
    this.picture = svg("svg", { role: "slider", tabindex: "0", "aria-valuemin": "0" });
    this.readout = html("div", "readout");
    this.element.append(this.picture, this.readout);
    this.pointed = null;
    const plyAt = event => {
      const box = this.picture.getBoundingClientRect();
      return Math.max(0, Math.min(this.game.moves.length, Math.round((event.clientX - box.left - this.left) / this.step)));
    };
    this.picture.addEventListener("pointermove", event => { if (!this.game) return; this.pointed = plyAt(event); if (event.buttons) choose(this.pointed); this.showCursor(); });
    this.picture.addEventListener("pointerleave", () => { this.pointed = null; if (this.game) this.showCursor(); });
    this.picture.addEventListener("pointerdown", event => { if (this.game) choose(plyAt(event)); });
    new ResizeObserver(() => { if (this.game && this.element.clientWidth !== this.width) { this.drawn = ""; this.show(this.game, this.ply); } }).observe(this.element);
  }

  show(game, ply) {
    this.game = game; this.ply = ply;
    const last = game.moves[game.moves.length - 1];
    const key = [language, game.key, game.moves.length, last && last.score, last && last.ms].join();
    if (key !== this.drawn) { this.drawn = key; this.draw(); }
    this.showCursor();
  }

  draw() {
    const { moves } = this.game, width = this.width = this.element.clientWidth || 600;
    const left = this.left = 62, right = 14, over = { top: 18, height: Math.min(220, Math.max(120, width * 0.3)) }, under = { top: over.top + over.height + 34, height: 96 };
    const all = under.top + under.height + 24, span = Math.max(moves.length, 30), parts = [];
    this.step = (width - left - right) / span;
    this.bottom = under.top + under.height;
    const x = ply => left + ply * this.step, line = (x1, y1, x2, y2, name) => parts.push(svg("line", { x1, y1, x2, y2, class: name }));
    const text = (at, y, name, words) => parts.push(svg("text", { x: at, y, class: name }, words));

    // Evaluations lie closer the greater they are; a mate lies on the rim.
    const middle = over.top + over.height / 2;
    const height = thought => {
      const isMate = thought.mate !== undefined || Math.abs(thought.score) >= 30000;
      return middle - over.height / 2 * (isMate ? Math.sign(thought.score) : 2 / Math.PI * Math.atan(thought.score / 800));
    };
    text(left, 11, "title", say("Evaluation, from Black's side"));
    for (const value of over.height < 150 ? [0, 500, -500, 2000, -2000, 30000, -30000] : [0, 500, -500, 1000, -1000, 2000, -2000, 30000, -30000]) {
      const y = height({ score: value });
      line(left, y, width - right, y, value ? "scale" : "zero");
      text(left - 6, y + 4, "tick", value === 0 ? "0" : Math.abs(value) === 30000 ? (value > 0 ? "☗" : "☖") + sayAs("page", "mate") : signed(value));
    }
    for (const side of ["white", "black"]) {
      const isOurs = side === this.game.ours, points = [];
      moves.forEach((move, i) => { if (move.score !== undefined && move.side === side) points.push([x(i + 1), height(move)]); });
      if (!points.length) continue;
      parts.push(svg("polyline", { points: points.map(point => point.join()).join(" "), class: "course" + (isOurs ? "" : " theirs") }));
      if (this.step > 3) for (const [px, py] of points) parts.push(isOurs ? svg("circle", { cx: px, cy: py, r: 2.4, class: "mark" }) : svg("rect", { x: px - 2.4, y: py - 2.4, width: 4.8, height: 4.8, class: "mark theirs" }));
    }
    if (["black", "white"].every(side => moves.some(move => move.side === side && move.score !== undefined))) {
      const y = width < 460 ? over.top + 12 : 10;
      line(width - right - 170, y - 4, width - right - 146, y - 4, "course"); text(width - right - 142, y, "legend", say("ours"));
      line(width - right - 90, y - 4, width - right - 66, y - 4, "course theirs"); text(width - right - 62, y, "legend", sayAs("column", "opponent"));
    }

    // Black's times stand up, white's hang down.
    const longest = Math.max(1000, ...moves.map(move => move.ms || 0));
    const round = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600].find(one => one * 1000 >= longest) * 1000 || longest;
    const axis = under.top + under.height / 2, tall = ms => under.height / 2 * ms / round;
    text(left, under.top - 8, "title", say("Time for each move"));
    for (const [y, name, mark] of [[under.top, "scale", "☗" + spanText(round)], [axis, "zero", "0"], [under.top + under.height, "scale", "☖" + spanText(round)]]) {
      line(left, y, width - right, y, name); text(left - 6, y + 4, "tick", mark);
    }
    const bar = Math.max(1, Math.min(9, this.step * 0.75));
    for (const side of ["black", "white"]) {
      const bars = moves.map((move, i) => move.side === side && move.ms ? `M${x(i + 1)} ${axis}V${side === "black" ? axis - tall(move.ms) : axis + tall(move.ms)}` : "").join("");
      parts.push(svg("path", { d: bars || "M0 0", class: "bars " + side, "stroke-width": bar }));
    }
    const every = [5, 10, 20, 50, 100].find(one => one * this.step >= 44) || 200;
    for (let ply = 0; ply <= span; ply += every) { line(x(ply), this.bottom, x(ply), this.bottom + 4, "zero"); text(x(ply), this.bottom + 18, "ply", ply); }
    this.cursor = svg("line", { y1: over.top, y2: this.bottom, class: "cursor" });
    this.pointer = svg("line", { y1: over.top, y2: this.bottom, class: "cursor pointer" });
    parts.push(this.pointer, this.cursor);
    setAttribute(this.picture, "viewBox", `0 0 ${width} ${all}`);
    setAttribute(this.picture, "aria-label", say("Evaluation and time") + ", " + say("move number; arrow keys step"));
    this.picture.style.height = all + "px";
    this.picture.replaceChildren(...parts);
  }

  showCursor() {
    const place = (line, ply) => { setAttribute(line, "x1", this.left + ply * this.step); setAttribute(line, "x2", this.left + ply * this.step); };
    place(this.cursor, this.ply);
    place(this.pointer, this.pointed ?? this.ply);
    setAttribute(this.picture, "aria-valuemax", this.game.moves.length);
    setAttribute(this.picture, "aria-valuenow", this.ply);
    setAttribute(this.picture, "aria-valuetext", moveText(this.game, this.ply));
    set(this.readout, this.pointed === null ? "" : moveText(this.game, this.pointed));
  }
}

// "37手目 ▲７六歩 12秒 +52 深さ 18"
function moveText(game, ply) {
  const move = game.moves[ply - 1];
  if (!move) return sayAs("page", "start");
  return [sayAs("page", "move {}", ply), move.name, tookText(move.ms), scoreText(move), move.depth ? say("Depth") + " " + move.depth : ""].filter(Boolean).join("  ");
}
