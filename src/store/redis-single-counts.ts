// A batch in which every operation spends from one count. The script counts all operations of a budget together and
// returns its record from before; each reply follows from there by the rule that counts in memory.
import { countAt, COUNTER_WIDTH, endUs, spend, wait } from "../algorithms/fixed-window/rule.ts";
import { budgetClient, isQuota } from "../core/budget.ts";
import { emptyReply, type Level, type Reply, type Take } from "../core/store.ts";
import { ONLY_SINGLE_COUNTS } from "./lua/script.ts";
import type { Batch, BatchCall, BatchContext, Row, ScriptedOp } from "./redis-batch.ts";
import { keyStem, type PackedLevel } from "./redis-level.ts";

/** The budgets of one level, whose operations have one time and one cost: they pass or not whatever the others do. */
interface Group {
  readonly level: Level;
  readonly packed: PackedLevel;
  readonly atUs: number;
  readonly units: number;
  readonly places: Map<string, number>; // by identity; from 0 in this group
  readonly keys: string[];
  times: number[] | null; // operations of each budget; null: one each
  first: number; // of its records in the call
}

/** More groups would cost more than the complete script. */
const MOST_GROUPS = 16;

/** Null: an operation does something else, or two on one budget differ. */
export function singleCountsCall({ ops }: Batch, context: BatchContext): BatchCall | null {
  const groups: Group[] = [];
  const places: number[] = []; // of each operation
  const ofOps: Group[] = []; // the group of each, if there are several
  let group: Group | undefined;
  for (const op of ops) {
    if (!isSingleCount(op)) return null;
    const level = op.levels[0]!;
    if (group === undefined || !isOf(group, level, op)) {
      group = groups.find((one) => isOf(one, level, op));
      if (group === undefined) {
        if (groups.length === MOST_GROUPS) return null;
        if (groups.length === 1) for (const _ of places) ofOps.push(groups[0]!);
        groups.push((group = newGroup(level, op, context)));
      }
    }
    const identity = group.packed.isForAll ? "" : budgetClient(level.budget, op.client).identity;
    let place = group.places.get(identity);
    if (place === undefined) {
      if (groups.length > 1 && isElsewhere(groups, group, identity)) return null;
      place = group.keys.length;
      group.places.set(identity, place);
      group.keys.push(keyStem(context.prefix, level, op.client) + group.packed.form.record!);
      group.times?.push(1);
    } else {
      group.times ??= group.keys.map(() => 1);
      group.times[place]!++;
    }
    places.push(place);
    if (groups.length > 1) ofOps.push(group);
  }
  const { keys, rows } = joinGroups(groups);
  return {
    pieces: ONLY_SINGLE_COUNTS,
    keys,
    rows,
    reply: (bytes, { onReplies }) => {
      const records = recordsIn(bytes, keys.length);
      for (let i = 0; i < onReplies.length; i++) {
        const of = ofOps[i] ?? groups[0]!;
        onReplies[i]!(replyFrom(records, of.first + places[i]!, of));
      }
    },
    clear: () => {
      for (const one of groups) {
        one.places.clear();
        one.keys.length = 0;
      }
      for (const list of [groups, ofOps, places]) list.length = 0;
    },
  };
}

const isSingleCount = (op: ScriptedOp): op is Take => {
  if (op.op !== "take" || op.intent === "evaluate" || op.levels.length !== 1) return false;
  const { traits, budget } = op.levels[0]!;
  return traits.state === "counter" && !isQuota(budget.scope);
};

const isOf = (group: Group, level: Level, { atUs, units }: Take): boolean =>
  group.level === level && group.atUs === atUs && group.units === units;

const newGroup = (level: Level, { atUs, units }: Take, { pack }: BatchContext): Group => ({
  level,
  packed: pack(level),
  atUs,
  units,
  places: new Map(),
  keys: [],
  times: null,
  first: 0,
});

/** Whether another group has the same record. */
const isElsewhere = (groups: readonly Group[], group: Group, identity: string): boolean =>
  groups.some(
    (other) =>
      other !== group &&
      other.level.budget.space === group.level.budget.space &&
      other.places.has(identity),
  );

/** As the script unpacks them. */
function joinGroups(groups: readonly Group[]): { readonly keys: string[]; readonly rows: Row[] } {
  const keys = groups.length === 1 ? groups[0]!.keys : groups.flatMap((group) => group.keys);
  const isRepeated = groups.some(({ times }) => times !== null);
  const times = isRepeated ? groups.flatMap((group) => group.times ?? group.keys.map(() => 1)) : [];
  const rows: Row[] = [times];
  let first = 0;
  for (const group of groups) {
    const { level, packed, atUs, units } = group;
    const { capacity, budget, startsAtClock } = level;
    const { perUs } = budget.limit;
    const clock = Number(startsAtClock);
    group.first = first;
    first += group.keys.length;
    rows.push([capacity, perUs, packed.keepMs, clock, atUs, units, group.first + 1, first]);
  }
  return { keys, rows };
}

/** All have twelve bytes, unless one of them needs more for its count. */
const SHORT = 12;

function recordsIn(bytes: Uint8Array, count: number): Float64Array {
  const numbers = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const cells = new Float64Array(count * COUNTER_WIDTH);
  const isShort = bytes.byteLength === count * SHORT;
  const size = bytes.byteLength / count;
  for (let i = 0, at = 0; i < count; i++, at += size) {
    cells[i * COUNTER_WIDTH] = numbers.getFloat64(at, true);
    cells[i * COUNTER_WIDTH + 1] = isShort
      ? numbers.getUint32(at + 8, true)
      : numbers.getFloat64(at + 8, true);
  }
  return cells;
}

/** As take.ts replies if the only level is a count. */
function replyFrom(cells: Float64Array, row: number, { level, atUs, units }: Group): Reply {
  const { capacity, startsAtClock, budget } = level;
  const { perUs } = budget.limit;
  const reply = emptyReply();
  reply.shown = 0;
  reply.limit = capacity;
  const waitUs = wait(cells, row, capacity - units + 1, perUs, atUs);
  if (waitUs === 0) {
    reply.remaining = capacity - spend(cells, row, perUs, atUs, startsAtClock, units);
    reply.resetUs = endUs(cells, row, perUs);
    return reply;
  }
  const left = Math.max(0, capacity - countAt(cells, row, perUs, atUs));
  reply.refusedBy = 0;
  reply.waitUs = waitUs;
  reply.remaining = units === 1 ? 0 : Math.min(units - 1, left);
  reply.resetUs = atUs + waitUs;
  return reply;
}
