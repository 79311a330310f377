// What a person sees needs a stage: the embedded server, bots that play on it with --status, finished games in the
// archive of one of them, and Chromium. For the test of the page and for the pictures of the documents.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createWebServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";

const { chromium } = createRequire(new URL("../npm/package.json", import.meta.url))("playwright-core");

export class Stage {
  constructor(kakehashi, engine) {
    this.kakehashi = kakehashi; this.engine = engine;
    this.folder = mkdtempSync(join(tmpdir(), "kakehashi-page-"));
    this.children = [];
  }

  start(...words) {
    const child = spawn(this.kakehashi, words, { stdio: ["ignore", "pipe", "pipe"], cwd: this.folder });
    child.said = "";
    for (const pipe of [child.stdout, child.stderr]) pipe.on("data", text => { child.said += text; });
    this.children.push(child);
    return child;
  }

  async until(what, condition) {
    const end = Date.now() + 90_000;
    for (;;) {
      const value = await condition().catch(() => undefined);
      if (value) return value;
      if (Date.now() > end) throw new Error(`${what} did not come; the bots said: ${this.children.map(c => c.said).join("\n")}`);
      await new Promise(resolve => setTimeout(resolve, 100));
    }
  }

  // Any free one, which the system chooses and the program tells.
  async portOf(child, pattern) {
    return Number((await this.until("a port", async () => child.said.match(pattern)))[1]);
  }

  async serve(leastTime = "1") {
    this.port = await this.portOf(this.start("serve", "--port", "0", "--least-time", leastTime), /^listening on .* port (\d+)$/m);
  }

  configure(name, extra = "", ofEngine = "") {
    writeFileSync(join(this.folder, name + ".password"), "secret\n", { mode: 0o600 });
    writeFileSync(join(this.folder, name + ".yaml"), `server: {host: 127.0.0.1, port: ${this.port}}
account: {name: ${name}, password_file: ${join(this.folder, name + ".password")}}
engine: {command: [${this.engine}]${ofEngine && ", " + ofEngine}}
${extra}`);
  }

  // Finished games, from records: each { name, text }.
  import(records, us) {
    mkdirSync(join(this.folder, "old"), { recursive: true });
    for (const { name, text } of records) writeFileSync(join(this.folder, "old", name), text);
    return spawnSync(this.kakehashi, ["games", "import", "old", "--name", us], { cwd: this.folder, encoding: "utf8" });
  }

  async run(...names) {
    return this.portOf(this.start("run", ...names.map(name => join(this.folder, name + ".yaml")), "--status", "0"), /status_opened: \D*(\d+)/);
  }

  // A published site at an address of its own, as a plain web server shows it.
  async site(name) {
    const folder = join(this.folder, name);
    const web = createWebServer((request, response) => {
      const path = normalize(decodeURIComponent(request.url.split("?")[0])), file = join(folder, path === "/" ? "index.html" : path);
      response.setHeader("Content-Type", { html: "text/html", json: "application/json", xml: "application/atom+xml" }[file.split(".").pop()] || "application/octet-stream");
      try { response.end(readFileSync(file)); } catch { response.statusCode = 404; response.end(); }
    });
    await new Promise(listens => web.listen(0, "127.0.0.1", listens));
    return `http://127.0.0.1:${web.address().port}`;
  }

  // Its own words, as those of a field for a date, are of that language too (Debian's chromium-l10n).
  async browse(language = "en") {
    this.browser = await chromium.launch({
      executablePath: "/usr/bin/chromium", env: { ...process.env, LANGUAGE: language },
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    });
    return this.browser;
  }

  strike() {
    for (const child of this.children) child.kill("SIGKILL");
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20 });  // who plays dies behind its holder
  }
}
