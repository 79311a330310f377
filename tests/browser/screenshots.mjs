// The pictures of the page in the documents, made anew from real games: scripts/screenshots.sh.
//
//   node screenshots.mjs KAKEHASHI ENGINE DIRECTORY
//
// Four bots play short games on the embedded server, which are those that are finished in the pictures, and then long
// ones. Each view is taken in both languages and written as WebP, which Chromium itself encodes.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Stage } from "./stage.mjs";

const [kakehashi, engine, directory] = process.argv.slice(2).map(path => resolve(path));
const stage = new Stage(kakehashi, engine);
const desktop = { width: 1600, height: 1000 }, wide = { width: 1600, height: 590 }, list = { width: 1280, height: 500 };
const tablet = { width: 820, height: 1180 }, phone = { width: 412, height: 915 };
const names = ["sakura", "matsu", "take", "ume"];

async function main() {
  mkdirSync(directory, { recursive: true });
  await stage.serve("0");
  // Those whose games have one name meet.
  const play = async gameOf => {
    for (const name of names) stage.configure(name, `game: {name: ${gameOf(name)}, meet_own: true}\n`);
    const at = `http://127.0.0.1:${await stage.run(...names)}`;
    return { at, bots: async () => (await (await fetch(`${at}/api/v1/status`)).json()).bots };
  };
  for (const opponent of names.slice(1)) {
    const { at, bots } = await play(name => [names[0], opponent].includes(name) ? "test-15-0F" : "test-20-0F");
    await patiently("finished games", async () => (await bots()).every(bot => bot.games_finished >= 1));
    // The games that have begun since are finished.
    spawnSync(kakehashi, ["stop", "--status", new URL(at).port]);
    await patiently("the end of the short games", async () => stage.children.at(-1).exitCode !== null);
  }

  const { at, bots } = await play(() => "test-120-2F");
  // Long enough for graphs that say something.
  await patiently("games in their middle", async () => (await bots()).every(bot => bot.game && !bot.game.end && bot.game.moves.length >= 30));
  const { games } = await (await fetch(`${at}/api/v1/games?bot=sakura`)).json();
  const finished = games.find(game => game.plies > 70 && game.reason === "#RESIGN") || games[0];

  const browsers = { en: await stage.browse("en_GB"), ja: await stage.browse("ja") };
  const shoot = async (name, language, colorScheme, address, viewport, act = async () => {}) => {
    const locale = { en: "en-GB", ja: "ja-JP" }[language], browser = browsers[language];
    const context = await browser.newContext({ locale, colorScheme, viewport }), page = await context.newPage();
    await page.goto(address);
    await page.locator("svg[role=img], #rows tr").first().waitFor();
    await page.waitForTimeout(500);
    await act(page);
    writeFileSync(join(directory, `${name}.${language}.webp`), await webp(browser, await page.screenshot(), viewport));
    await context.close();
  };
  // The running games first, while they run.
  for (const language of ["en", "ja"]) {
    for (const [name, colors] of [["game", "light"], ["game-dark", "dark"]]) await shoot(name, language, colors, at + "/#bot=sakura", desktop);
    await shoot("tablet", language, "light", at + "/#bot=sakura", tablet);
    await shoot("phone", language, "dark", at + "/#bot=sakura", phone);
    await shoot("wall", language, "dark", at + "/", wide);
    await shoot("overlay", language, "light", `${at}/?overlay&bot=sakura&width=600&show=players,board,score,move&background=2f5d3a`, { width: 600, height: 660 });
  }
  for (const language of ["en", "ja"]) {
    await shoot("finished", language, "light", at + "/#games", list);
    await shoot("replay", language, "light", `${at}/#game=${finished.id}&bot=sakura`, desktop, async page => {
      for (let i = 0; i < 12; ++i) await page.keyboard.press("ArrowLeft");
      // Where something was expected: the board shows the second move of it.
      for (let i = 0; i < 6 && (await page.locator(".line-move").count()) < 2; ++i) await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("ArrowDown"); await page.keyboard.press("ArrowDown");
    });
    const title = { en: "Our engines at home", ja: "うちのエンジンの対局" }[language];
    spawnSync(kakehashi, ["publish", "site." + language, "--archive", "records/games.db", "--title", title], { cwd: stage.folder });
    await shoot("site", language, "light", await stage.site("site." + language), list);
  }
  await browsers.en.close();
  await browsers.ja.close();
}

async function patiently(what, condition) {
  for (let i = 0; i < 8; ++i) {
    try { return await stage.until(what, condition); } catch (error) { if (i === 7) throw error; }
  }
}

async function webp(browser, png, { width, height }) {
  const page = await browser.newPage({ viewport: { width, height } });
  const encoded = await page.evaluate(async source => {
    const picture = new Image();
    picture.src = source;
    await picture.decode();
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    canvas.getContext("2d").drawImage(picture, 0, 0);
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/webp", quality: 0.82 })).arrayBuffer());
    return bytes.reduce((text, byte) => text + String.fromCharCode(byte), "");
  }, "data:image/png;base64," + png.toString("base64"));
  await page.close();
  return Buffer.from(encoded, "latin1");
}

try {
  await main();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  stage.strike();
  process.exit();
}
