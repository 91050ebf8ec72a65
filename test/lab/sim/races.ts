// Short races: requests for the same budget, and how many at a time.
import { perform, type MemoryStore } from "#src/limiter/store/memory.ts";
import type { Level, Reply, StoreOp } from "#src/limiter/core/store.ts";
import { secondsToMicros } from "#src/kit/units.ts";
import { inSteps, interleave, type RacingRequest, type Explored, type Race } from "./interleave.ts";
import { configurationOf } from "../../limiter/core/limiters.ts";

export interface Parts {
  readonly limit: object;
  readonly gateway?: object;
  readonly api?: object;
  readonly before?: readonly number[]; // seconds
  readonly calls: readonly number[];
  readonly targets?: readonly string[]; // of the calls, if they have to differ
  readonly together?: number;
  readonly answering?: Race["answering"];
}

const call = (seconds: number, target = "/orders"): RacingRequest => ({
  request: { method: "GET", target, credential: "alice" },
  atUs: secondsToMicros(seconds),
});

export function race(parts: Parts): Explored {
  const { limit, gateway = {}, api = {}, before = [], calls, targets = [] } = parts;
  return interleave({
    configuration: configurationOf({
      apis: { orders: { listen: "/orders", ...api } },
      keys: { alice: { apis: ["orders"], ...limit } },
      gateway,
    }),
    before: before.map((seconds) => call(seconds)),
    calls: calls.map((seconds, index) => call(seconds, targets[index])),
    together: parts.together ?? calls.length,
    answering: parts.answering ?? inSteps,
  });
}

/** Evaluates in one step and counts in the next, like a limiter that reads a count and writes it back. */
export function* inTwoSteps(store: MemoryStore, op: StoreOp): Generator<string, Reply> {
  if (op.op !== "take") return yield* inSteps(store, op);
  yield "look";
  const judged = perform(store, { ...op, intent: "evaluate" });
  yield `count ${judged.refusedBy}`;
  if (judged.refusedBy < 0) perform(store, { ...op, levels: op.levels.map(boundless) });
  return judged;
}

const boundless = (level: Level): Level => ({ ...level, capacity: 1_000, burst: 1_000 });
