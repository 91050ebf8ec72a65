// The figures of weir try, against numbers that follow from the traffic, and against the expectations of scenarios.
import { describe, expect, test } from "vitest";
import { fullestWindow } from "#src/lab/check/max-in-any-window.ts";
import { checkSubject } from "#src/lab/check/run.ts";
import { subjectOf } from "#src/lab/check/subject.ts";
import { micros } from "#src/kit/units.ts";
import { playAttempts } from "#src/lab/drivers/virtual.ts";
import { formatTry, TRY_ID } from "#src/studies/try/as-scenario.ts";
import { drawFirstBurst } from "#src/studies/try/draws.ts";
import { jainIndex, measureTry } from "#src/studies/try/measures.ts";
import type { TryFigures } from "#src/studies/try/result.ts";
import { candidatesOf, type TryQuestion } from "#src/studies/try/question.ts";
import { tryRunner, type TriedCandidate } from "#src/studies/try/run-try.ts";
import { RETRIES } from "#src/studies/replay/choices.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";

const question = (more: Partial<TryQuestion>, ...algorithms: readonly string[]): TryQuestion => ({
  clients: 2,
  population: "even",
  rate: 4,
  bursts: null,
  retries: [{ name: "none", behaviour: { kind: "ignore" } }],
  isSequential: false,
  perAddress: null,
  forUs: micros(10_000_000),
  gateways: 1,
  limits: [{ rate: 2, perUs: micros(1_000_000) }],
  limiters: algorithms.map((name) => ({ kind: "algorithm", name, burst: null })),
  ...more,
});

const RETRY_AFTER = { name: "retry-after", behaviour: RETRIES["retry-after"] } as const;

function run(inWords: TryQuestion, wantsHistory = false): readonly TriedCandidate[] {
  const runner = tryRunner(inWords);
  return candidatesOf(inWords).map((_, place) => runner({ place, seed: 1, wantsHistory }));
}
const figures = (inWords: TryQuestion): TryFigures => run(inWords)[0]!.figures;

test("steady traffic at twice the limit is half refused, equally for all clients", () => {
  expect(figures(question({}, "fixed_window"))).toEqual({
    requests: 80,
    attempts: 80,
    admitted: 40,
    refusedAttempts: 40,
    lost: 0,
    gaveUp: 40,
    demand: { budgets: 2, over: 2, planned: 80, beyond: 40 },
    refusedClients: 2,
    mostInWindow: 2,
    successUs: { median: 0, p99: null },
    retryAfterS: 1,
    fairness: 1,
    leastServed: 0.5,
    peakSent: 8,
    peakAdmitted: 4,
    commands: expect.any(Number),
    overTime: expect.any(Object),
    herd: null,
    perClient: expect.any(Object),
  });
  const { overTime } = figures(question({}, "fixed_window"));
  const sum = (values: readonly number[]): number =>
    values.reduce((total, each) => total + each, 0);
  expect([sum(overTime.admitted), sum(overTime.refused)]).toEqual([40, 40]);
});

test("lost attempts are apart from refused ones, and each is in the charts", () => {
  const text = `id: limits/lost
title: lost
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 2, per: 60 } }
  network: { latency: 1s }
traffic:
  - as: alice
    send: GET /orders
    burst: 4
    behaviour: { backoff: { base: 1s, factor: 1, maxAttempts: 2 } }
faults: [{ at: 500ms, gateway: restart, node: 0 }]
expect: [{ id: all, count: {}, atLeast: 1 }]
`;
  const [variant] = decode("scenarios/limits/lost.yaml", text).scenario!.variants;
  const planned = plan(variant!, "limits/lost", 1);
  const setting = { rate: 2, perUs: 60_000_000, forUs: 10_000_000, owner: "client" } as const;
  const found = measureTry(playAttempts(variant!, planned), planned, setting);
  expect(found).toMatchObject({
    requests: 4,
    attempts: 8,
    admitted: 2,
    refusedAttempts: 2,
    lost: 4,
    gaveUp: 2,
    refusedClients: 1,
    fairness: 1,
  });
  const { overTime } = found;
  const binsOf = (values: readonly number[]): readonly (readonly number[])[] =>
    values.flatMap((value, bin) => (value === 0 ? [] : [[bin, value]]));
  // In bins of a sixth of a second: lost at 0.5 s, sent again at 1.5 s, decided at 2.5 s.
  expect(binsOf(overTime.lost)).toEqual([[2, 4]]);
  expect(binsOf(overTime.admitted)).toEqual([[14, 2]]);
  expect(binsOf(overTime.refused)).toEqual([[14, 2]]);
  expect(overTime.byAttempt.map(({ values }) => binsOf(values))).toEqual([[[0, 4]], [[8, 4]]]);
});

