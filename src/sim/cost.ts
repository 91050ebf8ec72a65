// What operations would cost a store on the network. One table: round trips and commands are counted,
// not measured, so that a scenario can assert them exactly (ALG-5, ALG-6, ALG-9, ALG-11).
import type { Algorithm, GatewayOptions } from "../core/config.ts";
import type { Prepared } from "../core/limiter.ts";
import type { Level, StoreOp } from "../core/store.ts";

export interface OperationCost {
  readonly commands: number; // sent over the wire
  readonly inner: number; // run inside scripts and transactions
}

/** Commands that one level needs inside the atomic step, as a script or between MULTI and EXEC. */
const INNER: Readonly<Record<Algorithm, number>> = {
  fixed_window: 2, // INCR, PEXPIRE
  drl: 0,
  sliding_log: 4, // ZREMRANGEBYSCORE, ZCARD, ZADD, PEXPIRE
  non_transactional: 4,
  bounded_log: 3, // LRANGE, LPUSH, LTRIM
  sentinel: 1, // GET
  token_bucket: 2, // HMGET, HSET
  gcra: 2, // GET, SET
  sliding_window_counter: 3, // MGET, INCR, PEXPIRE
};

/** The write behind a sentinel's answer: the log's four, and the mark. */
const MARK = 5;

/** A is read and written. */
const ALLOWANCE = 2;

export function costOf(
  op: StoreOp,
  transaction: GatewayOptions["storeTransaction"],
): OperationCost {
  switch (op.op) {
    case "take":
      return op.intent === "ask" ? readCost(op.levels) : takeCost(op.levels, transaction);
    case "pipeline":
      return { commands: op.commands.length, inner: 0 };
    case "mark":
      return atomic(MARK, transaction);
    case "give_back":
    case "reset":
      return { commands: 1, inner: 0 };
    case "allowance":
      return atomic(ALLOWANCE, transaction);
  }
}

/** Who only asks reads, one command for each level, and nothing has to be one step with it. */
const readCost = (levels: readonly Level[]): OperationCost => ({
  commands: levels.filter(({ place }) => place === "store").length,
  inner: 0,
});

export function takeCost(
  levels: readonly Level[],
  transaction: GatewayOptions["storeTransaction"],
): OperationCost {
  const inStore = levels.filter(({ place }) => place === "store");
  if (inStore.length === 0) return { commands: 0, inner: 0 };
  const inner = inStore.reduce(
    (sum, level) => sum + INNER[level.algorithm] + (level.rule === null ? 0 : ALLOWANCE),
    0,
  );
  // A single read needs neither script nor transaction: that is what the sentinel saves.
  return inner === 1 ? { commands: 1, inner: 0 } : atomic(inner, transaction);
}

/** What a whole question costs, where it is answered at once and nothing has to be sent. */
export interface Bill {
  readonly question: OperationCost; // all levels that are asked together
  readonly before: number; // commands sent until the answer
  readonly inner: number; // and run inside them
  readonly roundTrips: number;
  readonly mark: OperationCost; // for each sentinel that writes behind the answer
}

export function billOf(
  { levels }: Pick<Prepared, "levels">,
  transaction: GatewayOptions["storeTransaction"],
): Bill {
  const pipelined = levels.filter(({ algorithm }) => algorithm === "non_transactional");
  const question = takeCost(
    levels.filter(({ algorithm }) => algorithm !== "non_transactional"),
    transaction,
  );
  const questions = [
    question,
    ...pipelined.map(() => ({ commands: INNER.non_transactional, inner: 0 })),
    ...pipelined.flatMap(({ rule }) => (rule === null ? [] : [atomic(ALLOWANCE, transaction)])),
  ].filter(({ commands }) => commands > 0);
  return {
    question,
    before: questions.reduce((sum, { commands }) => sum + commands, 0),
    inner: questions.reduce((sum, { inner }) => sum + inner, 0),
    roundTrips: questions.length,
    mark: atomic(MARK, transaction),
  };
}

/** A pipeline that has nothing left to give asks for the stamp that has to leave first. */
export const LAST_READ: OperationCost = { commands: 1, inner: 0 };

/** One script call, or the same commands between MULTI and EXEC (ALG-C7). */
const atomic = (inner: number, transaction: GatewayOptions["storeTransaction"]): OperationCost =>
  transaction === "script" ? { commands: 1, inner } : { commands: inner + 2, inner: 0 };

/**
 * Bytes that a store of Redis' kind holds: a record of its own for each budget, and in a log a
 * sorted-set member for each attempt. Model figures, from measurements with Redis 7.
 */
export const BYTES_PER_BUDGET = 100;
export const BYTES_PER_ATTEMPT = 105;
