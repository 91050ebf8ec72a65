import { describe, expect, test } from "vitest";
import { recordHeartbeat } from "#src/limiter/core/fleet.ts";
import { configure, decideNow, gatewaysAt, prepare } from "#src/limiter/core/limiter.ts";
import { micros, SECOND } from "#src/kit/units.ts";
import { atUs, decide, limiterOf, met, resolverOf } from "./limiters.ts";

const world = (gateway: object, keys: object, more: object = {}) => ({
  apis: { orders: { listen: "/orders", ...more } },
  keys,
  gateway,
});

const key = (rate: number, more: object = {}) => ({ apis: ["orders"], rate, per: 10, ...more });

describe("evaluating every level before any is spent (LIM-C1, LIM-2)", () => {
  test.each(["fixed_window", "sliding_log", "token_bucket", "sentinel", "drl"])(
    "%s: a client refused by its own limit spends nothing from the API",
    (algorithm) => {
      const raw = world({ algorithm }, { alice: key(1), bob: key(5) }, { rate: 3, per: 10 });
      const { limiter } = limiterOf(raw);
      const senders = ["alice", "alice", "alice", "alice", "bob", "bob", "bob"];
      const answers = senders.map((sender) => decide(limiter, 0, sender));
      const refusals = answers.map(({ refused, level }) => refused && level?.budget.scope);
      expect(refusals).toEqual([null, "key", "key", "key", null, null, "api"]);
    },
  );

  test("where the API refuses, its refusal is the answer and the key keeps its budget", () => {
    const raw = world(
      { algorithm: "fixed_window" },
      { alice: key(1), bob: key(1) },
      { rate: 1, per: 5 },
    );
    const { limiter } = limiterOf(raw);
    expect(decide(limiter, 0, "bob").refused).toBeNull();
    expect(decide(limiter, 1, "alice")).toMatchObject({
      refused: "rate",
      level: { budget: { scope: "api" } },
      retryAfterUs: 4 * SECOND,
    });
    expect(decide(limiter, 5, "alice").refused).toBeNull();
  });

  test("key first, each is spent as it admits, as upstream does it", () => {
    const gateway = { algorithm: "fixed_window", limit_order: "key_first" };
    const raw = world(gateway, { alice: key(1), bob: key(1) }, { rate: 1, per: 5 });
    const { limiter } = limiterOf(raw);
    decide(limiter, 0, "bob");
    expect(decide(limiter, 1, "alice").level?.budget.scope).toBe("api");
    expect(decide(limiter, 5, "alice").level?.budget.scope).toBe("key"); // spent at 1 s
  });

  test("Retry-After is the longest wait of all levels that refuse (HDR-C1)", () => {
    const raw = world({ algorithm: "fixed_window" }, { alice: key(1) }, { rate: 1, per: 5 });
    const { limiter } = limiterOf(raw);
    decide(limiter, 0, "alice");
    expect(decide(limiter, 1, "alice")).toMatchObject({
      level: { budget: { scope: "api" } },
      retryAfterUs: 9 * SECOND,
    });
  });
});

describe("the intent", () => {
  test.each(["sliding_log", "sentinel"])(
    "%s: an evaluation writes nothing, whatever the decision",
    (algorithm) => {
      const { limiter } = limiterOf(world({ algorithm }, { alice: key(2) }));
      decide(limiter, 0, "alice");
      for (let i = 0; i < 5; i++)
        expect(decide(limiter, 1, "alice", "/", "evaluate").refused).toBeNull();
      expect(decide(limiter, 1, "alice").refused).toBeNull();
      for (let i = 0; i < 5; i++)
        expect(decide(limiter, 2, "alice", "/", "evaluate").retryAfterUs).toBe(8 * SECOND);
    },
  );

  test.each(["sliding_log", "bounded_log", "sentinel"])(
    "%s: a try that the key refuses is not written, because it comes again (LIM-C9)",
    (algorithm) => {
      const { limiter } = limiterOf(world({ algorithm }, { alice: key(1) }));
      decide(limiter, 0, "alice");
      for (let i = 1; i < 10; i++)
        expect(decide(limiter, i, "alice", "/", "try").refused).toBe("rate");
      expect(decide(limiter, 10, "alice", "/", "try").refused).toBeNull();
    },
  );

  test("a try that the API refuses is written there, because that ends it", () => {
    const raw = world({ algorithm: "sliding_log" }, { alice: key(9) }, { rate: 1, per: 10 });
    const { limiter } = limiterOf(raw);
    decide(limiter, 0, "alice");
    decide(limiter, 9, "alice", "/", "try");
    expect(decide(limiter, 10, "alice").refused).toBe("rate");
  });
});

