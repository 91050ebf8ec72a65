// The requests of one history and their results, for charts over time.
import { SECOND } from "../../../kit/units.ts";
import { ATTEMPT_BANDS, bandOf } from "../../check/attempt-bands.ts";
import { answerTo } from "../../check/rejections.ts";
import { wasDelayed } from "../../check/select.ts";
import { parseStatus } from "../../scenario/expectation.ts";
import { REASONS, type History } from "../../scenario/history.ts";
import type { Bars, Curve, StepLine, TimeFigure } from "../model-figures.ts";
import { countsBy } from "../../check/series.ts";
import { roundDigits, type Bins } from "./bins.ts";
import { limitLines } from "./limits.ts";
import type { TimeFrame } from "./setting.ts";
import { allowancesOf } from "./gauges.ts";
import { stepsOf } from "./steps.ts";
import { STORE_GAUGES, gaugeFigure } from "./store-work.ts";

/** A chart that a scenario defines by names of series: `offered.rps`, `status.429`, `gauge.allowance`, `events`. */
export interface ScenarioChart {
  readonly title: string;
  readonly lines: readonly string[];
  readonly bars: readonly string[];
  readonly marks: readonly string[];
}

const USUAL: ScenarioChart = {
  title: "admitted and refused",
  lines: ["gauge.allowance"],
  bars: ["admitted.rps", "status.*"],
  marks: ["events"],
};

/** The requests over time, with the allowance if there is only one: several have a chart of their own. */
export function demandFigure(history: History, bins: Bins, setting: TimeFrame): TimeFigure {
  const figure = figureOf(history, bins, setting, USUAL, "demand");
  return figure.lines.length > 1 ? { ...figure, title: USUAL.title, lines: [] } : figure;
}

/** The figures of one chart of a scenario: a gauge that is not a rate needs its own axis, so it has its own figure. */
export function chartFigures(
  history: History,
  bins: Bins,
  setting: TimeFrame,
  chart: ScenarioChart,
): readonly TimeFigure[] {
  const gauges = STORE_GAUGES.filter((gauge) => chart.lines.includes(`gauge.${gauge}`));
  const hasRates = chart.bars.length + chart.lines.length > gauges.length;
  return [
    ...(hasRates ? [figureOf(history, bins, setting, chart, "asked")] : []),
    ...gauges.map((gauge) =>
      gaugeFigure(gauge, `${chart.title}: ${gauge}`, history, bins, setting),
    ),
  ];
}

const ADMITTED = "admitted";

/** The name of a result: "admitted", "delayed", "refused 429", "rejected 401" or "lost". */
export function answerName({ requests }: Pick<History, "requests">, row: number): string {
  const answer = answerTo(requests, row);
  if (wasDelayed(requests, row)) return "delayed";
  return answer === "admitted" || answer === "lost" ? answer : `${answer} ${requests.status[row]!}`;
}

function figureOf(
  history: History,
  bins: Bins,
  setting: TimeFrame,
  chart: ScenarioChart,
  shows: TimeFigure["shows"],
): TimeFigure {
  const answers = answersOf(history, bins);
  const seriesOf = (name: string): readonly Bars[] =>
    name === "attempt.*"
      ? attemptSeries(history, bins)
      : name === "offered.rps"
        ? seriesOfOffered(bins)
        : seriesNamed(name, answers, bins);
  const { lines: allowances, cut } = chart.lines.includes("gauge.allowance")
    ? allowanceLines(history, bins)
    : { lines: [], cut: "" };
  const curves: readonly Curve[] = chart.lines.flatMap((name) =>
    name.startsWith("gauge.") ? [] : seriesOf(name),
  );
  const bars = chart.bars.flatMap(seriesOf);
  const drawn = [
    ...(bars.length === 0 ? [] : totalOf(bars, bins.count)),
    ...curves.flatMap(({ values }) => values.map((value) => value ?? 0)),
    ...allowances.flatMap(({ values }) => values),
  ];
  const { marks, ...rest } = setting;
  return {
    kind: "time",
    shows,
    title: `${chart.title}${cut}`,
    unit: "requests per second",
    ...rest,
    bars,
    curves,
    lines: allowances,
    limits: limitLines(history, bins, Math.max(...drawn)),
    marks: chart.marks.includes("events") ? marks : [],
    top: null,
  };
}

