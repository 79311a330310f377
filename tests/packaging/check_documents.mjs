// The commands in the documents. Each `kakehashi …` line of every code block must be understood: the
// command exists and knows its options. Blocks marked ```sh run are executed as they stand, in a directory
// with a configuration of their name and an engine in $ENGINE; run_documents.mjs executes each line.
//
//   node check_documents.mjs KAKEHASHI ENGINE
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { blocksOf, commandsOf, pages, textOf, top } from "./documents.mjs";

const [kakehashi, engine] = process.argv.slice(2);
const problems = [];
let understood = 0;
let executed = 0;

const helps = new Map();
function help(words) {
  const key = words.join(" ");
  if (!helps.has(key)) {
    helps.set(key, spawnSync(kakehashi, [...words, "--help"], { encoding: "utf8" }));
  }
  return helps.get(key);
}

function judge(command, place) {
  const words = command.split(/\s+/).slice(1);
  const path = [words[0]];
  if (words[1] && /^[a-z]+$/.test(words[1]) && help([...path, words[1]]).stdout.includes(`Usage: kakehashi ${words[0]} ${words[1]} `)) {
    path.push(words[1]);
  }
  const known = help(path);
  // Of an unknown command the program shows its own help.
  if (known.status !== 0 || !known.stdout.includes(`Usage: kakehashi ${path.join(" ")} `)) {
    problems.push(`${place}: there is no command "${path.join(" ")}"`);
    return;
  }
  for (const word of words.slice(path.length)) {
    if (word === "--") break;
    const option = /^(--[a-z][a-z-]*)/.exec(word)?.[1];
    if (option && !new RegExp(`[\\s,!]${option}(?![a-z-])`).test(known.stdout)) {
      problems.push(`${place}: ${path.join(" ")} knows no ${option}`);
    }
  }
  ++understood;
}

function run(block, place) {
  const folder = mkdtempSync(join(tmpdir(), "kakehashi-"));
  for (const name of ["mybot", "tournament"]) {
    writeFileSync(join(folder, `${name}.yaml`), `server: {host: 127.0.0.1}
account: {name: ${name}}
game: {name: test-60-1F, meet_own: true}
engine: {command: [${engine}]}
`);
  }
  symlinkSync(kakehashi, join(folder, "kakehashi"));
  const ran = spawnSync("bash", ["-euc", block], {
    cwd: folder, encoding: "utf8", timeout: 120_000,
    env: { ...process.env, PATH: `${folder}:${process.env.PATH}`, ENGINE: engine },
  });
  rmSync(folder, { recursive: true, force: true });
  if (ran.status !== 0) {
    problems.push(`${place}: exit status ${ran.status}\n${block}\n${ran.stdout}${ran.stderr}`);
  }
  ++executed;
}

