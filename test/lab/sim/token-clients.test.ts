// Worked examples of clients with tokens, and of clients that send one request at a time.
import { describe, expect, test } from "vitest";
import { rng } from "#src/kit/chance/rng.ts";
import { micros } from "#src/kit/units.ts";
import { aatbPacer, atbPacer, ReportCollector, type Pacer } from "#src/lab/sim/token-clients.ts";
import { orders, play } from "./plays.ts";

const S = 1_000_000;

const ATB = {
  kind: "atb",
  bucket: 2,
  perMinute: 60,
  step: 2,
  stepAbove: 1.5,
  maxAttempts: 9,
} as const;

const AATB = {
  kind: "aatb",
  bucket: 40,
  perMinute: 60,
  step: 1.4,
  stepBusy: 1.2,
  quotaPerMinute: 60,
  reportUs: micros(30 * S),
  maxAttempts: 9,
} as const;

describe("ATB", () => {
  test("has one token at first, and gets more at its rate, up to the bucket", () => {
    const pacer = atbPacer(ATB, 0);
    expect([pacer.take(0), pacer.take(0)]).toEqual([0, 1 * S]);
    // After 8.5 s more there are two tokens and no more.
    expect([0, 1, 2].map(() => pacer.take(9.5 * S))).toEqual([9.5 * S, 9.5 * S, 10.5 * S]);
  });

  test("raises its rate with each admission, and by the other step once it has the rate of the last 429", () => {
    const pacer = atbPacer(ATB, 0);
    pacer.take(0);
    pacer.onResponse(0, false); // 2 a second: no 429 yet
    expect(pacer.take(0)).toBe(0.5 * S);
    pacer.onResponse(0.5 * S, true); // a half: 1 a second, and no token
    expect(pacer.take(0.5 * S)).toBe(1.5 * S);
    pacer.onResponse(1.5 * S, false); // below 2: times 2
    expect(pacer.take(1.5 * S)).toBe(2 * S);
    pacer.onResponse(2 * S, false); // at 2: times 1.5
    expect(pacer.take(2 * S)).toBe(Math.ceil(2 * S + S / 3));
  });

  test("never falls below a token in 100 seconds", () => {
    const pacer = atbPacer(ATB, 0);
    let atUs = pacer.take(0);
    for (let refusals = 0; refusals < 20; refusals++) {
      pacer.onResponse(atUs, true);
      atUs = pacer.take(atUs);
    }
    pacer.onResponse(atUs, true);
    expect(pacer.take(atUs) - atUs).toBe(100 * S);
  });
});

describe("AATB", () => {
  const clientsOf = (count: number): readonly Pacer[] => {
    const collector = new ReportCollector();
    return Array.from({ length: count }, (_, client) =>
      aatbPacer(AATB, { collector, client, startUs: 0 }, rng(1, String(client))),
    );
  };

  test("waits after a 429 until the quota has room for all that were refused before it", () => {
    const [first, second] = clientsOf(2);
    first!.take(0);
    first!.onResponse(0, true);
    const firstUs = first!.take(0);
    expect(firstUs).toBeGreaterThanOrEqual(1 * S); // one in 60 a minute, and up to a second more
    expect(firstUs).toBeLessThan(2 * S);
    second!.take(4 * S); // the slice of two seconds with the first 429 is complete
    second!.onResponse(4 * S, true);
    const secondUs = second!.take(4 * S);
    expect(secondUs).toBeGreaterThanOrEqual(6 * S);
    expect(secondUs).toBeLessThan(7 * S);
  });

  test("divides its rate by three, or by two if it sends less than half of the mean", () => {
    const [busy, idle] = clientsOf(2);
    for (let sent = 0; sent < 9; sent++) {
      busy!.take(0);
      busy!.onResponse(0, false);
    }
    busy!.report!.send(30 * S);
    idle!.report!.send(30 * S);
    // Both clients are active from now on: nine requests, a mean of 4.5.
    for (let sent = 0; sent < 9; sent++) busy!.onResponse(39 * S, false);
    const gapOf = (pacer: Pacer): number => {
      pacer.onResponse(40 * S, true);
      let atUs = 0;
      for (let taken = 0; taken < 60; taken++) atUs = pacer.take(Math.max(atUs, 1_000 * S));
      return pacer.take(atUs) - atUs;
    };
    // The report at 30 s raised the rate of 1 by 1.4: no client was active in a complete slice before.
    expect(gapOf(idle!)).toBe(Math.ceil(S / 0.7));
    expect(gapOf(busy!)).toBe(Math.ceil(S / 0.47));
  });

  test("waits for about a report more if others were refused, and else raises its rate", () => {
    const [refused, other] = clientsOf(2);
    refused!.take(28 * S);
    refused!.onResponse(28 * S, true);
    other!.take(0);
    other!.report!.send(30 * S);
    const atUs = other!.take(30 * S);
    expect(atUs).toBeGreaterThanOrEqual(58 * S);
    expect(atUs).toBeLessThanOrEqual(62 * S);
  });
});

