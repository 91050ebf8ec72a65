// Selects the figures of a variant: the charts of its scenario, then the standard charts that show a change.
import type { History } from "../../scenario/history.ts";
import type { Variant } from "../../scenario/types.ts";
import type { Json } from "../../../kit/reading/shape.ts";
import type { RunFigure, Curve, TimeFigure, AnswerRun, SequenceFigure } from "../model-figures.ts";
import { allowanceFigure } from "./allowance.ts";
import { binsOf, rowsByBin, type Bins } from "./bins.ts";
import { isFleet, sharesInAll, sharesOverTime } from "./gateways.ts";
import { chartFigures, demandFigure, type ScenarioChart } from "./over-time.ts";
import { frameOf, type TimeFrame } from "./setting.ts";
import { storeFigures } from "./store-work.ts";
import { formatDuration, micros } from "../../../kit/units.ts";
import { answerTo } from "../../check/rejections.ts";
import { scenarioTimeUs, wasDelayed } from "../../check/select.ts";

const FEW_REQUESTS = 40;
/** The fewest used bins of a chart over time: fewer points show no trend. */
const FEW_BINS = 5;

/** Bursts and short runs are shown as a sequence, everything longer as a chart over time. */
export function variantFigures(
  variant: Variant,
  history: History | null,
  charts: readonly Json[],
): readonly RunFigure[] {
  if (history === null || history.requests.length === 0) return [];
  const bins = binsOf(history);
  const setting = frameOf(history, variant.faults, bins);
  const isBursts = variant.traffic.every(({ shape }) => shape.kind === "burst");
  const isSmall = history.requests.length <= FEW_REQUESTS;
  const sequence = isBursts || isSmall ? sequenceFigure(history) : null;
  const wanted = charts.map(chartOf);
  const isCharted = (gauge: string): boolean =>
    wanted.some(({ lines }) => lines.includes(`gauge.${gauge}`));
  return [
    ...wanted.flatMap((each) => chartFigures(history, bins, setting, each)),
    ...(wanted.length > 0 ? [] : [sequence ?? demandFigure(history, bins, setting)]),
    isCharted("allowance") ? null : allowanceFigure(variant, history, bins, setting),
    ...(isFleet(history)
      ? [sequence === null ? sharesOverTime(history, bins, setting) : sharesInAll(history)]
      : []),
    ...(sequence === null && bins.used >= FEW_BINS
      ? [
          latencyFigure(history, bins, setting),
          ...storeFigures(history, bins, setting).filter(({ shows }) => !isCharted(shows)),
        ]
      : []),
  ].filter((figure) => figure !== null);
}

/** The decoder has checked the fields; this only restores their types. */
const chartOf = (chart: Json): ScenarioChart => chart as unknown as ScenarioChart;

const PERCENTILES = [50, 99];
const MICROS_IN_MS = 1_000;

/** Percentiles of the response times in each bin; null if responses take no time. */
function latencyFigure(history: History, bins: Bins, setting: TimeFrame): TimeFigure | null {
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

/** The percentile by nearest rank, so that the result is an observed value. */
function percentileOf(sorted: readonly number[], percent: number): number | null {
  const value = sorted[Math.ceil((sorted.length * percent) / 100) - 1];
  return value === undefined ? null : Number(value.toPrecision(4));
}

const MOST_RUNS = 160;

/** Runs of equal results; null if there are too many to distinguish: then a chart over time is better. */
function sequenceFigure(history: History): SequenceFigure | null {
  const names = new Set(history.header.flows.map(({ name }) => name));
  const runs = [...names].flatMap((name) => runsOf(history, name));
  return runs.length === 0 || runs.length > MOST_RUNS
    ? null
    : { kind: "sequence", title: "answers in the order of sending", runs };
}

function runsOf(history: History, flow: string): readonly AnswerRun[] {
  const { requests, header } = history;
  const rows: number[] = [];
  for (let row = 0; row < requests.length; row++)
    if (header.flows[requests.flow[row]!]!.name === flow) rows.push(row);
  rows.sort((a, b) => requests.sentUs[a]! - requests.sentUs[b]! || a - b);
  const [first] = rows;
  if (first === undefined) return [];
  const name = `${flow}, from ${formatDuration(micros(scenarioTimeUs(requests, first)))}`;
  const runs: AnswerRun[] = [];
  for (const [index, row] of rows.entries()) {
    const status = requests.status[row]!;
    const answer = answerTo(requests, row);
    const isRejected = answer === "rejected";
    const isDelayed = wasDelayed(requests, row);
    const last = runs.at(-1);
    if (
      last?.status === status &&
      last.isRejected === isRejected &&
      (last.isDelayed ?? false) === isDelayed
    )
      runs[runs.length - 1] = { ...last, to: index + 1 };
    else {
      const run = { flow: name, from: index, to: index + 1, status, isRejected };
      runs.push(isDelayed ? { ...run, isDelayed } : run);
    }
  }
  return runs;
}
