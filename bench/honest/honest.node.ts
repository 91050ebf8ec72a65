// npm run bench:honest: does weir compare tell the truth on this machine? One load is measured three times, the third time
// with a gateway that really spends more on each request: the first two have to be the same, and the third a regression.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Comparison } from "../../src/bench/compare/compare.ts";
import type { Word } from "../../src/bench/compare/verdict.ts";
import { samplesBeside } from "../../src/bench/kept.node.ts";
import { readResult } from "../../src/bench/result-schema.ts";
import { spreadIn } from "../../src/bench/statistics.ts";
import { EXIT } from "../../src/cli/exit.ts";

const { values } = parseArgs({
  options: {
    repeats: { type: "string", default: "10" },
    slower: { type: "string", default: "15" }, // per cent
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

function measure(name: string, more: readonly string[], environment?: NodeJS.ProcessEnv): void {
  for (const file of [fileOf(name), samplesBeside(fileOf(name))]) rmSync(file, { force: true });
  const args = ["bench", "--only", "base", "--repeats", values.repeats, "-o", fileOf(name)];
  const code = run([...args, ...more], environment);
  if (code !== EXIT.passed) process.exit(code ?? EXIT.interrupted);
}

measure("base", []);
const base = readResult(readFileSync(fileOf("base"), "utf8"));
if (typeof base === "string") throw new Error(base);
const cell = base.cells.find(({ name }) => name === "base");
const cpu = cell && spreadIn(cell, "cpu")?.median;
if (cpu === undefined) throw new Error("the base has no processor time");
const likeBase = ["--capacity", String(base.capacity)];
measure("same", likeBase);
const slowerUs = cpu * (Number(values.slower) / 100);
console.error(`from here on the gateway spends ${slowerUs.toFixed(1)} us more on each request`);
measure("slower", likeBase, {
  NODE_OPTIONS: `--import=${join(import.meta.dirname, "slower.node.ts")}`,
  SLOWER_US: String(slowerUs),
});

const force = values.force ? ["--force"] : [];

/** Shown first, then asked for its one word; a text is nothing that a program reads. */
function compared(name: string): Word {
  const args = ["compare", fileOf("base"), fileOf(name), ...force];
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
      : `weir compare could not tell: ${same} and ${slower}; a machine with nothing else to do can`,
);
process.exitCode = isHonest ? EXIT.passed : isWrong ? EXIT.failed : EXIT.unproven;
