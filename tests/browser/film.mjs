// The film of the README, of a game that goes on though the process that plays it is killed: scripts/screenshots.sh film.
//
//   node film.mjs KAKEHASHI ENGINE DIRECTORY [en|ja]
//
// A shell in a pseudo-terminal, in which somebody types, and the live page beside it, both as they are; in both languages.
import { spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { Stage } from "./stage.mjs";

const [kakehashi, engine, directory] = process.argv.slice(2, 5).map(path => resolve(path));
const languages = process.argv.length > 5 ? process.argv.slice(5) : ["en", "ja"];
const page = { width: 820, height: 680 }, terminal = { width: 820, height: 210 };
const header = 136; // of the page, above both clocks
const pause = 200, typing = 70; // ms from frame to frame, and from key to key
const movesBefore = 8, movesBetween = 2; // what stands on the board when it begins, and is played between the two kills
const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

// What a shell shows that somebody types in.
class Shell {
  constructor(folder, locale, path) {
    this.shown = "";
    const child = spawn("python3", ["-c", "import pty; pty.spawn(['env', 'PS1=$ ', 'bash', '--noprofile', '--norc', '-i'])"], {
      cwd: folder, stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, LC_ALL: "", LANG: locale, TERM: "dumb", HISTFILE: "", PATH: path + ":" + process.env.PATH },
    });
    child.stdout.setEncoding("utf8").on("data", text => { this.shown += text.replaceAll("\r\n", "\n").replace(/\x1b\[[0-9;?]*[a-zA-Z]/g, ""); });
    this.child = child;
  }
  // SIGHUP, as a terminal says it that is closed, would only have the configuration read again.
  close() { if (!this.child.stdin.writableEnded) this.child.stdin.end("kill -9 $!\nexit\n"); }
  async type(line) {
    for (const key of line) { this.child.stdin.write(key); await sleep(typing); }
    await sleep(5 * typing);
    this.child.stdin.write("\n");
  }
}

// To be typed before the program can tell one.
const freePort = () => new Promise(resolve => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});

async function shoot(stage, language) {
  const locale = { en: "C.UTF-8", ja: "ja_JP.UTF-8" }[language];
  const port = await freePort();
  for (const name of ["sakura", "matsu"]) stage.configure(name, `game: {name: film-${language}-60-2F}\n`, "options: {Slow Mover: 30}");
  await stage.run("matsu");
  const rival = stage.children.at(-1);
  const shell = new Shell(stage.folder, locale, stage.path);
  stage.children.push({ get said() { return shell.shown; }, kill: () => shell.close() });
  await shell.type(`kakehashi run sakura.yaml --status ${port} &`);
  const at = `http://127.0.0.1:${port}`;
  const moves = async () => {
    const [bot] = (await (await fetch(`${at}/api/v1/status`)).json()).bots;
    return bot.game && !bot.game.end ? bot.game.moves.length : 0;
  };
  await stage.until("a game in its beginning", async () => (await moves()) >= movesBefore);

  const browser = await stage.browse(language === "ja" ? "ja" : "en_GB");
  const context = await browser.newContext({ locale: language === "ja" ? "ja-JP" : "en-GB", colorScheme: "light", viewport: page });
  const live = await context.newPage(), screen = await (await browser.newContext({ viewport: terminal })).newPage();
  await screen.setContent(`<style>
    body { margin: 0; height: 100vh; display: flex; flex-direction: column; justify-content: flex-end; background: #16181d; overflow: hidden; }
    pre { margin: 10px 14px; color: #e6e6e6; font: 14px/1.35 "DejaVu Sans Mono", "Noto Sans Mono CJK JP", monospace; white-space: pre-wrap; word-break: break-all; }
  </style><pre></pre>`);
  await live.goto(at + "/#bot=sakura");
  await live.locator("svg[role=img]").first().waitFor();
  await live.evaluate(top => scrollTo(0, top), header);
  await sleep(500);

  const frames = [];
  let isOver = false;
  const filming = (async () => {
    while (!isOver) {
      const next = sleep(pause);
      await screen.evaluate(text => { document.querySelector("pre").textContent = text + "\u2588"; }, shell.shown.replace(/\n+$/, "\n"));
      const when = Date.now();
      const [above, below] = await Promise.all([live.screenshot(), screen.screenshot()]);
      frames.push({ when, above: above.toString("base64"), below: below.toString("base64") });
      await next;
    }
  })();
  const kill = async () => {
    const before = shell.shown.length;
    await shell.type("kill -9 $(pgrep -oP $! kakehashi)");
    await stage.until("another process that plays", async () => shell.shown.indexOf("run_followed", before) > 0);
    const then = await moves();
    await stage.until("further moves", async () => (await moves()) >= then + movesBetween);
  };
  await sleep(2000);
  await kill();
  await kill();
  await sleep(1500);
  isOver = true;
  await filming;
  const whole = await cut(browser, frames, { width: page.width, height: page.height + terminal.height });
  await browser.close();
  shell.close();
  rival.kill("SIGKILL");
  return whole;
}

