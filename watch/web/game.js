// --- one game, running or finished: board, clocks, moves, expected line, graphs

const ratio = score => 1 / (1 + Math.exp(-score / 600));

// What the program tells of a running game, and of a finished one, as one thing.
function liveGame(bot, received) {
  const game = bot.game, clock = side => {
    const one = game.clocks[side];
    return { untimed: one.untimed, left: one.main_time_ms, total: one.total_ms, byoyomi: one.byoyomi_ms, increment: one.increment_ms };
  };
  return { key: "live " + bot.name + " " + game.id, id: game.id, black: game.black, white: game.white, ours: game.our_color, start: game.start_sfen, now: game.sfen,
    moves: game.moves.map(move => readRow(move)), end: game.end, clocks: { black: clock("black"), white: clock("white") }, turn: game.turn,
    began: received - (game.turn_running_ms || 0), limit: game.max_moves, thought: game.score && { score: game.score.mate ? Math.sign(game.score.value) * 30000 : game.score.value, mate: game.score.mate ? game.score.value : undefined, depth: game.score.depth, nps: game.score.nps },
    line: game.score && game.score.pv ? { moves: game.score.pv.split(" "), names: game.score.japanese } : null, ponder: game.ponder, members: game.members, isLive: true };
}
function finishedGame(game) {
  const isBlack = game.color === "black";
  return { key: "game " + game.bot + " " + game.id, id: game.game_id, number: game.id, bot: game.bot, black: isBlack ? game.us : game.opponent, white: isBlack ? game.opponent : game.us, ours: game.color, start: game.sfen,
    moves: game.moves.map(move => readRow(move)), end: { outcome: game.outcome, reason: game.reason }, clock: game.clock, started: game.started_ms, engine: game.engine,
    ponder: game.ponder, members: game.members, time: game.time, link: game.link, rescues: game.rescues };
}
function readRow(move) {
  const score = move.score === undefined ? undefined : Math.max(-30000, Math.min(30000, move.score));
  return { text: move.move, name: move.japanese || move.move, side: move.move[0] === "+" ? "black" : "white", ms: move.consumed_ms, score, mate: move.mate, depth: move.depth,
    line: move.pv && move.pv.length ? { moves: move.pv, names: move.pv_japanese || move.pv } : null };
}

// What is left on a clock, and whether that is byoyomi.
function clockState(game, side, now) {
  const clock = game.clocks[side];
  if (clock.untimed) return { text: "—", isLast: false };
  const runs = !game.end && game.turn === side, spent = runs ? now - game.began : 0;
  const left = clock.left + (runs ? clock.increment : 0) - spent;
  if (left > 0 || !clock.byoyomi) return { text: clockFace(left), isLast: runs && left < 10000 };
  return { label: say("byoyomi"), text: clockFace(clock.byoyomi + Math.min(0, left)), isLast: runs };
}

class Player {
  constructor() {
    this.element = html("div", "player");
    this.mark = html("span", "mark"); this.name = html("span", "name"); this.tag = html("span", "tag"); this.turn = html("span", "turn");
    this.clock = html("span", "clock"); this.label = html("span", "label"); this.time = html("span", "time"); this.control = html("span", "control");
    const who = html("div", "who"), how = html("div", "how");
    who.append(this.name, this.tag); how.append(this.control, this.turn); this.clock.append(this.label, this.time);
    this.mark.setAttribute("aria-hidden", "true");
    this.element.append(this.mark, who, how, this.clock);
  }
  show(game, side, ply) {
    this.side = side;
    set(this.mark, side === "black" ? "☗" : "☖");
    set(this.name, game[side]);
    set(this.tag, game.ours === side ? say("ours") : ""); this.tag.hidden = game.ours !== side;
    const runs = !game.end && game.turn === side;
    this.element.classList.toggle("running", runs);
    this.turn.hidden = !runs; set(this.turn, runs ? say("to move") : "");
    this.element.classList.toggle("ours", game.ours === side);
    set(this.control, sideText(side) + " · " + (game.clocks ? controlText(game.clocks[side]) : say("time used")));
    this.tick(game, ply);
  }
  // A finished game has no clock that runs: what the side had used until then.
  tick(game, ply) {
    if (!game.clocks) { set(this.time, clockFace(game.moves.slice(0, ply).reduce((sum, move) => sum + (move.side === this.side ? move.ms || 0 : 0), 0))); return; }
    const { label, text, isLast } = clockState(game, this.side, Date.now());
    set(this.label, label || ""); set(this.time, text); this.element.classList.toggle("last-seconds", isLast);
  }
}

