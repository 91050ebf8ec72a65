// An input for a limit, and the counts of what it refuses. The build and the page render the same markup.
import { nearestLimit, refusalsAbove } from "../figures/measured/peaks.ts";
import type { PeaksFigure } from "../../lab/report/measured-figures.ts";
import { html, type Html } from "./html.ts";
import { formatCount, many, shareOf, table } from "./parts.ts";

export const peaksHtml = (name: string, figure: PeaksFigure): Html =>
  html`<div class="limit" role="group" aria-label="A limit for each client" data-limit="${name}"><label>Limit <input type="number" name="limit" inputmode="numeric" min="1" max="${figure.limits.at(-1)!}" step="1" value="${nearestLimit(figure, figure.start)}" class="live"><b class="still">${formatCount(nearestLimit(figure, figure.start))}</b> ${figure.unit} per ${figure.per}</label>
<div class="counts" aria-live="polite">${countsHtml(figure, figure.start)}</div></div>`;

/** The counts for the wanted limit, or for the nearest lower limit that was counted. */
export function countsHtml(figure: PeaksFigure, wanted: number): Html {
  const { requests, clients, peaksAbove, limits, unit, per, rules } = figure;
  const limit = nearestLimit(figure, wanted);
  const above = peaksAbove[limits.indexOf(limit)]!;
  const part = (count: number, of: number): string => (of === 0 ? "" : shareOf(count, of));
  const between = ([least, most]: readonly [number, number]): string =>
    least === most ? formatCount(least) : `${formatCount(least)} to ${formatCount(most)}`;
  const rows = refusalsAbove(figure, limit).map((each) => [
    each.what,
    formatCount(each.requests),
    between(each.requestsBetween),
    part(each.requests, requests),
    formatCount(each.clients),
    between(each.clientsBetween),
    part(each.clients, clients),
  ]);
  const isPlaced = (rules[0]?.requestsAbove.length ?? 1) > 1;
  const without = (cells: readonly string[]): readonly string[] =>
    isPlaced ? cells : cells.filter((_, index) => index !== 2 && index !== 5);
  return html`<p><b>${formatCount(above)}</b> of ${many(clients, "client")} (${part(above, clients)}) send more than <b>${formatCount(limit)}</b> ${limit === 1 ? unit.slice(0, -1) : unit} in some window of ${per}.${
    limit === wanted
      ? null
      : html` These are the counts for ${formatCount(limit)}, the nearest lower limit that was counted.`
  }</p>
${
  rows.length === 0
    ? null
    : table(
        without([
          "a limit by",
          "refuses requests",
          "interval",
          "share",
          "of clients",
          "interval",
          "share",
        ]),
        rows.map(without),
        "amounts",
      )
}`;
}
