import { describe, expect, test } from "vitest";
import type { History } from "#src/lab/scenario/history.ts";
import { orders, play, statuses } from "./plays.ts";

const alice = (rate: number, per = 10, more: object = {}) => ({
  alice: { apis: ["orders"], rate, per, ...more },
});
const every = (interval: string, count: number, more: object = {}) => ({
  as: "alice",
  send: "GET /orders",
  every: interval,
  count,
  ...more,
});
const countAdmitted = (history: History): number =>
  statuses(history).filter((status) => status === 200).length;

describe("injected faults of the store", () => {
  test("one that restarts has forgotten everything", () => {
    const history = play({
      world: { apis: orders(), keys: alice(1, 100) },
      traffic: [every("1s", 4)],
      faults: [{ at: "2s", store: "restart" }],
    });
    expect(statuses(history)).toEqual([200, 429, 200, 429]);
  });

  test("a store that is down gets five operations, and then one a second (ALG-C8)", () => {
    const history = play({
      world: { apis: orders(), keys: alice(1000), gateway: { expected_gateways: 1 } },
      traffic: [every("100ms", 40)],
      faults: [{ at: "1s", for: "2s", store: "down" }],
    });
    expect(countAdmitted(history)).toBe(40);
    const changes = history.events.filter(({ event }) => event.startsWith("Store"));
    expect(changes.map(({ event, atUs }) => [event, atUs])).toEqual([
      ["StoreUnavailable", 1_000_000],
      ["StoreRecovered", expect.any(Number)],
    ]);
    expect(changes[1]!.atUs).toBeGreaterThanOrEqual(3_000_000);
    expect(changes[1]!.atUs).toBeLessThanOrEqual(4_100_000);
    expect(history.spans.map(({ what }) => what)).toEqual(["store_down", "fallback"]);
  });

  test("one that is down for two reasons is back when both are over", () => {
    const history = play({
      world: {
        apis: orders(),
        keys: alice(1000),
        gateway: { on_store_error: "deny" },
        store: { latency: "1ms" },
      },
      traffic: [every("1s", 8)],
      faults: [
        { at: "500ms", for: "4s", store: "down" },
        { at: "1500ms", for: "1s", store: "down" },
        { at: "500ms", for: "9s", store: { latency: "40ms" } },
        { at: "4600ms", for: "1s", store: { latency: "90ms" } },
      ],
    });
    expect(statuses(history)).toEqual([200, 503, 503, 503, 503, 503, 503, 200]);
    expect(history.requests.answeredUs[7]! - history.requests.sentUs[7]!).toBe(80_000);
  });

  test("one that is slower than the time-out is as good as down", () => {
    const history = play({
      world: {
        apis: orders(),
        keys: alice(1000),
        gateway: { on_store_error: "deny", store_timeout: 0.05 },
        store: { latency: "1ms" },
      },
      traffic: [every("1s", 4)],
      faults: [{ at: "500ms", for: "2s", store: { latency: "40ms" } }],
    });
    expect(statuses(history)).toEqual([200, 503, 503, 200]);
  });
});

describe("injected faults of gateways", () => {
  const drl = (nodes: number, rate: number) => ({
    apis: orders(),
    keys: alice(rate, 100),
    gateway: { algorithm: "drl" },
    fleet: { nodes },
  });

  test("a gateway that restarts has forgotten its share, and no other has", () => {
    const history = play({
      world: drl(2, 2),
      traffic: [every("1s", 8)],
      faults: [{ at: "3500ms", gateway: "restart", node: 0 }],
    });
    expect(statuses(history)).toEqual([200, 200, 429, 429, 200, 429, 429, 429]);
  });

  test.each(["crash", "leave"])(
    "a gateway that restarts after a %s serves and sends heartbeats again",
    (gone) => {
      const history = play({
        world: drl(2, 100),
        traffic: [every("1s", 16)],
        faults: [
          { at: "2500ms", gateway: gone, node: 1 },
          { at: "10500ms", gateway: "restart", node: 1 },
        ],
      });
      expect([...history.requests.gateway]).toEqual([0, 1, 0, ...Array(8).fill(0), 1, 0, 1, 0, 1]);
      expect(history.requests.fleet[9]).toBe(1);
      expect(history.requests.fleet[14]).toBe(2);
    },
  );

  test("a gateway that leaves is no longer counted after drl_expiry without a heartbeat (ALG-C4)", () => {
    const history = play({
      world: drl(4, 100),
      traffic: [every("1s", 10)],
      faults: [{ at: "2500ms", gateway: "leave", node: 3 }],
    });
    // It spoke last at 2 s.
    expect([...history.requests.fleet]).toEqual([4, 4, 4, 4, 4, 4, 3, 3, 3, 3]);
    expect([...history.requests.gateway].slice(3)).not.toContain(3);
  });

  test("gateways that join are counted from their first heartbeat on", () => {
    const history = play({
      world: drl(1, 100),
      traffic: [every("1s", 4)],
      faults: [{ at: "1500ms", gateway: "join", nodes: 2 }],
    });
    const known = [...history.requests.fleet];
    expect(known.slice(0, 2)).toEqual([1, 1]);
    expect(Math.max(...known)).toBe(3);
  });

  test("a clock that jumps stamps otherwise from then on", () => {
    const history = play({
      world: { apis: orders(), keys: alice(9) },
      traffic: [every("1s", 3)],
      faults: [{ at: "1s", clock: { skew: "-50ms" }, node: 0 }],
    });
    expect([...history.requests.stampUs]).toEqual([0, 950_000, 1_950_000]);
    expect([...history.requests.fromUs]).toEqual([0, 1_000_000, 2_000_000]);
  });
});

