// The store in memory. `bindLevel` looks up the table of a level once, because many requests use the level.
import { countOf, insert, prune } from "../algorithms/sliding-log/stamps.ts";
import {
  emptyReply,
  type BoundLevels,
  type Level,
  type LogCommand,
  type Reply,
  type LocalStore,
  type StoreOp,
} from "../core/store.ts";
import { bind } from "./bound.ts";
import { seek, type BoundLevel } from "./counting.ts";
import { mark } from "../algorithms/sentinel/memory.ts";
import { stepAllowance } from "./smoothed-log.ts";
import { newRing, newTable, type LogTable, type Ring, type BudgetTable } from "./table.ts";
import { admit, areCounts } from "./counts.ts";
import { giveBack, reset, take } from "./take.ts";

export interface MemoryStore {
  readonly tables: Map<string, BudgetTable>; // by kind of record and space of the budget
  ring: Ring; // the same tables, in the order in which they are swept
  bound: WeakMap<Level, BoundLevel>; // by level, because many requests use one level
}

export const memoryStore = (): MemoryStore => ({
  tables: new Map(),
  ring: newRing(),
  bound: new WeakMap(),
});

/** Empties the store, as a restart does (`store_restart`). Levels have to be bound again. */
export function forgetAll(store: MemoryStore): void {
  store.tables.clear();
  store.ring = newRing();
  store.bound = new WeakMap();
}

export function bindLevel(store: MemoryStore, level: Level): BoundLevel {
  let bound = store.bound.get(level);
  if (bound === undefined) store.bound.set(level, (bound = bind(level, tableOf(store, level))));
  return bound;
}

function tableOf(store: MemoryStore, level: Level): BudgetTable {
  const kind = level.traits.state;
  // After a change of `key_by`, the old row that all clients shared stays in its own table, which is never swept.
  const byClient = level.budget.isByClient === true ? " by client" : "";
  const isImitated = level.imitation !== null;
  const ofRate =
    level.imitation?.changedLimit === "new_budget" ? ` of ${level.budget.limit.rate}` : "";
  const name = `${kind}/${level.budget.space}${byClient}${isImitated ? " imitated" : ""}${ofRate}`;
  let table = store.tables.get(name);
  if (table === undefined) {
    table = newTable(kind, level.budget.limit.perUs, store.ring, isImitated);
    store.tables.set(name, table);
  }
  return table;
}

/** Performs one operation. The caller splits a pipeline into its commands. */
export function perform(
  store: MemoryStore,
  op: Exclude<StoreOp, { op: "pipeline" }> | LogCommand,
): Reply {
  const reply = emptyReply();
  switch (op.op) {
    case "take":
      return take(
        op.levels.map((level) => bindLevel(store, level)),
        op.client,
        op.atUs,
        op.intent,
        reply,
        op.units,
      );
    case "give_back":
      giveBack(bindLevel(store, op.level), op.client, op.atUs, op.units);
      return reply;
    case "reset":
      reset(bindLevel(store, op.level), op.client);
      return reply;
    case "mark":
      return mark(requireLog(bindLevel(store, op.level)), op.client, op.atUs, reply, op.units);
    case "allowance":
      return stepAllowance(
        requireLog(bindLevel(store, op.level)),
        op.client,
        op.atUs,
        reply,
        op.units,
      );
    case "prune":
    case "count":
    case "add":
    case "expire":
      return performCommand(store, op, reply);
  }
}

function performCommand(store: MemoryStore, op: LogCommand, reply: Reply): Reply {
  const bound = requireLog(bindLevel(store, op.level));
  seek(bound, op.client, op.atUs);
  const { table, row } = bound;
  switch (op.op) {
    case "prune":
      prune(table.stamps, row, op.atUs - table.perUs);
      break;
    case "count":
      reply.count = countOf(table.stamps, row);
      break;
    case "add":
      insert(table.stamps, row, op.atUs, op.units);
      break;
    case "expire": // nothing to do: the table itself drops idle rows
      break;
  }
  return reply;
}

/** A log operation on another kind of budget is an internal error. */
function requireLog(bound: BoundLevel): BoundLevel<LogTable> {
  const { table } = bound;
  if (table.kind !== "log")
    throw new Error(`marks, allowances and pipelines need a log, not a ${table.kind}`);
  return bound as BoundLevel<LogTable>;
}

/** The operations on levels that are bound. */
export function boundLevels(bound: readonly BoundLevel[]): BoundLevels {
  const counts = areCounts(bound) ? bound : null;
  return {
    take: (client, atUs, intent, reply, units) =>
      counts !== null && intent === "spend" && admit(counts, client, atUs, reply, units)
        ? reply
        : take(bound, client, atUs, intent, reply, units),
    mark: (index, client, atUs, reply, units) =>
      mark(requireLog(bound[index]!), client, atUs, reply, units),
  };
}

/** Two stores in memory as one: the counters that all gateways share, and this gateway's own (DRL, fallbacks). */
export function localStore(shared: MemoryStore, own: MemoryStore): LocalStore {
  const storeOf = (level: Level): MemoryStore => (level.place === "gateway" ? own : shared);
  return {
    bind: (levels) => boundLevels(levels.map((level) => bindLevel(storeOf(level), level))),
    perform: (op) => {
      if (op.op !== "take") return perform(storeOf(op.level), op);
      const bound = op.levels.map((level) => bindLevel(storeOf(level), level));
      return take(bound, op.client, op.atUs, op.intent, emptyReply(), op.units);
    },
  };
}

/** The number of records and attempts in a store, for the cost model (ALG-5, ALG-9). */
export function sizeOf(store: MemoryStore): { readonly budgets: number; readonly entries: number } {
  let budgets = 0;
  let entries = 0;
  for (const table of store.tables.values()) {
    const rows = table.rows.byIdentity.size;
    budgets += rows;
    entries += table.kind === "log" ? table.stamps.held : rows;
  }
  return { budgets, entries };
}