class Bar {
  constructor() {
    this.element = html("div", "bar"); this.fill = html("div", "fill"); this.text = html("span", "value");
    this.element.append(this.fill, this.text);
  }
  show(thought) {
    const has = thought && thought.score !== undefined;
    this.element.classList.toggle("empty", !has);
    this.fill.style.width = (has ? 100 * ratio(thought.score) : 50) + "%";
    set(this.text, has ? scoreText(thought) + " " + judgementText(thought.score) : "");
    this.element.title = say("Evaluation, from Black's side");
  }
}

class GameView {
  constructor() {
    this.element = html("section", "game");
    this.board = new Board(); this.upper = new Player(); this.lower = new Player(); this.bar = new Bar();
    this.graphs = new Graphs(ply => this.go(ply));
    this.ply = 0; this.follows = true; this.lineAt = 0; this.flipped = false; this.timer = 0; this.positions = []; this.known = []; this.seen = [];

    this.title = html("h2", "versus"); this.title.tabIndex = -1;
    this.ending = html("div", "end");
    this.now = html("div", "now"); this.lineNote = html("div", "line-note");
    this.spoken = html("div", "hidden"); this.spoken.setAttribute("aria-live", "polite");
    this.steps = html("div", "steps");
    this.buttons = {};
    for (const [name, sign, act] of [["first", "|◀", () => this.go(0)], ["back", "◀", () => this.go(this.ply - 1)], ["run", "", () => this.run()],
      ["forth", "▶", () => this.go(this.ply + 1)], ["last", "▶|", () => this.go(this.game.moves.length)], ["flip", "⇅", () => this.flip()]]) {
      this.steps.append(this.buttons[name] = button("step", sign, act));
    }
    this.boardColumn = html("div", "board-column");
    this.foot = html("div", "foot"); this.foot.append(this.now, this.steps);
    this.boardColumn.append(this.upper.element, this.board.element, this.lower.element, this.bar.element, this.foot, this.spoken);

    this.movesTitle = html("h3"); this.head = html("div", "row head"); this.head.setAttribute("aria-hidden", "true");
    this.list = html("ol", "moves"); this.rows = [];
    this.movesColumn = html("div", "moves-column"); this.movesColumn.append(this.movesTitle, this.head, this.list);

    this.lineTitle = html("h3"); this.line = html("div", "line"); this.graphTitle = html("h3");
    this.records = html("div", "records"); this.recordTitle = html("h3"); this.told = html("span", "told"); this.told.setAttribute("role", "status");
    this.figures = html("dl", "figures"); this.figuresTitle = html("h3"); this.extra = html("div", "extra");
    const thoughts = html("div", "thoughts"), facts = html("div", "facts-column");
    thoughts.append(this.title, this.ending, this.lineTitle, this.lineNote, this.line, this.graphTitle, this.graphs.element);
    facts.append(this.recordTitle, this.records, this.figuresTitle, this.figures, this.extra);
    this.analysis = html("div", "analysis"); this.analysis.append(thoughts, facts);
    this.element.append(this.boardColumn, this.movesColumn, this.analysis);
    new ResizeObserver(() => this.fit()).observe(this.boardColumn);
  }

  get narrow() { return this.boardColumn.clientWidth > 0 && this.boardColumn.clientWidth < 520; }
  fit() { if (this.game && this.narrow !== this.wasNarrow) this.showBoard(); }

  // The same view goes on with a later report of the same game, and begins anew with another one.
  update(game) {
    const isNew = !this.game || this.game.key !== game.key;
    this.game = game;
    if (isNew) { this.follows = true; this.lineAt = 0; this.pause(); this.positions = []; this.known = []; this.seen = []; }
    if (this.follows) this.ply = game.moves.length;
    this.ply = Math.min(this.ply, game.moves.length);
    this.follow();
    this.show();
  }

