// The live page in a real browser, against a program that plays a real game.
//
//   node live_page.mjs KAKEHASHI ENGINE
//
// Starts the embedded server and two bots with --status, opens the page in Chromium as a person would
// (light and dark, wide and narrow, Japanese and English), and checks what it shows against the API.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { Stage } from "./stage.mjs";

const [kakehashi, engine] = process.argv.slice(2).map(path => resolve(path));
const stage = new Stage(kakehashi, engine);
const until = (what, condition) => stage.until(what, condition);
const hostile = "<img/src=x/onerror=alert(1)>";

function oldGames() {
  const games = [];
  for (let i = 0; i < 25; ++i) {
    const number = String(i).padStart(2, "0"), opponent = i === 3 ? hostile : i % 2 ? "bob" : "carol";
    games.push({ name: number + ".csa", text: `V2.2
N+${i % 3 ? "alice" : opponent}
N-${i % 3 ? opponent : "alice"}
$EVENT:wdoor+floodgate-300-10F+alice+${opponent}+202601020304${number}
$START_TIME:2026/01/02 03:04:${number}
PI
+
+7776FU
T3
'** 52 -3334FU +2726FU
-3334FU
T5
'** -31 +2726FU
+8822UM
T7
-3122GI
T2
%TORYO
` });
  }
  return games;
}

async function main() {
  await stage.serve();
  // A move in two seconds or so, and a game that is not over before the last look, on a slow machine too.
  for (const name of ["alice", "bob"]) stage.configure(name, "game: {name: test-400-1F, meet_own: true}\nponder: true\n", "options: {Slow Mover: 20}");
  const imported = stage.import(oldGames(), "alice");
  assert.match(imported.stdout, /^25 games added/, imported.stderr);
  const status = await stage.run("alice", "bob"), at = `http://127.0.0.1:${status}`;
  const report = async () => (await fetch(`${at}/api/v1/status`)).json();
  await until("a game of six moves", async () => (await report()).bots.every(bot => bot.game?.moves.length >= 6));

  const metrics = await (await fetch(`${at}/metrics`)).text();
  const verdict = spawnSync("promtool", ["check", "metrics"], { input: metrics, encoding: "utf8" });
  assert.equal(verdict.status, 0, `promtool: ${verdict.stdout}${verdict.stderr}${verdict.error ?? ""}`);

  const browser = await stage.browse();
  const looks = [
    { name: "wide, light, English", locale: "en-GB", colorScheme: "light", viewport: { width: 1920, height: 1080 } },
    { name: "tablet, dark, Japanese", locale: "ja-JP", colorScheme: "dark", viewport: { width: 820, height: 1180 } },
    { name: "phone, light, Japanese", locale: "ja-JP", colorScheme: "light", viewport: { width: 390, height: 844 } },
  ];
  for (const look of looks) {
    const { name, ...options } = look;
    const context = await browser.newContext({ ...options, permissions: ["clipboard-read", "clipboard-write"] }), page = await context.newPage();
    const faults = [], requests = [];
    page.on("pageerror", error => faults.push(String(error)));
    page.on("console", message => { if (message.type() === "error") faults.push(message.text()); });
    page.on("request", request => requests.push(request.url()));
    await page.goto(at + "/");
    const japanese = look.locale.startsWith("ja");
    await wall(page, japanese);
    await runningGame(page, japanese, report, look);
    await fits(page, "the running game");
    await finishedGames(page, japanese, at, look);
    await fits(page, "the finished games");
    await legible(page);
    assert.deepEqual(requests.filter(url => !url.startsWith(at + "/") && !url.startsWith("blob:" + at)), [], "nothing is fetched from elsewhere");
    assert.deepEqual(faults, [], `no fault in the console (${name})`);
    await context.close();
  }
  await overlay(browser, at);
  await publishedSite(browser);
  await restingBot(browser);
  await browser.close();
  console.log("live page: three looks, the overlay, two bots: as the API says");
}

async function fits(page, what) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(over <= 0, `${what}: nothing stands out to the side (${over} px)`);
}

