// Every `kakehashi …` command that a document shows in a block of code is executed, in a world that is
// made for it: a folder, an embedded server on a port of its own, an engine that answers at once. Nothing
// leaves this machine. A chapter of the world is a function that tries documented lines in their order; a
// documented line that no chapter tries is a problem, and so is a tried one that no document has. Lines that
// call other programs are executed too, or stand in a table with the test that executes their like.
//
//   node run_documents.mjs KAKEHASHI ENGINE
import { spawn } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync }
  from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { blocksOf, commandsOf, otherCommandsOf, pages, top } from "./documents.mjs";

const [kakehashi, engine] = process.argv.slice(2);
const limit_ms = 60_000;           // for a word that is waited for, and for most commands
const rehearsal_limit_ms = 180_000;
const world = mkdtempSync(join(tmpdir(), "kakehashi-documents-"));
const trip = "himitsu";
const problems = [];
const tried = new Set();
const alive = new Set();
const substituted = new Set();

/** What exists on a user's machine only, or would disturb others on this one; the rest runs as written. */
const substitutions = [
  { what: "エンジンのパス", by: () => engine, why: "a word for the reader's own engine" },
  { what: "FILE", by: ({ journal }) => journal, why: "a word for the reader's own journal" },
  { what: "--status 9980", by: () => "--status 0", why: "a fixed port may be taken: any free one" },
  { what: "0.0.0.0:9980", by: () => "127.0.0.1:0", why: "a test opens nothing to the network" },
  { what: "/etc/kakehashi/status.token", by: () => "status.token", why: "a file of the system's administrator" },
  { what: /^kakehashi (status|top|health|reload|upgrade|stop)( --\w+)?$/, by: ({ status }) => `$& --status 127.0.0.1:${status}`,
    why: "the default port 9980 may be taken" },
  { what: "init --yes", by: ({ port }) => `init --yes --server 127.0.0.1:${port}`,
    why: "the default is floodgate, and a test calls no server on the network" },
  { what: "http://host:9980", by: ({ status }) => `http://127.0.0.1:${status}`, why: "a word for the reader's own host" },
  { what: "csa.lab.example:4081", by: ({ port }) => `127.0.0.1:${port}`, why: "a server of nobody" },
  { what: "--sprt 0,5 ", by: () => "--sprt 0,200 ", why: "shortened: an answer within some games that are all drawn" },
  { what: "--games 10 --faults mild", by: () => "--games 2 --faults mild", why: "shortened: a game is five seconds" },
];

/** Lines that are executed, or their like, by tests of their own. */
const elsewhere = [
  { what: /^kakehashi (init --service|logs mybot)/, by: "tests/systemd/check_service.py" },
  { what: /^apt install \.\/kakehashi_/, by: "tests/packaging/check_install.sh" },
  { what: /^docker load /, by: "tests/packaging/check_release.sh" },
  { what: /^docker (build|run|stop) /, by: "tests/packaging/check_container.sh" },
  { what: /^docker compose /, by: "tests/packaging/check_container_files.sh" },  // judged, not executed
  { what: /^cmake --install /, by: "tests/packaging/check_package.sh" },
  { what: /^kubectl apply -k \.$/, by: "tests/packaging/check_kubernetes.mjs" },
  { what: /^(systemctl|journalctl|install -.*kakehashi)/, by: "tests/systemd/check_service.py" },
  { what: /^(scripts\/(setup|test|lint)\.sh|cmake --preset (dev|release)|ctest |(KAKEHASHI_REFRESH=1 )?build\/dev\/tests\/)/,
    by: "scripts/test.sh" },
  { what: /^(scripts\/(coverage|cuts|demo|fuzz|simulate)\.sh|bench\/\S+\.sh|build\/sim\/)/, by: "scripts/nightly.sh" },
];

