// Measures candidates beside their controls: in each repeat every one of them runs once, in an order
// drawn anew, so that a machine that warms up, throttles or is shared wrongs nobody in particular.
import type { Rng } from "../src/chance/rng.ts";
import {
  advantages,
  bestOf,
  ratios,
  shuffled,
  summarise,
  type Summary,
  type Better,
} from "../src/stats/summary.ts";

export type Scale = "quick" | "full";

export interface Candidate {
  readonly name: string;
  readonly role: "ours" | "control";
  readonly measure: () => Promise<number>; // one repeat, in the unit of the case
  readonly at?: number; // where it stands, in a case that goes along an axis
}

/** What is aimed at. It is printed beside what was measured and stops nothing. */
export type Target =
  | { readonly candidate: string; readonly against: readonly string[]; readonly times: number }
  | { readonly candidate: string; readonly value: number }; // at most, or at least where more is better

export interface Case {
  readonly name: string;
  readonly unit: string;
  readonly better: Better;
  readonly control: string; // the candidate that all are compared with
  readonly candidates: readonly Candidate[];
  readonly targets: readonly Target[];
  readonly repeats: number;
  readonly warmUps: number; // rounds that are thrown away
  readonly along?: string; // what grows from candidate to candidate; such a case is drawn
}

export interface Suite {
  readonly name: string;
  readonly about: string;
  readonly cases: (scale: Scale) => readonly Case[];
}

export interface Row {
  readonly name: string;
  readonly role: Candidate["role"];
  readonly at: number | null;
  readonly values: readonly number[]; // raw, in the order of the repeats
  readonly summary: Summary;
  readonly ratio: Summary; // to the control
}

export interface Judged {
  readonly text: string;
  readonly measured: Summary;
  readonly met: boolean;
}

export interface CaseResult extends Pick<Case, "name" | "unit" | "better" | "control"> {
  readonly along: string | null;
  readonly rows: readonly Row[];
  readonly targets: readonly Judged[];
}

export interface Running {
  readonly random: Rng;
  readonly onMeasured: (round: number, rounds: number, candidate: string) => void;
}

export async function runCase(one: Case, { random, onMeasured }: Running): Promise<CaseResult> {
  const values = new Map<string, number[]>(one.candidates.map(({ name }) => [name, []]));
  const rounds = one.warmUps + one.repeats;
  for (let round = 0; round < rounds; round++) {
    for (const { name, measure } of shuffled(one.candidates, random.int)) {
      const value = await measure();
      if (!Number.isFinite(value)) throw new Error(`${one.name}: ${name} measured ${value}`);
      if (round >= one.warmUps) valuesOf(values, name).push(value);
      onMeasured(round, rounds, name);
    }
  }
  return {
    name: one.name,
    unit: one.unit,
    better: one.better,
    control: one.control,
    along: one.along ?? null,
    rows: one.candidates.map(({ name, role, at }) => ({
      name,
      role,
      at: at ?? null,
      values: valuesOf(values, name),
      summary: summarise(valuesOf(values, name)),
      ratio: summarise(ratios(valuesOf(values, name), valuesOf(values, one.control))),
    })),
    targets: one.targets.map((target) => judge(target, one, values)),
  };
}

function valuesOf(values: ReadonlyMap<string, number[]>, name: string): number[] {
  const found = values.get(name);
  if (found === undefined) throw new Error(`no candidate is called "${name}"`);
  return found;
}

/** By the median: the range is printed, so that a narrow miss or a lucky hit can be seen. */
function judge(
  target: Target,
  { better, unit }: Case,
  values: ReadonlyMap<string, number[]>,
): Judged {
  const own = valuesOf(values, target.candidate);
  if ("value" in target) {
    const measured = summarise(own);
    const word = better === "less" ? "at most" : "at least";
    const met =
      better === "less" ? measured.median <= target.value : measured.median >= target.value;
    return { text: `${target.candidate}: ${word} ${target.value} ${unit}`, measured, met };
  }
  const controls = target.against.map((name) => valuesOf(values, name));
  const measured = summarise(advantages(own, bestOf(controls, better), better));
  const whom =
    target.against.length === 1 ? target.against[0] : `the best of ${target.against.join(", ")}`;
  const text =
    target.times >= 1
      ? `${target.candidate}: at least ${target.times} times as good as ${whom}`
      : `${target.candidate}: within ${round(1 / target.times)} times ${whom}`;
  return { text, measured, met: measured.median >= target.times };
}

const round = (value: number): number => Math.round(value * 100) / 100;