// Several bots: a board each.
async function wall(page, japanese) {
  await page.locator(".card").nth(1).waitFor();
  assert.equal(await page.locator(".card").count(), 2, "a card for each bot");
  assert.equal(await page.locator("html").getAttribute("lang"), japanese ? "ja" : "en");
  assert.match(await page.locator(".card .phase").first().innerText(), japanese ? /対局中/ : /playing/);
  assert.match(await page.locator(".card .board svg").first().getAttribute("aria-label"), japanese ? /^\d+手目 .*の局面$/ : /^Board after move \d+ /);
  assert.equal(await page.locator(".card .clock .time").count(), 4, "both clocks of each");

  // By keyboard: first a way past the head, then the language, which turns the page into the other one.
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.id), "skip");
  await page.locator("#language").focus();
  await page.keyboard.press("Enter");
  await until("the other language", async () => (await page.locator("html").getAttribute("lang")) === (japanese ? "en" : "ja"));
  await page.keyboard.press("Enter");
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.bot), "alice");
  await page.keyboard.press("Enter");
  await page.locator(".bot-view .moves").waitFor();
}

async function runningGame(page, japanese, report, look) {
  const view = page.locator(".bot-view"), label = async () => view.locator(".board svg").getAttribute("aria-label");
  const here = async () => Number((await view.locator(".now").innerText()).match(/\d+/)?.[0] ?? 0);
  const alice = async () => (await report()).bots.find(bot => bot.name === "alice").game;

  const drawn = await view.locator(".board svg .piece").count();
  assert.ok(drawn >= 2 && drawn <= 40, `${drawn} pieces are drawn`);
  assert.equal(await view.locator(".board .coordinate").count(), 18, "files and ranks are named");
  assert.equal(await view.locator(".board table tr").count(), 9, "the board in words, for a screen reader");
  assert.match(await view.locator(".player .control").first().innerText(), japanese ? /[先後]手 · 400秒、1手1秒加算/ : /(White|Black) · 400 s \+1 s a move/);
  assert.match(await view.locator(".player .clock .time").first().innerText(), /^\d+:\d\d$/);
  assert.equal(await view.locator(".player.running").count(), 1, "whose turn it is");

  if (look.viewport.width > 736) {
    const list = await view.locator(".moves").boundingBox();
    assert.ok(list.y + list.height <= look.viewport.height, `the list of moves ends in sight, at ${list.y + list.height}`);
  }

  // The page follows the game, and names each move as players write it, with its time, score and depth.
  const before = (await alice()).moves.length;
  await until("a later move on the page", async () => (await here()) > before);
  const { moves, our_color } = await alice(), row = view.locator("ol.moves button.row");
  await until("each of them on the page", async () => (await row.count()) > moves.length);  // and a row for the start
  for (const [i, move] of moves.entries()) {
    const [ply, name, took, score, depth] = await row.nth(i + 1).locator("span").allInnerTexts();
    assert.equal(ply, String(i + 1));
    assert.equal(name.trim(), move.japanese);
    assert.equal(took, (move.consumed_ms / 1000) + (japanese ? "秒" : " s"));
    const isOurs = (move.move[0] === "+") === (our_color === "black");
    assert.equal(score !== "", isOurs && move.score !== undefined, `${move.japanese}: ${score}`);
    assert.equal(depth, move.depth === undefined ? "" : String(move.depth));
  }
  assert.ok(moves.some(move => move.depth > 0), "depths are told");
  assert.equal(await view.locator("ol.moves [aria-current]").count(), 1);

  // The expected line, stepped through on the board while the game goes on.
  // Between the look and the key a move may be played, behind which nothing is expected yet: then from the end again.
  await until("the second move of an expected line", async () => {
    await page.keyboard.press("End");
    if ((await view.locator(".line-move").count()) < 2) return false;
    await page.keyboard.press("ArrowDown"); await page.keyboard.press("ArrowDown");
    return (japanese ? /^読み筋 2手目/ : /^Board after Expected line, move 2 /).test(await label());
  });
  const line = await view.locator(".line-move").allInnerTexts(), stood = await here();
  assert.ok((await label()).includes(line[1]), "the board says which move of the line it shows");
  await until("the game goes on behind it", async () => (await alice()).moves.length > stood + 1);
  assert.equal(await here(), stood, "the board stays where the line is");
  await page.keyboard.press("ArrowUp"); await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Space");
  await until("the game again", async () => (await here()) > stood);

  // Further back, what was expected there: never the line of today, whose first move is the other side's one move before.
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  for (let i = 0; i < 6 && (await view.locator(".line-move").count()) === 0; ++i) await page.keyboard.press("ArrowLeft");
  const back = await here(), expected = await view.locator(".line-move").allInnerTexts();
  assert.ok(expected.length > 0, "what was expected at an earlier move is told");
  assert.ok(expected.every((move, i) => move.startsWith((back + i) % 2 === 0 ? "▲" : "△")), `behind move ${back}: ${expected}`);
  await page.keyboard.press("ArrowDown");
  assert.ok((await label()).includes(expected[0]), "and it is played on that move's board");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Space");

  // Through the moves by keyboard.
  await page.keyboard.press("Home");
  await until("the start", async () => (await view.locator(".now").innerText()) === (japanese ? "開始局面" : "start"));
  await page.keyboard.press("ArrowRight");
  assert.match(await label(), japanese ? /^1手目 {2}▲/ : /^Board after move 1 {2}▲/);
  assert.equal(await view.locator(".board .reached").count(), 1);
  const first = await view.locator(".board .coordinate").first().textContent();
  await page.keyboard.press("f");
  assert.notEqual(await view.locator(".board .piece").first().getAttribute("transform"), "", first);
  await page.keyboard.press("f");
  await page.keyboard.press("?");
  assert.ok(await page.locator("#help").isVisible(), "the keys are listed");
  assert.equal(await page.locator("#keys dt").count(), 7);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#help").isVisible(), false);

  // The graphs have scales, and one cursor that tells the move under it.
  const graph = view.locator(".graphs svg");
  await until("a graph", async () => (await graph.locator("polyline").first().getAttribute("points")).length > 3);
  const ticks = await graph.locator(".tick").allTextContents();
  for (const tick of ["+500", "−500", "0"]) assert.ok(ticks.includes(tick), `${tick} in ${ticks}`);
  await graph.scrollIntoViewIfNeeded();
  const box = await graph.boundingBox();
  await page.mouse.move(box.x + 62 + 2, box.y + box.height / 2);
  await until("the move under the cursor", async () => (await view.locator(".readout").innerText()).length > 0);
  await page.mouse.move(box.x + box.width - 16, box.y + box.height / 2);
  await page.mouse.click(box.x + 62 + 1, box.y + box.height / 2);
  assert.ok((await here()) <= 1, "a click in the graph leads there");
  assert.equal(await graph.getAttribute("role"), "slider");
  await page.keyboard.press("End");

  // The log's lines are English; what their codes mean is said in the page's language. One of them unfolds the other.
  const logged = view.locator("ol.log li[title=logged_in]").first(), means = japanese ? /^サーバーがログインを受け付けた$/ : /The server accepted the login/;
  const [read, unfolded] = japanese ? [means, /^logged_in logged in as/] : [/^logged in as/, new RegExp("^logged_in " + means.source)];
  assert.match((await logged.locator("summary").innerText()).trim(), read);
  await logged.locator("summary").click();
  await until("what is unfolded", async () => unfolded.test((await logged.locator(".said").innerText()).trim()));

  // The whole width of a desktop is used, and all of the board is in sight.
  await page.evaluate(() => scrollTo(0, 0));
  const seen = await page.evaluate(() => ["#main .board svg", "#main .steps", "#main .analysis"].map(name => document.querySelector(name).getBoundingClientRect()).map(one => ({ right: one.right, bottom: one.bottom })));
  assert.ok(seen[0].bottom <= look.viewport.height, "the board is in sight");
  if (look.viewport.width >= 1400) assert.ok(seen[2].right > look.viewport.width - 40 && seen[1].bottom <= look.viewport.height, JSON.stringify(seen));
}