/** What is executed for a documented line; `place` tells the ports and files of the chapter. */
function instead(line, place) {
  return substitutions.reduce((now, one) => {
    if (!(one.what instanceof RegExp ? one.what.test(now) : now.includes(one.what))) return now;
    substituted.add(one);
    return now.replace(one.what, one.by(place));
  }, line);
}

/** A folder of the world for one chapter; `files` by their names. */
function folderOf(name, files = {}) {
  const folder = join(world, name);
  mkdirSync(folder);
  for (const [file, text] of Object.entries(files)) {
    writeFileSync(join(folder, file), text, { mode: 0o600 });
  }
  return folder;
}

/** A program of the world: what it said so far, words of it to wait for, its end. */
function start(folder, program, words) {
  const child = spawn(program, words, {
    cwd: folder,
    env: { ...process.env, PATH: `${join(world, "bin")}:${process.env.PATH}`, HOME: folder, ENGINE: engine,
      TERM: "xterm", TRIP: trip },
  });
  const one = { child, said: "", status: undefined };
  alive.add(one);
  const heard = [];
  const hear = (text) => {
    one.said += text;
    heard.forEach((look) => look());
  };
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  child.stdin.on("error", () => {});  // it may be gone before it has read all
  child.on("error", (error) => hear(`${error}`));
  child.on("close", (status, signal) => {
    alive.delete(one);
    one.status = status ?? signal ?? "none";
    heard.forEach((look) => look());
  });
  /** Until `is_there()`, at most so long; true when it came. */
  one.until = (is_there, at_most_ms = limit_ms) => new Promise((resolve) => {
    const look = () => {
      if (!is_there() && one.status === undefined) return;
      clearTimeout(timer);
      heard.splice(heard.indexOf(look), 1);
      resolve(is_there());
    };
    const timer = setTimeout(() => {
      heard.splice(heard.indexOf(look), 1);
      resolve(false);
    }, at_most_ms);
    heard.push(look);
    look();
  });
  one.ends = (at_most_ms) => one.until(() => one.status !== undefined, at_most_ms);
  one.tell = (what) => problems.push(`${what}\n${one.said.slice(-2000).replace(/^/gm, "    ")}`);
  return one;
}

/** A server of a chapter's own. */
async function serve(folder) {
  const server = start(folder, kakehashi, ["serve", "--port", "0"]);
  if (!await server.until(() => / port \d+/.test(server.said))) {
    throw new Error(`no server: ${server.said}`);
  }
  return / port (\d+)/.exec(server.said)[1];
}

/** Ours gets the signals that it is sent; of other programs a line may hold several. */
const executed = (line, place) => (line.startsWith("kakehashi ") ? "exec " : "") + instead(line, place);

/** Executes a documented line to its end. */
async function tries(folder, line, { says = /(?:)/, status = 0, place = {}, input = "", at_most_ms = limit_ms } = {}) {
  tried.add(line);
  const one = start(folder, "bash", ["-c", executed(line, place)]);
  one.child.stdin.end(input);
  if (!await one.ends(at_most_ms)) {
    one.tell(`"${line}" did not end within ${at_most_ms / 1000} s`);
    one.child.kill("SIGKILL");
  } else if (one.status !== status) {
    one.tell(`"${line}" ended with status ${one.status}, not ${status}`);
  } else if (!says.test(one.said)) {
    one.tell(`"${line}" did not say ${says}`);
  }
  return one;
}

/** Starts a documented line that goes on until it is stopped. */
async function begins(folder, line, word, place = {}) {
  tried.add(line);
  const one = start(folder, "bash", ["-c", executed(line, place)]);
  one.child.stdin.end();
  if (!await one.until(() => word.test(one.said))) {
    one.tell(`"${line}" did not say ${word}`);
  }
  return one;
}