  // Positions behind each move; those of moves that stay the same are kept.
  follow() {
    const texts = this.game.moves.map(move => move.text);
    let same = 0;
    while (same < texts.length && texts[same] === this.known[same]) ++same;
    if (!this.positions.length) this.positions = [parseSfen(this.game.start)];
    this.positions.length = same + 1; this.seen.length = Math.min(this.seen.length, same + 1);
    for (let i = same; i < texts.length; ++i) this.positions.push(playMove(this.positions[i], texts[i]));
    // The program's own word for where the game stands, whatever the moves came to here.
    if (this.game.now) { const last = this.positions.length - 1, played = this.positions[last].last; this.positions[last] = { ...parseSfen(this.game.now), last: played }; }
    this.known = texts;
    if (this.game.line) this.seen[texts.length] = this.game.line;
  }

  // While a person steps through a line it stays as it was, whatever the engine says meanwhile. Further back in a running
  // game it is what was last expected there, as far as this page has seen it.
  get shownLine() {
    const { game, ply } = this;
    if (this.lineAt > 0) return this.held;
    if (game.isLive && ply === game.moves.length) return game.line;
    return ply > 0 && game.moves[ply - 1].line || this.seen[ply] || null;
  }
  get isFlipped() { return (this.game.ours === "white") !== this.flipped; }
  position() {
    let position = this.positions[this.ply];
    const line = this.shownLine;
    for (let i = 0; line && i < this.lineAt; ++i) position = playMove(position, line.moves[i]);
    return position;
  }

  show() {
    const { game } = this;
    set(this.title, say("{} v. {}", "☗" + game.black, "☖" + game.white));
    this.ending.hidden = !game.end; if (game.end) { set(this.ending, endText(game)); this.ending.title = game.end.reason; }
    set(this.movesTitle, say("Moves")); set(this.graphTitle, say("Evaluation and time")); set(this.lineTitle, say("Expected line")); set(this.recordTitle, say("Record")); set(this.figuresTitle, say("Figures"));
    this.showMoves(); this.showHere(); this.showRecords(); this.showFigures();
  }

  // What depends on where one looks.
  showHere() {
    const upper = this.isFlipped ? "black" : "white";
    this.upper.show(this.game, upper, this.ply); this.lower.show(this.game, upper === "white" ? "black" : "white", this.ply);
    const { game, ply } = this, last = ply === game.moves.length, move = game.moves[ply - 1];
    const names = { first: say("to the start"), back: say("one move back"), forth: say("one move on"), last: say("to the end"), flip: say("turn the board"), run: game.isLive ? say("follow the game") : this.timer ? say("pause") : sayAs("page", "play") };
    for (const name in this.buttons) named(this.buttons[name], names[name]);
    set(this.buttons.run, game.isLive ? "●" : this.timer ? "❚❚" : "▷");
    setAttribute(this.buttons.run, "aria-pressed", game.isLive ? this.follows : this.timer > 0);
    this.buttons.first.disabled = this.buttons.back.disabled = ply === 0;
    this.buttons.forth.disabled = this.buttons.last.disabled = last;
    const told = last && game.isLive ? game.thought || move : this.thoughtAt(ply);
    set(this.now, moveText(game, ply)); this.bar.show(told);
    set(this.spoken, move ? moveText(game, ply) : "");
    this.rows.forEach((row, i) => {
      if (i === ply) { if (row.getAttribute("aria-current") !== "true") { row.setAttribute("aria-current", "true"); row.tabIndex = 0; this.scrollTo(row); } }
      else if (row.hasAttribute("aria-current")) { row.removeAttribute("aria-current"); row.tabIndex = -1; }
    });
    this.showLine(); this.showBoard(); this.graphs.show(game, ply);
  }

  // What was thought last before that move, by whoever told.
  thoughtAt(ply) {
    for (let i = ply - 1; i >= 0; --i) if (this.game.moves[i].score !== undefined) return this.game.moves[i];
    return null;
  }

  // Within its own box only: the page stays where a person has put it.
  scrollTo(row) {
    const box = this.list.getBoundingClientRect(), at = row.getBoundingClientRect();
    if (at.top < box.top) this.list.scrollTop += at.top - box.top - box.height / 3;
    else if (at.bottom > box.bottom) this.list.scrollTop += at.bottom - box.bottom + (this.ply === this.game.moves.length ? 4 : box.height / 3);
  }

