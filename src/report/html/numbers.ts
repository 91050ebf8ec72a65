// The numbers that a chart is drawn from, as a table: for whoever does not see it, and whoever wants to know exactly.
import { drawableOf } from "../figures/drawable-of.ts";
import type { Figure, TimeFigure } from "../model.ts";
import { html, type Html } from "./html.ts";
import { counted, table } from "./parts.ts";

const MOST_ROWS = 1_000;

export const numbersHtml = (figure: Figure): Html =>
  figure.kind === "time" ? timeNumbers(figure) : toldNumbers(figure);

const shown = (value: number): string => String(Number(value.toPrecision(6)));

/** One row a bin, with what a line has come to at its end; then whatever happened. */
function timeNumbers(figure: TimeFigure): Html {
  const { unit, binS, untilS, bars, curves, lines, limits, spans, marks } = figure;
  const counts = [...bars, ...curves];
  const steps = [...lines, ...limits];
  const rows = Array.from({ length: Math.round(untilS / binS) }, (_, bin) => [
    shown(bin * binS),
    ...counts.map(({ values }) => {
      const value = values[bin] ?? null;
      return value === null ? "" : shown(value);
    }),
    ...steps.map(({ at, values }) => {
      const last = at.findLastIndex((atS) => atS < (bin + 1) * binS);
      return last < 0 ? "" : shown(values[last]!);
    }),
  ]);
  const happened = [
    ...spans.map(({ fromS, text }) => ({ atS: fromS, text })),
    ...marks.map(({ atS, text }) => ({ atS, text })),
  ]
    .toSorted((a, b) => a.atS - b.atS)
    .map(({ atS, text }) => [shown(atS), text]);
  const heads = ["from, s", ...[...counts, ...steps].map(({ what }) => what)];
  return html`<p class="soft">${unit}; each row is ${shown(binS)} s</p>
${cut(heads, rows)}
${happened.length === 0 ? null : cut(["at, s", "what happened"], happened)}`;
}

/** What its marks say when they are pointed at. */
function toldNumbers(figure: Figure): Html {
  const tips = Object.values(drawableOf(figure).data)
    .flat()
    .flatMap(({ tip }) => (typeof tip === "string" ? [[tip]] : []));
  return cut(["what is drawn"], tips);
}

const cut = (heads: readonly string[], rows: readonly (readonly string[])[]): Html =>
  html`${table(heads, rows.slice(0, MOST_ROWS))}${
    rows.length <= MOST_ROWS
      ? null
      : html`<p>The first ${counted(MOST_ROWS)} of ${counted(rows.length)} rows.</p>`
  }`;