/** Stops it as the pages say: a second signal resigns a game that would go on. */
async function stops(one, line) {
  one.child.kill("SIGTERM");
  await one.until(() => /signal_received/.test(one.said));
  if (/game_started/.test(one.said)) {
    one.child.kill("SIGTERM");
  }
  if (!await one.ends()) {
    one.tell(`"${line}" did not stop`);
    one.child.kill("SIGKILL");
  } else if (one.status !== 0) {
    one.tell(`"${line}" was stopped and ended with status ${one.status}`);
  }
}

async function plays(folder, line, word) {
  await stops(await begins(folder, line, word), line);
}

/** Executes a documented line on a terminal: an answer is typed when its question has been asked. */
async function talks(folder, line, talk, place = {}) {
  tried.add(line);
  const one = start(folder, "script", ["-qefc", executed(line, place), "/dev/null"]);
  let seen = 0;
  for (const [question, answer] of talk) {
    const asked = () => one.said.indexOf(question, seen);
    if (!await one.until(() => asked() >= 0)) {
      one.tell(`"${line}" did not ask "${question}"`);
      one.child.kill("SIGKILL");
      return;
    }
    seen = asked() + question.length;
    one.child.stdin.write(answer);
  }
  if (!await one.ends()) {
    one.tell(`"${line}" did not end`);
    one.child.kill("SIGKILL");
  } else if (one.status !== 0) {
    one.tell(`"${line}" ended with status ${one.status} on a terminal`);
  }
}

const configuration = (name, port, think_ms = 0) => `server: {host: 127.0.0.1, port: ${port}}
account: {name: ${name}}
game: {name: test-600-1F, meet_own: true}
engine: {command: [${engine}, --think-ms, "${think_ms}"]}
`;

// --- chapters ---------------------------------------------------------------------------------------------

async function set_up_on_a_terminal() {
  const folder = folderOf("terminal");
  const port = await serve(folder);
  await talks(folder, "kakehashi init", [
    ["Server (HOST or HOST:PORT)", `127.0.0.1:${port}\n`],
    ["as others see it: ", "mybot\n"],
    ["(none: the organisers pair)", "floodgate-300-10F\n"],
    ["[mybot.yaml]: ", "\n"],
    ["(it is not shown): ", "himitsu\n"],
    ["Engine (its program", `${engine}\n`],
    ["Log in at the server", "y\n"],
  ]);
  if (!existsSync(join(folder, "mybot.yaml"))) {
    problems.push('"kakehashi init" wrote no mybot.yaml');
  }
  await tries(folder, "kakehashi check mybot.yaml", { says: /FakeEngine/ });
  await tries(folder, "kakehashi check mybot.yaml --login", { says: /login     accepted/ });
  await plays(folder, "kakehashi run mybot.yaml", /logged_in/);
  await set_up_from_a_script(folder, port);
}

/** As README goes on behind `kakehashi init`, in the same folder. */
async function set_up_from_a_script(folder, port) {
  await tries(folder, "kakehashi init --yes --name another --trip-file - --engine fairy-stockfish",
    { place: { port }, input: "himitsu\n" });
  if (readFileSync(join(folder, "another.password"), "utf8") !== "himitsu\n") {
    problems.push("another.password does not hold the trip");
  }
}

