// One figure with the outcomes of each folder of scenarios.
import type { MeasuredRow, RowsFigure, MarkTone } from "../../lab/report/measured-figures.ts";
import type { Report, VariantReport } from "../../lab/report/model.ts";
import { WORST_FIRST } from "../result-text.ts";
import { formatCount, folderOf, many, signOf } from "./parts.ts";

const TONES: Readonly<Record<VariantReport["outcome"], MarkTone>> = {
  pass: "good",
  fail: "bad",
  error: "bad",
  vacuous: "doubt",
  inconclusive: "doubt",
  unsupported: "faint",
};

/** The outcomes of each folder; null for one folder, because the sentence above the figure has its outcomes. */
export function summaryFigure({ scenarios }: Report): RowsFigure | null {
  const folders = Map.groupBy(scenarios, ({ id }) => folderOf(id));
  const rows = [...folders].map(([folder, members]) =>
    rowOf(
      folder,
      members.flatMap(({ variants }) => variants),
    ),
  );
  return rows.length < 2
    ? null
    : {
        kind: "rows",
        title: "variants by subject",
        unit: "variants",
        scale: "linear",
        from: 0,
        to: Math.max(...rows.flatMap(({ marks }) => marks.map(({ to }) => to)), 1),
        band: null,
        references: [],
        rows,
      };
}

/** Passed variants come first, so that the others are visible at the end. */
function rowOf(folder: string, variants: readonly VariantReport[]): MeasuredRow {
  const groups = Map.groupBy(variants, ({ outcome }) => outcome);
  const counts = WORST_FIRST.flatMap((outcome) => {
    const count = groups.get(outcome)?.length ?? 0;
    return count === 0 ? [] : [{ outcome, count }];
  });
  let reached = 0;
  return {
    what: folder,
    isControl: false,
    value: counts
      .map(({ outcome, count }) => `${signOf(outcome)} ${formatCount(count)} ${outcome}`)
      .join("  "),
    tone: TONES[counts[0]?.outcome ?? "pass"],
    marks: counts.toReversed().map(({ outcome, count }) => ({
      shape: "bar",
      from: reached,
      to: (reached += count),
      tone: TONES[outcome],
      tip: `${folder}: ${outcome}, ${many(count, "variant")}`,
    })),
  };
}
