// A batch as a call of the complete script, or of COUNTS. Operations on one budget share its record, which is read and
// written once.
import { isLogBased } from "../core/algorithms.ts";
import { budgetClient } from "../core/budget.ts";
import { withAlgorithm } from "../core/select.ts";
import type { Client } from "../core/client.ts";
import { emptyReply, type Level, type Reply } from "../core/store.ts";
import { micros } from "../../kit/units.ts";
import { MILLIONTHS } from "../core/limit.ts";
import { MORE_THAN_SPENDING } from "./lua/script.ts";
import type { Batch, BatchCall, BatchContext, ScriptedOp } from "./redis-batch.ts";
import { keyStem, type PackedLevel } from "./redis-level.ts";

/** A call under construction, to which operations are added. */
interface Parts {
  readonly context: BatchContext;
  readonly levels: Map<Level, LevelInBatch>;
  readonly records: Map<string, number>; // index of each key, from 1
  readonly logs: Map<string, number>;
  readonly slots: number[];
  readonly operations: number[];
  pieces: number;
}

interface LevelInBatch {
  readonly packed: PackedLevel;
  readonly place: number;
  readonly slots: Map<string, number>; // by identity of the client
}

export function completeCall({ ops }: Batch, context: BatchContext): BatchCall {
  const parts: Parts = {
    context,
    levels: new Map(),
    records: new Map(),
    logs: new Map(),
    slots: [0],
    operations: [],
    pieces: 0,
  };
  for (const op of ops) addOperation(parts, op);
  const { levels, records, logs, slots, operations, pieces } = parts;
  slots[0] = records.size;
  // In the order in which the script unpacks them: slots, operations, levels.
  const rows = [slots, operations, ...Array.from(levels.values(), ({ packed }) => packed.numbers)];
  const clear = (): void => {
    for (const levelInBatch of levels.values()) levelInBatch.slots.clear();
    for (const map of [levels, records, logs]) map.clear();
    for (const list of [slots, operations]) list.length = 0;
  };
  const keys = [...records.keys(), ...logs.keys()];
  return { pieces, keys, rows, reply: replyToAll, clear };
}

/** The script's number of each operation; a `take` has one for each intent. */
const CODES = {
  evaluate: 1,
  try: 2,
  spend: 3,
  give_back: 4,
  mark: 5,
  allowance: 6,
  reset: 7,
} as const;

function addOperation(parts: Parts, op: ScriptedOp): void {
  const { operations } = parts;
  const { client } = op;
  if (op.op !== "take") {
    parts.pieces |= MORE_THAN_SPENDING;
    const level = op.op === "reset" ? withSentinelMark(op.level) : op.level;
    const units = op.op === "reset" ? 1 : op.units;
    operations.push(CODES[op.op], op.atUs, units, 1, slotOf(parts, level, client));
    return;
  }
  if (op.intent === "evaluate") parts.pieces |= MORE_THAN_SPENDING;
  operations.push(CODES[op.intent], op.atUs, op.units, op.levels.length);
  for (const level of op.levels) operations.push(slotOf(parts, level, client));
}

/** A reset also removes the mark of a sentinel that used the log earlier: a reload may choose the sentinel again. */
const withSentinelMark = (level: Level): Level =>
  isLogBased(level.algorithm) && !level.traits.isBounded && !level.traits.isWrittenInBackground
    ? withAlgorithm(level, "sentinel")
    : level;

function slotOf(parts: Parts, level: Level, client: Client): number {
  const { levels, slots, context } = parts;
  let levelInBatch = levels.get(level);
  if (levelInBatch === undefined) {
    const packed = context.pack(level);
    levels.set(level, (levelInBatch = { packed, place: levels.size + 1, slots: new Map() }));
    parts.pieces |= packed.form.pieces;
  }
  const { packed, place } = levelInBatch;
  const identity = packed.isForAll ? "" : budgetClient(level.budget, client).identity;
  let slot = levelInBatch.slots.get(identity);
  if (slot === undefined) {
    const stem = keyStem(context.prefix, level, client);
    const { record, log, isReadAtOnce } = packed.form;
    const recordAt = record === null ? 0 : placeOf(parts.records, stem + record);
    slots.push(place, recordAt, log === null ? 0 : logPlaceOf(parts, stem + log, isReadAtOnce));
    levelInBatch.slots.set(identity, (slot = (slots.length - 1) / 3));
  }
  return slot;
}

const logPlaceOf = ({ records, logs }: Parts, key: string, isReadAtOnce: boolean): number =>
  isReadAtOnce ? -placeOf(records, key) : placeOf(logs, key);

function placeOf(keys: Map<string, number>, key: string): number {
  let place = keys.get(key);
  if (place === undefined) keys.set(key, (place = keys.size + 1));
  return place;
}

/** The first number of a short reply. A reply is short if it admits, without quota and allowance. */
const IS_SHORT = -2;
const SHORT = 4;
const LONG = 10; // numbers of a long reply before the changes of its allowance
const CHANGE = 4;

function replyToAll(bytes: Uint8Array, { ops, onReplies }: Batch): void {
  const numbers = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const number = (place: number): number => numbers.getFloat64(place * 8, true);
  let at = 0;
  for (let i = 0; i < ops.length; i++) {
    const reply = emptyReply();
    if (number(at) === IS_SHORT) {
      reply.shown = number(at + 1);
      reply.limit = levelsOf(ops[i]!)[reply.shown]!.capacity;
      reply.remaining = number(at + 2);
      reply.resetUs = number(at + 3);
      at += SHORT;
      onReplies[i]!(reply);
      continue;
    }
    reply.refusedBy = number(at);
    if (reply.refusedBy < 0) reply.delayUs = number(at + 1);
    else reply.waitUs = number(at + 1);
    reply.shown = number(at + 2);
    reply.limit = number(at + 3);
    reply.remaining = number(at + 4);
    reply.resetUs = number(at + 5);
    reply.allowance = number(at + 6);
    reply.quotaLeft = number(at + 7);
    reply.quotaAtApiLeft = number(at + 8);
    const moved = number(at + 9);
    at += LONG;
    if (moved > 0) reply.changes = changesAt(ops[i]!, number, at, moved);
    at += moved * CHANGE;
    onReplies[i]!(reply);
  }
}

const levelsOf = (op: ScriptedOp): readonly Level[] => (op.op === "take" ? op.levels : [op.level]);

const changesAt = (
  op: ScriptedOp,
  number: (place: number) => number,
  from: number,
  moved: number,
): Reply["changes"] =>
  Array.from({ length: moved }, (_, i) => {
    const at = from + i * CHANGE;
    return {
      level: levelsOf(op)[number(at)]!,
      change: {
        event: number(at + 1) > 0 ? "RateLimitSmoothingUp" : "RateLimitSmoothingDown",
        atUs: micros(number(at + 2)),
        allowance: number(at + 3) / MILLIONTHS,
      },
    };
  });