// An animated WebP, of which each frame has what is new in it: the browser encodes them, and here they are put together
// (RIFF container: https://developers.google.com/speed/webp/docs/riff_container).
async function cut(browser, frames, { width, height }) {
  const table = await browser.newPage();
  const chunk = (name, ...bytes) => {
    const data = Buffer.concat(bytes), head = Buffer.alloc(8);
    head.write(name); head.writeUInt32LE(data.length, 4);
    return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
  };
  const number = (value, size) => { const bytes = Buffer.alloc(size); bytes.writeUIntLE(value, 0, size); return bytes; };
  const pictures = [];
  for (const { when, above, below } of frames) {
    const encoded = await table.evaluate(async ({ above, below, width, height }) => {
      const canvas = new OffscreenCanvas(width, height), pen = canvas.getContext("2d", { willReadFrequently: true });
      let y = 0;
      for (const source of [above, below]) {
        const picture = new Image();
        picture.src = "data:image/png;base64," + source;
        await picture.decode();
        pen.drawImage(picture, 0, y);
        y += picture.height;
      }
      const now = pen.getImageData(0, 0, width, height), last = globalThis.last;
      globalThis.last = new Uint32Array(new Uint32Array(now.data.buffer));
      // Nothing is drawn where nothing has changed; what has is encoded without loss, or its edges would show.
      let left = width, right = 0, top = height, bottom = 0;
      const pixels = new Uint32Array(now.data.buffer), block = 16;
      for (let by = 0; by < height; by += block) for (let bx = 0; bx < width; bx += block) {
        const isNew = act => {
          let found = !last;
          for (let y = by; y < Math.min(by + block, height); ++y) for (let x = bx; x < Math.min(bx + block, width); ++x) found = act(y * width + x) || found;
          return found;
        };
        if (isNew(i => last && last[i] !== pixels[i])) {
          left = Math.min(left, bx); right = Math.max(right, Math.min(bx + block, width));
          top = Math.min(top, by); bottom = Math.max(bottom, Math.min(by + block, height));
        } else {
          isNew(i => { pixels[i] = 0; });
        }
      }
      if (right === 0) return null;
      const piece = new OffscreenCanvas(right - left, bottom - top);
      piece.getContext("2d").putImageData(now, -left, -top);
      const bytes = new Uint8Array(await (await piece.convertToBlob({ type: "image/webp", quality: last ? 1 : 0.8 })).arrayBuffer());
      return { left, top, width: right - left, height: bottom - top, text: bytes.reduce((text, byte) => text + String.fromCharCode(byte), "") };
    }, { above, below, width, height });
    if (encoded) pictures.push({ when, ...encoded });
  }
  const end = frames.at(-1).when + 1500; // it stands still before it begins anew
  const parts = pictures.map((picture, i) => {
    const file = Buffer.from(picture.text, "latin1"), data = [];
    for (let at = 12; at < file.length;) {
      const size = 8 + file.readUInt32LE(at + 4), whole = size + size % 2;
      if (["ALPH", "VP8 ", "VP8L"].includes(file.toString("latin1", at, at + 4))) data.push(file.subarray(at, at + whole));
      at += whole;
    }
    const lasts = (i + 1 < pictures.length ? pictures[i + 1].when : end) - picture.when;
    return chunk("ANMF", number(picture.left / 2, 3), number(picture.top / 2, 3), number(picture.width - 1, 3), number(picture.height - 1, 3),
      number(lasts, 3), number(0, 1), ...data);
  });
  const alphaAndAnimation = 0x12;
  const body = Buffer.concat([Buffer.from("WEBP"), chunk("VP8X", number(alphaAndAnimation, 4), number(width - 1, 3), number(height - 1, 3)),
    chunk("ANIM", number(0xffffffff, 4), number(0, 2)), ...parts]);
  return Buffer.concat([Buffer.from("RIFF"), number(body.length, 4), body]);
}

const stage = new Stage(kakehashi, engine);
try {
  stage.path = join(stage.folder, "bin");
  mkdirSync(stage.path);
  symlinkSync(kakehashi, join(stage.path, "kakehashi"));
  await stage.serve("0");
  for (const language of languages) {
    const film = await shoot(stage, language);
    writeFileSync(join(directory, `killed.${language}.webp`), film);
    console.log(`killed.${language}.webp: ${film.length} bytes`);
  }
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  stage.strike();
  await sleep(500);
  process.exit();
}
