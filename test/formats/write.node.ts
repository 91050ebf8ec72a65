// `node test/formats/write.node.ts`: writes the files of this version, which the tests of the next one read.
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { entry } from "../built.ts";
import { control, subject, truth } from "../studies/bench/truth-results.ts";
import { listOperations } from "./operations.ts";

const ROOT = join(import.meta.dirname, "../..");

/** With the variant whose history is kept: the fewest that have each kind of row and each field. */
const SCENARIOS = {
  "cost/headers-count-units": "/algorithm=drl",
  "examples/first": "",
  "fleet/lost-and-sent-again": "",
  "fleet/store-never-reached": "/on_store_error=allow+expected=3",
  "management/budgets-that-count-by-address": "/algorithm=token_bucket",
  "management/each-interface-has-its-own-base": "",
  "management/webhooks-are-signed": "",
  "smoothing/no-place-for-it": "",
} as const;

const IN_REPORT = ["examples", "cost", "smoothing"].map((name) => `scenarios/${name}`);

const WORLD = `apis:
  orders:
    listen: /orders
    rate: 100
    per: 1
    endpoints:
      - { path: /export, method: GET, rate: 1, per: 60 }
policies:
  gold: { rate: 3, per: 60, apis: [orders] }
keys:
  q7Rk1vXw0tLz5bNc8mYd: { key_id: alice, apply_policies: [gold] }
gateway: { algorithm: sliding_log }
`;

function weir(folder: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [entry(), ...args], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`weir ${args.join(" ")} fails: ${stderr}`);
  return stdout;
}

function writeScenarios(target: string, temporary: string): void {
  for (const name of Object.keys(SCENARIOS))
    cpSync(join(ROOT, "scenarios", `${name}.yaml`), join(target, "scenarios", `${name}.yaml`));
  weir(target, "run", "scenarios", "--history", join(temporary, "histories"));
  for (const [name, variant] of Object.entries(SCENARIOS)) {
    const file = `histories/${name}${variant}.ndjson`;
    mkdirSync(dirname(join(target, file)), { recursive: true });
    copyFileSync(join(temporary, file), join(target, file));
  }
}

function writeDocuments(target: string, temporary: string): void {
  const at = (name: string): string => join(target, "documents", `${name}.json`);
  mkdirSync(join(target, "documents"));
  weir(target, "run", "scenarios", "--reference", at("conformance"), "--write");
  weir(target, "run", ...IN_REPORT, "--html", join(temporary, "page.html"));
  copyFileSync(join(temporary, "page.json"), at("report"));
  const inRealTime = ["--driver", "embedded", "--inconclusive", at("inconclusive"), "--write"];
  weir(target, "run", "scenarios/examples", ...inRealTime);
  weir(target, "pareto", "--quick", "--traffic", "uniform", "--gateways", "1", "-o", at("pareto"));
  copyFileSync(join(ROOT, "reports/bench/redis-store.json"), at("bench"));
  copyFileSync(join(ROOT, "reports/implementations/limiter.json"), at("implementations-run"));
  writeFileSync(at("compare"), weir(target, "compare", at("bench"), at("bench"), "--json"));
  writeFileSync(at("truth"), JSON.stringify(truth(subject({}), control)));
}

function writeRecords(target: string, temporary: string): void {
  writeFileSync(join(temporary, "weir.yaml"), "world: world.yaml\nupstream: echo\n");
  writeFileSync(join(temporary, "world.yaml"), WORLD, { mode: 0o600 });
  weir(temporary, "import", "world.yaml");
  const folder = join(target, "records");
  mkdirSync(folder);
  writeFileSync(join(folder, "world.yaml"), weir(temporary, "export"));
  writeFileSync(
    join(folder, "weir.db.gz"),
    gzipSync(readFileSync(join(temporary, ".weir/weir.db")), { level: 9 }),
  );
  copyFileSync(join(temporary, ".weir/key"), join(folder, "key"));
}

const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  readonly version: string;
};
const target = join(import.meta.dirname, version);
rmSync(target, { recursive: true, force: true });
mkdirSync(target);
const temporary = mkdtempSync(join(tmpdir(), "weir-formats-"));
try {
  writeScenarios(target, temporary);
  writeDocuments(target, temporary);
  writeRecords(target, temporary);
} finally {
  rmSync(temporary, { recursive: true });
}
writeFileSync(join(target, "operations.json"), JSON.stringify(listOperations(), null, 1));
console.log(`written: ${target}`);
