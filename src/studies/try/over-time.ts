// Counts attempts over time, by result and by attempt number, and finds the second with the most retries.
import { ATTEMPT_BANDS, bandOf } from "../../lab/check/attempt-bands.ts";
import { answerTo } from "../../lab/check/rejections.ts";
import { binRows, countsBy, endUsOf } from "../../lab/check/series.ts";
import { SECOND } from "../../kit/units.ts";
import type { AttemptColumns } from "../../lab/sim/recorder.ts";
import type { AttemptSeries, TryFigures } from "./result.ts";

/** The number of bins for the time in which clients send new requests. */
const BINS = 60;

/** Most bins: retries may last as long as the longest window, so without a limit bins could take too much memory. */
const MOST_BINS = 1.5 * BINS;

export function binAttempts(requests: AttemptColumns, forUs: number): TryFigures["overTime"] {
  const { attempt } = requests;
  const binUs = Math.max(1, Math.ceil(forUs / BINS));
  const count = Math.min(MOST_BINS, Math.floor(endUsOf(requests) / binUs) + 1);
  const rows = binRows(requests, { fromUs: 0, binUs, count });
  const results = countsBy(rows, "result", (row) => RESULTS.indexOf(resultOf(requests, row)));
  const valuesOf = (result: (typeof RESULTS)[number]): readonly number[] => [
    ...(results.get(RESULTS.indexOf(result)) ?? new Float64Array(count)),
  ];
  const bands = countsBy(rows, "sent", (row) => bandOf(attempt[row]!));
  return {
    binUs,
    admitted: valuesOf("admitted"),
    refused: valuesOf("refused"),
    lost: valuesOf("lost"),
    byAttempt: seriesOf(bands),
    later: rows.result.reduce((sum, bin) => sum + Number(bin >= count), 0),
  };
}

const RESULTS = ["admitted", "refused", "lost"] as const;

function resultOf(requests: AttemptColumns, row: number): (typeof RESULTS)[number] {
  const answer = answerTo(requests, row);
  return answer === "rejected" ? "refused" : answer;
}

const rangeOf = (band: number): Pick<AttemptSeries, "from" | "to"> => {
  const { from, to } = ATTEMPT_BANDS[band]!;
  return { from, to };
};

/** One series for each band of attempt numbers that has attempts, in the order of bands. */
const seriesOf = (bands: ReadonlyMap<number, Float64Array>): readonly AttemptSeries[] =>
  [...bands]
    .toSorted(([a], [b]) => a - b)
    .map(([band, values]) => ({ ...rangeOf(band), values: [...values] }));

const HERD_US = 20 * SECOND;
const HERD_BINS = 80;

/** Counts attempts around the second with the most retries; null: no request was sent again. */
export function findHerd(requests: AttemptColumns): TryFigures["herd"] {
  const { length, sentUs, attempt } = requests;
  const timesUs = new Float64Array(length);
  let retries = 0;
  for (let row = 0; row < length; row++) if (attempt[row]! > 0) timesUs[retries++] = sentUs[row]!;
  if (retries === 0) return null;
  const retriesUs = inOrder(timesUs.subarray(0, retries));
  let [most, peakUs] = [0, 0];
  for (let end = 0, start = 0; end < retriesUs.length; end++) {
    while (retriesUs[start]! <= retriesUs[end]! - SECOND) start++;
    if (end - start + 1 > most) [most, peakUs] = [end - start + 1, retriesUs[start]!];
  }
  const binUs = HERD_US / HERD_BINS;
  const fromUs = Math.max(0, Math.floor(peakUs / SECOND) * SECOND - HERD_US / 4);
  const rows = binRows(requests, { fromUs, binUs, count: HERD_BINS });
  const bands = countsBy(rows, "sent", (row) => bandOf(attempt[row]!));
  return { fromUs, binUs, most, byAttempt: seriesOf(bands) };
}

/** Sorts times if needed: they are in order unless requests wait for their turn, or take time on their way. */
export function inOrder(times: Float64Array): Float64Array {
  for (let at = 1; at < times.length; at++)
    if (times[at]! < times[at - 1]!) return times.toSorted();
  return times;
}
