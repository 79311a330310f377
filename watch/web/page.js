// --- the page: what runs now, finished games, the help, and the form for broadcasts
// Published as plain files (kakehashi publish) it has finished games and nothing that runs.
const siteTitle = document.documentElement.dataset.site, isSite = siteTitle !== undefined;
let report = null, received = 0, linkState = "connecting";
const at = id => document.getElementById(id);

const authorization = () => { const token = sessionStorage.getItem("token"); return token ? { headers: { Authorization: "Bearer " + token } } : {}; };
async function asked(path) {
  const reply = await fetch(path, authorization());
  if (!reply.ok) throw new Error((await reply.text()).trim());
  return reply;
}
const ask = async path => (await asked(isSite ? sitePath(path) : path)).json();
const askText = async path => (await asked(isSite ? sitePath(path) : path)).text();

// The file that has what the program would answer.
const siteFiles = { kifu: ".kifu", ki2u: ".ki2u", csa: ".csa" };
function sitePath(path) {
  const [address, query] = path.split("?"), name = address.replace("api/v1/games/", "");
  return "games/" + name + (siteFiles[new URLSearchParams(query).get("format")] || ".json");
}
// What the program's archive would find among all games of the site.
function siteGames(all, form) {
  const { opponent, result, color, since, bot } = Object.fromEntries(form), wanted = opponent.toLowerCase().split("*").map(part => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&")).join(".*");
  return all.filter(game => (!bot || game.bot === bot) && (!opponent || new RegExp("^" + wanted + "$").test(game.opponent.toLowerCase())) && (!result || game.outcome === result) && (!color || game.color === color) &&
    (!since || game.started_ms >= new Date(since + "T00:00").getTime()));
}

// Where one is stands behind the "#": "", "bot=alice", "games", "game=12&bot=alice".
const place = () => new URLSearchParams(location.hash.slice(1));
const isOverlay = parameters.has("overlay");

// A text of the log, which is English, and what its code means: one of them is read, in Japanese the meaning, and
// unfolds the other.
function logText(code, text) {
  const said = html("span", "", text), meaning = meanings[language][code];
  said.lang = "en";
  if (!meaning) return said;
  const made = html("details"), summary = html("summary"), more = html("div", "said"), means = html("span", "", meaning);
  const [first, second] = language === "ja" ? [means, said] : [said, means];
  summary.append(first); more.append(html("code", "", code), " ", second);
  made.append(summary, more);
  return made;
}

function linkText(link) {
  return linkTexts()[link.state] + (link.state === "out" ? "" : ", " + (link.round_trip_us / 1000).toFixed(1) + " ms") +
    (link.cuts ? ", " + say("{} cuts, {} s in all", link.cuts, (link.out_ms / 1000).toFixed(1)) : "");
}

// --- one bot, in full
class BotView {
  constructor() {
    this.element = html("div", "bot-view");
    this.head = html("div", "bot-head"); this.name = html("h1", "bot-name"); this.phase = html("span", "phase"); this.until = html("span", "until"); this.trouble = html("div", "trouble");
    this.head.append(this.name, this.phase, this.until, this.trouble);
    this.none = html("p", "none");
    this.game = new GameView(); this.stored = {};
    this.logTitle = html("h3"); this.log = html("ol", "log"); this.log.tabIndex = 0;
    this.game.extra.append(this.logTitle, this.log);
    this.element.append(this.head, this.none, this.game.element);
  }
  show(bot) {
    this.bot = bot;
    set(this.name, bot.name); set(this.phase, phaseText(bot.phase)); this.phase.classList.toggle("ready", bot.ready);
    this.tick();
    this.showTrouble(bot);
    this.none.hidden = Boolean(bot.game); set(this.none, say("No game yet."));
    this.element.classList.toggle("without-game", !bot.game);
    this.game.more = [[bot.engine.role === "standby" ? say("standby engine") : say("Engine"), bot.engine.name], [say("Games"), bot.games_finished], ["", say("won {}, lost {}, drawn {}", bot.results.win ?? 0, bot.results.lose ?? 0, bot.results.draw ?? 0)], [say("Engine restarts"), bot.engine.losses], [say("Moves without the engine"), bot.rescue_moves], ...(bot.engine.link ? [[say("Link to the engine"), linkText(bot.engine.link)]] : [])];
    if (bot.game) {
      const game = liveGame(bot, received);
      if (game.end) { this.seekRecord(game); Object.assign(game, { number: this.stored.key === game.key ? this.stored.number : undefined, bot: bot.name }); }
      this.game.update(game);
    }
    this.showLog(bot);
  }
  // A game that has just ended comes into the archive a moment later, and its record with it.
  async seekRecord(game) {
    if (this.stored.key !== game.key) this.stored = { key: game.key, tries: 0, next: 0 };
    const { stored, bot } = this;
    if (stored.number || stored.tries >= 5 || Date.now() < stored.next) return;
    ++stored.tries; stored.next = Date.now() + 2000;
    try {
      const { games } = await ask("api/v1/games?" + new URLSearchParams({ bot: bot.name, limit: 5 }));
      const found = game.id && games.find(one => one.game_id === game.id);
      if (found) { stored.number = found.id; draw(); }
    } catch { /* there may be no archive */ }
  }
  showTrouble(bot) {
    const key = language + bot.trouble;
    if (key === this.troubleShown) return;
    this.troubleShown = key; this.trouble.hidden = !bot.trouble; this.trouble.replaceChildren();
    if (!bot.trouble) return;
    this.trouble.append(logText(bot.trouble_code, bot.trouble));
  }
  showLog(bot) {
    set(this.logTitle, say("Log"));
    const last = bot.log[bot.log.length - 1], key = [language, bot.name, bot.log.length, last && last.at_ms, last && last.text].join();
    if (key === this.logShown) return;
    this.logShown = key;
    this.log.setAttribute("aria-label", say("Log"));
    this.log.replaceChildren(...bot.log.slice().reverse().map(line => {
      const item = html("li", line.level), time = html("time", "", new Date(line.at_ms).toLocaleTimeString(locale()));
      time.dateTime = new Date(line.at_ms).toISOString(); item.title = line.code;
      item.append(time, logText(line.code, line.text));
      return item;
    }));
  }
  tick() {
    const { bot } = this;
    if (!bot) return;
    this.until.hidden = !bot.window;
    if (bot.window) { set(this.until, windowText(bot.window, Date.now() - received)); this.until.title = new Date(bot.window.opens_ms).toLocaleString(locale()); }
    this.game.tick();
  }
}

// --- several bots: a wall of boards
class Card {
  constructor() {
    this.element = html("a", "card"); this.head = html("div", "card-head"); this.name = html("h2"); this.phase = html("span", "phase"); this.until = html("span", "until");
    this.head.append(this.name, this.phase, this.until);
    this.upper = new Player(); this.lower = new Player(); this.board = new Board(); this.bar = new Bar(); this.now = html("div", "now"); this.none = html("p", "none"); this.trouble = html("div", "trouble");
    this.body = html("div", "card-body");
    this.body.append(this.upper.element, this.board.element, this.lower.element, this.now, this.bar.element);
    this.element.append(this.head, this.trouble, this.none, this.body);
  }
  show(bot) {
    this.bot = bot;
    this.element.href = "#" + new URLSearchParams({ bot: bot.name }); this.element.dataset.bot = bot.name;
    set(this.name, bot.name); set(this.phase, phaseText(bot.phase)); this.phase.classList.toggle("ready", bot.ready);
    this.until.hidden = !bot.window; this.none.hidden = Boolean(bot.game); this.body.hidden = !bot.game; this.trouble.hidden = !bot.trouble;
    set(this.none, say("No game yet."));
    set(this.trouble, language === "ja" && meanings.ja[bot.trouble_code] || bot.trouble);
    if (!bot.game) setAttribute(this.element, "aria-label", bot.name + ", " + phaseText(bot.phase));
    else {
      const game = this.game = liveGame(bot, received), flipped = game.ours === "white", move = game.moves[game.moves.length - 1], last = move && readMove({ board: {} }, move.text);
      const position = { ...parseSfen(game.now), last };
      this.upper.show(game, flipped ? "black" : "white"); this.lower.show(game, flipped ? "white" : "black");
      this.board.show(position, { label: say("Board after {}", moveText(game, game.moves.length)), flipped, withTable: false });
      set(this.now, game.end ? endText(game) : move ? sayAs("page", "move {}", game.moves.length) + "  " + move.name : sayAs("page", "start"));
      setAttribute(this.element, "aria-label", [bot.name, phaseText(bot.phase), say("{} v. {}", game.black, game.white), moveText(game, game.moves.length)].join(", "));
      this.bar.show(game.thought || [...game.moves].reverse().find(one => one.score !== undefined));
    }
    this.tick();
  }
  tick() {
    const { bot } = this;
    if (bot && bot.window) set(this.until, windowText(bot.window, Date.now() - received));
    if (bot && bot.game) { this.upper.tick(this.game); this.lower.tick(this.game); }
  }
}
class Wall {
  constructor() { this.element = html("div", "wall"); this.cards = []; new ResizeObserver(() => this.fit()).observe(document.documentElement); }
  show(bots) {
    while (this.cards.length > bots.length) this.cards.pop().element.remove();
    while (this.cards.length < bots.length) { const card = new Card(); this.cards.push(card); this.element.append(card.element); }
    this.cards.forEach((card, i) => card.show(bots[i]));
    this.fit();
  }
  // As many columns as make the boards largest with all of them in sight; where they would be too small, one scrolls.
  fit() {
    const one = this.cards.find(card => card.bot && card.bot.game), width = this.element.clientWidth;
    if (!one || !width) { this.element.style.gridTemplateColumns = ""; return; }
    const card = one.element.getBoundingClientRect(), board = one.board.picture.getBoundingClientRect(), gap = parseFloat(getComputedStyle(this.element).columnGap);
    const top = this.element.getBoundingClientRect().top + scrollY, least = Math.min(width, 22 * gap);
    const size = columns => {
      const rows = Math.ceil(this.cards.length / columns), high = (innerHeight - top - gap * rows) / rows - (card.height - board.height);
      return Math.min((width - gap * (columns - 1)) / columns, Math.max(least, high * board.width / board.height + card.width - board.width));
    };
    let best = 1;
    for (let columns = 2; columns <= this.cards.length; ++columns) if (size(columns) > size(best)) best = columns;
    this.element.style.gridTemplateColumns = "repeat(" + best + ", minmax(0, " + Math.round(size(best)) + "px))";
  }
  tick() { this.cards.forEach(card => card.tick()); }
  key(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step || !this.cards.length) return false;
    const here = this.cards.findIndex(card => card.element === document.activeElement);
    this.cards[Math.max(0, Math.min(this.cards.length - 1, here + step))].element.focus();
    return true;
  }
}