async function finishedGames(page, japanese, at, look) {
  await page.locator("#navigation a[href='#games']").click();
  const rows = page.locator("#rows tr");
  await until("the list of games", async () => (await rows.count()) === 20);
  assert.match(await page.locator("#stats").innerText(), japanese ? /25局/ : /25 games/);
  // One measurement at once: the list is drawn again whenever it is loaded again. It is loaded before it is shown.
  const measured = () => page.evaluate(() => {
    const box = selector => document.querySelector(selector).getBoundingClientRect(), scroller = document.querySelector(".wide");
    return { left: scroller.scrollLeft, hidden: scroller.scrollWidth - scroller.clientWidth, first: box("#rows td"), gap: box("#more").top - box("#rows tr:last-child").bottom };
  });
  let list;
  await until("the list in sight", async () => (list = await measured()).first.width > 0);
  assert.deepEqual([list.left, list.hidden], [0, 0], "nothing of the list hides to the side");
  assert.ok(list.first.x >= 0 && list.first.x + list.first.width <= look.viewport.width, "the first column is in sight");
  assert.ok(list.gap >= 8, `the button stands ${list.gap} px below the list`);
  assert.equal(await rows.first().locator("td.clock").innerText(), japanese ? "記録なし" : "not recorded");
  assert.equal(await rows.first().locator("td.ending").innerText(), japanese ? "投了" : "resignation");
  assert.match(await page.locator("#stats").innerText(), japanese ? /負けの内訳 投了 \d/ : /lost by resignation \d/);
  await page.locator("#more").click();
  await until("the rest of the list", async () => (await rows.count()) === 25);
  assert.equal(await page.locator("#rows td.opponent", { hasText: hostile }).count(), 1, "a name is text, whatever is in it");
  assert.equal(await page.locator("img").count(), 0);
  await page.locator("#filter [name=opponent]").fill("car*");
  await until("a filtered list", async () => (await rows.count()) === 13);
  await page.locator("#filter [name=result]").selectOption("win");
  const won = await (await fetch(`${at}/api/v1/games?bot=alice&opponent=carol&result=win`)).json();
  await until("only wins", async () => (await rows.count()) === won.games.length);
  assert.ok(won.games.length > 0 && won.games.every(game => game.outcome === "win" && game.opponent === "carol"));
  await rows.first().locator("a").click();

  const viewer = page.locator(".finished-game"), now = viewer.locator(".now");
  await until("the game", async () => (await viewer.locator("h2").innerText()) === (japanese ? "☗carol 対 ☖alice" : "☗carol v. ☖alice"));
  assert.equal(await viewer.locator(".end").innerText(), japanese ? "alice の勝ち(後手)、投了" : "alice won (White), resignation");
  assert.match(await now.innerText(), /△同　銀/);
  assert.match(await viewer.locator(".figures a").getAttribute("href"), /^http:\/\/wdoor\.c\.u-tokyo\.ac\.jp\/shogi\/view\/2026\/01\/02\//);
  assert.equal(await viewer.locator(".course.theirs").count() > 0, true, "the opponent's scores, from its comments");
  await page.keyboard.press("Home");
  await until("the start", async () => (await now.innerText()) === (japanese ? "開始局面" : "start"));
  await page.keyboard.press("ArrowRight");
  assert.match(await now.innerText(), japanese ? /▲７六歩 {2}3秒 {2}\+52$/ : /▲７六歩 {2}3 s {2}\+52$/);
  assert.deepEqual(await viewer.locator(".line-move").allInnerTexts(), ["△３四歩", "▲２六歩"]);
  await viewer.locator(".line-move").nth(1).click();
  await until("the line on the board", async () => /▲２六歩/.test(await viewer.locator(".board svg").getAttribute("aria-label")));
  await viewer.locator(".line-back").click();
  for (const key of ["ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
  assert.match(await now.innerText(), /▲２二角成/);

  // The record, copied and saved.
  const copied = async format => {
    await viewer.locator(".record", { hasText: format }).locator("button").first().click();
    await until(format + " copied", async () => new RegExp(format).test(await viewer.locator(".told").innerText()));
    return page.evaluate(() => navigator.clipboard.readText());
  };
  for (const [format, text] of [["KIF", /手数----指手[^]*１?\s*1 ７六歩\(77\)/], ["KI2", /\n▲７六歩\n[^]*\n△３四歩\n/], ["CSA", /^V2\.2\n[^]*\+7776FU\nT3/], ["SFEN", /^lnsgkgsnl\/1r5\+B1\/pppppp1pp\/6p2\/9\/2P6\/PP1PPPPPP\/7R1\/LNSGKGSNL w B 4$/]]) assert.match(await copied(format), text, format);
  const [download] = await Promise.all([page.waitForEvent("download"), viewer.locator(".record", { hasText: "CSA" }).locator("button").nth(1).click()]);
  assert.match(download.suggestedFilename(), /^wdoor\+floodgate-300-10F.*\.csa$/);
  assert.match(readFileSync(await download.path(), "utf8"), /^V2\.2\n/);

  await page.keyboard.press("Home");
  await viewer.locator("button[aria-pressed]").click();
  await until("the game plays by itself", async () => /△３四歩/.test(await now.innerText()));
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("Escape");
  await until("the list again", async () => await rows.count() > 0 && await page.locator("#games").isVisible());
  await page.locator("#filter [name=result]").selectOption("lose");
  await until("only lost games", async () => await rows.count() > 0 && (await rows.locator("td.lose").count()) === (await rows.count()));
  await rows.first().locator("a").click();
  await until("a lost game", async () => (await viewer.locator(".end").innerText()) === (japanese ? "carol の勝ち(後手)、投了" : "carol won (White), resignation"));
  await page.locator(".to-list").click();
  await page.locator("#filter [name=opponent]").fill("");
  await page.locator("#filter [name=result]").selectOption("");
  const tops = await page.evaluate(() => ["language", "link"].map(id => document.getElementById(id).getBoundingClientRect()).map(box => (box.top + box.bottom) / 2));
  assert.ok(Math.abs(tops[0] - tops[1]) < 8, "the head is one line");
}

// Letters stand out from what is behind them, as WCAG 2.1 AA asks; every button and link has a name.
async function legible(page) {
  const found = await page.evaluate(() => {
    const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const luminance = name => {
      paint.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name); paint.fillRect(0, 0, 1, 1);
      const [r, g, b] = [...paint.getImageData(0, 0, 1, 1).data].map(part => part / 255).map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const poor = [];
    for (const ink of ["--ink", "--dim", "--accent", "--good", "--bad", "--theirs"]) for (const paper of ["--paper", "--card", "--accent-soft"]) {
      if (paper === "--accent-soft" && !["--ink", "--accent"].includes(ink)) continue;
      const [low, high] = [luminance(ink), luminance(paper)].sort((a, b) => a - b), contrast = (high + 0.05) / (low + 0.05);
      if (contrast < 4.5) poor.push(`${ink} on ${paper}: ${contrast.toFixed(2)}`);
    }
    const nameless = [...document.querySelectorAll("button, a, select, input")].filter(one => one.offsetParent && !(one.textContent.trim() || one.getAttribute("aria-label") || one.closest("label"))).map(one => one.outerHTML);
    return { poor, nameless };
  });
  assert.deepEqual(found, { poor: [], nameless: [] });
}

/// Laid over another picture: sized and colored by its address, nothing behind it.
async function overlay(browser, at) {
  const context = await browser.newContext({ locale: "ja-JP", colorScheme: "dark", viewport: { width: 900, height: 900 } }), page = await context.newPage();
  await page.goto(at + "/?overlay&bot=alice&width=420&show=players,board,move&panel=102030&ink=red;}*{display:none");
  await page.locator(".overlay .board svg").waitFor();
  await until("the game", async () => /▲|△/.test(await page.locator(".overlay .now").innerText()));
  const seen = await page.evaluate(() => ({ header: getComputedStyle(document.querySelector("header")).display, behind: getComputedStyle(document.body).backgroundColor, width: document.querySelector(".overlay").getBoundingClientRect().width,
    panel: getComputedStyle(document.querySelector(".overlay .player")).backgroundColor, hasBar: document.querySelector(".overlay .bar") !== null, hasLog: document.querySelector(".log") !== null }));
  assert.deepEqual(seen, { header: "none", behind: "rgba(0, 0, 0, 0)", width: 420, panel: "rgb(16, 32, 48)", hasBar: false, hasLog: false });
  await context.close();
}

/// The same games as plain files, behind a web server that knows nothing.
async function publishedSite(browser) {
  const publish = () => spawnSync(kakehashi, ["publish", "site", "--archive", "records/games.db", "--title", "Our <games>"], { cwd: stage.folder, encoding: "utf8" });
  const first = publish(), shown = Number(first.stdout.match(/^(\d+) games published, \1 new$/m)?.[1]);
  assert.ok(shown >= 25, first.stdout + first.stderr);
  const folder = join(stage.folder, "site"), age = () => statSync(join(folder, "index.html")).mtimeMs, written = age();
  const again = publish();
  assert.match(again.stdout, /^\d+ games published, \d new$/m);
  assert.equal(age(), written, "what is the same stays as it is");
  const at = await stage.site("site");
  for (const viewport of [{ width: 1600, height: 1000 }, { width: 390, height: 844 }]) {
    const context = await browser.newContext({ locale: "ja-JP", viewport, permissions: ["clipboard-read", "clipboard-write"] }), page = await context.newPage(), faults = [], requests = [];
    page.on("pageerror", error => faults.push(String(error)));
    page.on("console", message => { if (message.type() === "error") faults.push(message.text()); });
    page.on("request", request => requests.push(request.url()));
    await page.goto(at + "/");
    const rows = page.locator("#rows tr");
    await until("the games", async () => (await rows.count()) === 20);
    assert.equal(await page.title(), "Our <games>");
    await page.locator("#filter [name=opponent]").fill("car*");
    await until("carol's games", async () => (await rows.count()) === 13);
    await page.locator("#filter [name=result]").selectOption("win");
    await until("those that were won", async () => (await rows.locator("td.win").count()) === (await rows.count()));
    await rows.first().locator("a").click();
    const viewer = page.locator(".finished-game");
    await until("a game", async () => /△同　銀/.test(await viewer.locator(".now").innerText()));
    await page.keyboard.press("Home"); await page.keyboard.press("ArrowRight");
    assert.match(await viewer.locator(".now").innerText(), /▲７六歩 {2}3秒 {2}\+52$/);
    await viewer.locator(".record", { hasText: "KIF" }).locator("button").first().click();
    await until("the record", async () => /KIF/.test(await viewer.locator(".told").innerText()));
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /７六歩\(77\)/);
    await fits(page, "the site");
    await page.goto(at + "/list.html");
    assert.equal(await page.locator("li", { hasText: hostile }).count(), 2, "by date and by opponent");
    assert.equal(await page.locator("img").count(), 0);
    assert.deepEqual([faults, requests.filter(url => !url.startsWith(at))], [[], []]);
    await context.close();
  }
  const reader = await (await browser.newContext()).newPage();
  const feed = await reader.evaluate(text => { const read = new DOMParser().parseFromString(text, "application/xml"); return [read.querySelectorAll("entry").length, read.querySelectorAll("parsererror").length]; }, readFileSync(join(folder, "feed.xml"), "utf8"));
  assert.deepEqual([feed[0] >= 25, feed[1]], [true, 0], "the feed is XML");
}

/// A bot that waits for its window says when that opens, on the page and on the terminal.
async function restingBot(browser) {
  const hour = String((new Date().getUTCHours() + 12) % 24).padStart(2, "0");
  stage.configure("carol", `game: {name: test-90-1F}\nschedule: {windows: '${hour}:30-${hour}:59', time_zone: UTC, early: 0s}\n`);
  const status = await stage.run("carol");
  const seen = `waiting for its window until [A-Z][a-z]{2} ${hour}:30, in 1[12] h( \\d+ min)?`;
  const say = (...words) => spawnSync(kakehashi, [...words, "--status", String(status)], { encoding: "utf8" });
  await until("the window", async () => new RegExp(`^carol: ${seen}\n$`).test(say("status").stdout));
  assert.match(say("top", "--times", "1").stdout, new RegExp(`^carol: ${seen}\n`));
  const { window } = (await (await fetch(`http://127.0.0.1:${status}/api/v1/status`)).json()).bots[0];
  assert.ok(Math.abs(window.opens_ms - Date.now() - window.opens_in_ms) < 60_000 && window.opens_in_ms > 11 * 3600_000);
  for (const [locale, text] of [["en-GB", new RegExp(`^until [A-Z][a-z]{2} ${hour}:30, in 1[12] h( \\d+ min)?$`)], ["ja-JP", new RegExp(`^[月火水木金土日]曜 ${hour}:30 まで\\(あと 1[12]時間( \\d+分)?\\)$`)]]) {
    const page = await (await browser.newContext({ locale, viewport: { width: 390, height: 500 } })).newPage();
    await page.goto(`http://127.0.0.1:${status}/`);
    await page.locator(".bot-head .until").waitFor();
    assert.match(await page.locator(".bot-head .until").innerText(), text);
    await page.context().close();
  }
}

try {
  await main();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  stage.strike();
  process.exit();  // a browser that is still open would keep us
}