describe("a silence of any length", () => {
  const far = [every("1s", 8), { ...every("1s", 8), name: "late" }];
  const after = (gapS: number, latency: string) => {
    const history = play({
      world: {
        apis: orders(),
        keys: alice(100, 100),
        gateway: { algorithm: "drl" },
        fleet: { nodes: 4 },
        store: { latency },
      },
      traffic: [far[0]!, { ...far[1]!, at: `${gapS}s` }],
      faults: [
        { at: "500ms", gateway: "crash", node: 3 },
        { at: `${gapS - 9}s`, for: "1500ms", store: "down" },
        { at: `${gapS + 1}s`, gateway: "leave", node: 2 },
      ],
    });
    return {
      fleet: [...history.requests.fleet],
      status: statuses(history),
      told: history.events.map(({ event, atUs }) => [event, atUs - gapS * 1_000_000]),
    };
  };

  test.each([
    ["0s", [3, 3, 3, 3, 2, 2, 2, 2]], // the one that left spoke last at 0 s
    ["20ms", [3, 3, 3, 3, 3, 2, 2, 2]],
  ])("leaves a fleet as it is known, with a store %s away", (latency, fleet) => {
    const short = after(60, latency);
    expect(short.fleet.slice(8)).toEqual(fleet);
    expect(short.told).not.toEqual([]);
    for (const gapS of [62, 600, 86_400]) expect(after(gapS, latency)).toEqual(short);
  });

  const patient = (burst: number, per: number, behaviour: object) =>
    play({
      world: { apis: orders(), keys: alice(1, per), fleet: { nodes: 3 } },
      traffic: [{ as: "alice", send: "GET /orders", burst, behaviour }],
    });

  test("runs in a moment", () => {
    const century = 100 * 365 * 86_400;
    const { requests } = patient(2, century, { honourRetryAfter: {} });
    expect([...requests.status]).toEqual([200, 429, 200]);
    expect(requests.sentUs[2]).toBe(century * 1_000_000);
  });

  test("ends at the last time that a clock counts to the microsecond", () => {
    const growing = { backoff: { base: "1h", factor: 1000, maxAttempts: 1000 } };
    const { requests } = patient(3, 100 * 365 * 86_400, growing);
    expect([...requests.status]).toEqual([200, 429, 429, 429, 429, 429, 429, 200, 429]);
    expect(requests.sentUs[8]).toBe((1 + 1_000 + 1_000_000) * 3_600_000_000);
  });
});

describe("a change of the configuration (MGT-C5)", () => {
  test("governs the requests of its own instant, and finds what was spent", () => {
    const history = play({
      world: { apis: orders(), keys: alice(1, 100) },
      traffic: [every("1s", 5)],
      faults: [{ at: "2s", configure: { keys: { alice: { rate: 3 } } } }],
    });
    // At 2 s three attempts are in the log already: the two before, and this one.
    expect(statuses(history)).toEqual([200, 429, 200, 429, 429]);
  });
});

