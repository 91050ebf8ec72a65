// npm run regression -- --seed N [--parent REV], or -- FILE [--parent REV]: does the commit before fail too? docs/inside/swarm.md.
import { cpSync, existsSync, mkdirSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Failure, isFailure } from "#src/kit/reading/failure.ts";
import { checkOut, findCommitBefore, findRepository } from "./commit-before.node.ts";
import { runWeir, type SwarmFailureText, type WeirRun } from "./weir-runs.node.ts";

const USAGE = "npm run regression -- --seed N | FILE [--parent REV]";

/** 0 and 1 answer the question; docs/inside/swarm.md has them all. */
const EXIT = { old: 0, brought: 1, usage: 2, untried: 3, interrupted: 130 } as const;

interface Question {
  readonly seed: string | null; // of a world of the swarm
  readonly file: string | null; // of a scenario
  readonly parent: string | null;
}

function readQuestion(args: readonly string[]): Question | Failure {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { seed: { type: "string" }, parent: { type: "string" } },
    });
    const { seed = null, parent = null } = values;
    const [file = null, ...more] = positionals;
    if ((seed === null) === (file === null) || more.length > 0)
      return new Failure(`name a seed or one file: ${USAGE}`);
    if (seed !== null && !(/^\d+$/.test(seed) && Number.isSafeInteger(Number(seed))))
      return new Failure(`--seed ${seed} is no integer of at least 0`);
    return { seed, file, parent };
  } catch (error) {
    return new Failure(`${(error as Error).message.split("\n")[0]!}: ${USAGE}`);
  }
}

/** The path of a scenario from the root of the repository. */
function findScenario(root: string, file: string): string | Failure {
  const path = resolve(file);
  if (!existsSync(path)) return new Failure(`${file} does not exist`);
  const inside = relative(root, realpathSync(path));
  return inside.startsWith("..")
    ? new Failure(`${file} is not in the repository ${root}; copy it to scenarios/regressions`)
    : inside;
}

/** A saved world: its file, and the flags that repeat the failure. */
interface SavedScenario {
  readonly file: string;
  readonly flags: readonly string[];
}

/** Null if no file was saved, or if none of its expectations shows the failure: then the seed alone repeats it. */
function scenarioOf({ file, again }: SwarmFailureText): SavedScenario | null {
  const words = again.split(" ");
  return file !== null && words.includes(file)
    ? { file, flags: words.slice(words.indexOf(file) + 1) }
    : null;
}

interface RunHere {
  readonly outcome: WeirRun["outcome"];
  readonly failure: SwarmFailureText | null; // of a seed
  readonly scenario: SavedScenario | null;
}

async function runFileHere(root: string, name: string): Promise<RunHere | Failure> {
  const file = findScenario(root, name);
  if (isFailure(file)) return file;
  const here = await runWeir(root, file);
  if (here.outcome === "unclear") return new Failure(`${file} cannot be run here: ${here.why}`);
  console.log(`${file} ${here.outcome} here`);
  return { outcome: here.outcome, failure: null, scenario: { file, flags: [] } };
}

async function runSeedHere(root: string, seed: string): Promise<RunHere | Failure> {
  const { outcome, document, why } = await runWeir(root, "--swarm", "1", "--seed", seed);
  if (outcome === "passes")
    return new Failure(`the world of seed ${seed} passes here, so there is nothing to save`);
  const failure = document?.failures?.[0];
  if (failure === undefined)
    return new Failure(`the world of seed ${seed} cannot be run here: ${why}`);
  console.log(`seed ${seed} fails here: ${failure.expectation}`);
  console.log(failure.file === null ? `not saved: ${failure.why}` : `saved ${failure.file}`);
  return { outcome, failure, scenario: scenarioOf(failure) };
}

async function answer(question: Question): Promise<number | Failure> {
  const root = findRepository(process.cwd());
  if (isFailure(root)) return root;
  const before = findCommitBefore(root, question.parent);
  if (isFailure(before)) return before;
  const here =
    question.seed === null
      ? await runFileHere(root, question.file!)
      : await runSeedHere(root, question.seed);
  if (isFailure(here)) return here;
  console.log(`the commit before is ${before.text}`);
  const checkout = checkOut(root, before);
  if (isFailure(checkout)) return checkout;
  const { folder } = checkout;
  // No later run has the same folder: to save compiled code of it would take as long again as the run.
  process.env["NODE_DISABLE_COMPILE_CACHE"] = "1";
  try {
    const { failure, scenario, outcome } = here;
    const world = failure === null ? null : await tryWorld(folder, question.seed!, failure);
    const saved = scenario === null ? null : await tryScenario(root, folder, scenario);
    return verdict(outcome === "passes", world, saved);
  } finally {
    checkout.remove();
  }
}

/** The same seed is another world if a generator has changed since, or the failure is another one. */
async function tryWorld(folder: string, seed: string, failure: SwarmFailureText): Promise<WeirRun> {
  const run = await runWeir(folder, "--swarm", "1", "--seed", seed, "--no-save");
  const other = run.document?.failures?.[0]?.expectation ?? failure.expectation;
  const same: WeirRun =
    other === failure.expectation
      ? run
      : { ...run, outcome: "unclear", why: `fails otherwise: ${other}` };
  printRun(`seed ${seed}`, same);
  return same;
}

async function tryScenario(
  root: string,
  folder: string,
  { file, flags }: SavedScenario,
): Promise<WeirRun> {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  cpSync(join(root, file), join(folder, file));
  const run = await runWeir(folder, file, ...flags);
  printRun(file, run);
  return run;
}

const printRun = (name: string, { outcome, why }: WeirRun): void =>
  console.log(`  ${name}: ${outcome}${why === "" ? "" : ` (${why})`}`);

/** A scenario that passes decides against a seed that passes or is unclear: it is the world itself. */
function verdict(passesHere: boolean, world: WeirRun | null, saved: WeirRun | null): number {
  if (world?.outcome === "fails" || saved?.outcome === "fails") {
    console.log(
      passesHere
        ? "the commit before fails: this change repairs it"
        : "the commit before fails too: an old fault",
    );
    return EXIT.old;
  }
  const decisive = saved === null || saved.outcome === "unclear" ? world : saved;
  if (decisive?.outcome !== "passes") {
    console.log("the commit before could not be tried: compare by hand");
    return EXIT.untried;
  }
  console.log(
    passesHere
      ? "the commit before passes too: there is no fault"
      : "the commit before passes: this change brought it",
  );
  return passesHere ? EXIT.usage : EXIT.brought;
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.once(signal, () => process.exit(EXIT.interrupted));
const question = readQuestion(process.argv.slice(2));
const result = isFailure(question) ? question : await answer(question);
if (isFailure(result)) console.error(`regression: ${result.message}`);
process.exitCode = isFailure(result) ? EXIT.usage : result;
