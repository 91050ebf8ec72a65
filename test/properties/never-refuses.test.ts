import * as fc from "fast-check";
import { expect, test } from "vitest";
import { limitsThatNeverRefuse } from "#src/limiter/world/never-refuses.ts";
import { resolve, resolver, sessionOf } from "#src/limiter/core/resolve/resolver.ts";
import { readConfiguration } from "#src/limiter/world/read.ts";
import { decideNow, limiter, LOCAL_STORE_TRAITS, prepare } from "#src/limiter/core/limiter.ts";
import { micros, MILLISECOND } from "#src/kit/units.ts";
import { localStore, memoryStore } from "#src/limiter/store/memory.ts";
import { holds } from "../runs.ts";

const PATHS = ["/", "/a", "/b"];

const rate = fc.integer({ min: 0, max: 12 });
const per = fc.constantFrom(0.05, 1, 2, 2.5, 10);
const limit = fc.record({ rate, per });
const perhaps = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });
const quota = perhaps(
  fc.record({
    quota_max: fc.integer({ min: 1, max: 20 }),
    quota_renewal_rate: fc.constantFrom(1, 5, -1),
  }),
);
const endpoints = fc.uniqueArray(
  fc.record({ path: fc.constantFrom("/a", "/{x}"), method: fc.constant("GET"), rate, per }),
  { selector: ({ path }) => path, maxLength: 2 },
);

const world = fc
  .record({
    global: perhaps(limit),
    ofApi: endpoints,
    second: fc.boolean(),
    root: perhaps(limit),
    own: perhaps(limit),
    quota,
    ofOrders: quota,
    ofKey: endpoints,
    smoothed: fc.boolean(),
    algorithm: fc.constantFrom(
      "sliding_log",
      "bounded_log",
      "fixed_window",
      "token_bucket",
      "gcra",
    ),
    burst: fc.constantFrom(1, "rate"),
    start: fc.constantFrom("first_request", "clock"),
  })
  .map((parts) => {
    const smoothing = { enabled: true, threshold: 1, step: 1, trigger: 0.5, delay: 1 };
    const isSmoothed = parts.smoothed && (parts.root?.rate ?? 0) > 1;
    const right = {
      limit: { ...parts.own, ...parts.ofOrders },
      endpoints: parts.ofKey.map(({ path, method, ...one }) => ({
        path,
        methods: [{ name: method, limit: one }],
      })),
    };
    return {
      apis: {
        orders: { listen: "/orders", ...parts.global, endpoints: parts.ofApi },
        pay: { listen: "/pay" },
      },
      keys: {
        alice: {
          ...parts.root,
          ...(isSmoothed ? { smoothing } : {}),
          ...parts.quota,
          access_rights: parts.second ? { orders: right, pay: {} } : { orders: right },
        },
      },
      gateway: {
        algorithm: parts.algorithm,
        burst: parts.burst,
        fixed_window_start: parts.start,
      },
    };
  });

const attempt = fc.record({
  afterMs: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 0, max: 300 }),
    fc.integer({ min: 0, max: 6_000 }),
  ),
  api: fc.constantFrom(0, 0, 0, 1),
  path: fc.constantFrom(...PATHS),
});

let proved = 0;

test("a limit that is reported never to refuse never refuses (LIM-C15)", () => {
  holds(
    fc.property(world, fc.array(attempt, { minLength: 40, maxLength: 120 }), (raw, attempts) => {
      const { configuration, problems } = readConfiguration(raw);
      if (configuration === null) throw new Error(JSON.stringify(problems));
      const made = resolver(configuration);
      const session = sessionOf(made, "alice")!;
      const named = new Set(limitsThatNeverRefuse(made, session).map(({ budget }) => budget.space));
      proved += named.size;
      const one = limiter(made, localStore(memoryStore(), memoryStore()), LOCAL_STORE_TRAITS, null);
      const refusing = new Set<string>();
      let nowUs = 1_700_000_000_000_000;
      for (const { afterMs, api, path } of attempts) {
        nowUs += afterMs * MILLISECOND;
        const resolved = resolve(made, made.apis[api]!, session, "GET", path);
        if (resolved === null) continue;
        const at = micros(nowUs);
        const prepared = prepare(one, resolved, at);
        const { refused, level } = decideNow(one, prepared, session, at, "spend", 1);
        if (refused !== null) refusing.add(level!.budget.space);
      }
      expect([...refusing].filter((space) => named.has(space))).toEqual([]);
    }),
    2000,
  );
  expect(proved).toBeGreaterThan(20); // however the seed falls
});