// --- finished games: a list with a filter
const rounded = value => value === undefined ? "∞" : Math.round(value);
const percent = value => (100 * value).toFixed(1);
// How many are shown: a later load, of its own accord too, never takes back what was asked for.
const pageLength = 20, shownMax = 1000;

class FinishedGames {
  constructor() {
    this.element = at("games"); this.form = at("filter");
    this.games = []; this.counts = null; this.trouble = ""; this.turn = 0; this.wanted = pageLength; this.finishedBefore = -1;
    this.form.addEventListener("input", () => { this.wanted = pageLength; this.counts = null; this.load(); });
    this.form.addEventListener("submit", event => event.preventDefault());
    at("more").addEventListener("click", () => { this.wanted = Math.min(shownMax, this.wanted + pageLength); this.load(false); });
  }
  query(extra = {}) {
    const conditions = new URLSearchParams();
    for (const [name, value] of [...new FormData(this.form), ...Object.entries(extra)]) if (value) conditions.set(name, value);
    return conditions;
  }
  async load(withStatistics = true) {
    if (isSite) { this.loadSite(); return; }
    const turn = ++this.turn;
    try {
      const [list, counts] = await Promise.all([ask("api/v1/games?" + this.query({ limit: this.wanted })), withStatistics || !this.counts ? ask("api/v1/stats?" + this.query()) : this.counts]);
      if (turn !== this.turn) return;
      this.games = list.games; this.counts = counts; this.trouble = "";
      at("more").hidden = this.games.length < this.wanted || this.wanted >= shownMax;
    } catch (error) { if (turn !== this.turn) return; this.trouble = error.message; }
    this.show();
  }
  // All that a site has is one file, asked for once.
  async loadSite() {
    try {
      this.all = this.all || (await (await asked("games.json")).json()).games;
      this.offer([...new Set(this.all.map(game => game.bot))].sort());
      const found = siteGames(this.all, new FormData(this.form)), won = found.filter(game => game.outcome === "win").length, lost = found.filter(game => game.outcome === "lose").length, drawn = found.filter(game => game.outcome === "draw").length;
      this.games = found.slice(0, this.wanted); this.site = { games: found.length, won, lost, drawn }; this.trouble = "";
      at("more").hidden = found.length <= this.wanted;
    } catch (error) { this.trouble = error.message; }
    this.show();
  }
  show() {
    for (const one of document.querySelectorAll("[data-say]")) set(one, sayAs(one.dataset.context || "", one.dataset.say));
    const columns = columnTexts();
    at("columns").replaceChildren(...Object.values(columns).map(name => { const one = html("th", "", name); one.setAttribute("role", "columnheader"); one.scope = "col"; return one; }));
    const stats = at("stats"); stats.replaceChildren();
    if (this.trouble) { stats.append(html("div", "trouble", say("The archive cannot be read: {}", this.trouble))); return; }
    if (this.site) stats.append(html("div", "", this.site.games ? summaryText(this.site) : say("No finished games.")));
    const all = this.counts && this.counts.all;
    if (all && all.games) {
      stats.append(html("div", "", summaryText(all)), html("div", "", say("score {} % ({} to {})", percent(all.score), percent(all.score_low), percent(all.score_high))));
      stats.append(html("div", "", say("Elo {} ({} to {})", all.elo === undefined ? (all.elo_low === undefined ? "-∞" : "+∞") : rounded(all.elo), all.elo_low === undefined ? "-∞" : rounded(all.elo_low), rounded(all.elo_high))));
      if (this.counts.time.granted_ms) stats.append(html("div", "", say("the engine had {} % of its time", percent(this.counts.time.had_ms / this.counts.time.granted_ms))));
      if (this.counts.reasons_of_losses.length) stats.append(html("div", "", say("lost by") + " " + this.counts.reasons_of_losses.map(one => reasonText(one.name) + " " + one.games).join(", ")));
    } else if (this.counts) stats.append(html("div", "", say("No finished games.")));
    at("rows").replaceChildren(...this.games.map(game => this.row(game, columns)));
  }
  row(game, columns) {
    const row = html("tr"); row.dataset.id = game.id; row.setAttribute("role", "row");
    const clock = { unknown: say("not recorded"), untimed: say("no clock") }[game.clock] || game.clock;
    const texts = { started: new Date(game.started_ms).toLocaleString(locale(), { dateStyle: "short", timeStyle: "short" }), outcome: outcomeText(game.outcome), color: (game.color === "black" ? "☗ " : "☖ ") + sideText(game.color),
      opponent: game.opponent, clock, plies: game.plies, ending: reasonText(game.reason), open: "" };
    for (const name in texts) {
      const cell = html("td", name, texts[name]);
      cell.setAttribute("role", "cell"); cell.dataset.column = columns[name]; row.append(cell);
    }
    row.querySelector(".outcome").classList.add(["win", "lose", "draw"].includes(game.outcome) ? game.outcome : "none"); row.querySelector(".ending").title = game.reason;
    const open = html("a", "open-game", sayAs("page", "show"));
    open.href = "#" + new URLSearchParams({ game: game.id, bot: isSite ? game.bot : this.form.elements.bot.value });
    open.setAttribute("aria-label", sayAs("page", "show") + " " + game.id + ", " + game.opponent);
    row.lastChild.append(open);
    row.addEventListener("click", event => { if (!event.target.closest("a")) open.click(); });
    return row;
  }
  // New bots and new games are noticed with the report that tells of them.
  offer(names) {
    const select = this.form.elements.bot;
    if ([...select.options].map(one => one.value).join() !== names.join()) select.replaceChildren(...names.map(name => { const one = html("option", "", name); one.value = name; return one; }));
  }
  follow() {
    this.offer(report.bots.map(bot => bot.name));
    const finished = report.bots.reduce((sum, bot) => sum + bot.games_finished, 0);
    if (finished !== this.finishedBefore) { this.finishedBefore = finished; this.load(); setTimeout(() => this.load(), 1500); }
  }
}

