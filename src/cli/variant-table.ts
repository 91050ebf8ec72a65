// Compares the variants of one scenario.
import { formatDuration } from "../kit/units.ts";
import { lossTexts } from "../show/result-text.ts";
import { oneLine, thousands, type Paint } from "../kit/reading/legible.ts";
import type { Result } from "../lab/scenario/verdict.ts";
import { outcomeTable } from "./text-table.ts";

const MOST_ROWS = 40;

/**
 * Returns no lines if fewer than two variants ran. Names are not cut, because variants may differ in any part of the
 * name.
 */
export function variantTable(
  results: readonly Result[],
  paint: Paint,
  width = Number.POSITIVE_INFINITY,
): readonly string[] {
  const played = results.filter(({ outcome }) => outcome !== "unsupported");
  if (played.length < 2) return [];
  const windows = new Set(played.flatMap(({ peak }) => (peak === null ? [] : [peak.perUs])));
  const [only] = windows.size === 1 ? windows : [];
  const isAnyDelayed = played.some(({ delayed }) => delayed > 0);
  const isAnyRejected = played.some(({ rejected }) => rejected > 0);
  const isAnyLost = played.some(({ lost }) => lost > 0);
  const head = [
    "offered",
    "admitted",
    ...(isAnyDelayed ? ["delayed"] : []),
    "refused",
    ...(isAnyRejected ? ["rejected"] : []),
    ...(isAnyLost ? ["lost"] : []),
    only === undefined ? "most in a window" : `most in ${formatDuration(only)}`,
  ];
  const rows = played.slice(0, MOST_ROWS).map((result) => ({
    outcome: result.outcome,
    name: result.variant,
    cells: [
      thousands(result.requests),
      thousands(result.admitted),
      ...(isAnyDelayed ? [thousands(result.delayed)] : []),
      thousands(result.refused),
      ...(isAnyRejected ? [thousands(result.rejected)] : []),
      ...(isAnyLost ? [thousands(result.lost)] : []),
      result.peak === null
        ? "-"
        : `${thousands(result.peak.admitted)}${only === undefined ? ` in ${formatDuration(result.peak.perUs)}` : ""}`,
    ],
  }));
  const left = played.length - rows.length;
  return [
    "",
    ...outcomeTable({ head, nameHead: "variant", rows }, paint, width),
    ...(left > 0 ? [`and ${left} more; --json prints all`] : []),
  ];
}

const MOST_NOTES = 6;

/** Lists requests without a response and the reasons: only a few, because the table has the counts. */
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

/** Prints each hint once, with the first variant that shows it. */
export function hintLines(results: readonly Result[], paint: Paint): readonly string[] {
  const lines = new Map<string, string>();
  for (const { variant, hints = [] } of results)
    for (const hint of hints) {
      // Hints of variants that differ only in their first word (the algorithm) and in numbers are printed once.
      const kind = hint.replace(/^\S+/, "").replaceAll(/\d[\d,.]*/g, "");
      const where = variant === "" ? "" : ` ${oneLine(variant)}`;
      if (!lines.has(kind))
        lines.set(kind, `${paint("doubtful", "note")}${where}: ${oneLine(hint)}`);
    }
  return [...lines.values()];
}
