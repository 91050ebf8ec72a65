// Zooms all charts of a scenario to one range of time. The unit of a range is that of the axis of the chart in use.
import { dateText } from "../../figures/dates.ts";
import type { Chart } from "./chart.ts";

export type Range = readonly [from: number, until: number];

const wholeOf = ({ drawable }: Chart): number => Number(drawable.signals["until"]);

export const rangeOf = ({ view }: Chart): Range => [
  Number(view.signal("from")),
  Number(view.signal("until")),
];

/** The range after zoom and shift, at least a thousandth of the whole time; null if it is the whole time. */
export function nearer(
  [from, until]: Range,
  by: number,
  shift: number,
  chart: Chart,
): Range | null {
  const whole = wholeOf(chart);
  const length = Math.min(whole, Math.max(whole / 1_000, (until - from) * by));
  const middle = (from + until) / 2 + shift * (until - from);
  const start = Math.max(0, Math.min(whole - length, middle - length / 2));
  return length >= whole ? null : [start, start + length];
}

/** Shows a range in all charts over time; null is the whole time. Returns the range in words. */
export function showRange(charts: readonly Chart[], used: Chart, range: Range | null): string {
  const scale = scaleOf(used);
  for (const chart of charts) {
    if (chart.figure.kind !== "time") continue;
    const whole = wholeOf(chart);
    const factor = scaleOf(chart) / scale;
    const [from, until] = range === null ? [0, whole] : [range[0] * factor, range[1] * factor];
    const inside = { from: Math.max(0, from), until: Math.min(whole, until) };
    if (inside.until <= inside.from) continue;
    chart.view.signal("from", inside.from).signal("until", inside.until).run();
  }
  const [from, until] = range ?? [0, wholeOf(used)];
  const { figure } = used;
  const at = (value: number): string =>
    "startS" in figure
      ? dateText(figure.startS + value)
      : `${Number((value / scale).toPrecision(4))} s`;
  return range === null ? "all of it" : `from ${at(from)} to ${at(until)}`;
}

/** Units of the axis per second. */
const scaleOf = (chart: Chart): number =>
  chart.figure.kind === "time" ? wholeOf(chart) / chart.figure.untilS : 1;