// --- one finished game
class FinishedGame {
  constructor() {
    this.element = html("div", "finished-game"); this.game = new GameView(); this.trouble = html("div", "trouble"); this.trouble.hidden = true;
    this.backLink = html("a", "to-list"); this.backLink.href = "#games";
    this.element.append(this.backLink, this.trouble, this.game.element);
  }
  async show(id, bot) {
    set(this.backLink, "← " + say("back to the list"));
    const key = id + " " + bot;
    if (key === this.shown) { if (this.game.game) this.game.show(); return; }
    this.shown = key; this.game.element.hidden = true;
    try {
      const game = finishedGame(await ask("api/v1/games/" + encodeURIComponent(id) + "?" + new URLSearchParams({ bot })));
      if (key !== this.shown) return;
      game.bot = bot;
      this.game.element.hidden = false; this.trouble.hidden = true;
      this.game.update(game); this.game.title.focus();
    } catch (error) { if (key === this.shown) { this.trouble.hidden = false; set(this.trouble, say("The archive cannot be read: {}", error.message)); this.shown = ""; } }
  }
}

// --- for broadcasts: what a program that mixes pictures lays over its own, without frames
class Overlay {
  constructor() {
    this.element = html("div", "overlay"); this.game = new GameView();
    const wanted = (parameters.get("show") || "players,board,score").split(","), parts = {
      players: [this.game.upper.element, this.game.lower.element], board: [this.game.board.element], score: [this.game.bar.element], move: [this.game.now], line: [this.game.line], graph: [this.game.graphs.element], moves: [this.game.movesColumn] };
    const { upper, lower } = this.game, order = wanted.includes("players") ? [[upper.element], ...wanted.filter(name => name === "board").map(name => parts[name]), [lower.element]] : wanted.filter(name => name === "board").map(name => parts[name]);
    this.game.boardColumn.replaceChildren(...order.flat());
    this.element.append(this.game.boardColumn, ...wanted.filter(name => name !== "players" && name !== "board" && parts[name]).flatMap(name => parts[name]));
    const style = document.documentElement.style, width = Number(parameters.get("width"));
    if (width >= 100 && width <= 4000) style.setProperty("--overlay-width", width + "px");
    const colors = { background: ["--behind"], panel: ["--paper"], ink: ["--ink", "--dim"], accent: ["--accent"], wood: ["--wood", "--wood-deep", "--stand"], piece: ["--piece", "--piece-deep"] };
    for (const name in colors) {
      const given = parameters.get(name), color = /^[0-9a-f]{3,8}$/i.test(given || "") ? "#" + given : given;
      if (color && CSS.supports("color", color)) for (const property of colors[name]) style.setProperty(property, color);
    }
    if (parameters.has("accent") || parameters.has("panel")) style.setProperty("--accent-soft", "color-mix(in srgb, var(--accent) 22%, var(--paper))");
    document.documentElement.classList.add("is-overlay");
  }
  show(bots) {
    const bot = parameters.has("bot") ? bots.find(one => one.name === parameters.get("bot")) : bots.find(one => one.phase === "playing") || bots.find(one => one.game);
    this.element.hidden = !bot || !bot.game;
    if (bot && bot.game) this.game.update(liveGame(bot, received));
  }
  tick() { this.game.tick(); }
}

