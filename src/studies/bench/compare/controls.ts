// A control without code of Weir shows what the machine did, but with the same scatter as a cell. So nothing is
// subtracted: each value of a cell is divided by the control's value of the same round, and the quotients are tested
// like values.
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

/** What values are divided by: one control, or the median of three or more. */
export interface ControlReference {
  readonly name: string;
  readonly base: ByRound;
  readonly head: ByRound;
}

/** Whether a control runs no code of Weir and depends on no Redis. */
export const isOutside = ({ role, control }: BenchCellResult): boolean =>
  role === "control" && control !== "unlimited" && control !== "bare-proxy-redis";

/** With at least this many controls, one that has a problem of its own does not move the median. */
const HAS_MIDDLE = 3;

/**
 * The references of a metric. With one or two controls, nothing shows whether a change is one of the control or of the
 * machine: each control is a reference, and a change must hold relative to all.
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

/** The values of a metric by round, without zeros, because other values are divided by them. */
const byRound = ({ repeats }: BenchCellResult, metric: string): ByRound =>
  new Map(
    repeats.flatMap(({ round, metrics }) => {
      const value = metrics[metric];
      return value === undefined || value <= 0 ? [] : [[round, value] as const];
    }),
  );

/** The median of all controls. Each is first divided by its own median over both runs, so that all weigh the same. */
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
    name: "the median of the controls",
    base: middle(scaled.map(({ base }) => base)),
    head: middle(scaled.map(({ head }) => head)),
  };
}

/** Divides each value by the reference of its round: only repeats of one round run directly after each other. */
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
