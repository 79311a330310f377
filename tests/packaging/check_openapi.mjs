// The OpenAPI document: valid by a library that is not ours, and true: what a playing bot answers is
// described in it, field for field, and every address that it names is there.
//
//   node check_openapi.mjs KAKEHASHI ENGINE
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "../npm/load.mjs";

const SwaggerParser = load("@apidevtools/swagger-parser");
const Ajv = load("ajv");
const [kakehashi, engine] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "kakehashi-"));
const children = [];

function start(place, ...words) {
  const child = spawn(kakehashi, words, { stdio: ["ignore", "pipe", "pipe"], cwd: place });
  child.closed = new Promise((resolve) => child.on("close", resolve));  // who plays has ended, too
  children.push(child);
  return child;
}

/** Waits for a line that tells its port. */
function portOf(child, pattern) {
  return new Promise((resolve, reject) => {
    let said = "";
    const hear = (text) => {
      said += text;
      const found = pattern.exec(said);
      if (found) resolve(found[1]);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("exit", () => reject(new Error(`${child.spawnargs[1]} ended: ${said}`)));
  });
}

/** Asks again until the answer is true. */
async function until(what, question) {
  for (const end = Date.now() + 60_000; Date.now() < end;) {
    const answer = await question();
    if (answer) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`it never came: ${what}`);
}

/** The schema, with every field that is not described being a fault. */
function strict(schema) {
  if (Array.isArray(schema)) return schema.map(strict);
  if (schema === null || typeof schema !== "object") return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, strict(value)]));
  return copy.type === "object" && copy.properties && copy.additionalProperties === undefined
    ? { ...copy, additionalProperties: false } : copy;
}

async function main() {
  const port = await portOf(start(folder, "serve", "--port", "0"), /listening on .* port (\d+)/);
  const placeOf = (name) => {
    const place = join(folder, name);
    mkdirSync(place);
    writeFileSync(join(place, "bot.yaml"), `server: {host: 127.0.0.1, port: ${port}}
account: {name: ${name}}
game: {name: test-600-1F}
engine: {command: [${engine}, --think-ms, "200", --score, "42"]}
`);
    return place;
  };
  const bob = start(placeOf("bob"), "run", "bot.yaml", "--status", "127.0.0.1:0");
  const status = await portOf(bob, /is shown on port (\d+)/);
  const at = (path) => fetch(`http://127.0.0.1:${status}${path}`);
  const text = await (await at("/api/v1/openapi.json")).text();
  await SwaggerParser.validate(JSON.parse(text));
  const document = await SwaggerParser.dereference(JSON.parse(text));

  for (const [path, { get }] of Object.entries(document.paths).filter(([one]) => !one.includes("{"))) {
    const answer = await at(path);
    const described = get.responses[answer.status];
    if (!described) throw new Error(`${path} answers ${answer.status}, which is not described`);
    const type = answer.headers.get("content-type").split(";")[0];
    if (!described.content[type]) throw new Error(`${path} answers ${type}, which is not described`);
    await answer.body.cancel();
  }

  const schema = strict(document.paths["/api/v1/status"].get.responses[200].content["application/json"].schema);
  const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(schema);
  const gameOf = async () => {
    const report = await (await at("/api/v1/status")).json();
    if (!validate(report)) throw new Error(`not as described: ${JSON.stringify(validate.errors, null, 1)}`);
    return report.bots[0].game;
  };
  // Bob waits for another game when Alice has left behind her last one: what he shows of that stays in sight.
  const alice = start(placeOf("alice"), "run", "bot.yaml");
  await until("a game in its course", async () => {
    const game = await gameOf();
    return game?.score && !game.end;
  });
  alice.kill("SIGTERM");
  await alice.closed;
  await until("a game at its end", async () => (await gameOf())?.end);
  const shaped = (path, body) => {
    const known = strict(document.paths[path].get.responses[200].content["application/json"].schema);
    const fits = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(known);
    if (!fits(body)) throw new Error(`${path} not as described: ${JSON.stringify(fits.errors, null, 1)}`);
  };
  const games = await until("a finished game in the archive", async () => {
    const answer = await at("/api/v1/games");
    if (answer.status === 503) {
      await answer.body.cancel(); // the archive is busy, or not there yet
      return null;
    }
    const body = await answer.json();
    shaped("/api/v1/games", body);
    return body.games.length > 0 && body.games;
  });
  shaped("/api/v1/games/{id}", await (await at(`/api/v1/games/${games[0].id}`)).json());
  if (validate({ version: "x", now_ms: 1, uptime_ms: 1, bots: [], extra: 1 })) throw new Error("the validator finds nothing");
  console.log(`openapi: ${Object.keys(document.paths).length} addresses, as described`);
}

let status = 0;
try {
  await main();
} catch (error) {
  console.error(`openapi: ${error.message}`);
  status = 1;
}
children.forEach((child) => child.kill("SIGKILL"));
await Promise.all(children.map((child) => child.closed));
rmSync(folder, { recursive: true, force: true });
process.exit(status);
