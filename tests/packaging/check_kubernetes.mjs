// The Kubernetes manifests against the published schemas: wrong types, unknown and missing fields,
// names that lead nowhere, and what makes a pod safe for a running game. A patch is checked as the part
// of a manifest that it is.
//
//   node check_kubernetes.mjs
import { mkdtempSync, readdirSync, readFileSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "../npm/load.mjs";

const YAML = load("yaml");
const ts = load("typescript");
const here = dirname(fileURLToPath(import.meta.url));
const top = join(here, "../..");
const folder = join(top, "deploy/kubernetes");
const packages = join(here, "../npm/node_modules");

const problems = [];
const expect = (truth, text) => truth || problems.push(text);

const types = {
  "apps/v1 StatefulSet": ["kubernetes-types/apps/v1", "StatefulSet"],
  "v1 Service": ["kubernetes-types/core/v1", "Service"],
  "policy/v1 PodDisruptionBudget": ["kubernetes-types/policy/v1", "PodDisruptionBudget"],
};

function read(path) {
  const documents = YAML.parseAllDocuments(readFileSync(path, "utf8"));
  documents.forEach((one) => one.errors.forEach((error) => problems.push(`${path}: ${error.message}`)));
  return documents.map((one) => one.toJS());
}

/** What tsc says of each [name, module, type, value]. */
function complaints(values) {
  const scratch = mkdtempSync(join(tmpdir(), "kakehashi-"));
  const file = join(scratch, "manifests.ts");
  const deep = "type Part<T> = T extends object ? { [K in keyof T]?: Part<T[K]> } : T;\n";
  writeFileSync(
    file,
    deep +
      values
        .map(([, module, type, value, isPart], i) => {
          const whole = `import("${module}").${type}`;
          return `export const manifest${i}: ${isPart ? `Part<${whole}>` : whole} = ${JSON.stringify(value, null, 1)};\n`;
        })
        .join(""),
  );
  const program = ts.createProgram([file], {
    strict: true, noEmit: true, skipLibCheck: true, types: [], module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ES2022, moduleResolution: ts.ModuleResolutionKind.Node10,
    baseUrl: packages, paths: { "*": ["*"] },
  });
  const said = ts.getPreEmitDiagnostics(program).map((one) => ts.flattenDiagnosticMessageText(one.messageText, " "));
  rmSync(scratch, { recursive: true });
  return said;
}

const manifests = new Map();
for (const name of readdirSync(join(folder, "base")).filter((one) => one !== "kustomization.yaml")) {
  read(join(folder, "base", name)).forEach((one) => manifests.set(one.kind, one));
}
const overlay = join(folder, "overlays/example");
const patches = read(join(overlay, "resources.yaml"));

const typed = [];
for (const [value, isPart] of [...[...manifests.values()].map((one) => [one, false]), ...patches.map((one) => [one, true])]) {
  const known = types[`${value.apiVersion} ${value.kind}`];
  if (known) {
    typed.push([value.kind, ...known, value, isPart]);
  } else {
    expect(value.kind === "ServiceMonitor", `${value.kind}: no schema is at hand`);
  }
}
problems.push(...complaints(typed));

// A checker that cannot find a misspelt field would find nothing.
const misspelt = structuredClone(manifests.get("StatefulSet"));
misspelt.spec.template.spec.containers[0].livenesProbe = {};
expect(complaints([["", ...types["apps/v1 StatefulSet"], misspelt, false]]).length === 1,
  "a misspelt field was not noticed");

for (const path of [join(folder, "base"), overlay]) {
  const [kustomization] = read(join(path, "kustomization.yaml"));
  const named = [...(kustomization.resources ?? []), ...(kustomization.patches ?? []).map((one) => one.path),
    ...(kustomization.configMapGenerator ?? []).flatMap((one) => one.files)];
  for (const name of named) {
    expect(existsSync(join(path, name)), `${relative(top, path)}: there is no ${name}`);
  }
  const known = ["apiVersion", "kind", "namespace", "nameSuffix", "resources", "labels", "generatorOptions", "configMapGenerator",
    "secretGenerator", "images", "patches"];
  for (const key of Object.keys(kustomization)) {
    expect(known.includes(key), `${relative(top, path)}: ${key} is no field of a kustomization that is used here`);
  }
}

// A patch that names nothing is silently of no use.
for (const patch of patches) {
  const target = manifests.get(patch.kind);
  expect(target?.metadata.name === patch.metadata.name, `the patch for ${patch.metadata.name} finds nothing`);
  if (patch.kind !== "StatefulSet") {
    continue;
  }
  const names = target.spec.template.spec.containers.map((one) => one.name);
  for (const container of patch.spec.template.spec.containers) {
    expect(names.includes(container.name), `the patch names a container ${container.name} that is not there`);
  }
}

const spec = manifests.get("StatefulSet").spec;
const pod = spec.template.spec;
const [bot] = pod.containers;
expect(spec.replicas === 1, "two pods would log in under one name");
expect(pod.securityContext.runAsNonRoot && bot.securityContext.readOnlyRootFilesystem &&
  bot.securityContext.capabilities.drop.includes("ALL") && !bot.securityContext.allowPrivilegeEscalation,
  "the pod has more rights than it needs");
expect(bot.livenessProbe.httpGet.path === "/healthz", "the life of a pod must not hang on the server");
for (const probe of [bot.livenessProbe, bot.startupProbe]) {
  expect(probe.terminationGracePeriodSeconds <= 30, "a bot that hangs would be waited for as if it finished its game");
}
expect(manifests.get("PodDisruptionBudget").spec.maxUnavailable === 0, "a drained node would end a game");
const mounted = new Set(bot.volumeMounts.map((one) => one.name));
const volumes = [...pod.volumes, ...spec.volumeClaimTemplates.map((one) => one.metadata)].map((one) => one.name);
expect(volumes.every((name) => mounted.has(name)) && mounted.size === volumes.length, "volumes and mounts differ");
const monitor = manifests.get("ServiceMonitor").spec.endpoints[0];
expect(manifests.get("Service").spec.ports.some((one) => one.name === monitor.port), "the monitor's port is nobody's");

const [example] = read(join(overlay, "kustomization.yaml"));
const token = patches.find((one) => one.kind === "ServiceMonitor").spec.endpoints[0].authorization.credentials;
expect(token.name === `kakehashi${example.nameSuffix}` && example.secretGenerator[0].files.includes(token.key),
  "the monitor's token is in no secret");

// The drain of the example fits into the grace of its pod.
const [config] = read(join(overlay, "bot.yaml"));
const minutes = Number(/^(\d+)min$/.exec(config.stop.drain_limit)?.[1]);
expect(minutes * 60 + 60 <= pod.terminationGracePeriodSeconds, "the drain is longer than the pod's grace");
expect(config.account.password_file === `${bot.volumeMounts.find((one) => one.name === "secrets").mountPath}/trip`,
  "the trip is not where the secrets are");

problems.forEach((text) => console.error(`kubernetes: ${text}`));
console.log(`kubernetes: ${manifests.size} manifests and ${patches.length} patches, ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