  showBoard() {
    const line = this.shownLine, isLine = Boolean(line) && this.lineAt > 0;
    this.wasNarrow = this.narrow;
    const where = isLine ? say("Expected line, move {} of {}", this.lineAt, line.moves.length) + " " + (line.names[this.lineAt - 1] || "") : moveText(this.game, this.ply);
    this.board.show(this.position(), { label: say("Board after {}", where), flipped: this.isFlipped, narrow: this.narrow, isLine });
    this.boardColumn.classList.toggle("in-line", isLine);
  }

  showMoves() {
    const { moves } = this.game;
    const key = language + " " + this.game.key;
    if (key !== this.listed) { this.listed = key; this.rows = []; this.list.replaceChildren(); this.head.replaceChildren(...[sayAs("page", "#"), say("Moves"), say("Time"), say("Evaluation"), say("Depth")].map(name => html("span", "", name))); this.addRow(0); }
    while (this.rows.length > moves.length + 1) this.rows.pop().parentNode.remove();
    for (let i = this.rows.length; i <= moves.length; ++i) this.addRow(i);
    // A score may come behind its move.
    for (let i = Math.max(1, moves.length - 3); i <= moves.length; ++i) this.fillRow(i);
  }
  addRow(ply) {
    const item = html("li"), row = button("row", "", () => this.go(ply));
    for (const name of ["ply", "name", "took", "score", "depth"]) row.append(html("span", name));
    row.tabIndex = -1; row.children[1].lang = "ja";
    item.append(row); this.list.append(item); this.rows[ply] = row;
    this.fillRow(ply);
  }
  fillRow(ply) {
    const move = this.game.moves[ply - 1], texts = move ? [ply, move.name, tookText(move.ms), scoreText(move), move.depth || ""] : [0, sayAs("page", "start"), "", "", ""];
    texts.forEach((text, i) => set(this.rows[ply].children[i], text));
    setAttribute(this.rows[ply], "aria-label", moveText(this.game, ply));
  }

  showLine() {
    const line = this.shownLine;
    const key = JSON.stringify([line && line.moves, line && line.names, this.lineAt, language]);
    if (key === this.lineShown) return;
    this.lineShown = key;
    const focused = this.line.contains(document.activeElement);
    this.lineNote.hidden = !this.lineAt;
    set(this.lineNote, this.lineAt ? say("Expected line, move {} of {}", this.lineAt, line.moves.length) : "");
    if (!line) { this.line.replaceChildren(html("span", "dim", say("nothing told here"))); return; }
    this.line.replaceChildren(...line.moves.map((move, i) => {
      const one = button("line-move", line.names[i] || move, () => this.goLine(this.lineAt === i + 1 ? 0 : i + 1));
      one.lang = "ja"; if (this.lineAt === i + 1) one.setAttribute("aria-current", "true");
      return one;
    }));
    if (this.lineAt) this.line.append(button("line-back", say("back to the game"), () => this.goLine(0)));
    if (focused) (this.line.querySelector("[aria-current]") || this.line.firstChild).focus();
  }

  showRecords() {
    const { game } = this, key = [game.key, game.number, language].join();
    if (key === this.recordsShown) return;
    this.recordsShown = key;
    const formats = game.number === undefined ? [] : [["KIF", "kifu", ".kifu"], ["KI2", "ki2u", ".ki2u"], ["CSA", "csa", ".csa"]];
    const group = (name, label, ...acts) => {
      const made = html("span", "record"); made.setAttribute("role", "group"); made.setAttribute("aria-label", label);
      made.append(html("span", "format", name), ...acts); return made;
    };
    this.records.replaceChildren(
      ...formats.map(([name, word, extension]) => group(name, name,
        button("", say("copy"), () => this.give(() => askText(recordPath(game, word)), copyText, () => say("{} copied", name))),
        button("", say("save"), () => this.give(() => askText(recordPath(game, word)), text => saveText(text, fileName(game) + extension), () => say("{} saved", name))))),
      group("SFEN", say("SFEN (this position)"),
        button("", say("copy"), () => this.give(() => formatSfen(this.position(), this.ply + this.lineAt), copyText, () => say("{} copied", "SFEN"))),
        button("", say("save"), () => this.give(() => formatSfen(this.position(), this.ply + this.lineAt) + "\n", text => saveText(text, fileName(game) + ".sfen"), () => say("{} saved", "SFEN")))),
      this.told);
    set(this.told, "");
  }
  async give(text, take, told) {
    try { await take(await text()); set(this.told, told()); }
    catch (error) { set(this.told, say("failed: {}", error.message)); }
  }