describe("the result of a run", () => {
  test("allowances start at their threshold, and move with each event", () => {
    const smoothing = { enabled: true, threshold: 2, step: 2, trigger: 0.5, delay: 1 };
    const history = play({
      world: { apis: orders(), keys: alice(6, 1, { smoothing }) },
      traffic: [every("100ms", 15)],
    });
    const allowances = history.gauges.filter(({ gauge }) => gauge === "allowance");
    expect(allowances.map(({ value, atUs }) => [value, atUs])).toEqual([
      [2, 0],
      [4, 1_000_000],
    ]);
    expect(history.events.filter(({ value }) => value !== null)).toHaveLength(1);
  });

  test("allowances start at their threshold again where the store has forgotten them", () => {
    const smoothing = { enabled: true, threshold: 2, step: 2, trigger: 0.5, delay: 1 };
    const history = play({
      world: { apis: orders(), keys: alice(6, 1, { smoothing }) },
      traffic: [every("100ms", 25)],
      faults: [{ at: "1250ms", store: "restart" }],
    });
    const allowances = history.gauges.filter(({ gauge }) => gauge === "allowance");
    expect(allowances.map(({ value, atUs }) => [value, atUs])).toEqual([
      [2, 0],
      [4, 1_000_000],
      [2, 1_300_000],
      [4, 2_300_000],
    ]);
  });

  test("budgets are named once, with their rules", () => {
    const { header } = play({
      world: { apis: orders(), keys: alice(5), fleet: { nodes: 3 } },
      traffic: [every("1s", 6)],
    });
    expect(header.budgets).toMatchObject([
      { name: "key/10000000us|key:alice", scope: "key", algorithm: "sliding_log", rate: 5 },
    ]);
    expect(header.keys).toEqual(["alice"]);
  });

  test("the store's content is looked at while it runs", () => {
    const { gauges, store } = play({
      world: { apis: orders(), keys: alice(5) },
      traffic: [every("1s", 30)],
    });
    const entries = gauges.filter(({ gauge }) => gauge === "entries").map(({ value }) => value);
    expect(Math.max(...entries)).toBe(10); // attempts of the last ten seconds, refused ones too
    expect(store.peakEntries).toBe(10);
    // A sample holds until the next one: the same value is not repeated.
    expect(entries.filter((value, index) => value === entries[index - 1])).toEqual([]);
  });

  const crowd = (count: number) => ({
    crowd: { apis: ["orders"], rate: 5, per: 1, count },
  });
  const burst = (clients: number, at: string) => ({
    name: at,
    as: "crowd",
    send: "GET /orders",
    burst: clients,
    clients,
    at,
  });

  test("what the last request of a plan leaves in the store is seen", () => {
    const { gauges, store } = play({
      world: { apis: orders(), keys: crowd(40), gateway: { algorithm: "fixed_window" } },
      traffic: [burst(40, "0s")],
    });
    const entries = gauges.filter(({ gauge }) => gauge === "entries");
    expect(entries.map(({ value }) => value)).toEqual(
      Array.from({ length: 41 }, (_, held) => held),
    );
    expect(entries.every(({ atUs }) => atUs === 0)).toBe(true);
    expect(store.peakEntries).toBe(40);
    expect(store.peakBytes).toBe(gauges.findLast(({ gauge }) => gauge === "bytes")!.value);
  });

  test("a peak between two looks is seen", () => {
    // Four steps of this plan share one look at the bytes, and the restart is the fourth.
    const { gauges, store } = play({
      world: { apis: orders(), keys: crowd(800), gateway: { algorithm: "fixed_window" } },
      traffic: [burst(3, "0s"), burst(797, "2s")],
      faults: [{ at: "1s", store: "restart" }],
    });
    const valuesOf = (wanted: string): number[] =>
      gauges.filter(({ gauge }) => gauge === wanted).map(({ value }) => value);
    const first = [0, 1, 2, 3].map((held) => [held, 0]);
    const entries = gauges.filter(({ gauge }) => gauge === "entries");
    expect(entries.slice(0, 5).map(({ value, atUs }) => [value, atUs])).toEqual([
      ...first,
      [0, 1_000_000],
    ]);
    expect(entries).toHaveLength(5 + 797);
    expect(valuesOf("bytes").length).toBeLessThan(210);
    expect(store.peakEntries).toBe(797);
  });

  test("each column can be read as items of eight bytes, whatever the number of requests", () => {
    const { length, ...columns } = play({
      world: { apis: orders(), keys: alice(5) },
      traffic: [every("1s", 19)],
    }).requests;
    expect(length % 2).toBe(1);
    expect(Object.values(columns).filter(({ byteOffset }) => byteOffset % 8 !== 0)).toEqual([]);
  });

  test("every request is there, in the order of its decision", () => {
    const { requests } = play({
      world: { apis: orders(), keys: alice(5), network: { latency: { uniform: ["0s", "3s"] } } },
      traffic: [every("100ms", 200)],
    });
    expect(requests.length).toBe(200);
    expect([...requests.toUs]).toEqual([...requests.toUs].toSorted((a, b) => a - b));
  });
});