test("a client that ignores refusals stays out of a sliding log after its first requests", () => {
  expect(figures(question({}, "sliding_log"))).toMatchObject({ admitted: 4, gaveUp: 76 });
});

test("a burst is sent at its times by every client", () => {
  const bursts = { count: 3, everyUs: micros(4_000_000), jitterUs: micros(0), isTogether: true };
  expect(figures(question({ rate: null, bursts }, "token_bucket"))).toMatchObject({
    requests: 18, // at 0, 4 and 8 s
    admitted: 12,
    peakSent: 6,
    peakAdmitted: 4,
  });
});

test("half of the refusals advise at least the median, and none advises if no request is refused", () => {
  // At 4 requests a second and a limit of 2 in 5 s, refusals at 0.5 to 4.75 s advise 5 to 1 s.
  const limits = [{ rate: 2, perUs: micros(5_000_000) }];
  const forUs = micros(5_000_000);
  expect(figures(question({ clients: 1, limits, forUs }, "fixed_window")).retryAfterS).toBe(3);
  const idle = question({ clients: 1, rate: 1 }, "fixed_window");
  expect(figures(idle)).toMatchObject({ refusedAttempts: 0, retryAfterS: null });
});

test("a client that waits as Retry-After advises is admitted in the next window", () => {
  const bursts = { count: 3, everyUs: micros(20_000_000), jitterUs: micros(0), isTogether: true };
  const more = { rate: null, bursts, retries: [RETRY_AFTER] };
  expect(figures(question(more, "fixed_window"))).toMatchObject({
    requests: 6,
    attempts: 8,
    admitted: 6,
    gaveUp: 0,
    successUs: { median: 0, p99: 1_000_000 },
  });
});

test("attempts over time end soon after the clients do, however late the retries are", () => {
  const more = {
    rate: null,
    bursts: { count: 3, everyUs: micros(1_000_000), jitterUs: micros(0), isTogether: true },
    retries: [RETRY_AFTER],
    forUs: micros(1_000_000),
    limits: [{ rate: 1, perUs: micros(8000 * 3_600_000_000) }],
  };
  const { attempts, overTime } = figures(question(more, "fixed_window"));
  expect(attempts).toBe(12); // two of three return in the next window, and one in a third one
  expect(overTime.admitted).toEqual([2, ...Array<number>(89).fill(0)]);
  expect(overTime.refused).toEqual([4, ...Array<number>(89).fill(0)]);
  expect(overTime.later).toBe(6);
});

test("attempts have their number over time, and the herd is where most of them return", () => {
  const more = {
    clients: 5,
    rate: null,
    bursts: { count: 3, everyUs: micros(60_000_000), jitterUs: micros(0), isTogether: true },
    retries: [RETRY_AFTER],
    forUs: micros(60_000_000),
    limits: [{ rate: 1, perUs: micros(10_000_000) }],
  };
  const { overTime, herd } = figures(question(more, "fixed_window"));
  const sums = (series: readonly { readonly values: readonly number[] }[]): readonly number[] =>
    series.map(({ values }) => values.reduce((total, each) => total + each, 0));
  // Of each client, 3 at 0 s, 2 at 10 s and 1 at 20 s.
  expect(overTime.byAttempt.map(({ from, to }) => [from, to])).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
  ]);
  expect(sums(overTime.byAttempt)).toEqual([15, 10, 5]);
  expect(overTime.byAttempt.map(({ values }) => values.findIndex((value) => value > 0))).toEqual([
    0, 10, 20,
  ]);
  expect(herd).toMatchObject({ fromUs: 5_000_000, binUs: 250_000, most: 10 });
  expect(herd!.byAttempt.map(({ from, values }) => [from, values.indexOf(10)])).toEqual([
    [2, 20],
    [3, -1],
  ]);
});

test("each client is measured, and those that got least are listed", () => {
  const herd = { count: 4, everyUs: micros(60_000_000), jitterUs: micros(0), isTogether: true };
  const more = {
    clients: 30,
    population: "scraper",
    rate: 0.05,
    bursts: herd,
    retries: [RETRY_AFTER],
    forUs: micros(60_000_000),
    limits: [{ rate: 2, perUs: micros(30_000_000) }],
  } as const;
  const { perClient, admitted, attempts, gaveUp } = figures(question(more, "fixed_window"));
  expect(perClient.clients).toBe(30);
  expect(perClient.worst).toHaveLength(20);
  // The first client is the scraper too: 60 requests more, which it sends once each.
  const [worst] = perClient.worst;
  expect(worst!.client).toBe(0);
  expect(worst!.requests).toBe(perClient.distribution.requests.most);
  expect(worst!.servedShare).toBe(perClient.distribution.servedShare.least);
  expect(worst!.gaveUp).toBeGreaterThan(50);
  for (const { requests, gaveUp: lost, servedShare, admitted: got } of perClient.worst) {
    expect(got + lost).toBe(requests);
    expect(servedShare).toBeCloseTo(got / requests, 4);
  }
  const shares = perClient.worst.map(({ servedShare }) => servedShare);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect([admitted, gaveUp, attempts].every((count) => count > 0)).toBe(true);
});

