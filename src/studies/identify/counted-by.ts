// Finds what a budget is counted by: one sender uses up the limit, then senders try that differ in one aspect.
import { restUsOf, type LimitBehaviour } from "./behaviour.ts";
import { modelOf } from "./behaviour-of.ts";
import type { ProbeTiming } from "./evidence.ts";
import { countOf, FIRST_SENDER, type ProbedGroup, type ProbeGroup } from "./target.ts";

/** Aspects of a request whose values have separate budgets; none: one budget for all requests. */
export interface CountedBy {
  readonly credential: boolean;
  readonly address: boolean;
  readonly path: boolean;
}

/** For each aspect whether budgets are separate; null: undecided. */
export type CountedByFindings = { readonly [Aspect in keyof CountedBy]: boolean | null };

export const NOTHING_COUNTED: CountedByFindings = { credential: null, address: null, path: null };

export const ASPECTS = [
  "credential",
  "address",
  "path",
] as const satisfies readonly (keyof CountedBy)[];

interface AspectPlan {
  readonly groups: readonly ProbeGroup[];
  /** If at least this many requests of the first sender are admitted, its budget is used up without a refusal. */
  readonly usedUpFrom: number;
  /** If at least this many requests of another sender are admitted, that sender has a separate budget. */
  readonly apartFrom: number;
}

/** Plans the requests; null: the first budget regains too many during a trip for a second budget to show. */
export function planAspects(
  behaviour: LimitBehaviour,
  available: readonly (keyof CountedBy)[],
  startUs: number,
  { tripUs }: ProbeTiming,
): AspectPlan | null {
  const { capacity } = behaviour;
  const [firstUs, laterUs] = [startUs + 1.2 * restUsOf(behaviour), 10_000 + 2 * tripUs];
  const first = {
    atUs: firstUs,
    count: capacity + 2 + Math.ceil(capacity / 20),
    everyUs: 0,
    sender: FIRST_SENDER,
  };
  const limit = modelOf(behaviour).begin(null);
  for (let i = 0; i < first.count; i++) limit.decide(firstUs);
  const tries = Math.max(3, capacity);
  let shared = 0;
  for (let i = 0; i < tries; i++)
    if (limit.decide(firstUs + laterUs + tripUs).refused === null) shared++;
  if (shared > 0 && capacity < shared + 1 + capacity / 20) return null;
  const count = shared === 0 ? 3 : tries; // several, because one request may be lost
  const others = available.map((aspect) => ({
    atUs: firstUs + laterUs,
    count,
    everyUs: 0,
    sender: { ...FIRST_SENDER, [aspect]: 1 },
  }));
  return {
    groups: [first, ...others],
    usedUpFrom: capacity,
    apartFrom: shared + Math.min(2, capacity),
  };
}

/** Reads what the budget is counted by. Nothing shows a separate budget unless the first sender used up its own. */
export function readAspects(
  available: readonly (keyof CountedBy)[],
  { usedUpFrom, apartFrom }: AspectPlan,
  [first, ...others]: readonly ProbedGroup[],
): CountedByFindings {
  if (first === undefined) return NOTHING_COUNTED;
  const isUsedUp = countOf(first, "refused") > 0 || countOf(first, "admitted") >= usedUpFrom;
  const found = ASPECTS.map((aspect) => {
    const group = others[available.indexOf(aspect)];
    if (group === undefined) return [aspect, null] as const;
    const admitted = countOf(group, "admitted");
    const refused = countOf(group, "refused");
    if (admitted >= apartFrom) return [aspect, isUsedUp ? true : null] as const;
    return [aspect, refused > 0 ? false : null] as const;
  });
  return Object.fromEntries(found) as unknown as CountedByFindings;
}
