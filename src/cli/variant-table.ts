// The variants of one scenario side by side.
import { formatDuration } from "../kit/units.ts";
import { lossTexts } from "../show/result-text.ts";
import { oneLine, type Paint } from "../kit/reading/legible.ts";
import type { Result } from "../lab/scenario/verdict.ts";
import { outcomeTable } from "./text-table.ts";

const MOST_ROWS = 40;

/**
 * Empty where there is nothing to compare. Names are last, as long as they are: of several axes any part may be what two
 * variants differ in.
 */
export function variantTable(results: readonly Result[], paint: Paint): readonly string[] {
  const played = results.filter(({ outcome }) => outcome !== "unsupported");
  if (played.length < 2) return [];
  const windows = new Set(played.flatMap(({ peak }) => (peak === null ? [] : [peak.perUs])));
  const [only] = windows.size === 1 ? windows : [];
  const isAnyDelayed = played.some(({ delayed }) => delayed > 0);
  const isAnyLost = played.some(({ lost }) => lost > 0);
  const head = [
    "offered",
    "admitted",
    ...(isAnyDelayed ? ["delayed"] : []),
    "refused",
    "rejected",
    ...(isAnyLost ? ["lost"] : []),
    only === undefined ? "most in a window" : `most in ${formatDuration(only)}`,
  ];
  const rows = played.slice(0, MOST_ROWS).map((result) => ({
    outcome: result.outcome,
    name: result.variant,
    cells: [
      `${result.requests}`,
      `${result.admitted}`,
      ...(isAnyDelayed ? [`${result.delayed}`] : []),
      `${result.refused}`,
      `${result.rejected}`,
      ...(isAnyLost ? [`${result.lost}`] : []),
      result.peak === null
        ? "-"
        : `${result.peak.admitted}${only === undefined ? ` in ${formatDuration(result.peak.perUs)}` : ""}`,
    ],
  }));
  const left = played.length - rows.length;
  return [
    "",
    ...outcomeTable(head, "variant", rows, paint),
    ...(left > 0 ? [`and ${left} more; --json prints all`] : []),
  ];
}

const MOST_NOTES = 6;

/** Which requests got no response, and why: of a few variants, because the table counts those of all. */
export function lossLines(results: readonly Result[], paint: Paint): readonly string[] {
  const lines = results.flatMap((result) =>
    lossTexts(result).map(
      (text) =>
        `${paint("doubtful", "lost")}${result.variant === "" ? "" : ` ${oneLine(result.variant)}`}: ${oneLine(text)}`,
    ),
  );
  const left = lines.length - MOST_NOTES;
  return left > 1 ? [...lines.slice(0, MOST_NOTES), `and ${left} more; --json has all`] : lines;
}

/** Each hint once, with the first variant that shows it. */
export function hintLines(results: readonly Result[], paint: Paint): readonly string[] {
  const lines = new Map<string, string>();
  for (const { variant, hints = [] } of results)
    for (const hint of hints) {
      // What differs between variants is the algorithm, which it begins with, and the figures.
      const kind = hint.replace(/^\S+/, "").replaceAll(/\d[\d,.]*/g, "");
      const where = variant === "" ? "" : ` ${oneLine(variant)}`;
      if (!lines.has(kind))
        lines.set(kind, `${paint("doubtful", "note")}${where}: ${oneLine(hint)}`);
    }
  return [...lines.values()];
}
