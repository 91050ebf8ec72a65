// A batch in which every operation spends from one count. The script counts all operations of a budget in one step and
// returns its old record; from that, each reply is computed by the rule of counts in memory.
import { countAt, COUNTER_WIDTH, endUs, spend, wait } from "../algorithms/fixed-window/rule.ts";
import { emptyReply, type Reply } from "../core/store.ts";
import { ONLY_SINGLE_COUNTS } from "./lua/script.ts";
import type { Batch, BatchCall, BatchContext } from "./redis-batch.ts";
import { singleOperations, type Group } from "./redis-single.ts";

export function singleCountsCall(batch: Batch, context: BatchContext): BatchCall | null {
  const single = singleOperations(
    batch,
    context,
    ({ traits }, intent) => traits.state === "counter" && intent !== "evaluate",
    ({ startsAtClock }) => Number(startsAtClock),
  );
  if (single === null) return null;
  const { keys, rows, groupOf, budgetOf, clear } = single;
  return {
    pieces: ONLY_SINGLE_COUNTS,
    keys,
    rows,
    reply: (bytes, { onReplies }) => {
      const records = recordsIn(bytes, keys.length);
      for (let i = 0; i < onReplies.length; i++)
        onReplies[i]!(replyFrom(records, budgetOf(i), groupOf(i)));
    },
    clear,
  };
}

/** The bytes of each record, unless the count of some record needs more: then all records are longer. */
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

/** The reply that take.ts would give if this count is the only level. */
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
