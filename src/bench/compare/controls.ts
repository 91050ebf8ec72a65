// What stands beside Weir without a line of it says what the machine did. What it did is not known exactly: a control scatters
// as a cell does. So nothing is subtracted; figures are divided by what a control measured in the same round, and what
// comes out is tested as the figures are.
import type { BenchCellResult } from "../result.ts";
import { summarise } from "../../stats/summary.ts";
import { evidenceOf, type EvidenceEffort, type Evidence } from "./evidence.ts";
import type { Rng } from "../../chance/rng.ts";

export interface Pair {
  readonly base: BenchCellResult;
  readonly head: BenchCellResult;
}

type ByRound = ReadonlyMap<number, number>;

/** One control, or the middle of three or more. */
export interface ControlReference {
  readonly name: string;
  readonly base: ByRound;
  readonly head: ByRound;
}

/** A figure divided by a reference. */
export interface RelativeEvidence {
  readonly control: string;
  readonly evidence: Evidence;
}

/** Whether it is a control without a line of Weir in it. */
export const isOutside = ({ role, control }: BenchCellResult): boolean =>
  role === "control" && control !== "unlimited";

/** So many have a middle that one of them with trouble of its own does not move. */
const HAS_MIDDLE = 3;

/**
 * What a figure has to stand beside. Of one or two controls nobody can tell whose trouble it was that moved one of them:
 * each is a reference then, and what does not stand beside both is not said.
 */
export function referencesOf(pairs: readonly Pair[], metric: string): readonly ControlReference[] {
  const controls = pairs
    .filter(({ base }) => isOutside(base))
    .map(({ base, head }) => ({
      name: base.name,
      base: byRound(base, metric),
      head: byRound(head, metric),
    }))
    .filter(({ base, head }) => base.size > 0 && head.size > 0);
  return controls.length < HAS_MIDDLE ? controls : [middleOf(controls)];
}

/** Of nothing no share can be told. */
const byRound = ({ repeats }: BenchCellResult, metric: string): ByRound =>
  new Map(
    repeats.flatMap(({ round, metrics }) => {
      const value = metrics[metric];
      return value === undefined || value <= 0 ? [] : [[round, value] as const];
    }),
  );

/** Each is measured by its own median over both runs, so that what costs most does not count for most. */
function middleOf(controls: readonly ControlReference[]): ControlReference {
  const scaled = controls.map(({ base, head }) => {
    const { median } = summarise([...base.values(), ...head.values()]);
    const shares = (values: ByRound): ByRound =>
      new Map([...values].map(([round, value]) => [round, value / median]));
    return { base: shares(base), head: shares(head) };
  });
  const middle = (of: readonly ByRound[]): ByRound => {
    const rounds = new Set(of.flatMap((values) => [...values.keys()]));
    return new Map(
      [...rounds].map((round) => [
        round,
        summarise(of.flatMap((values) => values.get(round) ?? [])).median,
      ]),
    );
  };
  return {
    name: "the middle of the controls",
    base: middle(scaled.map(({ base }) => base)),
    head: middle(scaled.map(({ head }) => head)),
  };
}

/** Repeats of one round were measured side by side, and only those are divided. */
export function relativeEvidence(
  { base, head }: Pair,
  metric: string,
  reference: ControlReference,
  effort: EvidenceEffort,
  random: Rng,
): RelativeEvidence | null {
  const quotients = ({ repeats }: BenchCellResult, by: ByRound): readonly number[] =>
    repeats.flatMap(({ round, metrics }) => {
      const [value, other] = [metrics[metric], by.get(round)];
      return value === undefined || other === undefined ? [] : [value / other];
    });
  const [ours, theirs] = [quotients(base, reference.base), quotients(head, reference.head)];
  return ours.length === 0 || theirs.length === 0
    ? null
    : { control: reference.name, evidence: evidenceOf(ours, theirs, effort, random) };
}