async function archive() {
  const folder = folderOf("archive");
  mkdirSync(join(folder, "records"));
  const demo = readFileSync(join(top, "tests/shogi/record/demo.csa"), "utf8");
  for (let game = 1; game <= 12; ++game) {
    const began = new Date(Date.now() - game * 3_600_000).toISOString();
    const day = began.slice(0, 10).replaceAll("-", "/");
    writeFileSync(join(folder, `records/${game}.csa`), demo
      .replace("20261121030405", began.slice(0, 19).replace(/\D/g, ""))
      .replace("2026/11/21 03:04:05", `${day} ${began.slice(11, 19)}`)
      .replace("2026/11/21 03:04:19", `${day} ${began.slice(11, 19)}`)
      .replace("N-相手", game === 7 ? "N-Suisho5" : "N-foe"));
  }
  await tries(folder, "kakehashi games import records/ --name mybot", { says: /12/ });
  await tries(folder, "kakehashi games list", { says: /foe/ });
  await tries(folder, "kakehashi games list --opponent 'Suisho*' --result lose --since 30d", { says: /Suisho5/ });
  await tries(folder, "kakehashi games stats --color white");
  await tries(folder, "kakehashi games show 12", { says: /7776FU/ });
  await tries(folder, "kakehashi games show 12 --svg game.svg");
  await tries(folder, "kakehashi games export --to csv -o games.csv");
  await tries(folder, "kakehashi games export --to kif -o kifu/");
  await tries(folder, "kakehashi publish site --address https://example.org/shogi", { says: /12 games published, 12 new/ });
  const lines = readFileSync(join(folder, "games.csv"), "utf8").trim().split("\n").length;
  const records = readdirSync(join(folder, "kifu")).length;
  if (!readFileSync(join(folder, "game.svg"), "utf8").includes("<svg") || lines !== 13 || records !== 12) {
    problems.push(`of 12 games came ${lines} lines of CSV, ${records} records, or no picture`);
  }
}

async function watching() {
  const folder = folderOf("watching");
  const port = await serve(folder);
  writeFileSync(join(folder, "mybot.yaml"), configuration("mybot", port, 600_000));
  // The bot thinks until it is stopped: its game stays where it is while it is looked at.
  writeFileSync(join(folder, "foe.yaml"), configuration("foe", port));
  start(folder, kakehashi, ["run", "foe.yaml"]);
  const line = "kakehashi run mybot.yaml --status 9980";
  const bot = await begins(folder, line, /shown on port \d+[\s\S]*game_started/);
  const place = { status: /shown on port (\d+)/.exec(bot.said)?.[1] };
  await tries(folder, "kakehashi status", { says: /^mybot: playing, move \d/, place });
  await tries(folder, "kakehashi health", { place });
  await talks(folder, "kakehashi top", [["mybot", "q"]], place);
  await stops(bot, line);
}

async function asking() {
  const folder = folderOf("asking");
  const port = await serve(folder);
  writeFileSync(join(folder, "mybot.yaml"), configuration("mybot", port, 600_000));
  writeFileSync(join(folder, "foe.yaml"), configuration("foe", port));
  start(folder, kakehashi, ["run", "foe.yaml"]);
  const line = "kakehashi run mybot.yaml --status 9980";
  const playing = async () => {
    const bot = await begins(folder, line, /shown on port \d+[\s\S]*game_started/);
    return [bot, { status: /shown on port (\d+)/.exec(bot.said)?.[1] }];
  };
  const left = async (bot, status) => {
    if (!await bot.ends() || bot.status !== status) {
      bot.tell(`"${line}" was asked to stop and ended with ${bot.status}`);
    }
  };
  const [first, there] = await playing();
  await tries(folder, "kakehashi reload", { says: /nothing changed/, place: there });
  await tries(folder, "kakehashi stop", { says: /finishes the running game/, place: there });
  await tries(folder, "kakehashi stop --resign", { says: /resigns the running game/, place: there });
  await left(first, 0);
  const [second, here] = await playing();
  await tries(folder, "kakehashi stop --now", { says: /leaves at once/, place: here });
  await left(second, 75);
  const [third, where] = await playing();
  await tries(folder, "kakehashi upgrade", { says: /takes over now/, place: where });
  await third.until(() => /run_followed/.test(third.said));
  await stops(third, line);
}

async function notifying() {
  const folder = folderOf("notifying", { "mybot.yaml": `${configuration("mybot", 1)}notify: [{command: [cat]}]\n` });
  await tries(folder, "kakehashi notify test mybot.yaml", { says: /the command "cat": delivered/ });
}

