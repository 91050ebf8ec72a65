import { expect, test } from "vitest";
import { micros, type Micros } from "#src/kit/units.ts";
import { simulationOf, virtualHistory } from "#src/lab/drivers/virtual.ts";
import type { History } from "#src/lab/scenario/history.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";
import type { TrafficShape } from "#src/lab/scenario/types.ts";
import { EPOCH_US, type Model } from "#src/lab/sim/engine.ts";
import { perNode } from "#src/lab/sim/models/per-node.ts";
import { periodicSync } from "#src/lab/sim/models/periodic-sync.ts";
import { simulate } from "#src/lab/sim/simulate.ts";

const RATE = 10;
const ms = (value: number): Micros => micros(value * 1000);

interface ModelRun {
  readonly history: History;
  readonly admitted: readonly number[]; // when, in milliseconds
  readonly held: number;
}

function runModel(
  model: Model,
  shape: TrafficShape,
  { nodes = 2, store = "0s", fleet = "", keys = 1, atMs = 0 } = {},
): ModelRun {
  const text = `id: regressions/model
title: a model
proves: [LIM-C11]
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: ${RATE}, per: 1, count: ${keys} } }
  gateway: { algorithm: drl }
  fleet: { nodes: ${nodes}${fleet} }
  store: { latency: ${store} }
traffic:
  - { name: first, as: alice, send: GET /orders, burst: 1 }
expect:
  - { id: any, count: {}, atLeast: 0, among: { atLeast: 1 } }
`;
  const { scenario, problems } = decode("scenarios/regressions/model.yaml", text);
  if (scenario === null) throw new Error(JSON.stringify(problems));
  const [read] = scenario.variants;
  const traffic = read!.traffic.map((flow) => ({ ...flow, shape, clients: keys, atUs: ms(atMs) }));
  const variant = { ...read!, traffic };
  const planned = plan(variant, scenario.id, 1);
  const engine = simulate({ ...simulationOf(variant, planned, null)!, model });
  const history = virtualHistory(variant, planned, engine, []);
  const { status, toUs } = history.requests;
  const admitted = [...status.keys()]
    .filter((row) => status[row] === 200)
    .map((row) => toUs[row]! / 1000);
  return { history, admitted, held: model.countCounters() };
}

const evenly = (perSecond: number, seconds: number): TrafficShape => ({
  kind: "rate",
  rate: perSecond,
  forUs: ms(1000 * seconds),
});

test("the epoch is the edge of a window", () => {
  expect(EPOCH_US % 1_000_000).toBe(0);
});

test.each([1, 2, 5])("%i gateways on their own admit the limit each", (nodes) => {
  const { admitted, history, held } = runModel(perNode(), evenly(200, 3), { nodes });
  expect(admitted).toHaveLength(3 * nodes * RATE);
  expect(history.store).toMatchObject({ commands: 0, inner: 0, roundTrips: 0 });
  expect(held).toBe(nodes);
});

test("a gateway on its own begins its windows by its own clock", () => {
  const { admitted } = runModel(perNode(), evenly(100, 1), {
    nodes: 1,
    fleet: ", skew: [600ms]",
  });
  expect(admitted.filter((at) => at >= 400)).toHaveLength(RATE);
});

test("a gateway alone admits the limit in each window of the clock", () => {
  const model = periodicSync(50_000);
  const { admitted } = runModel(model, evenly(200, 3), { nodes: 1, atMs: 500 });
  expect(admitted).toHaveLength(4 * RATE);
});

test("before its first exchange a gateway admits the limit; afterwards it admits none", () => {
  const { admitted } = runModel(periodicSync(100_000), { kind: "burst", count: 100 }, {});
  expect(admitted).toHaveLength(2 * RATE);
  const later = runModel(periodicSync(100_000), {
    kind: "trace",
    timesUs: [...Array.from({ length: RATE }, () => ms(0)), ...[400, 500, 600].map(ms)],
  });
  expect(later.admitted).toEqual(Array.from({ length: RATE }, () => 0));
});

test("an exchange takes the way to the store and back", () => {
  const late = (store: string): number =>
    runModel(periodicSync(10_000), evenly(2000, 1), { store }).admitted.length - RATE;
  expect(late("30ms")).toBeGreaterThan(late("1ms"));
});

test("the longer the interval, the more is admitted, and never more than the limit from each", () => {
  const over = [5, 20, 100, 2000].map(
    (every) => runModel(periodicSync(1000 * every), evenly(400, 2)).admitted.length - 2 * RATE,
  );
  expect(over).toEqual(over.toSorted((a, b) => a - b));
  expect(over.at(-1)).toBe(2 * RATE);
});

test("a round costs one script for each counter that is in its window, and nothing where there is none", () => {
  const round = { commands: 2, inner: 4, roundTrips: 1 };
  const two: TrafficShape = { kind: "trace", timesUs: [0, 0, 100].map(ms) };
  const few = runModel(periodicSync(100_000), two, { nodes: 1, keys: 2 });
  expect(few.history.store).toMatchObject(round);
  const gap: TrafficShape = { kind: "trace", timesUs: [ms(0), ms(5000)] };
  const { commands } = runModel(periodicSync(100_000), gap, { nodes: 1 }).history.store;
  expect(commands).toBe(10); // the rounds of the first window
});

test("no request waits for the store", () => {
  const { requests } = runModel(periodicSync(50_000), evenly(100, 1), { store: "5ms" }).history;
  expect(requests.answeredUs).toEqual(requests.sentUs);
});

test("a refused client gets the end of the window", () => {
  const { requests } = runModel(periodicSync(50_000), evenly(40, 1), { nodes: 1 }).history;
  const last = requests.length - 1;
  expect([requests.status[last], requests.retryAfterS[last]]).toEqual([429, 1]);
  expect(requests.limit[last]).toBe(RATE);
});
