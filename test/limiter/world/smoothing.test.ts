import { describe, expect, test } from "vitest";
import { configurationOf, problemsOf, withApi, withKey } from "./worlds.ts";

const good = { enabled: true, threshold: 5, step: 2, trigger: 0.5, delay: 3 };
const key = (smoothing: unknown, gateway: unknown = {}): unknown =>
  withKey({ rate: 10, per: 1, smoothing }, gateway);
const at = "keys.alice.smoothing";

describe("SMO-7: smoothing is read where the document puts it", () => {
  const read = { threshold: 5, step: 2, trigger: 0.5, delayUs: 3_000_000 };
  const limit = { rate: 10, per: 1, smoothing: good };

  test("in keys, policies, per-API limits and the endpoint limits of an access right", () => {
    const rights = {
      orders: { limit, endpoints: [{ path: "/a", methods: [{ name: "GET", limit }] }] },
    };
    const { keys, policies } = configurationOf({
      apis: { orders: { listen: "/orders" } },
      policies: { gold: { ...limit, access_rights: rights } },
      keys: { alice: { ...limit, access_rights: rights } },
    });
    for (const holder of [keys.get("alice"), policies.get("gold")]) {
      expect(holder?.limit?.smoothing).toEqual(read);
      expect(holder?.accessRights?.get("orders")?.limit?.smoothing).toEqual(read);
      expect(holder?.accessRights?.get("orders")?.endpoints[0]?.limit.smoothing).toEqual(read);
    }
  });

  test("delay may be duration text, like per", () => {
    const { keys } = configurationOf(key({ ...good, delay: "1m30s" }));
    expect(keys.get("alice")?.limit?.smoothing?.delayUs).toBe(90_000_000);
  });
});

describe("SMO-8: smoothing that is not enabled is not there, whatever it holds", () => {
  test.each([
    [null, []],
    [{}, []],
    [{ enabled: false, threshold: -1, step: "x", trigger: null, delay: 0 }, []],
    [{ threshold: 5 }, [`CFG-SMOOTHING-OFF ${at}`]],
  ])("%j", (smoothing, problems) => {
    expect(problemsOf(key(smoothing))).toEqual(problems);
    expect(configurationOf(key(smoothing)).keys.get("alice")?.limit).toEqual({
      rate: 10,
      perUs: 1_000_000,
      smoothing: null,
    });
  });
});

describe("SMO-C4: enabled smoothing is checked", () => {
  test.each([
    [{ ...good, threshold: 0 }, [`CFG-SMOOTHING-VALUE ${at}.threshold`]],
    [{ ...good, threshold: 11 }, [`CFG-SMOOTHING-THRESHOLD ${at}.threshold`]],
    [{ ...good, threshold: 10 }, []],
    [{ ...good, step: -1 }, [`CFG-SMOOTHING-VALUE ${at}.step`]],
    [{ ...good, step: Number.POSITIVE_INFINITY }, [`CFG-SMOOTHING-VALUE ${at}.step`]],
    [{ ...good, trigger: Number.NaN }, [`CFG-SMOOTHING-VALUE ${at}.trigger`]],
    [{ ...good, trigger: "0.5" }, [`CFG-SMOOTHING-VALUE ${at}.trigger`]],
    [{ ...good, trigger: 1 }, []],
    [{ ...good, threshold: 4, step: 4, trigger: 1 }, []],
    [{ ...good, threshold: 1, step: 0.0009 }, []], // 10,000 steps to 10
    [{ ...good, threshold: 0.999999, step: 0.0009 }, [`CFG-SMOOTHING-STEPS ${at}.step`]],
    [{ ...good, trigger: 1.1 }, [`CFG-SMOOTHING-TRIGGER ${at}.trigger`]],
    [{ ...good, delay: 0 }, [`CFG-SMOOTHING-VALUE ${at}.delay`]],
    [{ ...good, delay: "later" }, [`CFG-DURATION ${at}.delay`]],
    [{ ...good, enabled: "yes" }, [`CFG-TYPE ${at}.enabled`]],
    [{ ...good, treshold: 5 }, [`CFG-UNKNOWN-FIELD ${at}.treshold`]],
    [{ enabled: true }, Array.from({ length: 4 }, () => `CFG-SMOOTHING-VALUE ${at}`)],
    ["smooth", [`CFG-TYPE ${at}`]],
  ])("%j: %j", (smoothing, problems) => {
    expect(problemsOf(key(smoothing))).toEqual(problems);
  });

  test.each([
    ["no limit", {}],
    ["a limit of 0/0", { rate: 0, per: 0 }],
    ["an unlimited rate", { rate: -1, per: 1 }],
  ])("%s has no rate to smooth", (_what, limit) => {
    expect(problemsOf(withKey({ ...limit, smoothing: good }))).toEqual([
      `CFG-SMOOTHING-NO-RATE ${at}`,
    ]);
  });

  test("a rate with an error of its own is not called missing", () => {
    expect(problemsOf(withKey({ rate: "10", per: 1, smoothing: good }))).toEqual([
      "CFG-TYPE keys.alice.rate",
    ]);
  });
});

describe("SMO-C5: the algorithm in charge decides whether smoothing acts", () => {
  const ignored = [`CFG-SMOOTHING-IGNORED ${at}`];
  test.each([
    [{}, []],
    [{ algorithm: "sliding_log" }, []],
    [{ algorithm: "sentinel" }, []],
    [{ algorithm: "non_transactional" }, []],
    [{ algorithm: "bounded_log" }, []],
    [{ enable_sentinel_rate_limiter: true }, []],
    [{ enable_non_transactional_rate_limiter: true }, []],
    [{ algorithm: "fixed_window" }, ignored],
    [{ algorithm: "drl" }, ignored],
    [{ algorithm: "token_bucket" }, ignored],
    [{ algorithm: "gcra" }, ignored],
    [{ algorithm: "sliding_window_counter" }, ignored],
    [{ enable_fixed_window_rate_limiter: true }, ignored],
    [{ drl_threshold: 9 }, ignored], // 10 per second is above 9 with one gateway
    [{ drl_threshold: 10 }, []],
  ])("%j: %j", (gateway, problems) => {
    expect(problemsOf(key(good, gateway))).toEqual(problems);
  });
});

describe("SMO-C7: an API-level limit carries no smoothing", () => {
  const limit = { rate: 10, per: 1, smoothing: good };
  test.each([
    [{ listen: "/orders", ...limit }, "smoothing"],
    [{ listen: "/orders", global_rate_limit: limit }, "global_rate_limit.smoothing"],
    [
      { listen: "/orders", endpoints: [{ path: "/a", method: "GET", ...limit }] },
      "endpoints.0.smoothing",
    ],
    [
      {
        api_id: "o",
        listen: "/orders",
        extended_paths: { rate_limit: [{ path: "/a", method: "GET", ...limit }] },
      },
      "extended_paths.rate_limit.0.smoothing",
    ],
  ])("%j", (api, place) => {
    expect(problemsOf(withApi(api))).toContain(`CFG-SMOOTHING-PLACE apis.orders.${place}`);
  });

  test("smoothing that is switched off there has no warning", () => {
    expect(
      problemsOf(
        withApi({
          listen: "/orders",
          global_rate_limit: { ...limit, smoothing: { enabled: false } },
        }),
      ),
    ).toEqual([]);
  });
});
