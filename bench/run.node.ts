// npm run bench [-- suite ...]: measures, prints a table, and leaves the raw figures as JSON.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { machine, machineAfter } from "../src/bench/resources/machine.node.ts";
import { rng } from "../src/chance/rng.ts";
import { runCase, type Case, type CaseResult, type Scale, type Suite } from "./harness.ts";
import { pageOf } from "./page.ts";
import type { Result } from "./result.ts";
import { core } from "./suites/core.node.ts";
import { management } from "./suites/management.node.ts";
import { queue } from "./suites/queue.node.ts";
import { records } from "./suites/records.node.ts";
import { redis } from "./suites/redis.node.ts";
import { sim } from "./suites/sim.node.ts";
import { start } from "./suites/start.node.ts";
import { tableOf } from "./table.ts";

const SUITES: readonly Suite[] = [core, sim, queue, start, redis, management, records];

const HELP = `Usage: npm run bench -- [suite ...] [options]

Measures candidates beside their controls and prints medians, ranges and ratios. Without a suite: a
quick look at everything that is quick, under a minute.

Suites:
${SUITES.map(({ name, about }) => `  ${name.padEnd(10)}${about}`).join("\n")}
  all       every suite in full

Options:
  --quick       fewer requests and repeats
  --only TEXT   only cases whose name has TEXT in it
  --repeats N   this many measurements of each candidate
  --seed N      of the order in which candidates take turns (default 1)
  --json        the result as JSON on standard output, no table
  --help

Examples:
  npm run bench
  npm run bench:core
  npm run bench -- sim --only history
  npm run bench -- all --json > bench.json
`;

interface Chosen {
  readonly suite: Suite;
  readonly scale: Scale;
}

const IN_SHORT = ["core"];

/** What to run, or what is wrong with the names. */
function chosen(names: readonly string[], quick: boolean): readonly Chosen[] | string {
  const wanted =
    names.length === 0 ? IN_SHORT : names.includes("all") ? SUITES.map(({ name }) => name) : names;
  const known = SUITES.map(({ name }) => name);
  const stranger = wanted.find((name) => !known.includes(name));
  if (stranger !== undefined)
    return `there is no suite "${stranger}"; there are ${known.join(", ")} and all`;
  return SUITES.filter(({ name }) => wanted.includes(name)).map((suite) => ({
    suite,
    scale: quick || names.length === 0 ? "quick" : "full",
  }));
}

const OPTIONS = {
  quick: { type: "boolean", default: false },
  only: { type: "string", default: "" },
  repeats: { type: "string" },
  seed: { type: "string", default: "1" },
  json: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

type Arguments = ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true }>>;

async function run({ values, positionals }: Arguments): Promise<number> {
  const suites = chosen(positionals, values.quick);
  if (typeof suites === "string") return misused(suites);
  const repeats = values.repeats === undefined ? null : Number(values.repeats);
  const seed = Number(values.seed);
  if (repeats !== null && !(Number.isInteger(repeats) && repeats > 0))
    return misused(`--repeats takes a whole number above 0, not "${values.repeats}"`);
  if (!Number.isInteger(seed)) return misused(`--seed takes a whole number, not "${values.seed}"`);
  const startedAt = new Date().toISOString();
  const on = machine();
  const say = (line: string): void => void (values.json || process.stdout.write(`${line}\n`));
  say(`${on.cpu}, ${on.cores} cores, Node ${on.node}, load ${on.load.before}, seed ${seed}\n`);
  const results: Result["suites"][number][] = [];
  for (const { suite, scale } of suites) {
    const cases: CaseResult[] = [];
    const wanted = suite.cases(scale).filter(({ name }) => name.includes(values.only));
    for (const one of wanted) {
      const limited: Case = { ...one, repeats: repeats ?? one.repeats };
      const random = rng(seed, `${suite.name}/${one.name}`);
      const result = await runCase(limited, { random, onMeasured: progress(suite, one) });
      clearProgress();
      cases.push(result);
      say(`${tableOf(result).join("\n")}\n`);
    }
    results.push({ name: suite.name, scale, cases });
  }
  const all = results.flatMap(({ cases }) => cases);
  if (all.length === 0) return misused(`no case has "${values.only}" in its name`);
  const targets = all.flatMap((one) => one.targets);
  const result: Result = {
    format: "weir-bench/1",
    startedAt,
    argv: process.argv.slice(2),
    seed,
    machine: machineAfter(on, null, {}),
    suites: results,
    footer: {
      cases: all.length,
      targets: targets.length,
      met: targets.filter(({ met }) => met).length,
    },
  };
  const text = `${JSON.stringify(result, null, 2)}\n`;
  if (values.json) process.stdout.write(text);
  const file = join("reports", "runs", `bench-${results.map(({ name }) => name).join("-")}`);
  mkdirSync(join("reports", "runs"), { recursive: true });
  writeFileSync(`${file}.json`, text);
  writeFileSync(`${file}.html`, await pageOf(result));
  say(
    `${result.footer.met} of ${result.footer.targets} targets met. Raw figures: ${file}.json, drawn: ${file}.html`,
  );
  return 0;
}

function misused(sentence: string): number {
  process.stderr.write(`${sentence}\nSee npm run bench -- --help\n`);
  return 2;
}

/** One line that is written over on a terminal; elsewhere one line a round. */
const progress =
  ({ name }: Suite, one: Case) =>
  (round: number, rounds: number, candidate: string): void => {
    const text = `${name}: ${one.name}: round ${round + 1} of ${rounds}`;
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}: ${candidate}`);
    else if (candidate === one.control) process.stderr.write(`${text}\n`);
  };

const clearProgress = (): void => void (process.stderr.isTTY && process.stderr.write("\r\x1b[K"));

try {
  const given = parseArgs({ options: OPTIONS, allowPositionals: true });
  if (given.values.help) process.stdout.write(HELP);
  else process.exitCode = await run(given);
} catch (error) {
  // parseArgs says in a sentence which option it does not know; everything else is a bug and keeps its trace.
  if (
    !(
      error instanceof TypeError &&
      "code" in error &&
      String(error.code).startsWith("ERR_PARSE_ARGS")
    )
  )
    throw error;
  process.exitCode = misused(error.message);
}
