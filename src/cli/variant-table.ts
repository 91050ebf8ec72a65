// The variants of one scenario side by side.
import { formatDuration } from "../core/units.ts";
import type { Paint } from "../report/result-text.ts";
import { TONES } from "../report/result-text.ts";
import { oneLine } from "../scenario/legible.ts";
import type { Result } from "../scenario/verdict.ts";

const MOST_ROWS = 40;
const LEAST_NAME = 12;

/** Empty where there is nothing to compare. `columns`: how wide the lines may be. */
export function variantTable(
  results: readonly Result[],
  columns: number,
  paint: Paint,
): readonly string[] {
  const played = results.filter(({ outcome }) => outcome !== "unsupported");
  if (played.length < 2) return [];
  const windows = new Set(played.flatMap(({ peak }) => (peak === null ? [] : [peak.perUs])));
  const [only] = windows.size === 1 ? windows : [];
  const head = [
    "offered",
    "admitted",
    "refused",
    "rejected",
    only === undefined ? "most in a window" : `most in ${formatDuration(only)}`,
  ];
  const rows = played.slice(0, MOST_ROWS).map((result) => ({
    result,
    cells: [
      `${result.requests}`,
      `${result.admitted}`,
      `${result.refused}`,
      `${result.rejected}`,
      result.peak === null
        ? "-"
        : `${result.peak.admitted}${only === undefined ? ` in ${formatDuration(result.peak.perUs)}` : ""}`,
    ],
  }));
  const widths = head.map((name, at) =>
    Math.max(name.length, ...rows.map(({ cells }) => cells[at]!.length)),
  );
  const outcomeWidth = Math.max(...rows.map(({ result }) => result.outcome.length));
  const taken = widths.reduce((sum, width) => sum + width + 2, outcomeWidth + 2);
  const longest = Math.max("variant".length, ...rows.map(({ result }) => result.variant.length));
  const nameWidth = Math.max(LEAST_NAME, Math.min(longest, columns - taken));
  const line = (name: string, cells: readonly string[]): string =>
    [
      fitted(oneLine(name), nameWidth).padEnd(nameWidth),
      ...cells.map((cell, at) => cell.padStart(widths[at]!)),
    ].join("  ");
  const left = played.length - rows.length;
  return [
    "",
    paint("faint", `${" ".repeat(outcomeWidth)}  ${line("variant", head)}`),
    ...rows.map(
      ({ result, cells }) =>
        `${paint(TONES[result.outcome], result.outcome.padEnd(outcomeWidth))}  ${line(result.variant, cells)}`,
    ),
    ...(left > 0 ? [`and ${left} more; --json has them all`] : []),
  ];
}

/** Both ends of a name say more than its middle. */
function fitted(name: string, width: number): string {
  if (name.length <= width) return name;
  const kept = width - 3;
  return `${name.slice(0, Math.ceil(kept / 2))}...${name.slice(name.length - Math.floor(kept / 2))}`;
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
