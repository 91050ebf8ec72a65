// How long answers took, over time.
import type { History } from "../../scenario/history.ts";
import type { Curve, TimeFigure } from "../model-figures.ts";
import { rowsByBin, type Bins } from "./bins.ts";
import type { TimeFrame } from "./setting.ts";

const PERCENTILES = [50, 99];
const MICROS_IN_MS = 1_000;

/** Null where answers take no time. */
export function latencyFigure(history: History, bins: Bins, setting: TimeFrame): TimeFigure | null {
  const { sentUs, answeredUs, length } = history.requests;
  let hasLatency = false;
  for (let row = 0; row < length && !hasLatency; row++)
    hasLatency = answeredUs[row]! > sentUs[row]!;
  if (!hasLatency) return null;
  const sorted = rowsByBin(bins).map((rows) =>
    rows
      .map((row) => (answeredUs[row]! - sentUs[row]!) / MICROS_IN_MS)
      .filter((ms) => !Number.isNaN(ms))
      .toSorted((a, b) => a - b),
  );
  return {
    kind: "time",
    shows: "latency",
    title: "latency of answers",
    unit: "milliseconds",
    ...setting,
    bars: [],
    curves: PERCENTILES.map((percent): Curve => ({
      what: `p${percent}`,
      values: sorted.map((ms) => percentileOf(ms, percent)),
    })),
    lines: [],
    limits: [],
    marks: [],
    top: null,
  };
}

/** By nearest rank: a value that was met. */
function percentileOf(sorted: readonly number[], percent: number): number | null {
  const value = sorted[Math.ceil((sorted.length * percent) / 100) - 1];
  return value === undefined ? null : Number(value.toPrecision(4));
}
