// The pictures of the page in the documents, made anew from real games: scripts/screenshots.sh.
//
//   node screenshots.mjs KAKEHASHI ENGINE DIRECTORY
//
// Four bots play on the embedded server; each view is taken in both languages, light in English, dark in Japanese,
// and written as WebP, which Chromium itself encodes.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Stage } from "./stage.mjs";

const [kakehashi, engine, directory] = process.argv.slice(2).map(path => resolve(path));
const transcripts = new URL("../transcripts", import.meta.url).pathname;
const stage = new Stage(kakehashi, engine);
const desktop = { width: 1600, height: 1000 }, phone = { width: 390, height: 844 };

async function main() {
  mkdirSync(directory, { recursive: true });
  await stage.serve();
  // Finished games: those of the transcripts, in which both sides told what they thought.
  const old = readdirSync(transcripts, { recursive: true }).filter(path => path.endsWith("record.csa"))
    .map((path, i) => ({ name: i + ".csa", text: readFileSync(join(transcripts, path), "utf8").replaceAll("bridge_a", "sakura").replaceAll("bridge_b", ["hinoki", "kaede", "sugi"][i % 3]) }));
  stage.import(old, "sakura");
  const names = ["sakura", "matsu", "take", "ume"];
  for (const name of names) stage.configure(name, "game: {name: test-120-2F, meet_own: true}\n");
  const status = await stage.run(...names), at = `http://127.0.0.1:${status}`;
  const bots = async () => (await (await fetch(`${at}/api/v1/status`)).json()).bots;
  const { games } = await (await fetch(`${at}/api/v1/games?bot=sakura`)).json();
  const finished = games.find(game => game.plies > 70 && game.reason === "#RESIGN");
  // Long enough for graphs that say something.
  await patiently("games in their middle", async () => (await bots()).every(bot => bot.game && !bot.game.end && bot.game.moves.length >= 30));

  const browser = await stage.browse();
  for (const [language, locale, colorScheme] of [["en", "en-GB", "light"], ["ja", "ja-JP", "dark"]]) {
    const shoot = async (name, address, viewport, act = async () => {}) => {
      const context = await browser.newContext({ locale, colorScheme, viewport }), page = await context.newPage();
      await page.goto(at + address);
      await page.locator("svg[role=img], #rows tr").first().waitFor();
      await page.waitForTimeout(500);
      await act(page);
      writeFileSync(join(directory, `${name}.${language}.webp`), await webp(browser, await page.screenshot(), viewport));
      await context.close();
    };
    await shoot("game", "/#bot=sakura", desktop, page => page.keyboard.press("f").then(() => page.keyboard.press("f")));
    await shoot("phone", "/#bot=sakura", phone);
    await shoot("wall", "/", desktop);
    await shoot("finished", "/#games", desktop);
    await shoot("replay", `/#game=${finished.id}&bot=sakura`, desktop, async page => {
      for (let i = 0; i < 12; ++i) await page.keyboard.press("ArrowLeft");
      // Where something was expected: the board shows the second move of it.
      for (let i = 0; i < 6 && (await page.locator(".line-move").count()) < 2; ++i) await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("ArrowDown"); await page.keyboard.press("ArrowDown");
    });
    await shoot("overlay", `/?overlay&bot=sakura&width=560&show=players,board,score,move&background=${language === "ja" ? "14304a" : "2f5d3a"}`, { width: 600, height: 700 });
  }
  await browser.close();
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
