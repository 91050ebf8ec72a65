// Renders results as a table with one row for each folder; it fits on one screen for any number of scenarios.
import { isGood } from "../lab/check/counts.ts";
import { thousands, type Paint } from "../kit/reading/legible.ts";
import { WORST_FIRST } from "../show/result-text.ts";
import type { Result } from "../lab/scenario/verdict.ts";
import { outcomeTable, type OutcomeRow } from "./text-table.ts";

const MOST_FOLDERS = 20;

const folderOf = (id: string): string => id.slice(0, Math.max(0, id.lastIndexOf("/"))) || ".";

/**
 * The columns with numbers of requests. The longest line that Weir's own suite prints has at most 80 characters.
 * Delayed requests are included in `admitted`. If requests are lost, the table has one more column.
 */
const COLUMNS = ["requests", "admitted", "refused", "rejected"] as const;

/** Returns a row for each folder in the order of the run, and a sum. Failing folders are the last to be left out. */
export function folderTable(results: readonly Result[], paint: Paint): readonly string[] {
  if (results.length === 0) return [];
  const folders = [...Map.groupBy(results, ({ scenario }) => folderOf(scenario))];
  const isFailing = ([, members]: (typeof folders)[number]): boolean => !members.every(isGood);
  const chosen = new Set(
    [...folders.filter(isFailing), ...folders.filter((each) => !isFailing(each))].slice(
      0,
      MOST_FOLDERS,
    ),
  );
  const hasFailed = folders.some(isFailing);
  const hasLost = results.some(({ lost }) => lost > 0);
  const columns = [...COLUMNS, ...(hasLost ? (["lost"] as const) : [])];
  const rowOf = (name: string, members: readonly Result[]): OutcomeRow => ({
    outcome: WORST_FIRST.find((each) => members.some(({ outcome }) => outcome === each))!,
    cells: [
      ...(hasFailed ? [] : [new Set(members.map(({ file }) => file)).size]),
      members.length,
      ...(hasFailed ? [members.filter((each) => !isGood(each)).length] : []),
      ...columns.map((column) => members.reduce((sum, result) => sum + result[column], 0)),
    ].map(thousands),
    name,
  });
  const rows = folders.flatMap((each) => (chosen.has(each) ? [rowOf(`${each[0]}/`, each[1])] : []));
  const left = folders.length - chosen.size;
  const more = left === 0 ? "" : `, ${left} of them without a line here`;
  return [
    "",
    ...outcomeTable(
      {
        head: [...(hasFailed ? ["variants", "failed"] : ["scenarios", "variants"]), ...columns],
        nameHead: "folder",
        rows: [
          ...rows,
          ...(folders.length === 1 ? [] : [rowOf(`all ${folders.length} folders${more}`, results)]),
        ],
      },
      paint,
    ),
  ];
}
