// A copy of a store in memory, for programs that try several continuations of the same history.
import { client } from "../core/client.ts";
import type { MemoryStore } from "./memory.ts";
import { identityOf, type Rows } from "./rows.ts";
import { newRing, type BudgetTable, type Extras, type Ring } from "./table.ts";

/** Decisions on the copy change nothing in the original. */
export function copyMemory(store: MemoryStore): MemoryStore {
  const ring = { ...newRing(), accessCounts: [...store.ring.accessCounts], hand: store.ring.hand };
  const copies = new Map(store.ring.tables.map((table) => [table, copyTable(table, ring)]));
  ring.tables.push(...copies.values());
  const tables = new Map(
    [...store.tables].map(([name, table]) => [name, copies.get(table)!] as const),
  );
  return { tables, ring, bound: new WeakMap() };
}

function copyTable(table: BudgetTable, ring: Ring): BudgetTable {
  const rows = copyRows(table.rows);
  const extras = copyExtras(table.extras);
  if (table.kind !== "log") return { ...table, rows, ring, extras, cells: table.cells.slice() };
  const { stamps, allowances, marks, bounds } = table;
  const rings = stamps.rings.slice();
  return {
    ...table,
    rows,
    ring,
    extras,
    stamps: {
      ...stamps,
      arena: stamps.arena.slice(),
      rings,
      ends: new Float64Array(rings.buffer), // in the memory of `rings`, because enlarging copies both together
      free: stamps.free.map((blocks) => [...blocks]),
    },
    allowances: new Map(allowances),
    marks: new Map(marks),
    bounds: new Map(bounds),
  };
}

const copyExtras = (extras: Extras | null): Extras | null =>
  extras === null ? null : new Map([...extras].map(([row, extra]) => [row, { ...extra }]));

/** A client caches the row of one store only, so the copy gets its own clients. */
const copyRows = (rows: Rows): Rows => ({
  ...rows,
  byIdentity: new Map(rows.byIdentity),
  holders: rows.holders.map((holder, row) =>
    holder === undefined ? undefined : { ...client(identityOf(holder)), row },
  ),
  free: [...rows.free],
});