  showFigures() {
    const { game } = this, rows = [];
    const row = (name, value) => { if (value !== undefined && value !== "") rows.push([name, value]); };
    if (game.thought && game.thought.nps) row(say("Speed"), say("{} nodes/s", game.thought.nps.toLocaleString(locale())));
    if (game.ponder && game.ponder.searches) row(say("Ponder hits"), game.ponder.hits + " / " + game.ponder.searches);
    for (const one of game.members || []) row((one.plays ? "▶ " : "") + one.name + (one.out ? " ✕" : ""), one.hits + " / " + one.searches + (one.said ? " · " + one.said.move + (one.said.score === undefined ? "" : " " + one.said.score) : ""));
    if (game.clock) row(columnTexts().clock, { unknown: say("not recorded"), untimed: say("no clock") }[game.clock] || game.clock);
    if (game.limit) row(say("Move limit"), game.limit);
    if (game.started) row(columnTexts().started, new Date(game.started).toLocaleString(locale(), { dateStyle: "medium", timeStyle: "short" }));
    if (game.engine) row(say("Engine"), game.engine);
    if (game.rescues) row(say("Moves without the engine"), game.rescues);
    if (game.time && game.time.granted_ms) row("", say("the engine had {} % of its time", percent(game.time.had_ms / game.time.granted_ms)));
    for (const [name, value] of this.more || []) row(name, value);
    const key = JSON.stringify([rows, game.link]);
    if (key === this.figuresShown) return;
    this.figuresShown = key;
    this.figures.replaceChildren(...rows.map(([name, value]) => { const pair = html("div"); if (name) pair.append(html("dt", "", name)); pair.append(html("dd", "", value)); return pair; }));
    if (/^https?:/.test(game.link || "")) { const pair = html("div"), at = html("dd"), link = html("a", "", "floodgate"); link.href = game.link; link.rel = "noreferrer"; at.append(link); pair.append(at); this.figures.append(pair); }
  }

  // --- what a person does
  go(ply) {
    this.ply = Math.max(0, Math.min(this.game.moves.length, ply)); this.lineAt = 0;
    this.follows = this.ply === this.game.moves.length;
    if (this.follows && this.timer) this.pause();
    this.showHere();
  }
  goLine(at) {
    const line = this.shownLine;
    if (!line) return;
    this.held = line; this.lineAt = Math.max(0, Math.min(line.moves.length, at));
    this.follows = this.lineAt === 0 && this.ply === this.game.moves.length;
    this.showHere();
  }
  flip() { this.flipped = !this.flipped; this.show(); }
  run() {
    if (this.game.isLive) { this.go(this.game.moves.length); return; }
    if (this.timer) { this.pause(); this.showHere(); return; }
    if (this.ply === this.game.moves.length) this.ply = 0;
    this.timer = setInterval(() => this.go(this.ply + 1), 1000);
    this.showHere();
  }
  pause() { clearInterval(this.timer); this.timer = 0; }
  tick() { if (this.game && this.game.clocks) { this.upper.tick(this.game, this.ply); this.lower.tick(this.game, this.ply); } }

  // True when the key was meant for the game.
  key(event) {
    if (!this.game) return false;
    const act = { ArrowLeft: () => this.go(this.ply - 1), ArrowRight: () => this.go(this.ply + 1), Home: () => this.go(0), End: () => this.go(this.game.moves.length),
      ArrowDown: () => this.goLine(this.lineAt + 1), ArrowUp: () => this.goLine(this.lineAt - 1), " ": () => this.run(), f: () => this.flip(), F: () => this.flip() }[event.key];
    if (!act) return false;
    act();
    return true;
  }
}

// --- records: the program writes them, the page hands them on
const recordPath = (game, format) => "api/v1/games/" + game.number + "?" + new URLSearchParams({ bot: game.bot, format });
const fileName = game => (game.id || "game").replace(/[^\w.+-]/g, "_").slice(0, 100);
async function copyText(text) {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
  // Over plain HTTP from another machine there is only the old way.
  const area = html("textarea", "hidden", ""); area.value = text;
  document.body.append(area); area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (!done) throw new Error("clipboard");
}
function saveText(text, name) {
  const link = html("a"), address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.href = address; link.download = name; link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
