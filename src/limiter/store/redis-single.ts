// Batches in which each operation spends from one budget, and all operations on a budget have the same time and cost.
// For such a batch, a script needs only the number of operations of each budget, not their order.
import { budgetClient, isQuota } from "../core/budget.ts";
import type { Level, Take } from "../core/store.ts";
import type { Batch, BatchContext, Row } from "./redis-batch.ts";
import { keyStem, type PackedLevel } from "./redis-level.ts";

/** Budgets of one level whose operations all have this time and cost, so that budgets do not affect each other. */
export interface Group {
  readonly level: Level;
  readonly packed: PackedLevel;
  readonly atUs: number;
  readonly units: number;
  readonly places: Map<string, number>; // by identity; counted from 0 in this group
  readonly keys: string[];
  times: number[] | null; // number of operations of each budget; null: one each
  first: number; // index of its first budget in the call
}

export interface SingleOperations {
  readonly keys: string[];
  readonly times: readonly number[]; // number of operations of each key; empty: one each
  readonly rows: Row[];
  readonly groupOf: (operation: number) => Group;
  readonly budgetOf: (operation: number) => number; // index of the key of an operation
  readonly clear: () => void;
}

/** The most groups in one call: with more groups, the complete script is faster. */
const MOST_GROUPS = 16;

/**
 * Returns the operations for a script of one kind; null if one is of another kind, or if two on one budget differ in
 * time or cost. `option` returns the number that this kind of script needs of a level.
 */
export function singleOperations(
  { ops }: Batch,
  context: BatchContext,
  isOfKind: (level: Level, intent: Take["intent"]) => boolean,
  option: (level: Level) => number,
): SingleOperations | null {
  const groups: Group[] = [];
  const places: number[] = []; // index of each operation's budget in its group
  const ofOps: Group[] = []; // group of each operation, if there are several groups
  let group: Group | undefined;
  for (const op of ops) {
    if (op.op !== "take" || op.levels.length !== 1) return null;
    const level = op.levels[0]!;
    if (isQuota(level.budget.scope) || !isOfKind(level, op.intent)) return null;
    if (group === undefined || !isOf(group, level, op)) {
      group = groups.find((one) => isOf(one, level, op));
      if (group === undefined) {
        if (groups.length === MOST_GROUPS) return null;
        if (groups.length === 1) for (const _ of places) ofOps.push(groups[0]!);
        groups.push((group = newGroup(level, op, context)));
      }
    }
    const { packed } = group;
    const identity = packed.isForAll ? "" : budgetClient(level.budget, op.client).identity;
    let place = group.places.get(identity);
    if (place === undefined) {
      if (groups.length > 1 && isElsewhere(groups, group, identity)) return null;
      place = group.keys.length;
      group.places.set(identity, place);
      const ending = packed.form.record ?? packed.form.log;
      group.keys.push(keyStem(context.prefix, level, op.client) + ending!);
      group.times?.push(1);
    } else {
      group.times ??= group.keys.map(() => 1);
      group.times[place]!++;
    }
    places.push(place);
    if (groups.length > 1) ofOps.push(group);
  }
  const groupOf = (operation: number): Group => ofOps[operation] ?? groups[0]!;
  return {
    ...joinGroups(groups, option),
    groupOf,
    budgetOf: (operation) => groupOf(operation).first + places[operation]!,
    clear: () => {
      for (const one of groups) {
        one.places.clear();
        one.keys.length = 0;
      }
      for (const list of [groups, ofOps, places]) list.length = 0;
    },
  };
}

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

/** Whether another group contains the same budget. */
const isElsewhere = (groups: readonly Group[], group: Group, identity: string): boolean =>
  groups.some(
    (other) =>
      other !== group &&
      other.level.budget.space === group.level.budget.space &&
      other.places.has(identity),
  );

/** Joins the groups in the form that the scripts unpack. */
function joinGroups(
  groups: readonly Group[],
  option: (level: Level) => number,
): Pick<SingleOperations, "keys" | "times" | "rows"> {
  const keys = groups.length === 1 ? groups[0]!.keys : groups.flatMap((group) => group.keys);
  const isRepeated = groups.some(({ times }) => times !== null);
  const times = isRepeated ? groups.flatMap((group) => group.times ?? group.keys.map(() => 1)) : [];
  const rows: Row[] = [times];
  let first = 0;
  for (const group of groups) {
    const { level, packed, atUs, units } = group;
    const { perUs } = level.budget.limit;
    group.first = first;
    first += group.keys.length;
    const place = [group.first + 1, first];
    rows.push([level.capacity, perUs, packed.keepMs, option(level), atUs, units, ...place]);
  }
  return { keys, times, rows };
}
