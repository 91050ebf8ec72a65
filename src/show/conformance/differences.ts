// The differences between two conformance reports, in sentences that name scenario and variant.
import { fullName } from "../../lab/scenario/verdict.ts";
import {
  nameOf,
  numberNames,
  type Conformance,
  type ScenarioEntry,
  type VariantEntry,
} from "./conformance.ts";

/** With `isWhole`, a scenario that did not run is a difference too. */
export function differencesBetween(
  reference: Conformance,
  found: Conformance,
  isWhole: boolean,
): readonly string[] {
  for (const what of ["driver", "seed"] as const)
    if (reference[what] !== found[what])
      return [
        `it was run with ${what} ${found[what]}, and the reference with ${what} ${reference[what]}`,
      ];
  const known = new Map(reference.scenarios.map((scenario) => [scenario.id, scenario]));
  const played = new Set(found.scenarios.map(({ id }) => id));
  return [
    ...found.scenarios.flatMap((scenario) => {
      const before = known.get(scenario.id);
      return before === undefined
        ? [`${scenario.id}: not in the reference`]
        : inScenario(before, scenario);
    }),
    ...(isWhole ? reference.scenarios : []).flatMap(({ id }) =>
      played.has(id) ? [] : [`${id}: only in the reference`],
    ),
  ];
}

function inScenario(before: ScenarioEntry, now: ScenarioEntry): readonly string[] {
  const { id } = now;
  const known = new Map(before.variants.map((variant) => [variant.variant, variant]));
  const played = new Set(now.variants.map(({ variant }) => variant));
  return [
    ...now.variants.flatMap((variant) => {
      const name = fullName(id, variant.variant);
      const reference = known.get(variant.variant);
      if (reference === undefined) return [`${name}: not in the reference`];
      const differences = [
        ...inCounts(reference, variant),
        ...inVerdicts(verdictsOf(before, reference), verdictsOf(now, variant)),
      ];
      if (differences.length > 0) return [`${name}: ${differences.join("; ")}`];
      return reference.history === variant.history
        ? []
        : [`${name}: another history, with the same counts and verdicts`];
    }),
    ...before.variants.flatMap(({ variant }) =>
      played.has(variant) ? [] : [`${fullName(id, variant)}: only in the reference`],
    ),
  ];
}

const inCounts = (before: VariantEntry, now: VariantEntry): readonly string[] =>
  (["requests", "refused", "rejected", "lost"] as const).flatMap((what) => {
    const [was, is] = [before[what] ?? 0, now[what] ?? 0];
    return was === is ? [] : [`${what} ${is}, not ${was}`];
  });

type Verdicts = ReadonlyMap<string, string>;

function inVerdicts(before: Verdicts, now: Verdicts): readonly string[] {
  const keys = new Set([...now.keys(), ...before.keys()]);
  return [...keys].flatMap((key) => {
    const [was, is] = [before.get(key) ?? "not there", now.get(key) ?? "not there"];
    return was === is ? [] : [`"${nameOf(key)}" ${is}, not ${was}`];
  });
}

function verdictsOf({ expectations }: ScenarioEntry, { verdicts }: VariantEntry): Verdicts {
  return new Map(
    numberNames(expectations).flatMap((key, index) => {
      const verdict = verdicts[index] ?? null;
      return verdict === null ? [] : [[key, verdict] as const];
    }),
  );
}
