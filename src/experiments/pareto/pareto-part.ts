// Accuracy against cost, as what a page tells of it: a drawing and a table for each fleet, made from the document alone.
import type { FrontFigure } from "../../report/figures/measured/figures.ts";
import type { MeasuredPart } from "../../report/measured.ts";
import { isWhole, standingsOf, WEIGHED, type FleetStanding } from "./front.ts";
import { METRIC_NAMES, METRICS } from "./metrics.ts";
import type { ParetoResult } from "./result.ts";
import { legendOf, originText, tableOf, titleOf } from "./table.ts";

export function paretoPart(result: ParetoResult): MeasuredPart {
  const { argv, commit, seed, suite } = result;
  return {
    title: "Accuracy against cost",
    headline: "Accuracy against cost",
    word: isWhole(result) ? null : "partial",
    doubts: isWhole(result) ? [] : [`It is not whole: ${legendOf(result)}.`],
    summary: [
      `${originText(result)}.`,
      "An upright line is where the median over other seeds is likely to lie (95 %, by bootstrap).",
    ],
    sections: standingsOf(result).map((fleet) => ({
      title: titleOf(fleet),
      notes: isWhole(result) ? [`${legendOf(result)}.`, SHOWN] : [`${legendOf(result)}.`],
      figures: [frontOf(fleet)],
      tables: [{ ...tableOf(fleet), folded: null, names: 2 }],
    })),
    facts: [
      ["command", ["weir", ...argv].join(" ")],
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

const SHOWN =
  "The drawing has the first two of these four: who looks beaten in it may be ahead in bytes or ms.";

export const frontOf = (fleet: FleetStanding): FrontFigure => ({
  kind: "front",
  title: `${titleOf(fleet)}: over and wrong decisions against store operations`,
  across: "store operations per request",
  up: "over and wrong, %",
  weighed: WEIGHED,
  points: fleet.standings.map(({ algorithm, errors, metrics, isOnFront }) => ({
    what: algorithm,
    x: metrics.operations.median,
    y: errors.median,
    low: errors.low,
    high: errors.high,
    isOnFront,
  })),
});
