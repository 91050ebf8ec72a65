// Builds, reads and compares the kill matrix (which scenario kills which mutant), and lists the problems in it.
import type { NamedMutant } from "./mutant.ts";
import type { KnownKills, MutantTrial } from "./trial.ts";

export interface MutantKills {
  readonly mutant: NamedMutant;
  readonly by: readonly { readonly scenario: string; readonly assertion: string }[];
}

export const killsOf = (
  mutants: readonly NamedMutant[],
  trials: readonly MutantTrial[],
): readonly MutantKills[] =>
  mutants.map((mutant) => ({
    mutant,
    by: trials.flatMap(({ scenario, assertions }) =>
      assertions.flatMap(({ id, killed }) =>
        killed.includes(mutant.name) ? [{ scenario, assertion: id }] : [],
      ),
    ),
  }));

/** The problems of trials whose original fails or whose mutant throws. */
export const trialProblems = (trials: readonly MutantTrial[]): readonly string[] =>
  trials.flatMap(({ file, faults }) => faults.map((fault) => `${file}: ${fault}`));

/** A problem for each mutant that no scenario kills. `within`: the part of the suite that ran; null: all of it. */
export const survivorProblems = (
  killed: readonly MutantKills[],
  within: string | null,
): readonly string[] =>
  killed.flatMap(({ mutant: { name, about }, by }) => {
    if (by.length > 0) return [];
    return within === null
      ? [`${name}: no scenario kills it (${about}); add one`]
      : [`${name}: no scenario in ${within} kills it (${about})`];
  });

/** A problem for each expectation that no mutant fails: such an expectation may be unable to fail. */
export const idleProblems = (trials: readonly MutantTrial[]): readonly string[] =>
  trials.flatMap(({ file, assertions }) =>
    assertions.flatMap(({ id, line, killed }) =>
      killed.length === 0 ? [`${file}:${line}: "${id}" kills no mutant`] : [],
    ),
  );

/** The content of the golden file: a line for each scenario, then one for each of its expectations. */
export const matrixText = (trials: readonly MutantTrial[]): string =>
  trials
    .flatMap(({ scenario, assertions }) => [
      scenario,
      ...assertions.map(({ id, killed }) => `  ${id}: ${killed.join(" ")}`),
    ])
    .map((line) => `${line.trimEnd()}\n`)
    .join("");

/** Parses a golden file. Returns the expectations that each mutant failed, by scenario. */
export function killsIn(matrix: string): ReadonlyMap<string, KnownKills> {
  const byScenario = new Map<string, Map<string, Set<string>>>();
  for (const { scenario, id, names } of linesOf(matrix)) {
    const killed = byScenario.get(scenario) ?? new Map<string, Set<string>>();
    byScenario.set(scenario, killed);
    if (id !== null)
      for (const name of names) killed.set(name, (killed.get(name) ?? new Set()).add(id));
  }
  return byScenario;
}

/** Reduces a golden file to the pairs that were tried: the matrix that a run of only these pairs should give. */
export function matrixOf(matrix: string, tried: ReadonlyMap<string, KnownKills>): string {
  return linesOf(matrix)
    .map(({ scenario, id, names }) =>
      id === null
        ? scenario
        : [`  ${id}:`, ...names.filter((name) => tried.get(scenario)?.has(name))].join(" "),
    )
    .map((line) => `${line}\n`)
    .join("");
}

/** The lines that differ, in the order of the golden file. */
export function differences(golden: string, current: string): readonly string[] {
  const before = linesByPlace(golden);
  const after = linesByPlace(current);
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((place) => {
    const [was, is] = [before.get(place), after.get(place)];
    if (was === is) return [];
    if (was === undefined) return [`${place}: new`];
    return [is === undefined ? `${place}: gone` : `${place}: ${change(was, is)}`];
  });
}

/** Differences from the golden file are problems, unless the file was just written. */
export function compareMatrix(
  golden: string,
  trials: readonly MutantTrial[],
  isWritten: boolean,
): { readonly problems: readonly string[]; readonly written: readonly string[] } {
  const lines = differences(golden, matrixText(trials)).map((line) => `kill matrix: ${line}`);
  return isWritten ? { problems: [], written: lines } : { problems: lines, written: [] };
}

interface MatrixLine {
  readonly scenario: string;
  readonly id: string | null; // id of an expectation; null: the line of the scenario
  readonly names: readonly string[]; // names of mutants
}

function linesOf(matrix: string): readonly MatrixLine[] {
  let scenario = "";
  return matrix
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      if (!line.startsWith("  ")) {
        scenario = line;
        return { scenario, id: null, names: [] };
      }
      const end = line.lastIndexOf(":");
      const names = line.slice(end + 1).split(" ");
      return { scenario, id: line.slice(2, end), names: names.filter(Boolean) };
    });
}

const linesByPlace = (matrix: string): ReadonlyMap<string, string> =>
  new Map(
    linesOf(matrix).flatMap(({ scenario, id, names }) =>
      id === null ? [] : [[`${scenario} / ${id}`, names.join(" ")]],
    ),
  );

function change(was: string, is: string): string {
  const before = new Set(was.split(" ").filter(Boolean));
  const after = new Set(is.split(" ").filter(Boolean));
  return [
    ...without(after, before).map((name) => `+${name}`),
    ...without(before, after).map((name) => `-${name}`),
  ].join(" ");
}

const without = (some: ReadonlySet<string>, others: ReadonlySet<string>): string[] =>
  [...some].filter((name) => !others.has(name));
