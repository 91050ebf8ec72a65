// A control without code of Weir shows what the machine did, but not exactly: its repeats scatter as those of a cell do. So
// nothing is subtracted: the value of each round is divided by the control's value of that round, and the quotients are
// tested like the values themselves.
import type { BenchCellResult } from "../result.ts";
import { summarise } from "../../../kit/stats/summary.ts";
import { evidenceOf, type EvidenceEffort } from "./evidence.ts";
import type { RelativeEvidence } from "./comparison.ts";
import type { Rng } from "../../../kit/chance/rng.ts";

export interface Pair {
  readonly base: BenchCellResult;
  readonly head: BenchCellResult;
}

type ByRound = ReadonlyMap<number, number>;

/** One control, or the median of three or more. */
export interface ControlReference {
  readonly name: string;
  readonly base: ByRound;
  readonly head: ByRound;
}

/** Whether it is a control without code of Weir, whose time is its own: over Redis it is also that of Redis. */
export const isOutside = ({ role, control }: BenchCellResult): boolean =>
  role === "control" && control !== "unlimited" && control !== "bare-proxy-redis";

/** From this number on, a control with a problem of its own does not move the median. */
const HAS_MIDDLE = 3;

/**
 * The references of a metric. If one of one or two controls moved, nothing shows whether the control or the machine
 * changed: then each control is a reference, and a change must hold relative to both.
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

/** Leaves out zero, which cannot divide. */
const byRound = ({ repeats }: BenchCellResult, metric: string): ByRound =>
  new Map(
    repeats.flatMap(({ round, metrics }) => {
      const value = metrics[metric];
      return value === undefined || value <= 0 ? [] : [[round, value] as const];
    }),
  );

/** Each control is divided by its own median over both runs, so that the most expensive one has no larger weight. */
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

/** Only repeats of the same round are divided: they follow each other in time. */
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