/** The chapters of a page as links name them: small letters and digits of any script, dashes for spaces. */
const anchorsOf = (page) => new Set([...textOf(page).replace(/^```[\s\S]*?^```$/gm, "").matchAll(/^#+ (.*)$/gm)]
  .map(([, title]) => title.toLowerCase().replace(/[^\p{L}\p{M}\p{N} _-]/gu, "").replaceAll(" ", "-")));

for (const page of pages) {
  for (const { info, block } of blocksOf(page)) {
    commandsOf(block).forEach((one) => judge(one, page));
    if (info === "sh run") {
      run(block, page);
    }
  }
  for (const [, target, anchor] of textOf(page).matchAll(/\]\(([^)#:]*)(?:#([^)]*))?\)/g)) {
    const there = target === "" ? page : join(dirname(page), target);
    if (!existsSync(join(top, there))) {
      problems.push(`${page}: the link to ${target} leads nowhere`);
    } else if (anchor && there.endsWith(".md") && !anchorsOf(there).has(anchor)) {
      problems.push(`${page}: ${there} has no chapter #${anchor}`);
    }
  }
}
// Each page for users exists in Japanese too: the same chapters, and the same codes in its tables.
const forUsers = pages.filter((page) => /^(README|docs\/[a-z-]+)\.md$/.test(page)).map((page) => page.slice(0, -3));
const shapeOf = (page) => {
  const text = textOf(page).replace(/^```[\s\S]*?^```$/gm, "");
  return {
    text,
    chapters: [...text.matchAll(/^(#+) /gm)].map((one) => one[1].length).join(" "),
    codes: [...text.matchAll(/^\| `([a-z_./]+)`/gm)].map((one) => one[1]),
  };
};
for (const page of forUsers) {
  if (!existsSync(join(top, `${page}.ja.md`))) {
    problems.push(`${page}.md: there is no ${page}.ja.md`);
    continue;
  }
  const english = shapeOf(`${page}.md`), japanese = shapeOf(`${page}.ja.md`);
  if (english.chapters !== japanese.chapters) {
    problems.push(`${page}.ja.md: its chapters are ${japanese.chapters}, those of ${page}.md ${english.chapters}`);
  }
  const missing = english.codes.filter((code) => !japanese.text.includes(`\`${code}`));
  if (missing.length > 0) {
    problems.push(`${page}.ja.md: no row for ${missing.join(", ")}`);
  }
}

// What goes with a release is read as a whole: one page, about versions that somebody has had.
const version = /^project\(kakehashi VERSION (\S+)/m.exec(textOf("CMakeLists.txt"))[1];
const notes = spawnSync(join(top, "scripts/release_files.py"), ["notes", "--version", version, join(top, "CHANGELOG.md")],
  { encoding: "utf8" });
if (notes.status !== 0 || notes.stdout.split("\n").length > 60) {
  problems.push(`CHANGELOG.md: the notes of ${version} are ${notes.stdout.split("\n").length} lines, and one page is 60` +
    notes.stderr);
}
const versionsIn = (page, heading) => [...textOf(page).matchAll(heading)].map(([, one]) => one).join(" ");
const [described, packaged] = [versionsIn("CHANGELOG.md", /^## (\S+)/gm),
  versionsIn("deploy/debian/changelog", /^kakehashi \((\S+)-\d+\)/gm)];
if (described !== packaged) {
  problems.push(`CHANGELOG.md describes ${described}, and deploy/debian/changelog ${packaged}`);
}

// A Japanese page leads on in Japanese, but for its own twin; and one thing has one name.
const unused = [...textOf("docs/glossary.ja.md").matchAll(/^\|(?:[^|]*\|){4}([^|]*)\|$/gm)]
  .flatMap(([, words]) => words.trim().split("、"))
  .filter((word) => word !== "" && word !== "---" && word !== "使わない言葉");
const japaneseOf = (page, text) => {
  const said = [];
  for (const [, target] of text.matchAll(/\]\(([^)#:]+)\.md(?:#[^)]*)?\)/g)) {
    const english = join(dirname(page), `${target}.md`);
    const japanese = english.replace(/\.md$/, ".ja.md");
    if (!target.endsWith(".ja") && japanese !== page && existsSync(join(top, japanese))) {
      said.push(`${page}: the link to ${english} leads to English; there is ${japanese}`);
    }
  }
  for (const word of unused.filter((one) => page !== "docs/glossary.ja.md" && text.includes(one))) {
    said.push(`${page}: says ${word}, which docs/glossary.ja.md calls otherwise`);
  }
  return said;
};
for (const page of pages.filter((one) => one.endsWith(".ja.md"))) {
  problems.push(...japaneseOf(page, textOf(page)));
}
const control = japaneseOf("docs/guard.ja.md", "レスキュー、[英語](servers.md)、[対](guard.md)、[日本語](servers.ja.md)");
if (unused.length < 10 || control.length !== 2) {
  problems.push(`an English link and a word that is not used were not noticed: ${control}`);
}

// A judge that finds nothing would be of no use.
judge("kakehashi rehearse bot.yaml --no-such-option", "control");
judge("kakehashi rehaerse bot.yaml", "control");
const found = problems.filter((text) => text.startsWith("control"));
if (found.length === 2) {
  found.forEach((text) => problems.splice(problems.indexOf(text), 1));
} else {
  problems.push("a wrong command was not noticed");
}
if (understood < 20 || executed < 2) {
  problems.push(`only ${understood} commands and ${executed} blocks were found`);
}
problems.forEach((text) => console.error(`documents: ${text}`));
console.log(`documents: ${pages.length} pages, ${understood} commands understood, ${executed} blocks run, ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
