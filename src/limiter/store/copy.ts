// A copy of a store in memory, for programs that try several continuations of the same history.
import { client } from "../core/client.ts";
import type { BoundLevels, Level } from "../core/store.ts";
import type { BoundLevel } from "./counting.ts";
import { bindLevel, boundLevels, memoryStore, type MemoryStore } from "./memory.ts";
import { identityOf, type Holder, type Rows } from "./rows.ts";
import type { BudgetTable, Extra, Extras, Ring } from "./table.ts";

/** Decisions on the copy change nothing in the original. */
export function copyMemory(store: MemoryStore): MemoryStore {
  const ring = copyRing(store.ring);
  const copies = new Map(store.ring.tables.map((table, index) => [table, ring.tables[index]!]));
  const tables = new Map<string, BudgetTable>();
  for (const [name, table] of store.tables) tables.set(name, copies.get(table)!);
  return { tables, ring, bound: new WeakMap() };
}

/** A few levels, and a store of their own. */
export interface Counters {
  readonly levels: BoundLevels;
  /** Decisions on the copy change nothing in the original. Its levels stay bound, which is most of the work of a copy. */
  readonly copy: () => Counters;
}

export function counters(levels: readonly Level[]): Counters {
  const store = memoryStore();
  const bound = levels.map((level) => bindLevel(store, level));
  return countersIn(store.ring, bound);
}

const countersIn = (ring: Ring, bound: readonly BoundLevel[]): Counters => ({
  levels: boundLevels(bound),
  copy: () => {
    const next = copyRing(ring);
    return countersIn(
      next,
      bound.map((each) => ({ ...each, table: next.tables[ring.tables.indexOf(each.table)]! })),
    );
  },
});

function copyRing({ tables, accessCounts, hand }: Ring): Ring {
  const ring: Ring = { tables: [], accessCounts: accessCounts.slice(), hand };
  for (const table of tables) ring.tables.push(copyTable(table, ring));
  return ring;
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

function copyExtras(extras: Extras | null): Extras | null {
  if (extras === null) return null;
  const copies = new Map<number, Extra>();
  for (const [row, extra] of extras) copies.set(row, { ...extra });
  return copies;
}

/** A client caches the row of one store only, so the copy gets its own clients. */
const copyRows = (rows: Rows): Rows => ({
  ...rows,
  byIdentity: new Map(rows.byIdentity),
  holders: rows.holders.map(copyHolder),
  free: rows.free.slice(),
});

function copyHolder(holder: Holder | undefined, row: number): Holder | undefined {
  if (holder === undefined) return undefined;
  const copy = client(identityOf(holder));
  copy.row = row;
  return copy;
}
