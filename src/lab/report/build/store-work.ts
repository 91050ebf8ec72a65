// What a run cost the store: operations for each request, and entries and bytes held.
import { SECOND } from "../../../kit/units.ts";
import { isLost, type GaugeSample, type History } from "../../scenario/history.ts";
import type { Curve, TimeFigure } from "../model-figures.ts";
import { roundDigits, type Bins } from "./bins.ts";
import type { TimeFrame } from "./setting.ts";

/** The quantities of a store that gauges sample. */
export const STORE_GAUGES = ["entries", "bytes"] as const;
type StoreGauge = (typeof STORE_GAUGES)[number];

export function storeFigures(
  history: History,
  bins: Bins,
  setting: TimeFrame,
): readonly TimeFigure[] {
  const { commandsBefore, commandsAll } = history.requests;
  const all = meanOf(history, commandsAll, bins);
  const before = meanOf(history, commandsBefore, bins);
  const isSame = all.every((value, bin) => value === before[bin]);
  const operations = [
    { what: isSame ? "operations" : "in all", values: all },
    ...(isSame ? [] : [{ what: "until the answer", values: before }]),
  ];
  return [
    figureOf("operations", "store operations", "operations per request", operations, setting),
    ...STORE_GAUGES.map((gauge) =>
      gaugeFigure(gauge, `${gauge} in the store`, history, bins, setting),
    ),
  ].filter((figure) => figure.curves.some(isMoving));
}

export const gaugeFigure = (
  gauge: StoreGauge,
  title: string,
  { gauges }: History,
  bins: Bins,
  setting: TimeFrame,
): TimeFigure =>
  figureOf(gauge, title, gauge, [{ what: gauge, values: mostOf(gauges, gauge, bins) }], setting);

/** Whether the values of a curve change: a constant value needs no chart. */
function isMoving({ values }: Curve): boolean {
  const known = new Set(values.filter((value) => value !== null));
  return known.size > 1;
}

const figureOf = (
  shows: TimeFigure["shows"],
  title: string,
  unit: string,
  curves: readonly Curve[],
  { untilS, binS, spans }: TimeFrame,
): TimeFigure => ({
  kind: "time",
  shows,
  title,
  unit,
  untilS,
  binS,
  bars: [],
  curves,
  lines: [],
  limits: [],
  spans,
  marks: [],
  top: null,
});

/** The mean of a column in each bin. Lost requests are excluded, because their operations are unknown. */
function meanOf(
  { requests }: History,
  column: Uint16Array,
  { result: of, count }: Bins,
): Curve["values"] {
  const sums = new Float64Array(count);
  const rows = new Uint32Array(count);
  for (let row = 0; row < of.length; row++) {
    if (isLost(requests.status[row]!)) continue;
    const bin = of[row]!;
    sums[bin]! += column[row]!;
    rows[bin]! += 1;
  }
  return Array.from(sums, (sum, bin) =>
    rows[bin] === 0 ? null : Number((sum / rows[bin]!).toPrecision(3)),
  );
}

/** The maximum of each bin. A sample is valid until the next sample, so each bin begins with the previous value. */
function mostOf(
  gauges: readonly GaugeSample[],
  gauge: GaugeSample["gauge"],
  { binS, count }: Bins,
): Curve["values"] {
  const most: (number | null)[] = Array.from({ length: count }, () => null);
  let held: number | null = null;
  let next = 0; // the first bin that starts after the held sample
  const holdUntil = (atS: number): void => {
    for (; next < count && next * binS < atS; next++) most[next] = held;
  };
  for (const { gauge: which, atUs, value } of gauges) {
    if (which !== gauge) continue;
    const atS = atUs / SECOND;
    holdUntil(atS);
    const bin = Math.floor(atS / binS);
    if (bin >= count) break;
    most[bin] = Math.max(most[bin] ?? 0, value);
    held = value;
    next = bin + 1;
  }
  holdUntil(Number.POSITIVE_INFINITY);
  return most.map((value) => (value === null ? null : roundDigits(value)));
}