async function watching_with_a_token() {
  const folder = folderOf("token");
  await tries(folder, "install -m 600 /dev/null status.token && openssl rand -hex 16 > status.token");
  writeFileSync(join(folder, "mybot.yaml"), configuration("mybot", await serve(folder)));
  const line = "kakehashi run mybot.yaml --status 0.0.0.0:9980 --status-token-file /etc/kakehashi/status.token";
  const bot = await begins(folder, line, /shown on port \d+/);
  const place = { status: /shown on port (\d+)/.exec(bot.said)?.[1] };
  const stranger = await fetch(`http://127.0.0.1:${place.status}/metrics`);
  if (stranger.status !== 401) {
    bot.tell(`"${line}" answers ${stranger.status} without the token`);
  }
  await stranger.text();
  await tries(folder, 'curl -H "Authorization: Bearer $(cat status.token)" http://host:9980/metrics',
    { says: /^kakehashi_build_info/m, place });
  await bot.until(() => /logged_in/.test(bot.said));
  await stops(bot, line);
}

async function shogihome() {
  const folder = folderOf("shogihome");
  const port = await serve(folder);
  const settings = readFileSync(join(top, "tests/config/shogihome/least.yaml"), "utf8")
    .replace("/opt/engine", engine).replace("port: 4081", `port: ${port}`);
  const packed = readFileSync(join(top, "tests/config/shogihome/compact.json"), "utf8")
    .replace("C:\\/engines\\/engine", engine).replace('"port":4081', `"port":${port}`)
    .replace(/"options":\{.*?\}\}/, '"options":{}').replace('"mybot"', '"packed"');
  writeFileSync(join(folder, "settings.yaml"), settings, { mode: 0o600 });
  writeFileSync(join(folder, "packed.txt"), gzipSync(packed).toString("base64"), { mode: 0o600 });
  await tries(folder, "kakehashi check --shogihome settings.yaml", { says: /FakeEngine/ });
  await plays(folder, "kakehashi run --shogihome settings.yaml", /logged_in/);
  await plays(folder, "kakehashi run --shogihome-base64 @packed.txt", /logged in as "packed"/);
  await tries(folder, "kakehashi config import settings.yaml -o mybot.yaml", { says: /usi\.path -> engine\.command/ });
}

async function records() {
  const folder = folderOf("records");
  mkdirSync(join(folder, "tests/shogi/record"), { recursive: true });
  cpSync(join(top, "tests/shogi/record/demo.csa"), join(folder, "tests/shogi/record/demo.csa"));
  await tries(folder, "kakehashi record show tests/shogi/record/demo.csa --ply 3", { says: /mybot/ });
  await tries(folder, "kakehashi record convert tests/shogi/record/demo.csa --to ki2u", { says: /▲７六歩/ });
  await tries(folder, "kakehashi record convert tests/shogi/record/demo.csa --to usi", { says: /moves 7g7f 3c3d 8h2b\+ 3a2b/ });
  await tries(folder, "kakehashi record verify tests/shogi/record/demo.csa");
}

async function tournament() {
  const folder = folderOf("tournament");
  writeFileSync(join(folder, "tournament.yaml"), configuration("tournament", await serve(folder)));
  await tries(folder, 'kakehashi engine examine "$ENGINE"', { says: /fit to play/ });
  await tries(folder, "kakehashi engine examine エンジンのパス", { says: /fit to play/ });
  await tries(folder, "kakehashi check tournament.yaml", { says: /FakeEngine/ });
  await plays(folder, "kakehashi run tournament.yaml --status 9980", /logged_in/);
}