const wall = new Wall(), botView = new BotView(), finished = new FinishedGames(), finishedGame_ = new FinishedGame(), overlay = isOverlay ? new Overlay() : null;

// Which view belongs to the address.
function view() {
  const where = place();
  if (isOverlay) return "overlay";
  if (where.has("game")) return "game";
  if (isSite) return "games";
  if (where.has("games") || location.hash === "#games") return "games";
  if (report && (where.has("bot") || report.bots.length === 1)) return "bot";
  return "wall";
}
const chosenBot = () => report.bots.find(bot => bot.name === place().get("bot")) || report.bots[0];

function draw() {
  document.documentElement.lang = language;
  set(at("language"), language === "ja" ? "English" : "日本語"); at("language").lang = language === "ja" ? "en" : "ja";
  at("link").hidden = isSite; set(at("link"), { connecting: say("connecting …"), live: say("live"), lost: say("connection lost, trying again") }[linkState]); at("link").dataset.state = linkState;
  named(at("help-button"), say("Keys")); set(at("skip"), say("To the game"));
  if (report) set(at("version"), report.version);
  const which = view(), shown = { overlay: overlay && overlay.element, game: finishedGame_.element, bot: botView.element, wall: wall.element }[which];
  at("games").hidden = which !== "games";
  at("main").hidden = which === "games";
  if (shown && at("main").firstChild !== shown) at("main").replaceChildren(shown);
  drawNavigation(which);
  if (which === "game") finishedGame_.show(place().get("game"), place().get("bot") || "");
  if (isSite) document.title = siteTitle;
  if (!report) return;
  if (which === "overlay") overlay.show(report.bots);
  if (which === "wall") wall.show(report.bots);
  if (which === "bot" && report.bots.length) botView.show(chosenBot());
  const game = which === "bot" && botView.game.game;
  document.title = game ? (game.end ? "" : game.moves.length + " ") + game.black + " – " + game.white + " · Kakehashi" : "Kakehashi";
}

