// Demand and answers of one history, as a figure over time shows them.
import { SECOND } from "../../core/units.ts";
import type { History } from "../../scenario/history.ts";
import type { Bars, Curve, Steps, TimeFigure } from "../model-figures.ts";
import { countedBy, rounded, type Bins } from "./bins.ts";
import { limitLines } from "./limits.ts";
import type { Setting } from "./setting.ts";
import { seriesOf } from "./gauges.ts";
import { stepsOf } from "./steps.ts";
import { HELD, heldFigure } from "./store-work.ts";

/** What a chart of a scenario may ask for: `offered.rps`, `status.429`, `gauge.allowance`, `events`. */
export interface Asked {
  readonly title: string;
  readonly lines: readonly string[];
  readonly bars: readonly string[];
  readonly marks: readonly string[];
}

const USUAL: Asked = {
  title: "admitted and refused",
  lines: ["gauge.allowance"],
  bars: ["admitted.rps", "status.*"],
  marks: ["events"],
};

/** Several allowances are a figure of their own. */
export function demandFigure(history: History, bins: Bins, setting: Setting): TimeFigure {
  const figure = figureOf(history, bins, setting, USUAL, "demand");
  return figure.lines.length > 1 ? { ...figure, lines: [] } : figure;
}

/** What a scenario asks for in one chart: what is no rate is no line beside rates, and a figure of its own. */
export function askedFigures(
  history: History,
  bins: Bins,
  setting: Setting,
  asked: Asked,
): readonly TimeFigure[] {
  const held = HELD.filter((gauge) => asked.lines.includes(`gauge.${gauge}`));
  const hasRates = asked.bars.length + asked.lines.length > held.length;
  return [
    ...(hasRates ? [figureOf(history, bins, setting, asked, "asked")] : []),
    ...held.map((gauge) => heldFigure(gauge, `${asked.title}: ${gauge}`, history, bins, setting)),
  ];
}

export const answerName = (status: number): string =>
  status >= 200 && status < 300 ? "admitted" : `refused ${status}`;

function figureOf(
  history: History,
  bins: Bins,
  setting: Setting,
  asked: Asked,
  shows: TimeFigure["shows"],
): TimeFigure {
  const answers = answersOf(history, bins);
  const named = (name: string): readonly Bars[] => {
    const [subject, detail = ""] = name.split(".");
    if (subject === "offered") return [{ what: "offered", values: totalOf(answers, bins.count) }];
    return answers.filter(({ what }) =>
      subject === "admitted"
        ? what === "admitted"
        : what !== "admitted" && (detail === "*" || what === answerName(Number(detail))),
    );
  };
  const allowances = asked.lines.includes("gauge.allowance") ? allowanceLines(history, bins) : [];
  const curves: readonly Curve[] = asked.lines.flatMap((name) =>
    name.startsWith("gauge.") ? [] : named(name),
  );
  const bars = asked.bars.flatMap(named);
  const drawn = [
    ...(bars.length === 0 ? [] : totalOf(bars, bins.count)),
    ...curves.flatMap(({ values }) => values.map((value) => value ?? 0)),
    ...allowances.flatMap(({ values }) => values),
  ];
  const { marks, ...rest } = setting;
  return {
    kind: "time",
    shows,
    title: asked.title,
    unit: "requests per second",
    ...rest,
    bars,
    curves,
    lines: allowances,
    limits: limitLines(history, bins, Math.max(...drawn)),
    marks: asked.marks.includes("events") ? marks : [],
    top: null,
  };
}

/** By answer, per second; what was admitted comes first, so that it is at the bottom. */
function answersOf({ requests: { status } }: History, bins: Bins): readonly Bars[] {
  const names = new Map<string, number>();
  const groups = new Map<number, number>(); // of statuses
  const counts = countedBy(bins, (row) => {
    const code = status[row]!;
    let group = groups.get(code);
    if (group === undefined) {
      const name = answerName(code);
      group = names.get(name) ?? names.size;
      names.set(name, group);
      groups.set(code, group);
    }
    return group;
  });
  return [...names]
    .toSorted(([a], [b]) => Number(b === "admitted") - Number(a === "admitted"))
    .map(([what, group]) => ({
      what,
      values: Array.from(counts.get(group)!, (count) => rounded(count / bins.binS)),
    }));
}

const totalOf = (bars: readonly Bars[], count: number): readonly number[] =>
  Array.from({ length: count }, (_, bin) =>
    rounded(bars.reduce((sum, { values }) => sum + values[bin]!, 0)),
  );

/** An allowance counts a window: beside the demand it is drawn per second. */
const allowanceLines = ({ header, gauges }: History, bins: Bins): readonly Steps[] =>
  seriesOf(gauges, "allowance").flatMap(({ what, samples }) => {
    const perUs = windowOf(header, samples[0]!.budget);
    return perUs === null ? [] : [stepsOf(what, samples, perUs / SECOND, bins)];
  });

/** A budget that is never the tightest decides nothing and is not listed: its name says its window, too. */
function windowOf({ budgets }: History["header"], budget: string | null): number | null {
  const listed = budgets.find(({ name }) => name === budget);
  const named = /\/(\d+)us(?:\||$)/.exec(budget ?? "");
  return listed?.perUs ?? (named === null ? null : Number(named[1]));
}