async function a_short_rehearsal_and_its_journal() {
  const folder = folderOf("short", { "tournament.yaml": configuration("tournament", 1) });
  await tries(folder, "kakehashi rehearse tournament.yaml --event wcsc --game-name test-60-2F --max-moves 40 --no-watch",
    { says: /fit to enter/, at_most_ms: rehearsal_limit_ms });
  const journals = join(folder, "journal/rehearsal");
  const place = { journal: join(journals, readdirSync(journals).find((name) => name.endsWith(".journal"))) };
  await tries(folder, "kakehashi replay --timeline FILE", { says: /GAME|game/, place });
  await tries(folder, "kakehashi replay FILE", { place });
  await tries(folder, "kakehashi replay --quiet FILE", { place });
  await tries(folder, "kakehashi replay --script FILE", { says: /LOGIN/, place });
}

async function a_first_game_at_home() {
  const folder = folderOf("home", { "mybot.yaml": configuration("mybot", 1) });
  await tries(folder, "kakehashi rehearse mybot.yaml --game-name test-10-1F",
    { says: /^result /m, at_most_ms: rehearsal_limit_ms });
}

const rehearsal = (name, line) => async function rehearsing() {
  const folder = folderOf(name, { "tournament.yaml": configuration("tournament", 1) });
  await tries(folder, line, { says: /fit to enter/, at_most_ms: rehearsal_limit_ms });
};

async function which_is_stronger() {
  const starts = "startpos moves 7g7f\nstartpos moves 2g2f\nstartpos moves 3g3f\n";
  const folder = folderOf("comparing", { "new.yaml": configuration("new", 1), "old.yaml": configuration("old", 1),
    "starts.sfen": starts });
  const line = "kakehashi rehearse new.yaml old.yaml --openings starts.sfen --sprt 0,5 --concurrency 2 --out new-against-old";
  await tries(folder, line, { says: /H0 accepted: rather 0 than 200/, at_most_ms: rehearsal_limit_ms });
  await tries(folder, "kakehashi games stats --archive new-against-old/games.db", { says: /draw/ });
}

async function an_overlay_for_kubernetes() {
  const folder = folderOf("kubernetes");
  cpSync(join(top, "deploy"), join(folder, "deploy"), { recursive: true });
  await tries(folder, "cd deploy/kubernetes/overlays/example");
  const overlay = join(folder, "deploy/kubernetes/overlays/example");
  await tries(overlay, 'printf %s "$TRIP" > trip');
  await tries(overlay, "openssl rand -hex 16 > status-token");
  const files = [...readFileSync(join(overlay, "kustomization.yaml"), "utf8").matchAll(/files: \[(.*?)\]/g)]
    .flatMap(([, names]) => names.split(", "));
  const missing = files.filter((file) => !existsSync(join(overlay, file)));
  if (files.length !== 3 || missing.length > 0 || readFileSync(join(overlay, "trip"), "utf8") !== trip) {
    problems.push(`of the overlay's ${files} these are missing: ${missing}, or the trip is another one`);
  }
}

async function a_certificate_to_pin() {
  const folder = folderOf("certificate");
  const asked = start(folder, "openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem",
    "-out", "cert.pem", "-subj", "/CN=csa.lab.example"]);
  await asked.ends();
  const server = start(folder, "openssl", ["s_server", "-accept", "127.0.0.1:0", "-cert", "cert.pem", "-key", "key.pem"]);
  if (!await server.until(() => /ACCEPT \S+:\d+/.test(server.said))) {
    throw new Error(`no server with a certificate: ${asked.said} ${server.said}`);
  }
  const line = "openssl s_client -connect csa.lab.example:4081 </dev/null 2>/dev/null | " +
    "openssl x509 -noout -fingerprint -sha256";
  const shown = await tries(folder, line, { place: { port: /ACCEPT \S+:(\d+)/.exec(server.said)[1] } });
  const own = new X509Certificate(readFileSync(join(folder, "cert.pem"))).fingerprint256;
  if (!shown.said.includes(own)) {
    shown.tell(`"${line}" did not show ${own}`);
  }
  server.child.kill();
}

async function a_real_engine() {
  await tries(folderOf("real"), "kakehashi engine examine /usr/games/fairy-stockfish",
    { says: /fit to play/, at_most_ms: rehearsal_limit_ms });
}

