// Which figures a variant has: the charts of its scenario, and then the usual ones that show a change.
import type { History } from "../../scenario/history.ts";
import type { Variant } from "../../scenario/types.ts";
import type { Json } from "../../../kit/reading/shape.ts";
import type { RunFigure } from "../model-figures.ts";
import { allowanceFigure } from "./allowance.ts";
import { binsOf } from "./bins.ts";
import { isFleet, sharesInAll, sharesOverTime } from "./gateways.ts";
import { sequenceFigure } from "./in-sequence.ts";
import { chartFigures, demandFigure, type ScenarioChart } from "./over-time.ts";
import { latencyFigure } from "./latency.ts";
import { frameOf } from "./setting.ts";
import { storeFigures } from "./store-work.ts";

const FEW_REQUESTS = 40;
/** Fewer points show no course. */
const FEW_BINS = 5;

/** Bursts, and few requests, are a sequence; everything that lasts is shown over time. */
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

/** The decoder has seen to the fields; here they only get their types back. */
const chartOf = (chart: Json): ScenarioChart => chart as unknown as ScenarioChart;