interface Answers {
  readonly name: string;
  readonly status: number;
  readonly values: readonly number[]; // rate per second in each bin
}

function answersOf(history: History, bins: Bins): readonly Answers[] {
  const { requests } = history;
  const groups = new Map<string, { readonly name: string; readonly status: number }>();
  const places = new Map<string, number>();
  const placeOf = (row: number): number => {
    const [name, status] = [answerName(history, row), requests.status[row]!];
    const group = `${name} ${status}`;
    if (!places.has(group)) {
      places.set(group, places.size);
      groups.set(group, { name, status });
    }
    return places.get(group)!;
  };
  // A million rows have few different names, so names are cached by what determines them.
  const known = new Map<number, number>();
  const counted = countsBy(bins, "result", (row) => {
    const { status, reason } = requests;
    const kind =
      (status[row]! * REASONS.length + reason[row]!) * 2 + Number(wasDelayed(requests, row));
    let place = known.get(kind);
    if (place === undefined) known.set(kind, (place = placeOf(row)));
    return place;
  });
  const all = [...groups.values()];
  return [...counted].map(([place, counts]) => ({
    ...all[place]!,
    values: ratesOf(counts, bins),
  }));
}

/** One series for each attempt number; the last series has all later attempts too. */
function attemptSeries({ requests }: History, bins: Bins): readonly Bars[] {
  const counted = countsBy(bins, "sent", (row) => bandOf(requests.attempt[row]!));
  return [...counted]
    .toSorted(([a], [b]) => a - b)
    .map(([band, counts]) => ({
      what: ATTEMPT_BANDS[band]!.text,
      values: ratesOf(counts, bins),
    }));
}

function seriesOfOffered(bins: Bins): readonly Bars[] {
  const counts = countsBy(bins, "sent", () => 0).get(0);
  return counts === undefined ? [] : [{ what: "offered", values: ratesOf(counts, bins) }];
}

const ratesOf = (counts: Float64Array, { binS }: Bins): readonly number[] =>
  Array.from(counts, (count) => roundDigits(count / binS));

/** The series of `admitted.rps`, `status.*` (one for each other result) or one status. Empty if no request has it. */
function seriesNamed(name: string, answers: readonly Answers[], bins: Bins): readonly Bars[] {
  const together = (what: string, each: readonly Answers[]): readonly Bars[] =>
    each.length === 0 ? [] : [{ what, values: totalOf(each, bins.count) }];
  const [subject, detail] = name.split(".");
  const isAdmitted = ({ name: answer }: Answers): boolean => answer === ADMITTED;
  if (subject === "admitted") return together(ADMITTED, answers.filter(isAdmitted));
  return answers
    .filter((each) => (detail === "*" ? !isAdmitted(each) : each.status === parseStatus(detail!)))
    .map((each) => ({
      what: isAdmitted(each) ? `answered ${each.status}` : each.name,
      values: each.values,
    }));
}

const totalOf = (each: readonly Pick<Bars, "values">[], count: number): readonly number[] =>
  Array.from({ length: count }, (_, bin) =>
    roundDigits(each.reduce((sum, { values }) => sum + values[bin]!, 0)),
  );

/** Allowances per window, converted to rates per second, to compare them with the demand. */
function allowanceLines(
  { header, gauges }: History,
  bins: Bins,
): { readonly lines: readonly StepLine[]; readonly cut: string } {
  const { drawn, cut } = allowancesOf(gauges);
  const lines = drawn.flatMap(({ what, samples }) => {
    const perUs = windowOf(header, samples[0]!.budget);
    return perUs === null ? [] : [stepsOf(what, samples, perUs / SECOND, bins)];
  });
  return { lines, cut };
}

/** The window of a budget. A budget that decided no request is not listed, but its name contains the window. */
function windowOf({ budgets }: History["header"], budget: string | null): number | null {
  const listed = budgets.find(({ name }) => name === budget);
  const named = /\/(\d+)us(?:\||$)/.exec(budget ?? "");
  return listed?.perUs ?? (named === null ? null : Number(named[1]));
}
