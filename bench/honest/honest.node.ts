// npm run bench:honest: does weir compare tell the truth on this machine? Three gateways are measured beside each other, the
// third of which really spends more on each request: the first two have to be the same, and the third a regression. They
// take turns at every repeat, since a machine that is slower after a minute would be slower for one of them alone.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { Comparison } from "../../src/bench/compare/compare.ts";
import type { Word } from "../../src/bench/compare/verdict.ts";
import { resultOf } from "../../src/bench/result-of.ts";
import type { BenchResult } from "../../src/bench/result.ts";
import { spreadIn } from "../../src/bench/statistics.ts";
import { subjectsOf, type Subject } from "../../src/bench/subjects.ts";
import { EXIT } from "../../src/cli/exit.ts";
import { gatewayOf, gatewaySuite, play, type Played } from "./gateways.node.ts";
import { joined } from "./joined.ts";

const { values } = parseArgs({
  options: {
    starts: { type: "string", default: "4" }, // with processes of their own
    repeats: { type: "string", default: "12" }, // after each start
    seed: { type: "string", default: "1" },
    slower: { type: "string", default: "15" }, // per cent
    "min-effect": { type: "string", default: "3%" },
  },
});

const folder = "reports/runs";
mkdirSync(folder, { recursive: true });
const fileOf = (name: string): string => join(folder, `honest-${name}.json`);

const suite = gatewaySuite();
const controls = subjectsOf(suite, [], suite.controls);
const seed = Number(values.seed);

/** The run that there would be if that gateway had been the only one. */
function resultFor(gateway: Subject, { measured, circumstances }: Played): BenchResult {
  const base = { ...gateway, name: "base" };
  const own = measured.map((one) => (one.subject === gateway ? { ...one, subject: base } : one));
  return resultOf([base, ...controls], own, {
    ...circumstances,
    suite: { id: "honest", title: suite.title, hash: "honest" },
    gates: suite.gates.filter(({ cell }) => cell === "base"),
  });
}

// The first finds out how much load there can be, and what a request costs; nothing of it is compared.
const first = gatewayOf(suite, "first");
const look = resultFor(
  first,
  await play({ suite, subjects: [first], repeats: 3, seed, capacity: null }),
);
const cpu = spreadIn(look.cells[0]!, "cpu")?.median;
if (cpu === undefined) throw new Error("the base has no processor time");
const slowerUs = cpu * (Number(values.slower) / 100);
console.error(`a request costs ${cpu.toFixed(1)} us; ${slowerUs.toFixed(1)} us more are spent`);

const slower = pathToFileURL(join(import.meta.dirname, "slower.node.ts"));
slower.searchParams.set("us", String(slowerUs));
const gateways = [
  gatewayOf(suite, "base"),
  gatewayOf(suite, "same"),
  gatewayOf(suite, "slower", slower.href),
];
const starts: Played[] = [];
for (let start = 0; start < Number(values.starts); start++) {
  console.error(`start ${start + 1} of ${values.starts}`);
  starts.push(
    await play({
      suite,
      subjects: [...gateways, ...controls],
      repeats: Number(values.repeats),
      seed: seed + start,
      capacity: look.capacity,
    }),
  );
}
for (const gateway of gateways) {
  const [one, ...others] = starts.map((start) => resultFor(gateway, start));
  if (one === undefined) throw new Error("nothing was started");
  writeFileSync(fileOf(gateway.name), `${JSON.stringify(joined([one, ...others]), null, 2)}\n`);
}

/** Shown first, then asked for its one word; a text is nothing that a program reads. */
function compared(name: string): Word {
  const args = ["compare", fileOf("base"), fileOf(name), "--min-effect", values["min-effect"]];
  console.error(`$ weir ${args.join(" ")}`);
  const weir = join(import.meta.dirname, "../../src/cli/weir.node.ts");
  const run = (more: readonly string[], stdout: "inherit" | "pipe") =>
    spawnSync(process.execPath, [weir, ...args, ...more], {
      stdio: ["ignore", stdout, "inherit"],
      encoding: "utf8",
    });
  const { status } = run([], "inherit");
  if (status === EXIT.usage) process.exit(status);
  return (JSON.parse(run(["--json"], "pipe").stdout) as Comparison).word;
}

const same = compared("same");
const more = compared("slower");
const isHonest = same === "same" && more === "regressed";
const isWrong = ["improved", "regressed"].includes(same) || ["improved", "same"].includes(more);
console.log(
  isHonest
    ? "what is the same is the same, and what is slower has regressed"
    : isWrong
      ? `weir compare was wrong on this machine: ${same} and ${more}`
      : `weir compare could not tell: ${same} and ${more}; more --repeats, a larger --min-effect or a quieter machine can`,
);
process.exitCode = isHonest ? EXIT.passed : isWrong ? EXIT.failed : EXIT.unproven;
