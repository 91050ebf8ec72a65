// A batch in which every operation spends from one bounded log without smoothing. The script returns three numbers for
// each operation, ordered by log.
import { emptyReply, type Reply } from "../core/store.ts";
import { ONLY_SINGLE_ROWS } from "./lua/script.ts";
import type { Batch, BatchCall, BatchContext } from "./redis-batch.ts";
import { singleOperations } from "./redis-single.ts";

const NUMBERS = 3; // numbers of one reply

export function singleRowsCall(batch: Batch, context: BatchContext): BatchCall | null {
  const single = singleOperations(
    batch,
    context,
    ({ traits, rule }, intent) => traits.isBounded && rule === null && intent === "spend",
    ({ capacity }) => capacity,
  );
  if (single === null) return null;
  const { keys, times, rows, groupOf, budgetOf, clear } = single;
  return {
    pieces: ONLY_SINGLE_ROWS,
    keys,
    rows,
    reply: (bytes, { onReplies }) => {
      const numbers = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const next = firstReplies(keys.length, times);
      for (let i = 0; i < onReplies.length; i++) {
        const at = next[budgetOf(i)]!++ * NUMBERS * 8;
        onReplies[i]!(replyAt(numbers, at, groupOf(i).level.capacity));
      }
    },
    clear,
  };
}

/** The index of each budget's first reply. */
function firstReplies(budgets: number, times: readonly number[]): Uint32Array {
  const first = new Uint32Array(budgets);
  for (let i = 1; i < budgets; i++) first[i] = first[i - 1]! + (times[i - 1] ?? 1);
  return first;
}

function replyAt(numbers: DataView, at: number, capacity: number): Reply {
  const reply = emptyReply();
  reply.waitUs = numbers.getFloat64(at, true);
  if (reply.waitUs > 0) reply.refusedBy = 0;
  reply.shown = 0;
  reply.limit = capacity;
  reply.remaining = numbers.getFloat64(at + 8, true);
  reply.resetUs = numbers.getFloat64(at + 16, true);
  return reply;
}
