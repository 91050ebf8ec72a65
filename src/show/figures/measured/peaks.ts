// Clients by the most requests that they send in one window, and what a limit would refuse.
import { colour } from "../colours.ts";
import type { Drawable, DrawableRow } from "../drawable.ts";
import { formatNumber } from "../time.ts";
import type { PeaksFigure } from "../../../lab/report/measured-figures.ts";
import { sizesBetween } from "./rows.ts";

const HEIGHT = 300;

/** The start of both axes, below the first bar: a log axis cannot start at 0. */
const LEAST = 0.5;
const BARS_A_DOUBLING = 4;

/** The least end of the upright axis, so that it has two labels: 1 and 2. */
const LEAST_TOP = 2.5;

export function peaksDrawable(figure: PeaksFigure): Drawable {
  const { title, unit, per, limits, start } = figure;
  const bars = barsOf(figure);
  const most = Math.max(1, ...bars.map(({ high }) => high));
  const top = Math.max(LEAST_TOP, 1.6 * most);
  const to = 1.15 * Math.max(2, limits.at(-1)! + LEAST);
  return {
    kind: "peaks",
    title,
    height: HEIGHT,
    data: { bars, lines: [{ at: 0 }] },
    signals: {
      from: LEAST,
      to,
      top,
      line: start,
      ticks: sizesBetween(1, to),
      yTicks: sizesBetween(1, top),
      xTitle: `most ${unit} in a window of ${per}, log scale`,
    },
    legend: [
      { what: "clients at or below the limit", colour: colour("admitted") },
      { what: "clients above it", colour: colour("refused") },
      { what: "the limit: drag it, or use the field below", colour: colour("limit"), look: "line" },
    ],
  };
}

/** Each small number has its own bar; larger numbers share bars. */
function barsOf({ limits, peaksAbove, clients, unit, per }: PeaksFigure) {
  const bars: (DrawableRow & { readonly high: number })[] = [];
  let from = 0;
  let before = clients;
  for (const [index, limit] of limits.entries()) {
    const isLast = index === limits.length - 1;
    if (!isLast && limit - from < from * (2 ** (1 / BARS_A_DOUBLING) - 1)) continue;
    const high = before - peaksAbove[index]!;
    const range =
      limit - from === 1 ? String(limit) : `${formatNumber(from + 1)} to ${formatNumber(limit)}`;
    if (high > 0)
      bars.push({
        from: from + LEAST,
        to: limit + LEAST,
        low: LEAST,
        high,
        tip: `${formatNumber(high)} ${high === 1 ? "client" : "clients"}: at most ${range} ${unit} in any window of ${per}`,
      });
    from = limit;
    before = peaksAbove[index]!;
  }
  return bars;
}

/** What a limit refuses under one algorithm. `least` and `most` are over all placements of requests in a second. */
export interface RefusalsAbove {
  readonly what: string;
  readonly requests: number;
  readonly requestsBetween: readonly [least: number, most: number];
  readonly clients: number;
  readonly clientsBetween: readonly [least: number, most: number];
}

/** The largest of the figure's limits that is at most `limit`, or else the smallest of them. */
export function nearestLimit({ limits }: PeaksFigure, limit: number): number {
  const index = limits.findLastIndex((each) => each <= limit);
  return limits[Math.max(0, index)]!;
}

/** The refusals at a limit of `limits`, for each algorithm. Above the largest limit, nothing is refused. */
export function refusalsAbove(
  { limits, rules }: PeaksFigure,
  limit: number,
): readonly RefusalsAbove[] {
  const index = limits.indexOf(limit);
  return rules.map(({ what, requestsAbove, clientsAbove }) => {
    const requests = requestsAbove.map((counts) => counts[index]!);
    const clients = clientsAbove.map((counts) => counts[index]!);
    return {
      what,
      requests: requests[0]!,
      requestsBetween: [Math.min(...requests), Math.max(...requests)],
      clients: clients[0]!,
      clientsBetween: [Math.min(...clients), Math.max(...clients)],
    };
  });
}
