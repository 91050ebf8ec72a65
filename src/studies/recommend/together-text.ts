// The row of a table with what the limits of all windows refuse together.
import { percent, thousands } from "../../kit/reading/legible.ts";
import type { TableColumn } from "../../kit/reading/table.ts";
import type { UnansweredRecommendation } from "./result.ts";

/** The columns of the candidates with this row at the end, if there are several limits. */
export function addTogether(
  columns: readonly TableColumn[],
  { together, advice, requests, clients }: UnansweredRecommendation,
): readonly TableColumn[] {
  if (together === null) return columns;
  const cellOf: Readonly<Record<string, string>> = {
    limit: "together",
    by: advice.map(({ limit }) => limit).join(", "),
    refused: `${thousands(together.refused)} (${percent(together.refused / requests)})`,
    clients: `${thousands(together.refusedClients)} (${percent(together.refusedClients / clients)})`,
  };
  return columns.map((column) => ({
    ...column,
    cells: [...column.cells, cellOf[column.title] ?? ""],
  }));
}
