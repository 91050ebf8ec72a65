import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/core/client.ts";
import { ALGORITHMS } from "../../src/core/algorithms.ts";
import { prepare } from "../../src/core/limiter.ts";
import { performNow } from "../../src/core/sequence.ts";
import { SECOND, micros } from "../../src/core/units.ts";
import type { StoreResult, Level, LogCommand, StoreOp } from "../../src/core/store.ts";
import { GRID_US } from "../../src/experiments/swarm/arbitrary/moments.ts";
import {
  BUSY,
  traffic,
  type Sending,
  type TrafficParts,
} from "../../src/experiments/swarm/arbitrary/traffic.ts";
import {
  RICH,
  world,
  type RawWorld,
  type WorldParts,
} from "../../src/experiments/swarm/arbitrary/worlds.ts";
import { atHand, memoryStore } from "../../src/store/memory.ts";
import { redisStore, type RedisStore } from "../../src/store/redis.node.ts";
import { startRedis, type RedisServer } from "../redis/server.ts";
import { redisIsThere } from "../redis/there.ts";
import { rig, send, type Rig } from "./rig.ts";
import { holdsLater, PATIENT } from "../runs.ts";

let server: RedisServer;
let store: RedisStore;

/** What one request may ask of a store, and what may come of it later: any of it, at any time. */
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
  skewUs: fc.integer({ min: -GRID_US, max: GRID_US }),
  backUs: fc.constantFrom(0, 0, GRID_US, 2 * GRID_US, 4 * GRID_US),
});

/** One key that is always about to be refused. */
const EDGE: TrafficParts = { most: 60, longestGap: 3, who: ["alice"], where: ["/orders"] };

const isLog = ({ algorithm }: Level): boolean =>
  ["sliding_log", "non_transactional", "sentinel", "bounded_log"].includes(algorithm);
const isSet = (level: Level): boolean => isLog(level) && level.algorithm !== "bounded_log";

function operation(
  levels: readonly Level[],
  asking: Client,
  { what, level: place, backUs }: Turn,
  atUs: ReturnType<typeof micros>,
): StoreOp {
  const one = levels[place % levels.length]!;
  const about = { level: one, client: asking, atUs };
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
  return { op: "take", levels, client: asking, atUs, intent };
}

/** What the requests of a run ask, in order, by whoever knows which levels they meet. */
function operations(
  rigs: readonly Rig[],
  requests: readonly Sending[],
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
    const asking = clients.get(client.identity) ?? client;
    clients.set(client.identity, asking);
    return [operation(levels, asking, one, on.nowUs)];
  });
}

/** As its decimal text would have it. */
const plus = (rate: number, by: number): number =>
  Math.max(1, Math.round((rate + by) * 1_000_000) / 1_000_000);

/** Other rules for the same record: a lower threshold, and another hold-off (SMO-C6). */
function resmoothed(smoothing: unknown, by: number): unknown {
  const { threshold, delay, ...more } = smoothing as { threshold: number; delay: number };
  const lower = Math.round(threshold * 750_000) / 1_000_000;
  return by % 2 === 0
    ? smoothing
    : { ...more, threshold: lower, delay: by > 0 ? 3 * delay : delay };
}

/** The same world with other rates, and so with the same budgets; `algorithm` null: counted as before. */
function reloaded(raw: RawWorld, by: number, algorithm: string | null): RawWorld {
  const changed = JSON.parse(JSON.stringify(raw), (name, value: unknown) => {
    if (name === "quota_max" && typeof value === "number" && value > 0) return value + 1;
    if (typeof value !== "object" || value === null || !("rate" in value)) return value;
    const rate =
      typeof value.rate === "number" && value.rate > 0 ? plus(value.rate, by) : value.rate;
    const isSmoothed = "smoothing" in value;
    const next = { ...value, rate: isSmoothed && by < 0 ? value.rate : rate };
    return isSmoothed ? { ...next, smoothing: resmoothed(value.smoothing, by) } : next;
  }) as RawWorld;
  return algorithm === null ? changed : { ...changed, gateway: { ...changed.gateway, algorithm } };
}

const TIMEOUT_US = micros(30 * SECOND);
const ask = (op: StoreOp): Promise<StoreResult> =>
  new Promise((hear) => store.ask(op, TIMEOUT_US, hear));

/** All at once, so that a run goes out as one script call, or as few, with the pipelines between them. */
const alike = (parts: WorldParts, who: TrafficParts, then: string | null = null) =>
  fc.asyncProperty(
    world(parts),
    fc.integer({ min: -3, max: 4 }),
    traffic(who),
    fc.array(turn, { minLength: 1, maxLength: 60 }),
    async (raw, by, requests, turns) => {
      await store.connection.flushall();
      const ops = operations([rig(raw), rig(reloaded(raw, by, then))], requests, turns);
      const memory = atHand(memoryStore(), memoryStore());
      const want = ops.map((op) => performNow(memory, op));
      expect(await Promise.all(ops.map(ask))).toEqual(want);
    },
  );

describe.skipIf(!redisIsThere)(
  "Redis answers as memory does, operation by operation: takes of several levels, give backs, marks, allowances, pipelines (LIM-C1, ALG-C3 to C9, SMO, HDR-C1, HDR-C2)",
  PATIENT,
  () => {
    beforeAll(async () => {
      server = await startRedis();
      store = redisStore({ url: server.url });
      await store.reached(5_000);
    });
    afterAll(async () => {
      await store.close();
      await server.stop();
    });

    test.each(ALGORITHMS)("%s", async (algorithm) => {
      await holdsLater(alike({ ...RICH, algorithms: [algorithm] }, BUSY), 100);
      await holdsLater(alike({ ...RICH, algorithms: [algorithm], endpoints: false }, EDGE), 100);
    });

    test("at the edge of one budget, with an allowance that is seldom whole", async () => {
      const logs = ["sliding_log", "sentinel", "non_transactional", "bounded_log"] as const;
      await holdsLater(alike({ ...RICH, algorithms: logs, smoothing: "coarse" }, EDGE), 200);
      await holdsLater(alike({ ...RICH, algorithms: logs, smoothing: "fine" }, EDGE), 200);
    });

    test("after silences in which allowances fall and records end", async () => {
      const logs = ["sliding_log", "sentinel", "non_transactional", "bounded_log"] as const;
      const seldom = { ...EDGE, longestGap: 40 };
      await holdsLater(alike({ ...RICH, algorithms: logs, smoothing: "coarse" }, seldom), 150);
      await holdsLater(alike({ ...RICH, algorithms: logs, smoothing: "fine" }, seldom), 150);
    });

    test("when one log is written by the sentinel and by others", async () => {
      const logs = ["sliding_log", "non_transactional"] as const;
      await holdsLater(alike({ ...RICH, algorithms: logs }, BUSY, "sentinel"), 150);
    });
  },
);