test("a collector sums up complete slices of half a minute, and clients of a minute", () => {
  const collector = new ReportCollector();
  const at = (us: number, client: number, requests: number, refusals: number): object =>
    collector.add(us, client, requests, refusals);
  expect(at(1 * S, 0, 5, 1)).toEqual({ requests: 0, refusals: 0, clients: 1 });
  expect(at(1.9 * S, 1, 4, 0)).toEqual({ requests: 0, refusals: 0, clients: 1 });
  expect(at(2 * S, 2, 1, 1)).toEqual({ requests: 9, refusals: 1, clients: 1 });
  expect(at(12 * S, 2, 0, 0)).toEqual({ requests: 10, refusals: 2, clients: 3 });
  expect(at(31.9 * S, 2, 0, 0)).toEqual({ requests: 10, refusals: 2, clients: 3 });
  expect(at(32 * S, 2, 0, 0)).toEqual({ requests: 1, refusals: 1, clients: 3 });
  expect(at(34 * S, 2, 0, 0)).toEqual({ requests: 0, refusals: 0, clients: 3 });
  expect(at(71 * S, 2, 0, 0)).toEqual({ requests: 0, refusals: 0, clients: 1 });
});

describe("sequential clients", () => {
  const keys = { alice: { apis: ["orders"], rate: 1, per: 10 } };
  const flow = (more: object): object => ({ as: "alice", send: "GET /orders", burst: 3, ...more });
  const backoff = { backoff: { base: "4s", factor: 1, maxAttempts: 9 } };
  const timesOf = (more: object, world: object = {}): readonly (readonly number[])[] => {
    const { requests } = play({
      world: { apis: orders(), keys, gateway: { algorithm: "fixed_window" }, ...world },
      traffic: [flow(more)],
    });
    return [...requests.sentUs].map((us, row) => [us / S, requests.attempt[row]!]);
  };

  test("send a request only after the one before", () => {
    expect(timesOf({ behaviour: backoff, sequential: true })).toEqual([
      [0, 0],
      [0, 0],
      [4, 1],
      [8, 2],
      [12, 3],
      [12, 0],
      [16, 1],
      [20, 2],
      [24, 3],
    ]);
    expect(timesOf({ behaviour: backoff }).filter(([, attempt]) => attempt === 0)).toHaveLength(3);
  });

  test("wait for the response, and go on after a request that they give up", () => {
    const slow = { network: { latency: "1s" }, upstream: { time: "3s" } };
    expect(timesOf({ sequential: true }, slow)).toEqual([
      [0, 0],
      [5, 0],
      [7, 0],
    ]);
  });

  test("go on after a request that no gateway responds to", () => {
    const history = play({
      world: { apis: orders(), keys, network: { latency: "1s" } },
      traffic: [flow({ sequential: true })],
      faults: [{ at: "500ms", gateway: "restart", node: 0 }],
    });
    expect([...history.requests.sentUs]).toEqual([0, 0.5 * S, 2.5 * S]); // the first one is lost
  });

  test("of ATB send each attempt with a token", () => {
    const behaviour = { atb: { perMinute: 60, maxAttempts: 4 } };
    const { requests } = play({
      world: { apis: orders(), keys },
      traffic: [flow({ behaviour, burst: 2 })],
    });
    // An admission raises the rate to 1.2. Then 429s halve it: 0.6, 0.3, 0.15.
    const secondsAt = [0, 1 / 1.2, 1 / 0.6, 1 / 0.3, 1 / 0.15];
    const times = secondsAt.map((_, at) =>
      secondsAt.slice(0, at + 1).reduce((sum, each) => sum + each, 0),
    );
    expect([...requests.attempt]).toEqual([0, 0, 1, 2, 3]);
    for (const [row, us] of requests.sentUs.entries()) expect(us / S).toBeCloseTo(times[row]!, 4);
  });

  test("of one key are the same clients in every flow", () => {
    const history = play({
      world: { apis: orders(), keys, gateway: { algorithm: "fixed_window" } },
      traffic: [
        flow({
          name: "a",
          burst: 1,
          sequential: true,
          behaviour: { ...backoff, backoff: { ...backoff.backoff } },
          at: "1s",
        }),
        flow({ name: "b", burst: 2, sequential: true, behaviour: backoff }),
      ],
    });
    // The second request of b is refused, so that a waits.
    expect([...history.requests.sentUs].filter((us) => us < 4 * S)).toEqual([0, 0]);
    expect([...history.requests.flow].filter((place) => place === 0).length).toBeGreaterThan(0);
  });
});