const chapters = [
  set_up_on_a_terminal, archive, watching, asking, notifying, watching_with_a_token, shogihome,
  records, tournament, a_first_game_at_home,
  a_short_rehearsal_and_its_journal, which_is_stronger, an_overlay_for_kubernetes, a_certificate_to_pin, a_real_engine,
  rehearsal("mild", "kakehashi rehearse tournament.yaml --event wcsc --games 10 --faults mild"),
  rehearsal("wild", "kakehashi rehearse tournament.yaml --event wcsc --games 2 --faults wild"),
];

// --- all of them ------------------------------------------------------------------------------------------

/** The documented lines that no chapter has tried, and the tried ones that no page has. */
function compare(ours, others) {
  for (const [line, page] of ours) {
    if (!tried.has(line) && !elsewhere.some(({ what }) => what.test(line))) {
      problems.push(`${page}: nothing has executed "${line}": add it to the world in run_documents.mjs`);
    }
  }
  for (const [line, page] of others) {
    if (!tried.has(line) && !elsewhere.some(({ what }) => what.test(line))) {
      problems.push(`${page}: no test executes "${line}": add it to the world in run_documents.mjs, or to "elsewhere"`);
    }
  }
  for (const line of tried) {
    if (!ours.has(line) && !others.has(line)) {
      problems.push(`"${line}" stands in no document any more: take it out of run_documents.mjs`);
    }
  }
}

/** Whoever writes there has ended before the folder goes: who plays ends behind its holder. */
async function tidy_up() {
  alive.forEach((one) => one.child.kill("SIGKILL"));
  await Promise.all([...alive].map((one) => one.ends()));
  rmSync(world, { recursive: true, force: true, maxRetries: 5 });
}
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => tidy_up().then(() => process.exit(1)));
}

const linesOf = (read) => new Map(pages.flatMap((page) => blocksOf(page).flatMap(({ block }) => read(block))
  .map((line) => [line, page])));
const documented = linesOf(commandsOf);
const others = linesOf(otherCommandsOf);
mkdirSync(join(world, "bin"));
symlinkSync(kakehashi, join(world, "bin/kakehashi"));

// A world that forgives everything would be of no use: a line that nobody tries, one that fails, one that
// says something else.
await tries(world, "kakehashi check nowhere.yaml");
await tries(world, "kakehashi version", { says: /no such word/ });
compare(new Map([["kakehashi check nowhere.yaml", "control"], ["kakehashi version", "control"],
  ["kakehashi rehearse untried.yaml", "control"]]), new Map([["docker pull untried", "control"]]));
const found = problems.splice(0);
const expected = [/"kakehashi check nowhere\.yaml" ended with status \d+, not 0/, /"kakehashi version" did not say/,
  /control: nothing has executed "kakehashi rehearse untried\.yaml": add it to the world/,
  /control: no test executes "docker pull untried"/];
if (found.length !== expected.length || !expected.every((one, i) => one.test(found[i]))) {
  problems.push(`the faults of the control are not those that were noticed:\n${found.join("\n")}`);
}
tried.clear();

await Promise.all(chapters.map((chapter) => chapter().catch((error) =>
  problems.push(`${chapter.name}: ${error.stack}`))));
compare(documented, others);
for (const { what, by } of elsewhere) {
  if (!existsSync(join(top, by)) || ![...documented.keys(), ...others.keys()].some((line) => what.test(line))) {
    problems.push(`${what}: no line is like it, or there is no ${by}`);
  }
}
for (const one of substitutions.filter((other) => !substituted.has(other))) {
  problems.push(`no line holds ${one.what} (${one.why}): take it out of the substitutions`);
}
await tidy_up();
problems.forEach((text) => console.error(`documents: ${text}`));
console.log(`documents: ${documented.size + others.size} commands documented, ${tried.size} executed here, ` +
  `${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
