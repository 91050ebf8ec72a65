// How many requests each gateway of a fleet admitted, refused or rejected.
import { answerTo } from "../../check/rejections.ts";
import { countsBy } from "../../check/series.ts";
import { NO_GATEWAY, type History } from "../../scenario/history.ts";
import type { Bars, ComparedFigure, TimeFigure } from "../model-figures.ts";
import { roundDigits, type Bins } from "./bins.ts";
import { limitLines } from "./limits.ts";
import { answerName } from "./over-time.ts";
import type { TimeFrame } from "./setting.ts";

/** The most rows of the chart; if there are more gateways, the last row is for all others together. */
const MOST_GATEWAYS = 8;

const numbersOf = ({ requests }: History): readonly number[] =>
  [...new Set(requests.gateway)]
    .filter((gateway) => gateway !== NO_GATEWAY)
    .toSorted((a, b) => a - b);

export const isFleet = (history: History): boolean => numbersOf(history).length > 1;

/** The row of each gateway, by its number, and the names of the rows. */
function placesOf(history: History): {
  readonly places: ReadonlyMap<number, number>;
  readonly names: readonly string[];
} {
  const numbers = numbersOf(history);
  const shown = numbers.length <= MOST_GATEWAYS ? numbers : numbers.slice(0, MOST_GATEWAYS - 1);
  const others = numbers.length - shown.length;
  return {
    places: new Map(numbers.map((number, index) => [number, Math.min(index, shown.length)])),
    names: [
      ...shown.map((number) => `gateway ${number}`),
      ...(others === 0 ? [] : [`${others} others`]),
    ],
  };
}

export function sharesOverTime(
  history: History,
  bins: Bins,
  setting: TimeFrame,
): TimeFigure | null {
  const { requests } = history;
  const { gateway } = requests;
  const { places, names } = placesOf(history);
  const counts = countsBy(bins, "result", (row) =>
    answerTo(requests, row) === "admitted" ? places.get(gateway[row]!)! : -1,
  );
  if (counts.size === 0) return null;
  const bars = names.flatMap((what, place): readonly Bars[] => {
    const column = counts.get(place);
    return column === undefined
      ? []
      : [{ what, values: Array.from(column, (count) => roundDigits(count / bins.binS)) }];
  });
  const highest = Math.max(
    ...Array.from({ length: bins.count }, (_, bin) =>
      bars.reduce((sum, { values }) => sum + values[bin]!, 0),
    ),
  );
  return {
    kind: "time",
    shows: "gateways",
    title: "admitted by each gateway",
    unit: "requests per second",
    ...setting,
    bars,
    curves: [],
    lines: [],
    limits: limitLines(history, bins, highest),
    top: null,
  };
}

/** The results of each gateway in one bar, for traffic whose order matters more than its times. */
export function sharesInAll(history: History): ComparedFigure {
  const { gateway, length } = history.requests;
  const { places, names } = placesOf(history);
  const parts = names.map(() => new Map<string, number>([["admitted", 0]]));
  for (let row = 0; row < length; row++) {
    const place = places.get(gateway[row]!);
    if (place === undefined) continue; // no gateway received the request
    const own = parts[place]!;
    const what = answerName(history, row);
    own.set(what, (own.get(what) ?? 0) + 1);
  }
  return {
    kind: "compared",
    title: "answers of each gateway",
    unit: "requests",
    rows: names.map((name, place) => ({
      name,
      parts: [...parts[place]!].map(([what, value]) => ({ what, value })),
    })),
  };
}
