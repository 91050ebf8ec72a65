// The numbers behind a chart as a table, for readers who cannot see the chart or need exact values.
import { drawableOf } from "../figures/drawable-of.ts";
import type { Figure } from "../figures/drawable-of.ts";
import type { TimeFigure } from "../../lab/report/model.ts";
import { dateText } from "../figures/dates.ts";
import type { DatedFigure } from "../../lab/report/measured-figures.ts";
import { html, type Html } from "./html.ts";
import { formatCount, table } from "./parts.ts";

const MOST_ROWS = 1_000;

/** The table, and the buttons that save the chart. */
export const numbersHtml = (figure: Figure): Html =>
  html`<p class="save"><button type="button" data-save="png">Save as PNG</button> <button type="button" data-save="svg">Save as SVG</button></p>${figure.kind === "time" ? timeNumbers(figure) : tipNumbers(figure)}`;

const format = (value: number): string => String(Number(value.toPrecision(6)));

/** One row for each bin, with each line's value at the end of the bin; then the events. */
function timeNumbers(figure: TimeFigure | DatedFigure): Html {
  const { unit, binS, untilS, bars, curves, lines, limits, spans, marks } = figure;
  const counts = [...bars, ...curves];
  const steps = [...lines, ...limits];
  const rows = Array.from({ length: Math.round(untilS / binS) }, (_, bin) => [
    "startS" in figure ? dateText(figure.startS + bin * binS) : format(bin * binS),
    ...counts.map(({ values }) => {
      const value = values[bin] ?? null;
      return value === null ? "" : format(value);
    }),
    ...steps.map(({ at, values }) => {
      const last = at.findLastIndex((atS) => atS < (bin + 1) * binS);
      return last < 0 ? "" : format(values[last]!);
    }),
  ]);
  const happened = [
    ...spans.map(({ fromS, text }) => ({ atS: fromS, text })),
    ...marks.map(({ atS, text }) => ({ atS, text })),
  ]
    .toSorted((a, b) => a.atS - b.atS)
    .map(({ atS, text }) => [format(atS), text]);
  const heads = [
    "startS" in figure ? "from, UTC" : "from, s",
    ...[...counts, ...steps].map(({ what }) => what),
  ];
  return html`<p class="soft">${unit}; each row is ${format(binS)} s</p>
${cut(heads, rows)}
${happened.length === 0 ? null : cut(["at, s", "what happened"], happened)}`;
}

/** A table of the tooltips of the figure's marks. */
function tipNumbers(figure: Figure): Html {
  const tips = Object.values(drawableOf(figure).data)
    .flat()
    .flatMap(({ tip }) => (typeof tip === "string" ? [[tip]] : []));
  return cut(["drawn values"], tips);
}

const cut = (heads: readonly string[], rows: readonly (readonly string[])[]): Html =>
  html`${table(heads, rows.slice(0, MOST_ROWS))}${
    rows.length <= MOST_ROWS
      ? null
      : html`<p>The first ${formatCount(MOST_ROWS)} of ${formatCount(rows.length)} rows.</p>`
  }`;
