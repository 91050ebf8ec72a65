import { describe, expect, test } from "vitest";
import { orders, play, statuses } from "./plays.ts";

const alice = (more: object = {}) => ({ alice: { apis: ["orders"], rate: 1, per: 10, ...more } });
const burst = (count: number, more: object = {}) => ({
  as: "alice",
  send: "GET /orders",
  burst: count,
  ...more,
});

describe("the time of a decision", () => {
  test("is one instant where nothing takes time", () => {
    const { requests } = play({
      world: { apis: orders(), keys: alice() },
      traffic: [burst(3, { at: "2s" })],
    });
    expect([...requests.fromUs]).toEqual([2e6, 2e6, 2e6]);
    expect([...requests.toUs]).toEqual([2e6, 2e6, 2e6]);
    expect([...requests.answeredUs]).toEqual([2e6, 2e6, 2e6]);
  });

  test("is the instant at which the store worked, and the stamp is the asker's", () => {
    const { requests } = play({
      world: {
        apis: orders(),
        keys: alice(),
        network: { latency: "10ms" },
        store: { latency: "3ms" },
        fleet: { nodes: 1, skew: ["1ms"] },
      },
      traffic: [burst(1)],
    });
    expect(requests.fromUs[0]).toBe(13_000);
    expect(requests.toUs[0]).toBe(13_000);
    expect(requests.stampUs[0]).toBe(11_000);
    expect(requests.answeredUs[0]).toBe(26_000);
  });

  // The share of a level may be spent before the store operation, or after its reply (seed 84874334 of the swarm).
  test("is between the request and the store's reply if levels of both are evaluated", () => {
    const { requests } = play({
      world: {
        apis: orders({ rate: 9, per: 1 }),
        keys: alice(),
        gateway: { drl_threshold: 5 },
        store: { latency: "3ms" },
      },
      traffic: [burst(1)],
    });
    expect([requests.fromUs[0], requests.toUs[0]]).toEqual([0, 6_000]);
  });

  test("has the count of gateways that its own gateway had when it sent the operation", () => {
    const { requests } = play({
      world: {
        apis: orders(),
        keys: alice(),
        fleet: { nodes: 2 },
        store: { latency: "1s" },
        gateway: { store_timeout: 5 },
      },
      traffic: [burst(1, { at: "3.5s" })],
      faults: [{ at: "3.6s", gateway: "join", nodes: 3 }],
    });
    expect([...requests.fleet]).toEqual([2]);
  });

  test("throttled requests of one instant keep the order in which they came", () => {
    const waits = { throttle_interval: 1, throttle_retry_limit: 1 };
    const quota = { quota_max: 2, quota_renewal_rate: 60 };
    const history = play({
      world: { apis: orders(), keys: alice({ rate: 9, ...waits, ...quota }) },
      traffic: [burst(4)],
    });
    expect(statuses(history)).toEqual([200, 200, 403, 403]);
  });
});

describe("requests overlap only where a way is long", () => {
  test("an injected fault of the store at another time makes none overlap", () => {
    const parts = {
      world: {
        apis: orders({ rate: 3, per: 1 }),
        keys: alice({ rate: 2, quota_max: 1, quota_renewal_rate: 60 }),
        gateway: { limit_order: "key_first" },
      },
      traffic: [burst(4)],
    };
    const down = [{ at: "8s", for: "1s", store: "down" }];
    expect(statuses(play({ ...parts, faults: down }))).toEqual(statuses(play(parts)));
  });

  test("and there a pipelined log lets others in between (ALG-C6)", () => {
    const parts = (latency: string) => ({
      world: {
        apis: orders(),
        keys: alice({ rate: 2 }),
        gateway: { algorithm: "non_transactional" },
        store: { latency, cost: { command: "1us" } },
      },
      traffic: [burst(4)],
    });
    const countAdmitted = (latency: string): number =>
      statuses(play(parts(latency))).filter((status) => status === 200).length;
    expect(countAdmitted("1ms")).toBeGreaterThan(2);
  });
});

describe("clients that come back", () => {
  test("a client that honours Retry-After tries again at its time, and is admitted", () => {
    const { requests } = play({
      world: { apis: orders(), keys: alice() },
      traffic: [burst(2, { behaviour: "honourRetryAfter" })],
    });
    expect([...requests.status]).toEqual([200, 429, 200]);
    expect([...requests.sentUs]).toEqual([0, 0, 10e6]);
    expect([...requests.plannedUs]).toEqual([0, 0, 0]);
    expect([...requests.attempt]).toEqual([0, 0, 1]);
  });

  test("who backs off waits longer each time, and gives up", () => {
    const behaviour = { backoff: { base: "1s", factor: 2, maxAttempts: 4 } };
    const { requests } = play({
      world: { apis: orders(), keys: alice({ rate: 0 }) },
      traffic: [burst(1, { behaviour })],
    });
    expect([...requests.sentUs]).toEqual([0, 1e6, 3e6, 7e6]);
  });

  test("no client tries again if waiting does not help", () => {
    const { requests } = play({
      world: { apis: orders(), keys: alice({ rate: 0 }) },
      traffic: [burst(2, { behaviour: "honourRetryAfter" })],
    });
    expect(requests.length).toBe(2);
  });
});
