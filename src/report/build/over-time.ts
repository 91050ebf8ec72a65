// Demand, answers, allowance and events of one history, as a chart over time shows them.
import { SECOND } from "../../core/units.ts";
import type { GaugeSample, History } from "../../scenario/history.ts";
import type { TimeFigure } from "../model.ts";

const MOST_BARS = 90;
const NICE = [1, 2, 5];

/** A round number of seconds, so that a run has no more bars than can be told apart. */
export function binSecondsFor(lengthS: number): number {
  for (let power = -3; ; power++)
    for (const nice of NICE) {
      const seconds = nice * 10 ** power;
      if (lengthS / seconds <= MOST_BARS) return Number(seconds.toPrecision(1));
    }
}

/** Where a request stands in time: as planned, and a retry as sent. */
export const timeOf = ({ requests }: History, row: number): number =>
  requests.attempt[row] === 0 ? requests.plannedUs[row]! : requests.sentUs[row]!;

export const endOf = (history: History): number => {
  let lastUs = 0;
  for (let row = 0; row < history.requests.length; row++)
    lastUs = Math.max(lastUs, timeOf(history, row));
  return lastUs;
};

export const answerName = (status: number): string =>
  status >= 200 && status < 300 ? "admitted" : `refused ${status}`;

interface Bins {
  readonly offered: Float64Array;
  readonly answers: ReadonlyMap<string, Float64Array>;
}

function binned(history: History, binUs: number, count: number): Bins {
  const offered = new Float64Array(count);
  const answers = new Map<string, Float64Array>();
  const { status } = history.requests;
  for (let row = 0; row < status.length; row++) {
    const bin = Math.min(count - 1, Math.floor(timeOf(history, row) / binUs));
    const name = answerName(status[row]!);
    let column = answers.get(name);
    if (column === undefined) answers.set(name, (column = new Float64Array(count)));
    column[bin]! += 1;
    offered[bin]! += 1;
  }
  return { offered, answers };
}

/** What a chart of a scenario may ask for: `offered.rps`, `status.429`, `gauge.allowance`, `events`. */
export interface Asked {
  readonly title: string;
  readonly lines: readonly string[];
  readonly bars: readonly string[];
  readonly marks: readonly string[];
}

export const USUAL: Asked = {
  title: "admitted and refused requests",
  lines: ["gauge.allowance"],
  bars: ["admitted.rps", "status.*"],
  marks: ["events"],
};

type Bars = TimeFigure["bars"][number];
type Line = TimeFigure["lines"][number];

export function timeFigure(history: History, asked: Asked): TimeFigure {
  const lengthS = Math.max(endOf(history) / SECOND, 0.001);
  const binS = binSecondsFor(lengthS);
  const count = Math.floor(lengthS / binS) + 1;
  const untilS = rounded(count * binS);
  const bins = binned(history, binS * SECOND, count);
  const barsOf = (what: string, column: Float64Array): Bars => ({
    what,
    values: Array.from(column, (value) => rounded(value / binS)),
  });
  const bars = (name: string): readonly Bars[] => {
    const [subject, detail = ""] = name.split(".");
    if (subject === "offered") return [barsOf("offered", bins.offered)];
    return [...bins.answers]
      .filter(([answer]) =>
        subject === "admitted"
          ? answer === "admitted"
          : answer !== "admitted" && (detail === "*" || answer === answerName(Number(detail))),
      )
      .map(([answer, column]) => barsOf(answer, column));
  };
  const lines = (name: string): readonly Line[] => {
    const [subject, detail = ""] = name.split(".");
    return subject === "gauge"
      ? gaugeLines(history, detail, untilS)
      : bars(name).map((each) => stepsOf(each, binS, untilS));
  };
  return {
    kind: "time",
    title: asked.title,
    unit: "requests per second",
    untilS,
    binS,
    bars: asked.bars.flatMap(bars),
    lines: asked.lines.flatMap(lines),
    marks: asked.marks.includes("events") ? marksOf(history) : [],
  };
}

/** Only where it changes, and its end. */
function stepsOf({ what, values }: Bars, binS: number, untilS: number): Line {
  const kept = values.flatMap((value, bin) => (value === values[bin - 1] ? [] : [bin]));
  return lineOf(
    what,
    kept.map((bin) => rounded(bin * binS)),
    kept.map((bin) => values[bin]!),
    untilS,
  );
}

/** A step lasts until the next one, and the last of each line until the end. */
const lineOf = (
  what: string,
  at: readonly number[],
  values: readonly number[],
  untilS: number,
): Line => ({ what, at: [...at, untilS], values: [...values, values.at(-1)!] });

const rounded = (value: number): number => Number(value.toPrecision(6));

/**
 * A gauge as it stood. An allowance counts a window, so it is drawn per second
 * beside the demand; that needs all windows to be of one length.
 */
function gaugeLines({ header, gauges }: History, gauge: string, untilS: number): readonly Line[] {
  const lengths = new Set(header.budgets.map(({ perUs }) => perUs));
  const perS = gauge === "allowance" && lengths.size === 1 ? [...lengths][0]! / SECOND : 1;
  const ofGauge = gauges.filter((sample) => sample.gauge === gauge);
  const series = [...Map.groupBy(ofGauge, ({ budget }) => budget).values()];
  const keys = new Set(series.map(([first]) => first!.key));
  const nameOf = ({ key, budget }: GaugeSample): string =>
    series.length === 1 ? gauge : `${gauge} of ${keys.size === series.length ? key : budget}`;
  return series.slice(0, MOST_LINES).map((samples) =>
    lineOf(
      nameOf(samples[0]!),
      samples.map(({ atUs }) => rounded(atUs / SECOND)),
      samples.map(({ value }) => rounded(value / perS)),
      untilS,
    ),
  );
}

/** More lines than these are a tangle. */
const MOST_LINES = 6;

const MOST_MARKS = 60;

/** Smoothing and outages are worth a mark; one for each refusal would bury them. */
function marksOf({ events }: History): TimeFigure["marks"] {
  return events
    .filter(({ event }) => event !== "RatelimitExceeded" && event !== "QuotaExceeded")
    .slice(0, MOST_MARKS)
    .map(({ event, stampUs }) => ({ atS: rounded(stampUs / SECOND), what: event }));
}
