// The store in memory. `bindAll` is for whoever asks the same question often: it looks tables up once.
import { countOf, insert, prune } from "../algorithms/sliding-log/stamps.ts";
import {
  emptyReply,
  type Level,
  type LogCommand,
  type Reply,
  type LocalStore,
  type StoreOp,
} from "../core/store.ts";
import { bind } from "./bound.ts";
import { seek, type Bound } from "./counting.ts";
import { mark } from "../algorithms/sentinel/memory.ts";
import { allowanceStep } from "./smoothed-log.ts";
import { newRing, newTable, type LogTable, type Ring, type Table } from "./table.ts";
import { admit, areCounts } from "./counts.ts";
import { giveBack, reset, take } from "./take.ts";

export interface MemoryStore {
  readonly tables: Map<string, Table>; // kind and space
  ring: Ring; // the same
  bound: WeakMap<Level, Bound>; // a level comes with one request after the other
}

export const memoryStore = (): MemoryStore => ({
  tables: new Map(),
  ring: newRing(),
  bound: new WeakMap(),
});

/** Restarted empty: every budget is new (`store_restart`). Whoever has bound levels binds them again. */
export function forgetAll(store: MemoryStore): void {
  store.tables.clear();
  store.ring = newRing();
  store.bound = new WeakMap();
}

export function bindLevel(store: MemoryStore, level: Level): Bound {
  let known = store.bound.get(level);
  if (known === undefined) store.bound.set(level, (known = bind(level, tableOf(store, level))));
  return known;
}

function tableOf(store: MemoryStore, level: Level): Table {
  const kind = level.traits.state;
  // A change of `key_by` leaves the row that counted for everybody in a table of its own, where no sweep takes it.
  const byClient = level.budget.isByClient === true ? " by client" : "";
  const name = `${kind}/${level.budget.space}${byClient}`;
  let table = store.tables.get(name);
  if (table === undefined) {
    table = newTable(kind, level.budget.limit.perUs, store.ring);
    store.tables.set(name, table);
  }
  return table;
}

/** Answers one operation at once. A pipeline's commands are answered one by one by whoever splits it. */
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
      );
    case "give_back":
      giveBack(bindLevel(store, op.level), op.client, op.atUs);
      return reply;
    case "reset":
      reset(bindLevel(store, op.level), op.client);
      return reply;
    case "mark":
      return mark(aLog(bindLevel(store, op.level)), op.client, op.atUs, reply);
    case "allowance":
      return allowanceStep(aLog(bindLevel(store, op.level)), op.client, op.atUs, reply);
    case "prune":
    case "count":
    case "add":
    case "expire":
      return command(store, op, reply);
  }
}

function command(store: MemoryStore, op: LogCommand, reply: Reply): Reply {
  const one = aLog(bindLevel(store, op.level));
  seek(one, op.client, op.atUs);
  const { table, row } = one;
  switch (op.op) {
    case "prune":
      prune(table.stamps, row, op.atUs - table.perUs);
      break;
    case "count":
      reply.count = countOf(table.stamps, row);
      break;
    case "add":
      insert(table.stamps, row, op.atUs);
      break;
    case "expire": // idle rows are found by the table's own hand
      break;
  }
  return reply;
}

/** Whoever asks this of another kind of budget is at fault, not its user. */
function aLog(one: Bound): Bound<LogTable> {
  const { table } = one;
  if (table.kind !== "log")
    throw new Error(`marks, allowances and pipelines speak to a log, not to a ${table.kind}`);
  return one as Bound<LogTable>;
}

/** Two memories as one: what all gateways share, and what this one keeps to itself (DRL, fallback). */
export function atHand(shared: MemoryStore, own: MemoryStore): LocalStore {
  const storeOf = (level: Level): MemoryStore => (level.place === "gateway" ? own : shared);
  return {
    bind: (levels) => {
      const bound = levels.map((level) => bindLevel(storeOf(level), level));
      const counts = areCounts(bound) ? bound : null;
      return {
        take: (client, atUs, intent, reply) =>
          counts !== null && intent === "spend" && admit(counts, client, atUs, reply)
            ? reply
            : take(bound, client, atUs, intent, reply),
        mark: (index, client, atUs, reply) => mark(aLog(bound[index]!), client, atUs, reply),
      };
    },
    perform: (op) => {
      if (op.op !== "take") return perform(storeOf(op.level), op);
      const bound = op.levels.map((level) => bindLevel(storeOf(level), level));
      return take(bound, op.client, op.atUs, op.intent, emptyReply());
    },
  };
}

/** What a store of this content holds: records and stamps, for the model of cost (ALG-5, ALG-9). */
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
