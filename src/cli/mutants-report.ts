// Prints the results of `weir mutants`, for people or as one document, and returns the exit code.
import {
  compareMatrix,
  idleProblems,
  killsOf,
  survivorProblems,
  trialProblems,
  type MutantKills,
} from "../studies/mutants/matrix.ts";
import type { NamedMutant } from "../studies/mutants/mutant.ts";
import type { MutantTrial } from "../studies/mutants/trial.ts";
import { many } from "../kit/reading/legible.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import type { Terminal } from "./terminal.ts";

interface MutantRun {
  readonly chosen: readonly NamedMutant[];
  readonly trials: readonly MutantTrial[];
  readonly matrix: string; // the matrix as it was before the run
  readonly seed: number;
  readonly ms: number;
  readonly within: string | null; // the part of the suite that ran; null: the whole suite
  readonly isOwn: boolean; // whether the suite is Weir's own
  readonly isWhole: boolean; // whether every mutant and every scenario of the suite ran
  readonly writes: boolean; // whether the matrix has been replaced
}

export function reportMutants(
  { chosen, trials, matrix, seed, ms, within, isOwn, isWhole, writes }: MutantRun,
  isJson: boolean,
  { out, err, paint }: Terminal,
): ExitCode {
  const killed = killsOf(chosen, trials);
  const { problems: differing, written } = compareMatrix(matrix, trials, writes);
  const problems = [
    ...trialProblems(trials),
    // Only Weir's own suite has to kill all mutants.
    ...(isOwn ? survivorProblems(killed, within) : []),
    // These problems show only if every mutant and every scenario ran.
    ...(isWhole ? [...idleProblems(trials), ...differing] : []),
  ];
  const document = {
    format: "weir-mutants/1",
    seed,
    mutants: killed.map(({ mutant, by }) => ({ ...mutantJson(mutant), killedBy: by })),
    trials,
    written,
    faults: problems,
  };
  if (isJson) out(json(document));
  else {
    for (const one of killed) out(killText(one, paint));
    for (const line of written) out(`${paint("good", "written")} ${line}`);
    for (const problem of problems) out(paint("bad", problem));
  }
  err(costText(trials, ms));
  const dead = killed.filter(({ by }) => by.length > 0).length;
  if (!isJson) {
    out(`${dead} of ${many(killed.length, "mutant")} killed, ${many(problems.length, "error")}`);
    out(`${dead} passed, ${problems.length} failed, 0 skipped`);
  }
  return problems.length === 0 ? EXIT.passed : EXIT.failed;
}

export const json = (document: unknown): string => JSON.stringify(document, null, 2);

export const mutantJson = ({ name, about, breaks, found, replaces }: NamedMutant) => ({
  name,
  about,
  breaks,
  found: found ?? null,
  replaces,
});

function killText({ mutant, by }: MutantKills, paint: Terminal["paint"]): string {
  if (by.length === 0) return `${paint("bad", "lives")}  ${mutant.name}`;
  const scenarios = new Set(by.map(({ scenario }) => scenario));
  const counts = `${many(scenarios.size, "scenario")}, ${many(by.length, "expectation")}`;
  return `${paint("good", "killed")} ${mutant.name} ${paint("faint", `${counts}; ${by[0]!.scenario}`)}`;
}

export function mutantText(
  { name, about, breaks, found, replaces }: NamedMutant,
  paint: Terminal["paint"],
): string {
  const seen = found === undefined ? "" : `, found in ${found}`;
  return `${paint("strong", name)}\n  ${about}\n  ${paint("faint", `breaks ${breaks.join(", ")}${seen}; replaces ${replaces}`)}`;
}

function costText(trials: readonly MutantTrial[], ms: number): string {
  const sum = (of: (trial: MutantTrial) => number): number =>
    trials.reduce((total, each) => total + of(each), 0);
  const untouched = sum((each) => each.untouched);
  const alike = sum((each) => each.alike);
  const same = sum((each) => each.same);
  const differing = sum((each) => each.differing);
  return [
    `${many(untouched + alike + same + differing, "pair")} of scenario and mutant in ${(ms / 1000).toFixed(1)} s:`,
    `${untouched} never call the function and ${alike} get the same results from it, which counts as equal;`,
    `${same} had an equal history, ${differing} were checked`,
  ].join(" ");
}
