// Charts of attempts by their number: over the whole run, and around the second with the most retries.
import { ATTEMPT_BANDS } from "../../lab/check/attempt-bands.ts";
import type { MeasuredSection } from "../../lab/report/measured.ts";
import type { Bars, TimeFigure } from "../../lab/report/model-figures.ts";
import type { AttemptSeries } from "./result.ts";
import type { UnansweredTry } from "./result.ts";
import { durationText, nameOfTried } from "./text.ts";

interface Scale {
  readonly binS: number;
  readonly top: number; // the highest value of all charts
}

export const attemptsFigure = (
  title: string,
  bins: number,
  { binS, top }: Scale,
  bars: readonly Bars[],
): TimeFigure => ({
  kind: "time",
  shows: "candidate",
  title,
  unit: "attempts/s",
  untilS: Number((bins * binS).toFixed(6)),
  binS,
  bars: [...bars],
  curves: [],
  lines: [],
  limits: [],
  spans: [],
  marks: [],
  top,
});

export function stormSection(result: UnansweredTry, bins: number, scale: Scale): MeasuredSection {
  const bands = bandsOf(result.candidates.map(({ overTime }) => overTime.byAttempt));
  return {
    title: "Attempts by their number",
    notes: [
      "The same attempts. Those after the first at a request exist only because the limit refused one before: they are the storm.",
    ],
    figures: result.candidates.map((row) =>
      attemptsFigure(
        nameOfTried(row, result),
        bins,
        scale,
        barsOf(row.overTime.byAttempt, bands, bins, scale.binS),
      ),
    ),
    tables: [],
  };
}

/** Builds a chart of the herd of each candidate. A candidate without a retry has no herd. */
export function herdSection(result: UnansweredTry): MeasuredSection {
  const herds = result.candidates.flatMap((row) =>
    row.herd === null ? [] : [{ ...row.herd, name: nameOfTried(row, result) }],
  );
  const bins = Math.max(
    1,
    ...herds.flatMap(({ byAttempt }) => byAttempt.map(({ values }) => values.length)),
  );
  const binS = (herds[0]?.binUs ?? 1) / 1_000_000;
  const bands = bandsOf(herds.map(({ byAttempt }) => byAttempt));
  const drawn = herds.map(({ name, fromUs, byAttempt }) => ({
    title: `${name}, from ${durationText(fromUs).replace(" ", "\u00a0")}`,
    bars: barsOf(byAttempt, bands, bins, binS),
  }));
  const top = Math.max(0, ...drawn.flatMap(({ bars }) => totalsOf(bars, bins)));
  return {
    title: "Clients that return together",
    notes: [
      "The 20 s around the second with the most attempts after the first ones. Clients that wait for the same reset, or with the same backoff, come back at the same instant.",
    ],
    figures: drawn.map(({ title, bars }) => attemptsFigure(title, bins, { binS, top }, bars)),
    tables: [],
  };
}

type Band = Pick<AttemptSeries, "from">;

/** The bands of all candidates together, so that a colour means the same in all charts. */
const bandsOf = (all: readonly (readonly AttemptSeries[])[]): readonly Band[] =>
  [...new Map(all.flat().map((band) => [band.from, band])).values()].toSorted(
    (a, b) => a.from - b.from,
  );

const barsOf = (
  byAttempt: readonly AttemptSeries[],
  bands: readonly Band[],
  bins: number,
  binS: number,
): readonly Bars[] =>
  bands.map((band) => {
    const values = byAttempt.find(({ from }) => from === band.from)?.values ?? [];
    return {
      what: ATTEMPT_BANDS.find(({ from }) => from === band.from)!.text,
      values: Array.from({ length: bins }, (_, bin) =>
        Number(((values[bin] ?? 0) / binS).toPrecision(4)),
      ),
    };
  });

const totalsOf = (bars: readonly Bars[], bins: number): readonly number[] =>
  Array.from({ length: bins }, (_, bin) =>
    bars.reduce((sum, { values }) => sum + (values[bin] ?? 0), 0),
  );
