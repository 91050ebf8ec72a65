// What all trials together say: who kills whom, and what is wrong with that.
import type { NamedMutant } from "./mutant.ts";
import type { Known, Trial } from "./trial.ts";

export interface Killed {
  readonly mutant: NamedMutant;
  readonly by: readonly { readonly scenario: string; readonly assertion: string }[];
}

export const killsOf = (
  mutants: readonly NamedMutant[],
  trials: readonly Trial[],
): readonly Killed[] =>
  mutants.map((mutant) => ({
    mutant,
    by: trials.flatMap(({ scenario, assertions }) =>
      assertions.flatMap(({ id, killed }) =>
        killed.includes(mutant.name) ? [{ scenario, assertion: id }] : [],
      ),
    ),
  }));

/** The reference must be right, and a mutant must run; whatever else is to be said comes after that. */
export const trialFaults = (trials: readonly Trial[]): readonly string[] =>
  trials.flatMap(({ file, faults }) => faults.map((fault) => `${file}: ${fault}`));

/** `within`: the part of the suite that was tried, null for all of it. */
export const survivorFaults = (
  killed: readonly Killed[],
  within: string | null,
): readonly string[] =>
  killed.flatMap(({ mutant: { name, about }, by }) => {
    if (by.length > 0) return [];
    return within === null
      ? [`${name}: nobody kills it (${about}): a scenario is missing`]
      : [`${name}: nobody in ${within} kills it (${about})`];
  });

/** An assertion that no wrong limiter breaks may be one that cannot fail. */
export const idleFaults = (trials: readonly Trial[]): readonly string[] =>
  trials.flatMap(({ file, assertions }) =>
    assertions.flatMap(({ id, line, killed }) =>
      killed.length === 0 ? [`${file}:${line}: "${id}" kills no mutant`] : [],
    ),
  );

/** One line an assertion: what is kept, and compared line by line. */
export const matrixText = (trials: readonly Trial[]): string =>
  trials
    .flatMap(({ scenario, assertions }) => [
      scenario,
      ...assertions.map(({ id, killed }) => `  ${id}: ${killed.join(" ")}`),
    ])
    .map((line) => `${line.trimEnd()}\n`)
    .join("");

/** Which assertions of a scenario each mutant failed when the matrix was kept. */
export function knownIn(kept: string, scenario: string): Known {
  const known = new Map<string, Set<string>>();
  for (const [place, names] of linesByPlace(kept)) {
    const [of, assertion] = place.split(SEPARATOR);
    if (of !== scenario) continue;
    for (const name of names.split(" ").filter(Boolean))
      known.set(name, (known.get(name) ?? new Set()).add(assertion!));
  }
  return known;
}

/** The lines that differ, the kept one first. */
export function differences(kept: string, found: string): readonly string[] {
  const before = linesByPlace(kept);
  const after = linesByPlace(found);
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((place) => {
    const [was, is] = [before.get(place), after.get(place)];
    if (was === is) return [];
    if (was === undefined) return [`${place}: new`];
    return [is === undefined ? `${place}: gone` : `${place}: ${change(was, is)}`];
  });
}

const SEPARATOR = " / ";

function linesByPlace(text: string): Map<string, string> {
  const lines = new Map<string, string>();
  let scenario = "";
  for (const line of text.split("\n")) {
    if (!line.startsWith("  ")) {
      scenario = line;
      continue;
    }
    const end = line.lastIndexOf(":");
    lines.set(`${scenario}${SEPARATOR}${line.slice(2, end)}`, line.slice(end + 1).trim());
  }
  return lines;
}

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
