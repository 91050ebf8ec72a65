// Simulated runs of `weir bench --against` on measured repeats, and the share of them in which gates raise an alarm.
import { median } from "simple-statistics";
import { MEASURED_ROUNDS } from "#src/studies/bench/against/design.ts";
import {
  decidePairs,
  type GatePairs,
  type PairVerdict,
} from "#src/studies/bench/against/pair-verdicts.ts";
import { decideByLooks, looksFor } from "#src/studies/bench/against/until.ts";
import type { CompareWord } from "#src/studies/bench/compare/comparison.ts";
import { METRICS } from "#src/studies/bench/suite.ts";
import { rng, type Rng } from "#src/kit/chance/rng.ts";
import { addChange, drawPairs, partsOf, POOL_METRICS, roundPools } from "./pools.ts";

export const question = { minEffect: 0.03, alpha: 0.05, effort: { exact: 2 ** 9, sampled: 1_000 } };
const pools = Object.fromEntries(
  roundPools().map(([name, result]) => [name, partsOf(result)] as const),
);

/** Two gates of a cell, or also one of each of two further cells, which have processes of their own. */
function drawGates(
  name: string,
  { pairs, gates, slower }: { pairs: number; gates: 2 | 4; slower: number },
  random: Rng,
): readonly GatePairs[] {
  const draw = (): readonly GatePairs[] =>
    drawPairs(pools[name]!, { pairs, roundsEach: MEASURED_ROUNDS }, random).map((all, at) => {
      const { better } = METRICS[POOL_METRICS[at]!];
      return { pairs: addChange(all, (better === "less" ? 1 : -1) * Math.log1p(slower)), better };
    });
  const [cpu, throughput] = draw();
  const more = gates === 4 ? [draw()[0]!, draw()[0]!] : [];
  return [cpu!, throughput!, ...more];
}

/** More for equal gateways: near 5 of 100, the standard error of the share has to be small. */
export const drawsOf = (slower: number): number => (slower === 0 ? 400 : 200);

export interface Counted {
  /** The number of runs in a hundred in which a gate raised an alarm. */
  readonly alarms: number;
  /** Of a hundred, by gate. */
  readonly regressed: readonly number[];
  readonly same: readonly number[];
  readonly verdicts: readonly (readonly PairVerdict[])[];
}

export function count(
  name: string,
  runs: number,
  judge: (random: Rng) => readonly PairVerdict[],
): Counted {
  const random = rng(1, name);
  const verdicts = Array.from({ length: runs }, () => judge(random));
  const share = (word: CompareWord): readonly number[] =>
    verdicts[0]!.map((_, gate) =>
      percent(verdicts.filter((all) => all[gate]!.word === word).length),
    );
  const percent = (hits: number): number => (100 * hits) / runs;
  const isAlarm = ({ word }: PairVerdict): boolean => word === "regressed" || word === "improved";
  return {
    alarms: percent(verdicts.filter((all) => all.some(isAlarm)).length),
    regressed: share("regressed"),
    same: share("same"),
    verdicts,
  };
}

export const countFixed = (
  name: string,
  order: { pairs: number; gates: 2 | 4; slower: number },
): Counted =>
  count(`${name} ${JSON.stringify(order)}`, drawsOf(order.slower), (random) =>
    decidePairs(drawGates(name, order, random), question, random),
  );

export const until = (name: string, wanted: number, slower: number): Counted => {
  const looks = looksFor(wanted);
  return count(`${name} until ${wanted} ${slower}`, drawsOf(slower), (random) =>
    decideByLooks(
      drawGates(name, { pairs: looks.most, gates: 2, slower }, random),
      { ...question, wanted, looks, flips: 600 },
      random,
    ),
  );
};

/** The median of the smallest changes that runs print for their first gate. */
export const leastOf = ({ verdicts }: Counted): number =>
  median(verdicts.map(([first]) => first!.evidence!.least));
