// The live page in a real browser, against a program that plays a real game.
//
//   node live_page.mjs KAKEHASHI ENGINE [SCREENSHOT_DIRECTORY]
//
// Starts the embedded server and two bots with --status, opens the page in Chromium as a person would
// (light and dark, wide and narrow, Japanese and English), and checks what it shows against the API.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync, mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const { chromium } = createRequire(new URL("../npm/package.json", import.meta.url))("playwright-core");
const [kakehashi, engine, screenshots] = process.argv.slice(2).map(path => resolve(path));
const folder = mkdtempSync(join(tmpdir(), "kakehashi-page-"));
const children = [];

const freePort = () => new Promise(resolve => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});

function start(...words) {
  const child = spawn(kakehashi, words, { stdio: ["ignore", "ignore", "pipe"], cwd: folder });
  child.said = "";
  child.stderr.on("data", text => { child.said += text; });
  children.push(child);
  return child;
}

async function until(what, condition) {
  const end = Date.now() + 60_000;
  for (;;) {
    const value = await condition().catch(() => undefined);
    if (value) return value;
    if (Date.now() > end) throw new Error(`${what} did not come; the bots said: ${children.map(c => c.said).join("\n")}`);
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}

async function main() {
  const port = await freePort(), status = await freePort();
  start("serve", "--port", String(port), "--least-time", "1");
  for (const name of ["alice", "bob"]) {
    writeFileSync(join(folder, name + ".password"), "secret\n", { mode: 0o600 });
    writeFileSync(join(folder, name + ".yaml"), `server: {host: 127.0.0.1, port: ${port}}
account: {name: ${name}, password_file: ${join(folder, name + ".password")}}
game: {name: test-90-1F, meet_own: true}
engine: {command: [${engine}]}
ponder: true
`);
  }
  // Finished games, from records: alice's archive is where her bot will look for it.
  mkdirSync(join(folder, "old"));
  for (let i = 0; i < 25; ++i) {
    const number = String(i).padStart(2, "0"), opponent = i % 2 ? "bob" : "carol";
    writeFileSync(join(folder, "old", number + ".csa"), `V2.2
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
+8822UM
T7
-3122GI
T2
%TORYO
`);
  }
  const imported = spawnSync(kakehashi, ["games", "import", "old", "--name", "alice"], { cwd: folder, encoding: "utf8" });
  assert.match(imported.stdout, /^25 games added/, imported.stderr);
  start("run", join(folder, "alice.yaml"), join(folder, "bob.yaml"), "--status", String(status));
  const api = `http://127.0.0.1:${status}/api/v1/status`;
  const report = async () => (await fetch(api)).json();
  await until("a game of six moves", async () => (await report()).bots.every(bot => bot.game?.moves.length >= 6));

  const metrics = await (await fetch(`http://127.0.0.1:${status}/metrics`)).text();
  const verdict = spawnSync("promtool", ["check", "metrics"], { input: metrics, encoding: "utf8" });
  assert.equal(verdict.status, 0, `promtool: ${verdict.stdout}${verdict.stderr}${verdict.error ?? ""}`);

  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  const looks = [
    { name: "wide-light-en", locale: "en-GB", colorScheme: "light", viewport: { width: 1280, height: 900 } },
    { name: "wide-dark-ja", locale: "ja-JP", colorScheme: "dark", viewport: { width: 1280, height: 900 } },
    { name: "phone-light-ja", locale: "ja-JP", colorScheme: "light", viewport: { width: 390, height: 844 } },
  ];
  for (const look of looks) {
    const page = await (await browser.newContext({ locale: look.locale, colorScheme: look.colorScheme, viewport: look.viewport })).newPage();
    const faults = [], requests = [];
    page.on("pageerror", error => faults.push(String(error)));
    page.on("console", message => { if (message.type() === "error") faults.push(message.text()); });
    page.on("request", request => requests.push(request.url()));
    await page.goto(`http://127.0.0.1:${status}/`);
    await page.locator("article").nth(1).waitFor();
    assert.equal(await page.locator("article").count(), 2, "a card for each bot");
    const isJapanese = look.locale.startsWith("ja");
    assert.equal(await page.locator("html").getAttribute("lang"), isJapanese ? "ja" : "en");
    assert.match(await page.locator("article .phase").first().innerText(), isJapanese ? /対局中/ : /playing/);

    // Forty pieces are on the board and in the hands, whatever was taken.
    const drawn = await page.locator("article").first().locator("svg.board g text").count();
    const counts = await page.locator("article").first().locator("svg.board > text").allInnerTexts();
    assert.ok(drawn >= 2 && drawn <= 40, `${drawn} pieces are drawn`);
    assert.ok(counts.length >= 18, "files and ranks are named");

    // The page follows the game.
    const before = (await report()).bots[0].game.moves.length;
    await until("a later move on the page", async () => {
      const label = await page.locator("article svg.board").first().getAttribute("aria-label");
      return Number(label.match(/\d+/)[0]) > before;
    });
    // An evaluation in the graph, and the expected line in Japanese notation.
    await until("a graph", async () => (await page.locator("article svg.graph polyline").first().getAttribute("points")).length > 3);
    await until("an expected line", async () => /[▲△][１-９同]/.test(await page.locator("article .pv").first().innerText()));

    // By keyboard: the language button is the first stop, and turns the page into the other language.
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.id), "language");
    await page.keyboard.press("Enter");
    await until("the other language", async () => (await page.locator("html").getAttribute("lang")) === (isJapanese ? "en" : "ja"));
    await page.keyboard.press("Enter");

    // The finished games: filtered, counted, continued, and one of them stepped through by keyboard.
    const rows = page.locator("#rows tr");
    await until("the list of games", async () => (await rows.count()) === 20);
    assert.match(await page.locator("#stats").innerText(), isJapanese ? /25局/ : /25 games/);
    // At a glance, before anything is touched: the first column is there, the words are of this language,
    // and the button stands apart from the list.
    // One measurement at once: the list is drawn again whenever it is loaded again.
    const list = await page.evaluate(() => {
      const box = selector => document.querySelector(selector).getBoundingClientRect(), scroller = document.querySelector(".wide");
      return { left: scroller.scrollLeft, hidden: scroller.scrollWidth - scroller.clientWidth, first: box("#rows td"), gap: box("#more").top - box("#rows tr:last-child").bottom };
    });
    if (look.viewport.width < 500) assert.deepEqual([list.left, list.hidden], [0, 0], "nothing of the list hides to the side");
    assert.ok(list.first.x >= 0 && list.first.x + list.first.width <= look.viewport.width, "the first column is in sight");
    assert.ok(list.gap >= 8, `the button stands ${list.gap} px below the list`);
    assert.equal(await rows.first().locator("td.clock").innerText(), isJapanese ? "記録なし" : "not recorded");
    assert.equal(await rows.first().locator("td.ending").innerText(), isJapanese ? "投了" : "resignation");
    assert.match(await page.locator("#stats").innerText(), isJapanese ? /負けの内訳 投了 \d/ : /lost by resignation \d/);
    // The log's lines are English; the Japanese page says first what they mean.
    const line = page.locator("article ol.log li[title=logged_in]").first();
    assert.match(await line.innerText(), isJapanese ? /サーバーがログインを受け付けた。\s*logged in as/ : /^\S+( [AP]M)?\s*logged in as/i);
    await page.locator("#more").click();
    await until("the rest of the list", async () => (await rows.count()) === 25);
    await page.locator("#filter [name=opponent]").fill("car*");
    await until("a filtered list", async () => (await rows.count()) === 13);
    await page.locator("#filter [name=result]").selectOption("win");
    const won = await (await fetch(`http://127.0.0.1:${status}/api/v1/games?bot=alice&opponent=carol&result=win`)).json();
    await until("only wins", async () => (await rows.count()) === won.games.length);
    assert.ok(won.games.length > 0 && won.games.every(game => game.outcome === "win" && game.opponent === "carol"));
    await rows.first().locator("button").click();
    const viewer = page.locator("#viewer");
    assert.equal(await viewer.locator("h2").innerText(), isJapanese ? "☗carol 対 ☖alice" : "☗carol v. ☖alice");
    assert.equal(await viewer.locator(".end").innerText(), isJapanese ? "alice の勝ち（後手）、投了" : "alice won (White), resignation");
    await until("the last position", async () => /△同　銀/.test(await viewer.locator("output").innerText()));
    assert.match(await viewer.locator("a").getAttribute("href"), /^http:\/\/wdoor\.c\.u-tokyo\.ac\.jp\/shogi\/view\/2026\/01\/02\//);
    await page.keyboard.press("Home");
    await until("the start", async () => (await viewer.locator("output").innerText()) === (isJapanese ? "開始局面" : "start"));
    await page.keyboard.press("ArrowRight");
    await until("the first move", async () => (isJapanese ? /▲７六歩 3秒$/ : /▲７六歩 3 s$/).test(await viewer.locator("output").innerText()));
    assert.match(await viewer.locator(".facts").innerText(), /\+52/);
    for (const key of ["ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
    await until("a promotion", async () => /▲２二角成/.test(await viewer.locator("output").innerText()));
    if (screenshots) {
      mkdirSync(screenshots, { recursive: true });
      await page.screenshot({ path: join(screenshots, look.name + "-game.png") });
    }
    await page.keyboard.press("Escape");
    await page.locator("#filter [name=result]").selectOption("lose");
    await until("only lost games", async () => await rows.count() > 0 && (await rows.locator("td.lose").count()) === (await rows.count()));
    await rows.first().locator("button").click();
    await until("a lost game", async () => (await viewer.locator(".end").innerText()) === (isJapanese ? "carol の勝ち（後手）、投了" : "carol won (White), resignation"));
    await page.keyboard.press("Escape");
    await until("the page behind it", async () => !(await viewer.isVisible()));
    await page.locator("#filter [name=opponent]").fill("");
    await page.locator("#filter [name=result]").selectOption("");
    await page.evaluate(() => scrollTo(0, 0));

    const tops = await page.evaluate(() => ["language", "link"].map(id => document.getElementById(id).getBoundingClientRect()).map(box => (box.top + box.bottom) / 2));
    assert.ok(Math.abs(tops[0] - tops[1]) < 8, "the head is one line");
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(overflow <= 0, `nothing stands out to the side (${overflow} px)`);
    const foreign = requests.filter(url => !url.startsWith(`http://127.0.0.1:${status}/`));
    assert.deepEqual(foreign, [], "nothing is fetched from elsewhere");
    assert.deepEqual(faults.filter(text => !text.includes("favicon")), [], "no fault in the console");
    if (screenshots) {
      mkdirSync(screenshots, { recursive: true });
      await page.screenshot({ path: join(screenshots, look.name + ".png"), fullPage: true });
    }
    await page.context().close();
  }
  await restingBot(browser, port);
  await browser.close();
  console.log("live page: three looks, two bots, one game: as the API says");
}

/// A bot that waits for its window says when that opens, on the page and on the terminal.
async function restingBot(browser, port) {
  const status = await freePort(), hour = String((new Date().getUTCHours() + 12) % 24).padStart(2, "0");
  writeFileSync(join(folder, "carol.yaml"), `server: {host: 127.0.0.1, port: ${port}}
account: {name: carol, password_file: ${join(folder, "alice.password")}}
game: {name: test-90-1F}
engine: {command: [${engine}]}
schedule: {windows: '${hour}:30-${hour}:59', time_zone: UTC, early: 0s}
`);
  start("run", join(folder, "carol.yaml"), "--status", String(status));
  const seen = `waiting for its window until [A-Z][a-z]{2} ${hour}:30, in 1[12] h( \\d+ min)?`;
  const say = (...words) => spawnSync(kakehashi, [...words, "--status", String(status)], { encoding: "utf8" });
  await until("the window", async () => new RegExp(`^carol: ${seen}\n$`).test(say("status").stdout));
  assert.match(say("top", "--times", "1").stdout, new RegExp(`^carol: ${seen}\n`));
  const { window } = (await (await fetch(`http://127.0.0.1:${status}/api/v1/status`)).json()).bots[0];
  assert.ok(Math.abs(window.opens_ms - Date.now() - window.opens_in_ms) < 60_000 && window.opens_in_ms > 11 * 3600_000);
  for (const [locale, text] of [["en-GB", new RegExp(`^until [A-Z][a-z]{2} ${hour}:30, in 1[12] h( \\d+ min)?$`)], ["ja-JP", new RegExp(`^[月火水木金土日]曜 ${hour}:30 まで（あと 1[12]時間( \\d+分)?）$`)]]) {
    const page = await (await browser.newContext({ locale, viewport: { width: 390, height: 500 } })).newPage();
    await page.goto(`http://127.0.0.1:${status}/`);
    await page.locator("article .until").waitFor();
    assert.match(await page.locator("article .until").innerText(), text);
    if (screenshots) await page.screenshot({ path: join(screenshots, `window-${locale}.png`) });
    await page.context().close();
  }
}

try {
  await main();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
  process.exit();  // a browser that is still open would keep us
}
