// Which figures a variant has: those that its scenario asks for, and then the usual ones that say something.
import type { History } from "../../scenario/history.ts";
import type { Json, Variant } from "../../scenario/types.ts";
import type { RunFigure } from "../model-figures.ts";
import { binsOf } from "./bins.ts";
import { sequenceFigure } from "./in-sequence.ts";
import { askedFigure, demandFigure, type Asked } from "./over-time.ts";
import { settingOf } from "./setting.ts";

const FEW_REQUESTS = 40;

/** Bursts, and few requests, are a sequence; everything that lasts is shown over time. */
export function variantFigures(
  { traffic, faults }: Variant,
  history: History | null,
  charts: readonly Json[],
): readonly RunFigure[] {
  if (history === null || history.requests.length === 0) return [];
  const bins = binsOf(history);
  const setting = settingOf(history, faults, bins);
  const isBursts = traffic.every(({ shape }) => shape.kind === "burst");
  const isSmall = history.requests.length <= FEW_REQUESTS;
  const sequence = charts.length === 0 && (isBursts || isSmall) ? sequenceFigure(history) : null;
  return [
    ...charts.map((chart) => askedFigure(history, bins, setting, asked(chart))),
    ...(sequence === null ? [] : [sequence]),
    ...(sequence === null && charts.length === 0 ? [demandFigure(history, bins, setting)] : []),
  ];
}

/** The decoder has seen to the fields; here they only get their types back. */
const asked = (chart: Json): Asked => chart as unknown as Asked;
