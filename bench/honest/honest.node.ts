// npm run bench:honest: does weir compare tell the truth on this machine? One load is measured three times, the third time
// with a gateway that really spends more on each request: the first two have to be the same, and the third a regression.
// The three take turns, since a machine that is slower after five minutes would be slower for the third alone.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Comparison } from "../../src/bench/compare/compare.ts";
import type { Word } from "../../src/bench/compare/verdict.ts";
import { samplesBeside } from "../../src/bench/kept.node.ts";
import { readResult } from "../../src/bench/result-schema.ts";
import type { BenchResult } from "../../src/bench/result.ts";
import { spreadIn } from "../../src/bench/statistics.ts";
import { EXIT } from "../../src/cli/exit.ts";
import { joined } from "./joined.ts";

const { values } = parseArgs({
  options: {
    turns: { type: "string", default: "4" },
    repeats: { type: "string", default: "8" }, // in each turn
    slower: { type: "string", default: "15" }, // per cent
    "min-effect": { type: "string", default: "3%" },
    force: { type: "boolean", default: false },
  },
});

const weir = join(import.meta.dirname, "../../src/cli/weir.node.ts");
const folder = "reports/runs";
mkdirSync(folder, { recursive: true });
const fileOf = (name: string): string => join(folder, `honest-${name}.json`);

function run(args: readonly string[], environment: NodeJS.ProcessEnv = {}): number | null {
  console.error(`$ weir ${args.join(" ")}`);
  return spawnSync(process.execPath, [weir, ...args], {
    stdio: "inherit",
    env: { ...process.env, ...environment },
  }).status;
}

function measure(args: readonly string[], environment?: NodeJS.ProcessEnv): BenchResult {
  const file = fileOf("turn");
  for (const old of [file, samplesBeside(file)]) rmSync(old, { force: true });
  const code = run(["bench", "--only", "base", ...args, "-o", file], environment);
  if (code !== EXIT.passed) process.exit(code ?? EXIT.interrupted);
  const result = readResult(readFileSync(file, "utf8"));
  if (typeof result === "string") throw new Error(`${file}: ${result}`);
  return result;
}

// The first finds out how much load there can be, and what a request costs; nothing of it is compared.
const first = measure(["--repeats", "3"]);
const cell = first.cells.find(({ name }) => name === "base");
const cpu = cell && spreadIn(cell, "cpu")?.median;
if (cpu === undefined) throw new Error("the base has no processor time");
const slowerUs = cpu * (Number(values.slower) / 100);
const args = ["--capacity", String(first.capacity), "--repeats", values.repeats];

const runs = { base: {}, same: {}, slower: slowerBy(slowerUs) };
const NAMES = ["base", "same", "slower"] as const;
const taken: Record<keyof typeof runs, BenchResult[]> = { base: [], same: [], slower: [] };
for (let turn = 1; turn <= Number(values.turns); turn++)
  for (const name of NAMES) {
    const more = name === "slower" ? `, ${slowerUs.toFixed(1)} us more on each request` : "";
    console.error(`turn ${turn} of ${values.turns}: ${name}${more}`);
    taken[name].push(measure(args, runs[name]));
    // Written after every turn: who is impatient has something to compare.
    const result = joined(taken[name] as [BenchResult, ...BenchResult[]]);
    writeFileSync(fileOf(name), `${JSON.stringify(result, null, 2)}\n`);
  }

function slowerBy(us: number): NodeJS.ProcessEnv {
  return {
    NODE_OPTIONS: `--import=${join(import.meta.dirname, "slower.node.ts")}`,
    SLOWER_US: String(us),
  };
}

const asked = ["--min-effect", values["min-effect"], ...(values.force ? ["--force"] : [])];

/** Shown first, then asked for its one word; a text is nothing that a program reads. */
function compared(name: string): Word {
  const args = ["compare", fileOf("base"), fileOf(name), ...asked];
  const code = run(args);
  if (code === EXIT.usage) process.exit(code);
  const { stdout } = spawnSync(process.execPath, [weir, ...args, "--json"], { encoding: "utf8" });
  return (JSON.parse(stdout) as Comparison).word;
}

const same = compared("same");
const slower = compared("slower");
const isHonest = same === "same" && slower === "regressed";
const isWrong = ["improved", "regressed"].includes(same) || ["improved", "same"].includes(slower);
console.log(
  isHonest
    ? "what is the same is the same, and what is slower has regressed"
    : isWrong
      ? `weir compare was wrong on this machine: ${same} and ${slower}`
      : `weir compare could not tell: ${same} and ${slower}; more --turns, a larger --min-effect or a quieter machine can`,
);
process.exitCode = isHonest ? EXIT.passed : isWrong ? EXIT.failed : EXIT.unproven;
