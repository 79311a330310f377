// The pages, their code blocks and the commands in these, for all that judges documents.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The top of the tree. */
export const top = join(dirname(fileURLToPath(import.meta.url)), "../..");

export const pages = ["", "docs", "docs/internals", "systemd", "deploy"].flatMap((folder) => readdirSync(join(top, folder))
  .filter((name) => name.endsWith(".md")).map((name) => join(folder, name)));

export const textOf = (page) => readFileSync(join(top, page), "utf8");

/** Blocks of commands: what stands behind the fence, and the text. */
export function blocksOf(page) {
  return [...textOf(page).matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)]
    .map(([, info, block]) => ({ info, block }))
    .filter(({ info }) => /^(sh|bash|console|)( run)?$/.test(info));
}

/** Commands of a block: behind &&, a pipe or a prompt; comments and explanations behind a gap cut off. */
export function commandsOf(block) {
  return block.replace(/\s*\\\n\s*/g, " ").split("\n")
    .flatMap((line) => line.replace(/\s#\s.*$/, "").split(/\s(?:&&|\|)\s/))
    .map((part) => part.trim().replace(/^(?:\$ |sudo |docker exec \S+ )+/, "").replace(/\s{2,}.*$/, ""))
    .filter((part) => /^kakehashi\s+[a-z]/.test(part));
}

const others = /^(?:(?:[A-Z_]+=\S+ )?(?:scripts|bench|build)\/\S+|apt|cd|cmake|cpack|ctest|curl|docker|git|install|journalctl|kubectl|openssl|printf|systemctl)(?:\s|$)/;

/** Lines of a block that call other programs, whole; comments and explanations behind a gap cut off. */
export function otherCommandsOf(block) {
  return block.replace(/\s*\\\n\s*/g, " ").replace(/\|\n\s*/g, "| ").split("\n")
    .map((line) => line.replace(/\s#\s.*$/, "").trim().replace(/^(?:\$ |sudo )+/, "").replace(/\s{2,}.*$/, ""))
    .filter((line) => others.test(line) && !/^docker exec \S+ kakehashi\s/.test(line));
}
