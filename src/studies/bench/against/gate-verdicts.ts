// Groups the repeats of a run into pairs for each gate, and reaches the verdict of each gate.
import { rng } from "../../../kit/chance/rng.ts";
import { summarise } from "../../../kit/stats/summary.ts";
import { METRICS, type Gate, type BenchMetricName } from "../suite.ts";
import { decidePairs, type GatePairs } from "./pair-verdicts.ts";
import type { AgainstDesign, PairedGate, PairRepeat, PairSide } from "./result.ts";
import type { PairRounds } from "../../../kit/stats/sign-flip.ts";
import { decideByLooks } from "./until.ts";

/** For each pair and round, the logarithm of head / base. Omits pairs that lack a value in any round. */
export function pairsOf(
  repeats: readonly PairRepeat[],
  { cell, metric }: Gate<BenchMetricName>,
  rounds: number,
): PairRounds {
  const values = new Map<number, Map<number, Partial<Record<PairSide, number>>>>();
  for (const repeat of repeats) {
    const value = repeat.metrics[metric];
    if (repeat.cell !== cell || repeat.side === null || repeat.isWarmUp) continue;
    if (value === undefined || value <= 0) continue;
    const ofPair = values.get(repeat.pair) ?? new Map<number, Partial<Record<PairSide, number>>>();
    values.set(repeat.pair, ofPair);
    ofPair.set(repeat.round, { ...ofPair.get(repeat.round), [repeat.side]: value });
  }
  return [...values.values()]
    .map((ofPair) =>
      [...ofPair.values()].flatMap(({ base, head }) =>
        base === undefined || head === undefined ? [] : [Math.log(head / base)],
      ),
    )
    .filter((all) => all.length === rounds);
}

export function decideGates(
  repeats: readonly PairRepeat[],
  gates: readonly Gate<BenchMetricName>[],
  design: AgainstDesign,
  seed: number,
): readonly PairedGate[] {
  const { rounds, until } = design;
  const random = rng(seed, "bench/against/flips");
  const all = gates.map((gate): GatePairs => ({
    pairs: pairsOf(repeats, gate, rounds),
    better: METRICS[gate.metric].better,
  }));
  const verdicts =
    until === null
      ? decidePairs(all, design, random).map((verdict) => ({
          ...verdict,
          decidedAt: null,
          boundaries: [],
        }))
      : decideByLooks(all, { ...design, ...until }, random);
  return gates.map((gate, at) => {
    const { unit, better } = METRICS[gate.metric];
    const side = (side: PairSide): number | null => medianOf(repeats, gate, side);
    return { ...gate, unit, better, base: side("base"), head: side("head"), ...verdicts[at]! };
  });
}

function medianOf(
  repeats: readonly PairRepeat[],
  { cell, metric }: Gate<BenchMetricName>,
  side: PairSide,
): number | null {
  const values = repeats.flatMap((repeat) =>
    repeat.cell === cell && repeat.side === side && !repeat.isWarmUp
      ? (repeat.metrics[metric] ?? [])
      : [],
  );
  return values.length === 0 ? null : summarise(values).median;
}