describe("nothing limits", () => {
  test.each([
    ["no limit anywhere", { alice: { apis: ["orders"] } }, {}],
    ["an unlimited key (LIM-C10)", { alice: key(-1) }, {}],
    ["an API without rate limits (LIM-9)", { alice: key(0) }, { disable_rate_limit: true }],
  ])("%s", (_, keys, more) => {
    const { limiter } = limiterOf(world({}, keys, more));
    expect(decide(limiter, 0, "alice")).toMatchObject({ refused: null, level: null, limit: -1 });
  });
});

describe("a quota (LIM-C9)", () => {
  const alice = key(2, { per: 1, quota_max: 3, quota_renewal_rate: 60 });

  test("counts admitted requests only, and refuses as quota", () => {
    const { limiter } = limiterOf(world({}, { alice }));
    const refusals = [0, 0, 0, 10, 20].map((seconds) => decide(limiter, seconds, "alice").refused);
    expect(refusals).toEqual([null, null, "rate", null, "quota"]);
    expect(decide(limiter, 20, "alice").retryAfterUs).toBe(40 * SECOND);
  });

  test("counts where the rate is switched off (LIM-C12)", () => {
    const { limiter } = limiterOf(world({}, { alice }, { disable_rate_limit: true }));
    const refusals = [0, 0, 0, 0].map((seconds) => decide(limiter, seconds, "alice").refused);
    expect(refusals).toEqual([null, null, null, "quota"]);
  });

  test("is counted in the store, whatever counts the rate (ALG-C4)", () => {
    const { limiter } = limiterOf(world({ algorithm: "drl" }, { alice }));
    const { levels } = prepare(limiter, met(limiter, "alice").resolved, atUs(0));
    expect(levels.map(({ algorithm, place }) => `${algorithm} ${place}`)).toEqual([
      "drl gateway",
      "fixed_window store",
    ]);
  });
});

describe("the number of gateways acts on the next request (ALG-1, ALG-C4)", () => {
  const raw = world({ drl_threshold: 2 }, { alice: { apis: ["orders"], rate: 10, per: 1 } });

  test("five gateways at 10 a second count in the store, four share", () => {
    const { limiter } = limiterOf(raw);
    const algorithmAt = (seconds: number): string =>
      decide(limiter, seconds, "alice").level!.algorithm;
    const expiryUs = micros(4 * SECOND);
    for (const other of ["b", "c", "d"]) recordHeartbeat(limiter.fleet, other, atUs(1), expiryUs);
    expect(algorithmAt(1)).toBe("drl");
    recordHeartbeat(limiter.fleet, "e", atUs(2), expiryUs);
    expect(gatewaysAt(limiter, atUs(2))).toBe(5);
    expect(algorithmAt(2)).toBe("sliding_log");
    expect(algorithmAt(5)).toBe("drl"); // the heartbeats of three are 4 s old
    expect(gatewaysAt(limiter, atUs(6))).toBe(1);
  });
});

describe("a new configuration (MGT-C5)", () => {
  test("governs the next request, and finds what was spent", () => {
    const { limiter } = limiterOf(world({ algorithm: "fixed_window" }, { alice: key(1) }));
    decide(limiter, 0, "alice");
    expect(decide(limiter, 0, "alice").refused).toBe("rate");
    configure(limiter, resolverOf(world({ algorithm: "fixed_window" }, { alice: key(2) })));
    expect(decide(limiter, 0, "alice").refused).toBeNull();
    expect(decide(limiter, 0, "alice").refused).toBe("rate");
  });

  test("is not disturbed by a request that waited through the change", () => {
    const before = world({}, { alice: key(1) });
    const { limiter } = limiterOf(before);
    const { resolved, client } = met(limiter, "alice");
    configure(limiter, resolverOf(world({}, { bob: key(7) })));
    expect(decide(limiter, 0, "bob").limit).toBe(7);
    expect(
      decideNow(limiter, prepare(limiter, resolved, atUs(0)), client, atUs(0), "spend", 1).limit,
    ).toBe(1);
    expect(decide(limiter, 0, "bob").limit).toBe(7);
  });
});