test("bursts reach the upstream at once only if all clients send them together", () => {
  const peakOf = (isTogether: boolean): number => {
    const bursts = { count: 10, everyUs: micros(60_000_000), jitterUs: micros(0), isTogether };
    const more = { clients: 30, bursts, forUs: micros(120_000_000) };
    const limits = [{ rate: 10, perUs: micros(60_000_000) }];
    const { admitted, requests, peakAdmitted } = figures(
      question({ ...more, limits, rate: null }, "fixed_window"),
    );
    expect([admitted, requests]).toEqual([600, 600]);
    return peakAdmitted;
  };
  expect(peakOf(true)).toBe(300);
  expect(peakOf(false)).toBeLessThan(100);
});

test("clients of one address share its budget", () => {
  const more = { clients: 6, rate: 1, limits: [{ rate: 3, perUs: micros(1_000_000) }] };
  const apart = figures(question(more, "fixed_window"));
  const inTwos = figures(question({ ...more, perAddress: 6 }, "fixed_window"));
  expect([apart.admitted, apart.mostInWindow]).toEqual([60, 1]);
  expect([inTwos.admitted, inTwos.mostInWindow]).toEqual([30, 3]);
});

test("Jain's index is 1 for equal shares, and 1/n if one of n has everything", () => {
  expect(jainIndex([0.2, 0.2, 0.2])).toBe(1);
  expect(jainIndex([0, 0, 0, 1])).toBe(0.25);
  expect(jainIndex([1, 0.5])).toBe(0.9);
});

describe("the expectations of a scenario agree", () => {
  const inWords = question(
    {
      rate: 1,
      bursts: { count: 5, everyUs: micros(3_000_000), jitterUs: micros(0), isTogether: true },
      retries: [{ name: "backoff", behaviour: RETRIES.backoff }],
      forUs: micros(60_000_000),
    },
    "fixed_window",
    "sliding_log",
    "token_bucket",
    "leaky_bucket",
  );
  const { scenario } = decode(
    `${TRY_ID}.yaml`,
    formatTry(inWords, drawFirstBurst(inWords, 1), null),
  );

  test("the figures without a history are the same", () => {
    const figuresOf = (wantsHistory: boolean): readonly TryFigures[] =>
      run(inWords, wantsHistory).map((each) => each.figures);
    expect(figuresOf(false)).toEqual(figuresOf(true));
  });

  const runs = run(inWords, true).map((each, at) => ({
    ...each,
    name: inWords.limiters[at]!.name,
  }));

  test.each(runs)("$name", ({ figures: measured, history: recorded }) => {
    const history = recorded!;
    const { admitted, gaveUp, requests, mostInWindow, attempts } = measured;
    const wait = measured.successUs.median!;
    const text = formatTry(inWords, drawFirstBurst(inWords, 1), null).replace(
      "  - { id: any,",
      [
        `  - { id: admitted, count: { status: 200 }, equals: ${admitted}, among: { equals: ${attempts} } }`,
        `  - { id: gave up, gaveUp: {}, equals: ${gaveUp} }`,
        `  - { id: median, timeToAdmission: { percentile: 50 }, between: [${wait - 1}us, ${wait + 1}us] }`,
        "  - { id: any,",
      ].join("\n"),
    );
    const decoded = decode(`${TRY_ID}.yaml`, text);
    expect(decoded.problems).toEqual([]);
    const verdicts = checkSubject(subjectOf({ variant: decoded.scenario!.variants[0]!, history }));
    expect(verdicts.map(({ outcome, observed }) => [outcome, observed])).toEqual(
      verdicts.map(({ observed }) => ["pass", observed]),
    );
    const each = Array.from({ length: inWords.clients }, (_, client) =>
      fullestWindow(
        history.requests,
        [...history.requests.client.keys()].filter(
          (row) => history.requests.client[row] === client && history.requests.status[row] === 200,
        ),
        1_000_000,
      ),
    );
    expect(mostInWindow).toBe(Math.max(...each.map(({ most }) => most.to)));
    expect(requests).toBe(60 * 2 + 20 * 5 * 2);
    expect(scenario!.variants).toHaveLength(4);
  });
});
