// Alert rules and dashboard against the metrics that the program gives, and before promtool.
//
//   node check_monitoring.mjs
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const top = join(here, "../..");
const problems = [];

function promtool(...words) {
  const ran = spawnSync("promtool", words, { encoding: "utf8", cwd: here });
  if (ran.status !== 0) {
    problems.push(`promtool ${words.join(" ")}: ${ran.stdout}${ran.stderr}${ran.error ?? ""}`);
  }
}
const rules = join(top, "deploy/prometheus/kakehashi.rules.yml");
promtool("check", "rules", rules);
promtool("test", "rules", "alerts.test.yml");
promtool("check", "config", "--syntax-only", join(top, "deploy/prometheus/prometheus.yml"));

// Each alert is tried on its own: that it fires, and that it does not before its time.
const tried = readFileSync(join(here, "alerts.test.yml"), "utf8");
for (const [, alert] of readFileSync(rules, "utf8").matchAll(/- alert: (\w+)/g)) {
  if (!tried.includes(`- alertname: ${alert}\n`) || !tried.includes(`{alertname: ${alert}, eval_time`)) {
    problems.push(`${alert} has no test in which it fires, or none in which it stays silent`);
  }
}

// What the program gives, from its source: every family is spelt out there.
const source = readFileSync(join(top, "watch/metrics.cpp"), "utf8");
const given = new Set([...source.matchAll(/"((?:kakehashi|process)_[a-z_]+)"/g)].map((one) => one[1]));

const dashboard = JSON.parse(readFileSync(join(top, "deploy/grafana/dashboards/kakehashi.json"), "utf8"));
const expressions = [
  ...dashboard.panels.flatMap((panel) => panel.targets.map((target) => target.expr)),
  ...dashboard.annotations.list.map((one) => one.expr),
  ...dashboard.templating.list.map((one) => one.definition),
  readFileSync(rules, "utf8"),
];
const asked = new Set(expressions.flatMap((text) => text.match(/\b(?:kakehashi|process)_[a-z_]+/g) ?? []));
for (const metric of asked) {
  if (!given.has(metric)) {
    problems.push(`${metric} is asked for and never given`);
  }
}
const places = new Set();
for (const panel of dashboard.panels) {
  const { x, y, w, h } = panel.gridPos;
  if (x + w > 24) {
    problems.push(`the panel ${panel.title} stands out of the grid`);
  }
  for (let row = y; row < y + h; ++row) {
    for (let column = x; column < x + w; ++column) {
      const place = `${column} ${row}`;
      if (places.has(place)) {
        problems.push(`the panel ${panel.title} covers another`);
        row = y + h;
        break;
      }
      places.add(place);
    }
  }
}
if (new Set(dashboard.panels.map((panel) => panel.id)).size !== dashboard.panels.length) {
  problems.push("two panels have one id");
}
// Each query must at least be a query: promtool reads them as recording rules.
const recorded = dashboard.panels
  .flatMap((panel) => panel.targets)
  .map((target, i) => `      - {record: "panel:${i}", expr: ${JSON.stringify(target.expr
    .replaceAll("$bot", ".*").replaceAll("$__range", "1h"))}}`);
const scratch = mkdtempSync(join(tmpdir(), "kakehashi-"));
writeFileSync(join(scratch, "panels.yml"), `groups:\n  - name: panels\n    rules:\n${recorded.join("\n")}\n`);
promtool("check", "rules", join(scratch, "panels.yml"));
rmSync(scratch, { recursive: true });

problems.forEach((text) => console.error(`monitoring: ${text}`));
console.log(`monitoring: ${asked.size} metrics asked for, ${dashboard.panels.length} panels, ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