function drawNavigation(which) {
  const bots = report && report.bots.length > 1 ? report.bots.map(bot => bot.name) : [];
  const current = which === "bot" ? (bots.length ? "bot " + chosenBot().name : "now") : which === "wall" ? "now" : which === "overlay" ? "" : "games";
  const key = JSON.stringify([bots, current, language]);
  if (key === drawNavigation.shown) return;
  drawNavigation.shown = key;
  const link = (name, href, id) => { const one = html("a", "", name); one.href = href; if (id === current) one.setAttribute("aria-current", "page"); return one; };
  const hadFocus = at("navigation").contains(document.activeElement) && document.activeElement.getAttribute("href");
  at("navigation").replaceChildren(...(isSite ? [link(siteTitle, "#", "games")] : [link(say("Now"), "#", "now")]), ...bots.slice(0, 12).map(name => link(name, "#" + new URLSearchParams({ bot: name }), "bot " + name)), ...(isSite ? [] : [link(say("Finished games"), "#games", "games")]));
  if (hadFocus) for (const one of at("navigation").children) if (one.getAttribute("href") === hadFocus) one.focus();
}

function drawHelp() {
  at("help-title").textContent = say("Keyboard"); at("help-close").textContent = say("close");
  at("keys").replaceChildren(...keyTexts().flatMap(([keys, meaning]) => { const term = html("dt"); term.append(...keys.split(" ").map(one => html("kbd", "", one))); return [term, html("dd", "", meaning)]; }));
}
function showHelp() { drawHelp(); if (!at("help").open) at("help").showModal(); }

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.altKey || event.metaKey || at("help").open) return;
  const inField = event.target.closest("input, select, textarea"), onButton = event.target.closest("button, a, summary, ol.log");
  if (inField || (onButton && (event.key === " " || event.key === "Enter")) || (event.target.closest("ol.log") && /^(Arrow|Home|End)/.test(event.key))) return;
  const which = view();
  if (event.key === "?") showHelp();
  else if (event.key === "Escape" && which === "game") location.hash = isSite ? "" : "games";
  else if (event.key === "Escape" && which === "bot" && report.bots.length > 1) location.hash = "";
  else if (!(which === "bot" ? botView.game.key(event) : which === "game" ? finishedGame_.game.key(event) : which === "wall" ? wall.key(event) : false)) return;
  event.preventDefault();
});
at("language").addEventListener("click", () => {
  language = language === "ja" ? "en" : "ja";
  try { localStorage.setItem("language", language); } catch { /* it is asked again next time */ }
  draw(); finished.show();
});
at("skip").addEventListener("click", event => { event.preventDefault(); at("main").focus(); });
at("help-button").addEventListener("click", showHelp);
at("help-close").addEventListener("click", () => at("help").close());
window.addEventListener("hashchange", () => { draw(); scrollTo(0, 0); });

// fetch, not EventSource: only fetch can show a token.
async function follow() {
  try {
    const reply = await fetch("events", authorization());
    if (reply.status === 401) { const given = prompt(say("Token:")); if (given) sessionStorage.setItem("token", given); throw new Error("token"); }
    const reader = reply.body.getReader(), decoder = new TextDecoder(); let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
      const events = text.split("\n\n"); text = events.pop();
      if (events.length) { report = JSON.parse(events[events.length - 1].replace(/^data: /, "")); received = Date.now(); linkState = "live"; draw(); if (!isOverlay) finished.follow(); }
    }
  } catch { /* the next attempt tells */ }
  linkState = "lost"; draw(); setTimeout(follow, 2000);
}

if (["light", "dark"].includes(parameters.get("theme"))) document.documentElement.dataset.theme = parameters.get("theme");
setInterval(() => { if (!report) return; const which = view(); ({ bot: botView, wall, overlay }[which] || { tick() {} }).tick(); }, 200);
draw(); finished.show();
if (isSite) finished.load(); else follow();
