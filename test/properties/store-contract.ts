// What any store must do: reply as the memory store does, operation by operation.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Client } from "#src/limiter/core/client.ts";
import { ALGORITHMS } from "#src/limiter/core/algorithms.ts";
import { prepare } from "#src/limiter/core/limiter.ts";
import { performNow } from "#src/limiter/core/sequence.ts";
import { SECOND, micros } from "#src/kit/units.ts";
import type { StoreResult, Level, LogCommand, StoreOp } from "#src/limiter/core/store.ts";
import { GRID_US } from "#src/studies/swarm/arbitrary/moments.ts";
import {
  BUSY,
  traffic,
  type SentRequest,
  type TrafficParts,
} from "#src/studies/swarm/arbitrary/traffic.ts";
import {
  RICH,
  world,
  type RawWorld,
  type WorldParts,
} from "#src/studies/swarm/arbitrary/worlds.ts";
import { localStore, memoryStore } from "#src/limiter/store/memory.ts";
import type { RemoteStore } from "#src/limiter/store/remote.ts";
import { rig, send, type Rig } from "./rig.ts";
import { holdsLater } from "../runs.ts";

/** A store under test, opened once for all its tests. */
export interface TestedStore extends Pick<RemoteStore, "send"> {
  /** Deletes every counter. */
  readonly clear: () => Promise<void>;
}

/** An operation that a request may send to a store, at any time, and those that may follow from it later. */
interface Turn {
  readonly world: number; // before or after a reload: the same budgets under other limits
  readonly what:
    | "spend"
    | "try"
    | "evaluate"
    | "give_back"
    | "reset"
    | "mark"
    | "allowance"
    | "pipeline";
  readonly level: number;
  readonly skewUs: number;
  readonly backUs: number; // how long ago what is given back was taken
  readonly units: number;
}

const turn = fc.record<Turn>({
  world: fc.constantFrom(0, 0, 0, 1),
  what: fc.constantFrom(
    "spend",
    "spend",
    "spend",
    "try",
    "evaluate",
    "give_back",
    "reset",
    "mark",
    "allowance",
    "pipeline",
  ),
  level: fc.nat(2),
  units: fc.constantFrom(1, 1, 1, 1, 2, 3, 7),
  skewUs: fc.integer({ min: -GRID_US, max: GRID_US }),
  backUs: fc.constantFrom(0, 0, GRID_US, 2 * GRID_US, 4 * GRID_US),
});

/** One key that is always about to be refused. */
const EDGE: TrafficParts = { most: 60, longestGap: 3, clients: ["alice"], paths: ["/orders"] };

const isLog = ({ algorithm }: Level): boolean =>
  ["sliding_log", "non_transactional", "sentinel", "bounded_log"].includes(algorithm);
const isSet = (level: Level): boolean => isLog(level) && level.algorithm !== "bounded_log";

function operation(
  levels: readonly Level[],
  sender: Client,
  { what, level: place, backUs, units }: Turn,
  atUs: ReturnType<typeof micros>,
): StoreOp {
  const one = levels[place % levels.length]!;
  const about = { level: one, client: sender, atUs, units };
  const command = (op: LogCommand["op"]): LogCommand => ({ op, ...about });
  if (what === "give_back") return { op: "give_back", ...about, atUs: micros(atUs - backUs) };
  if (what === "reset") return { op: "reset", ...about };
  if (what === "mark" && one.algorithm === "sentinel") return { op: "mark", ...about };
  if (what === "allowance" && one.rule !== null && isLog(one)) return { op: "allowance", ...about };
  if (what === "pipeline" && isSet(one))
    return {
      op: "pipeline",
      commands: [command("prune"), command("count"), command("add"), command("expire")],
    };
  const intent = what === "try" || what === "evaluate" ? what : "spend";
  return { op: "take", levels, client: sender, atUs, intent, units };
}

/** The operations of the requests of a run, in order; `rigs` know the levels of each request. */
function operations(
  rigs: readonly Rig[],
  requests: readonly SentRequest[],
  turns: readonly Turn[],
): readonly StoreOp[] {
  const clients = new Map<string, Client>();
  return requests.flatMap((sending, i) => {
    const one = turns[i % turns.length]!;
    const on = rigs[one.world]!;
    const { resolved, client } = send(on, {
      ...sending,
      atUs: sending.atUs + GRID_US + one.skewUs,
    });
    if (resolved === null) return [];
    const { levels } = prepare(on.gateway.limiter, resolved, on.nowUs);
    if (levels.length === 0) return [];
    const sender = clients.get(client.identity) ?? client;
    clients.set(client.identity, sender);
    return [operation(levels, sender, one, on.nowUs)];
  });
}

