// Virtual time over a real store. The simulator cannot wait, so it runs over memory, and the real store then performs
// the same operations in the same order. If every reply is the same, every decision would have been the same, so the
// history is valid for both.
import { isDeepStrictEqual } from "node:util";
import { budgetName } from "../../limiter/core/budget.ts";
import type { Client } from "../../limiter/core/client.ts";
import {
  hasFailed,
  type StoreResult,
  type Level,
  type LogCommand,
  type Reply,
  type StoreOp,
} from "../../limiter/core/store.ts";
import { micros, SECOND } from "../../kit/units.ts";
import type { History } from "../scenario/history.ts";
import type { Plan, Variant } from "../scenario/types.ts";
import { EPOCH_US } from "../sim/engine.ts";
import type { Turn } from "../sim/store-state.ts";
import { keysOf } from "../../limiter/store/redis-level.ts";
import { redisStore, type RedisStore } from "../../limiter/store/redis.node.ts";
import { playVariant } from "./virtual.node.ts";

export interface Replayed {
  readonly history: History;
  readonly operations: number;
  readonly difference: Difference | null; // the first difference
}

export interface Difference {
  readonly operation: string;
  readonly expected: string; // reply of memory
  readonly observed: string; // reply of the store
}

export interface ReplayStore {
  readonly play: (variant: Variant, plan: Plan) => Promise<Replayed>;
  readonly close: () => Promise<void>;
}

/** Uses keys under its own prefix. They are deleted after the run, and expire after an hour in any case. */
export function replayStore(url: string, prefix: string): ReplayStore {
  const expiry = { marginMs: HOUR_MS, longestMs: HOUR_MS };
  const store = redisStore({ url, prefix, expiry });
  return {
    play: async (variant, plan) => {
      const why = await store.connect(REACH_MS);
      const done: Done[] = [];
      const history = await playVariant(variant, plan, {
        onPerformed: (turn, reply) => void done.push({ turn, reply }),
        onRestarted: () => void done.push("restart"),
      });
      try {
        const difference = why === null ? await replay(store, prefix, done) : unreachableStore(why);
        return { history, operations: done.length, difference };
      } finally {
        await forget(store, prefix, done);
      }
    },
    close: () => store.close(),
  };
}

const unreachableStore = (why: string): Difference => ({
  operation: "connect to the store",
  expected: "a response",
  observed: why,
});

const HOUR_MS = 3_600_000;
const REACH_MS = 5_000;
const ANSWER_US = micros(30 * SECOND);

type Done = { readonly turn: Turn; readonly reply: Reply } | "restart";

const AT_A_TIME = 10_000; // the most operations in flight, to save memory: each is in memory twice

async function replay(
  store: RedisStore,
  prefix: string,
  done: readonly Done[],
): Promise<Difference | null> {
  let next = 0;
  while (next < done.length) {
    const one = done[next]!;
    if (one === "restart") {
      await forget(store, prefix, done.slice(0, next));
      next++;
      continue;
    }
    const sent: Exclude<Done, "restart">[] = [];
    const answers: Promise<StoreResult>[] = [];
    for (; next < done.length && sent.length < AT_A_TIME; next++) {
      const each = done[next]!;
      if (each === "restart") break;
      sent.push(each);
      answers.push(resultOf(store, each.turn));
    }
    const first = next - sent.length;
    for (const [index, answer] of (await Promise.all(answers)).entries()) {
      const { turn, reply } = sent[index]!;
      if (!isDeepStrictEqual(answer, reply)) return difference(first + index, turn, reply, answer);
    }
  }
  return null;
}

/** Deletes every key that these operations may have written. */
async function forget(store: RedisStore, prefix: string, done: readonly Done[]): Promise<void> {
  const clients = new Map<Level, Set<Client>>();
  for (const one of done) {
    if (one === "restart") continue;
    for (const level of levelsOf(one.turn))
      clients.set(level, (clients.get(level) ?? new Set()).add(one.turn.client));
  }
  const keys = new Set(
    [...clients].flatMap(([level, all]) =>
      [...all].flatMap((client) => keysOf(prefix, level, client)),
    ),
  );
  await Promise.all([...keys].map((key) => store.connection.unlink(key)));
}

const levelsOf = (turn: Turn): readonly Level[] =>
  turn.op === "take" ? turn.levels : [turn.level];

const resultOf = (store: RedisStore, turn: Turn): Promise<StoreResult> =>
  new Promise((resolve) => store.send(asOperation(turn), ANSWER_US, resolve));

/** A command becomes a pipeline of one. Commands are recorded one by one: other operations may run between them. */
const asOperation = (turn: Turn): StoreOp =>
  isCommand(turn) ? { op: "pipeline", commands: [turn] } : turn;

const isCommand = (turn: Turn): turn is LogCommand =>
  ["prune", "count", "add", "expire"].includes(turn.op);

function difference(index: number, turn: Turn, reply: Reply, answer: StoreResult): Difference {
  const intent = turn.op === "take" ? ` (${turn.intent})` : "";
  const about = levelsOf(turn)
    .map((level) => nameOfBudget(level, turn.client))
    .join(" and ");
  const atUs = turn.atUs - EPOCH_US;
  return {
    operation: `operation ${index + 1}, ${turn.op}${intent} of ${about} at ${atUs} us`,
    expected: formatResult(reply),
    observed: formatResult(answer),
  };
}

const nameOfBudget = ({ budget, algorithm }: Level, client: Client): string =>
  `${budgetName(budget, client)} by ${algorithm}`;

function formatResult(answer: StoreResult): string {
  if (hasFailed(answer)) return `nothing (${answer.failed})`;
  const { changes, ...numbers } = answer;
  const moves = changes.map(({ change }) => `${change.event} to ${change.allowance}`);
  return [...Object.entries(numbers).map(([name, value]) => `${name} ${value}`), ...moves].join(
    ", ",
  );
}
