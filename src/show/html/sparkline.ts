// A chart of one line's height: a variant's admitted, refused, rejected and lost requests over time or in order.
import { isLost } from "../../lab/scenario/history.ts";
import type {
  RunFigure,
  SequenceFigure,
  TimeFigure,
  VariantReport,
} from "../../lab/report/model.ts";
import type { Curve } from "../../lab/report/model-figures.ts";
import { formatNumber } from "../figures/time.ts";
import { html, NOTHING, type Html } from "./html.ts";

const KINDS = ["admitted", "refused", "rejected", "lost"] as const;

type Kind = (typeof KINDS)[number];

/** Counts of requests by result. Each step has the same length in time, or the same number of responses. */
export interface Spark {
  readonly counts: Readonly<Record<Kind, readonly number[]>>;
  readonly top: number; // highest sum of a step
  readonly unit: string | null; // unit of the counts; null if each step has the same number of responses
  readonly ends: readonly [first: string, last: string]; // start and end of the axis in words
}

const MOST_STEPS = 32;
const HEIGHT = 20;

const kindOf = (what: string): Kind => KINDS.find((kind) => what.startsWith(kind)) ?? "admitted";

/** The counts for a variant's chart; null if the variant did not run or has no figure of its responses. */
export function sparkOf({ figures }: Pick<VariantReport, "figures">): Spark | null {
  const overTime = figures.find(hasAnswers);
  if (overTime !== undefined) return ofTime(overTime);
  const inOrder = figures.find((each) => each.kind === "sequence");
  return inOrder === undefined ? null : ofSequence(inOrder);
}

const ANSWER = /^(?:admitted|delayed|refused|rejected|lost)\b/;

/** The bars and curves of results: a chart that a scenario defines may have some results as curves. */
const answersIn = ({ bars, curves }: TimeFigure): readonly Curve[] =>
  [...bars, ...curves].filter(({ what }) => ANSWER.test(what));

const hasAnswers = (figure: RunFigure): figure is TimeFigure =>
  figure.kind === "time" &&
  ["demand", "asked"].includes(figure.shows) &&
  answersIn(figure).length > 0;

function ofTime(figure: TimeFigure): Spark {
  const series = answersIn(figure);
  const bins = Math.max(...series.map(({ values }) => values.length), 1);
  const steps = Math.min(MOST_STEPS, bins);
  const counts = emptyCounts(steps);
  const width = steps / bins; // steps per bin, at most 1
  for (const { what, values } of series)
    for (const [bin, value] of values.entries()) {
      // A bin that spans two steps is divided between them, so that equal bins give steps of equal height.
      const first = Math.floor(bin * width + 1e-9);
      const inFirst = Math.min(width, first + 1 - bin * width);
      const counted = counts[kindOf(what)];
      counted[first]! += (value ?? 0) * inFirst;
      if (width - inFirst > 1e-9) counted[first + 1]! += (value ?? 0) * (width - inFirst);
    }
  const ends = ["0 s", `${formatNumber(figure.untilS)} s`] as const;
  return { counts, top: topOf(counts, steps), unit: figure.unit, ends };
}

function ofSequence({ runs }: SequenceFigure): Spark {
  const total = runs.reduce((sum, { from, to }) => sum + to - from, 0);
  const steps = Math.max(1, Math.min(MOST_STEPS, total));
  const counts = emptyCounts(steps);
  let at = 0;
  for (const { from, to, status, isRejected } of runs) {
    const end = at + to - from;
    const kind = kindOfStatus(status, isRejected);
    for (let step = Math.floor((at * steps) / total); step < steps; step++) {
      const [low, high] = [(step * total) / steps, ((step + 1) * total) / steps];
      if (low >= end) break;
      counts[kind][step]! += Math.min(end, high) - Math.max(at, low);
    }
    at = end;
  }
  const ends = ["request 1", formatNumber(total)] as const;
  return { counts, top: topOf(counts, steps), unit: null, ends };
}

function kindOfStatus(status: number, isRejected: boolean): Kind {
  if (isLost(status)) return "lost";
  return isRejected ? "rejected" : status < 400 ? "admitted" : "refused";
}

const emptyCounts = (steps: number): Record<Kind, number[]> => ({
  admitted: Array.from({ length: steps }, () => 0),
  refused: Array.from({ length: steps }, () => 0),
  rejected: Array.from({ length: steps }, () => 0),
  lost: Array.from({ length: steps }, () => 0),
});

const topOf = (counts: Spark["counts"], steps: number): number =>
  Math.max(
    ...Array.from({ length: steps }, (_, step) =>
      KINDS.reduce((sum, kind) => sum + counts[kind][step]!, 0),
    ),
  );

/** `top` may come from another spark, for a common scale. Screen readers get the counts next to the chart. */
export function sparkHtml(
  spark: Pick<Spark, "counts" | "top"> | null,
  top = spark?.top ?? 0,
): Html {
  if (spark === null || top === 0) return NOTHING;
  const { counts } = spark;
  const steps = counts.admitted.length;
  const reached = Array.from({ length: steps }, () => 0);
  const paths = KINDS.map((kind) => {
    let path = "";
    let open: { from: number; low: number; high: number } | null = null;
    const end = (step: number): void => {
      if (open === null) return;
      const { from, low, high } = open;
      path += `M${from} ${HEIGHT - high}h${step - from}v${high - low}h${from - step}z`;
      open = null;
    };
    for (let step = 0; step <= steps; step++) {
      const value = counts[kind][step] ?? 0;
      const low = height(reached[step] ?? 0, top);
      const high = height((reached[step] ?? 0) + value, top);
      if (step < steps) reached[step]! += value;
      if (open !== null && (value === 0 || open.low !== low || open.high !== high)) end(step);
      if (value > 0 && high > low) open ??= { from: step, low, high };
    }
    return path === "" ? null : html`<path class="${kind}" d="${path}"/>`;
  });
  return html`<svg class="spark" viewBox="0 0 ${steps} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${paths}</svg>`;
}

const height = (value: number, top: number): number => Math.round((value / top) * HEIGHT);
