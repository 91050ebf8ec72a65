// Targets of the suites that measure parts. A missed target is printed, and fails nothing. Targets use the medians of
// the table, so that a reader can recompute them.
import { figure } from "../../kit/reading/legible.ts";
import { metricOf, type BenchResult } from "./result.ts";
import { medianIn } from "./medians.ts";
import type { BenchTarget } from "./suite.ts";

interface TargetResult {
  readonly text: string;
  readonly measured: string;
  readonly isMet: boolean;
}

/** The results of a metric's targets, without the targets whose cell was not measured. */
export const targetsOf = (result: BenchResult, metric: string): readonly TargetResult[] =>
  (result.metrics[metric]?.targets ?? []).flatMap((target) => resultOf(target, result, metric));

function resultOf(
  target: BenchTarget,
  result: BenchResult,
  metric: string,
): readonly TargetResult[] {
  const { unit, better } = metricOf(result, metric);
  const { cell } = target;
  const own = medianIn(result, cell, metric);
  if (own === null) return [];
  if ("value" in target) {
    const [words, isMet] =
      better === "less" ? ["at most", own <= target.value] : ["at least", own >= target.value];
    const text = `${cell}: ${words} ${figure(target.value)} ${unit}`;
    return [{ text, measured: `${figure(own)} ${unit}`, isMet }];
  }
  const { against, times } = target;
  const rivals = against
    .map((name) => medianIn(result, name, metric))
    .filter((one) => one !== null);
  if (rivals.length < against.length) return [];
  const best = better === "less" ? Math.min(...rivals) : Math.max(...rivals);
  const advantage = better === "less" ? best / own : own / best;
  const rival = against.length === 1 ? against[0] : `the best of ${against.join(", ")}`;
  const [text, multiple] =
    times >= 1
      ? [
          `${cell}: at least ${times === 1 ? "" : `${figure(times)} times `}as good as ${rival}`,
          advantage,
        ]
      : [`${cell}: within ${figure(1 / times)} times ${rival}`, 1 / advantage];
  const measured = `${figure(multiple)} (${figure(own)} and ${figure(best)} ${unit})`;
  return [{ text, measured, isMet: advantage >= times }];
}

export const targetLine = ({ text, measured, isMet }: TargetResult): string =>
  `target ${isMet ? "met" : "not met"}: ${text}; measured ${measured}`;
