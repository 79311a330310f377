// Finds the npm packages of this folder for the scripts of the cross-checks, which stand elsewhere,
// and says what to do when they are not installed: a cross-check fails then, it is never skipped.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

function giveUp(name, error) {
  console.error(
    `the npm package ${name} cannot be loaded (${error.code ?? error.message}); ` +
      "run scripts/test.sh, or npm ci in tests/npm",
  );
  process.exit(1);
}

/** The exports of a package named in package.json. */
export function load(name) {
  try {
    return require(name);
  } catch (error) {
    return giveUp(name, error);
  }
}

/** The same, of a package that has ECMAScript modules only. */
export async function loadModule(name) {
  try {
    return await import(name);
  } catch (error) {
    return giveUp(name, error);
  }
}
