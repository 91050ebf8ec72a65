// A short form of the counters in a store, which shows whether two stores decide alike.
import type { MemoryStore } from "./memory.ts";
import { identityOf } from "./rows.ts";
import type { CellTable } from "./table.ts";

/** The same text for stores that decide alike from now on; null for logs, which have no short form. */
export function fingerprintOf({ tables }: MemoryStore): string | null {
  const all = [...tables.values()];
  if (all.some(({ kind }) => kind === "log")) return null;
  return JSON.stringify(
    (all as readonly CellTable[]).map(({ cells, extras, rows }) => [
      ...cells,
      ...(extras ?? []),
      ...rows.holders.map((holder) => holder && identityOf(holder)), // which of two concurrent clients has the row
    ]),
  );
}
