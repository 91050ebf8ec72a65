import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { commandLine } from "../kit/command-line.ts";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { nearest } from "../kit/reading/problems.ts";
import { writeWhole } from "../kit/reading/text-file.node.ts";
import { catalogue } from "../studies/mutants/catalogue.node.ts";
import { fewestKills } from "../studies/mutants/fewest-kills.ts";
import { killsIn, matrixOf, matrixText } from "../studies/mutants/matrix.ts";
import type { NamedMutant } from "../studies/mutants/mutant.ts";
import type { MutantTrial } from "../studies/mutants/trial.ts";
import { tryAll } from "../studies/mutants/try-all.node.ts";
import type { Variant } from "../lab/scenario/types.ts";
import type { Action } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { mutateScripts } from "./mutants-redis.node.ts";
import { json, mutantJson, mutantText, reportMutants } from "./mutants-report.ts";
import { interruption } from "./interruption.node.ts";
import { whyUnwritable } from "../kit/reading/folder.node.ts";
import { seedOf } from "./parse-arguments.node.ts";
import { withQueue } from "./queue-option.node.ts";
import { readScenarios } from "../lab/run/read-scenarios.node.ts";
import { DEFAULT_FOLDER, isInOwnSuite } from "../lab/run/scenario-files.node.ts";
import { many } from "../kit/reading/legible.ts";
import type { Terminal } from "./terminal.ts";

const MATRIX_FILE = fileURLToPath(
  new URL("../../test/studies/mutants/kill-matrix.txt", import.meta.url),
);

export const mutants: Action = async (args, terminal, refuse) => {
  const { operands, switches, values } = args;
  const { out, err, paint } = terminal;
  const seed = seedOf(values);
  if (isFailure(seed)) return refuse(seed.message);
  if (switches.has("redis")) {
    const other = ["scenarios", "all", "thorough", "write", "queue"].find(
      (name) => switches.has(name) || values.has(name),
    );
    if (other !== undefined) return refuse(`--redis runs no scenario; remove --${other}`);
    const isJson = switches.has("json");
    const isList = switches.has("list");
    return mutateScripts({ names: operands, seed, isJson, isList }, terminal, refuse);
  }
  const all = await catalogue();
  if (all === null) {
    err(
      "the mutants are in a checkout of Weir, below test/studies/mutants: they are not published",
    );
    return EXIT.usage;
  }
  const chosen = chosenFrom(all, operands);
  if (isFailure(chosen)) return refuse(chosen.message);
  if (switches.has("list") && switches.has("write"))
    return refuse("--list runs nothing, so --write has nothing to write; remove one");
  if (switches.has("list") && values.has("queue"))
    return refuse("--list runs nothing, so there is nothing to share out; remove --queue");
  if (switches.has("list")) {
    if (switches.has("json"))
      out(json({ format: "weir-mutant-list/1", mutants: chosen.map(mutantJson) }));
    else {
      for (const mutant of chosen) out(mutantText(mutant, paint));
      out(many(chosen.length, "mutant"));
    }
    return EXIT.passed;
  }
  const within = values.get("scenarios");
  const { scenarios, errors, inputs } = readScenarios(within === undefined ? [] : [within]);
  if (errors.length > 0) {
    for (const problem of errors) err(problem);
    return EXIT.usage;
  }
  const isOwn = isInOwnSuite(within ?? DEFAULT_FOLDER);
  const isWhole = operands.length === 0 && within === undefined && isOwn;
  const writes = switches.has("write");
  if (writes && !isWhole)
    return refuse(
      "--write needs every mutant and every scenario of Weir's own suite; remove names and --scenarios",
    );
  const unwritable = whyUnwritable(writes ? MATRIX_FILE : undefined);
  if (unwritable !== null) return refuse(unwritable);

  const triesAll = !isWhole || writes || switches.has("all") || switches.has("thorough");
  const whole = existsSync(MATRIX_FILE) ? readFileSync(MATRIX_FILE, "utf8") : "";
  const known = triesAll ? null : fewestKills(killsIn(whole));
  const matrix = known === null ? whole : matrixOf(whole, known);

  const files = scenarios.map(({ id, file, variants }) => ({
    file: {
      file,
      ...inputs.get(file)!,
      knownKills: known === null ? null : (known.get(id) ?? new Map<string, Set<string>>()),
    },
    size: playsOf(variants),
  }));
  const settings = {
    seed,
    isThorough: switches.has("thorough"),
    chosen: chosen.map(({ name, replaces }) => ({ name, replaces })),
  };
  const report = (trials: readonly MutantTrial[], ms: number): ExitCode => {
    if (writes) writeWhole(MATRIX_FILE, matrixText(trials));
    const run = {
      chosen,
      trials,
      matrix,
      seed,
      ms,
      within: within ?? null,
      isOwn,
      isWhole,
      writes,
    };
    return reportMutants(run, switches.has("json"), terminal);
  };
  return withQueue(args, terminal, refuse, async (share) => {
    const { stop, isWanted } = interruption();
    const started = performance.now();
    const onDone = progressOf(chosen.length, scenarios.length, terminal);
    const trials = await tryAll(files, settings, onDone, stop, share);
    if (!isWanted()) return report(trials, performance.now() - started);
    const done = Object.keys(trials).length; // not the length of `trials`, which includes gaps
    err(
      `interrupted: ${done} of ${many(scenarios.length, "scenario")} ran, and nothing was written`,
    );
    return EXIT.interrupted;
  });
};

const EVERY_MS = 10_000;

/** The first result may take minutes, so progress is shown: a status line on a terminal, elsewhere occasional lines. */
function progressOf(
  mutantCount: number,
  scenarioCount: number,
  { err, status, isWatched }: Terminal,
): (trial: MutantTrial, done: number) => void {
  let reportedMs = performance.now();
  const begun = `running ${many(scenarioCount, "scenario")} against ${many(mutantCount, "mutant")}`;
  if (isWatched) status(begun);
  else if (scenarioCount > 1) err(begun);
  return ({ scenario }, done) => {
    const remaining = scenarioCount - done;
    const line = `${remaining} of ${many(scenarioCount, "scenario")} ${remaining === 1 ? "remains" : "remain"}`;
    if (isWatched) return status(`${line}; finished ${scenario}`);
    if (performance.now() - reportedMs < EVERY_MS || remaining === 0) return;
    reportedMs = performance.now();
    err(line);
  };
}

/** The effort of variants, in runs. A call of the management API is counted as one more run: most runs take less. */
const playsOf = (variants: readonly Variant[]): number =>
  variants.reduce((sum, { calls }) => sum + 1 + calls.length, 0);

function chosenFrom(
  all: readonly NamedMutant[],
  names: readonly string[],
): readonly NamedMutant[] | Failure {
  for (const name of names) {
    if (all.some((mutant) => matches(mutant, name))) continue;
    const suggestion = nearest(
      name,
      all.flatMap((mutant) => [mutant.name, areaOf(mutant)]),
    );
    const way =
      suggestion === null
        ? `${commandLine("mutants --list")} shows them`
        : `did you mean "${suggestion}"?`;
    return new Failure(`there is no mutant or area "${name}"; ${way}`);
  }
  return names.length === 0 ? all : all.filter((each) => names.some((name) => matches(each, name)));
}

/** `wanted` names a mutant, or an area to select all of its mutants. Shells complete an area with a slash. */
const matches = (mutant: NamedMutant, wanted: string): boolean =>
  mutant.name === wanted || areaOf(mutant) === wanted.replace(/\/$/, "");

const areaOf = ({ name }: NamedMutant): string => name.slice(0, name.indexOf("/"));
