// Accuracy against cost on a report page: a chart and a table for each fleet, built from the result document alone.
import { portableCommand } from "../../kit/command-line.ts";
import type { FrontFigure } from "../../lab/report/measured-figures.ts";
import type { MeasuredPart } from "../../lab/report/measured.ts";
import { isComplete, frontsOf, FRONT_METRICS, type FleetFront } from "./front.ts";
import { METRIC_NAMES, METRICS } from "./metrics.ts";
import type { ParetoResult } from "./result.ts";
import { legendOf, originText, tableOf, titleOf } from "./table.ts";

export function paretoPart(result: ParetoResult): MeasuredPart {
  const { argv, commit, seed, suite } = result;
  return {
    title: "Accuracy against cost",
    headline: "Accuracy against cost",
    word: isComplete(result) ? null : "partial",
    doubts: isComplete(result) ? [] : [`It is not complete: ${legendOf(result)}.`],
    summary: [
      `${originText(result)}.`,
      "An upright line is where the median over other seeds is likely to be (95 %, by bootstrap).",
    ],
    sections: frontsOf(result).map((fleet, at) => ({
      title: titleOf(fleet),
      // The first fleet has what all charts mean; an incomplete result has its legend as a doubt.
      notes: at === 0 && isComplete(result) ? [`${legendOf(result)}.`, AXES_NOTE] : [],
      figures: [frontOf(fleet)],
      tables: [{ ...tableOf(fleet), folded: null, names: 2 }],
    })),
    facts: [
      ["command", portableCommand(argv)],
      ["commit", commit ?? "unknown"],
      ["seed", String(seed)],
      ["suite", suite.hash],
      ...METRIC_NAMES.map((name) => {
        const { unit, about } = METRICS[name];
        return [`${name}${unit === "" ? "" : ` ${unit}`}`, about] as const;
      }),
    ],
  };
}

const AXES_NOTE =
  "The chart has the first two of these four metrics: an algorithm that looks beaten may be ahead in bytes or ms.";

const frontOf = (fleet: FleetFront): FrontFigure => ({
  kind: "front",
  title: `${titleOf(fleet)}: over and wrong decisions against store operations`,
  across: "store operations per request",
  up: "over and wrong, %",
  weighed: FRONT_METRICS,
  points: fleet.entries.map(({ algorithm, errors, metrics, isOnFront }) => ({
    what: algorithm,
    x: metrics.operations.median,
    y: errors.median,
    low: errors.low,
    high: errors.high,
    isOnFront,
  })),
});
