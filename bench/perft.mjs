// Leaves of the game tree a second, side by side in one run: ours, fairy-stockfish's, and those of
// shogiops, a rules library in JavaScript (one depth less: it is slower).
//
//   node perft.mjs <perft_tool> <fairy-stockfish> [runs]
import { spawnSync } from "node:child_process";
import { loadModule } from "../tests/npm/load.mjs";

const { perft } = await loadModule("shogiops/debug");
const { parseSfen } = await loadModule("shogiops/sfen");
const [tool, engine, runs = "5"] = process.argv.slice(2);
const startpos = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
const leaves = { 3: 25_470, 4: 719_731 };

function run(program, input) {
  const done = spawnSync(program, { input, encoding: "utf8" });
  if (done.status !== 0) throw new Error(`${program}: ${done.error ?? done.stderr}`);
  return done.stdout;
}

const players = {
  kakehashi: { depth: 4, count: () => Number(/total (\d+)/.exec(run(tool, `4 ${startpos}\n`))[1]) },
  "fairy-stockfish": {
    depth: 4,
    count: () => Number(/searched: (\d+)/.exec(run(engine, `usi\nposition startpos\ngo perft 4\nquit\n`))[1]),
  },
  shogiops: { depth: 3, count: () => perft(parseSfen("standard", startpos).unwrap(), 3) },
};

const seconds = Object.fromEntries(Object.keys(players).map((name) => [name, []]));
for (let i = 0; i < Number(runs); ++i) {
  for (const [name, { depth, count }] of Object.entries(players)) {
    const from = performance.now();
    const counted = count();
    seconds[name].push((performance.now() - from) / 1000);
    if (counted !== leaves[depth]) throw new Error(`${name} counts ${counted} leaves at depth ${depth}`);
  }
}
for (const [name, { depth }] of Object.entries(players)) {
  const middle = seconds[name].sort((a, b) => a - b)[Math.floor(Number(runs) / 2)];
  console.log(
    `${name.padEnd(16)} perft ${depth}: ${middle.toFixed(3)} s with its start, ` +
      `${(leaves[depth] / middle / 1e6).toFixed(2)} million leaves a second`,
  );
}