/** As its decimal text would have it. */
const plus = (rate: number, by: number): number =>
  Math.max(1, Math.round((rate + by) * 1_000_000) / 1_000_000);

/** Other rules for the same record: a lower threshold, and another hold-off (SMO-C6). */
function changeSmoothing(smoothing: unknown, by: number): unknown {
  const { threshold, delay, ...more } = smoothing as { threshold: number; delay: number };
  const lower = Math.round(threshold * 750_000) / 1_000_000;
  return by % 2 === 0
    ? smoothing
    : { ...more, threshold: lower, delay: by > 0 ? 3 * delay : delay };
}

/** The same world with other rates, and so with the same budgets; `algorithm` null: counted as before. */
function reload(raw: RawWorld, by: number, algorithm: string | null): RawWorld {
  const changed = JSON.parse(JSON.stringify(raw), (name, value: unknown) => {
    if (name === "quota_max" && typeof value === "number" && value > 0) return value + 1;
    if (typeof value !== "object" || value === null || !("rate" in value)) return value;
    const rate =
      typeof value.rate === "number" && value.rate > 0 ? plus(value.rate, by) : value.rate;
    const isSmoothed = "smoothing" in value;
    const next = { ...value, rate: isSmoothed && by < 0 ? value.rate : rate };
    return isSmoothed ? { ...next, smoothing: changeSmoothing(value.smoothing, by) } : next;
  }) as RawWorld;
  return algorithm === null ? changed : { ...changed, gateway: { ...changed.gateway, algorithm } };
}

const TIMEOUT_US = micros(30 * SECOND);

/** All at once, so that a run goes out as one script call, or as few, with the pipelines between them. */
export const repliesAsMemory = (
  store: () => TestedStore,
  parts: WorldParts,
  sent: TrafficParts,
  then: string | null = null,
) =>
  fc.asyncProperty(
    world(parts),
    fc.integer({ min: -3, max: 4 }),
    traffic(sent),
    fc.array(turn, { minLength: 1, maxLength: 60 }),
    async (raw, by, requests, turns) => {
      await store().clear();
      const ops = operations([rig(raw), rig(reload(raw, by, then))], requests, turns);
      const memory = localStore(memoryStore(), memoryStore());
      const expected = ops.map((op) => performNow(memory, op));
      const reply = (op: StoreOp): Promise<StoreResult> =>
        new Promise((resolve) => store().send(op, TIMEOUT_US, resolve));
      expect(await Promise.all(ops.map(reply))).toEqual(expected);
    },
  );

const LOGS = ["sliding_log", "sentinel", "non_transactional", "bounded_log"] as const;

/** The tests that a store has to pass; `store` is called inside a test, when it has been opened. */
export function testStore(store: () => TestedStore): void {
  const replies = (parts: WorldParts, sent: TrafficParts, then: string | null = null) =>
    repliesAsMemory(store, parts, sent, then);

  test.each(ALGORITHMS)("%s", async (algorithm) => {
    await holdsLater(replies({ ...RICH, algorithms: [algorithm] }, BUSY), 100);
    await holdsLater(replies({ ...RICH, algorithms: [algorithm], endpoints: false }, EDGE), 100);
  });

  test("at the edge of one budget, with an allowance that is seldom an integer", async () => {
    await holdsLater(replies({ ...RICH, algorithms: LOGS, smoothing: "coarse" }, EDGE), 200);
    await holdsLater(replies({ ...RICH, algorithms: LOGS, smoothing: "fine" }, EDGE), 200);
  });

  test("after silences in which allowances fall and records end", async () => {
    const seldom = { ...EDGE, longestGap: 40 };
    await holdsLater(replies({ ...RICH, algorithms: LOGS, smoothing: "coarse" }, seldom), 150);
    await holdsLater(replies({ ...RICH, algorithms: LOGS, smoothing: "fine" }, seldom), 150);
  });

  test("when one log is written by the sentinel and by others", async () => {
    const logs = ["sliding_log", "non_transactional"] as const;
    await holdsLater(replies({ ...RICH, algorithms: logs }, BUSY, "sentinel"), 150);
  });
}
