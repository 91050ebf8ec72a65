// The shapes of traffic, as flows of a scenario. If a shape is not random itself, the seed shifts it against all
// windows: against those of the clock by its start, and against those that begin with a request by opening requests.
import { rng } from "../../kit/chance/rng.ts";
import { micros, type Micros } from "../../kit/units.ts";
import type { Behaviour, Flow, TrafficShape } from "../../lab/scenario/types.ts";
import type { ParetoSuite, TrafficName } from "./suite.ts";

export const TRAFFIC_ABOUT: Readonly<Record<TrafficName, string>> = {
  uniform: "3 times the limit, evenly",
  poisson: "1.5 times the limit, at random",
  bursty: "every 2.4 windows 5 times the limit for 0.3 windows, after opening requests",
  edges:
    "every third window is full right before its end, and the limit comes again right after it",
  patient: "1.2 times the limit at random; a refused client retries after Retry-After",
  hammering: "1.2 times the limit at random; a refused client retries 50 ms later, up to 4 times",
  keys: "20 keys at random, of which few send most requests; the first at about 2.8 times its limit",
};

export const KEY = "client";

export const keysIn = (name: TrafficName, { keys }: ParetoSuite): number =>
  name === "keys" ? keys : 1;

/** Builds a flow of requests of the key `KEY`; `more` replaces fields of the flow. */
export const flow = (shape: TrafficShape, more: Partial<Flow> = {}): Flow => ({
  name: "requests",
  as: KEY,
  method: "GET",
  path: "/orders",
  headers: {},
  atUs: micros(0),
  shape,
  clients: 1,
  skew: 0,
  behaviour: IGNORE,
  ...more,
});

const IGNORE: Behaviour = { kind: "ignore" };
const PATIENT: Behaviour = { kind: "honour_retry_after", maxAttempts: 5 };
const HAMMERING: Behaviour = {
  kind: "backoff",
  baseUs: micros(50_000),
  factor: 1,
  jitter: 0.2,
  maxAttempts: 5,
};

export function flowsOf(name: TrafficName, suite: ParetoSuite, seed: number): readonly Flow[] {
  const perUs = suite.perMs * 1000;
  const perSecond = (suite.rate * 1000) / suite.perMs;
  const forUs = micros(suite.windows * perUs);
  const chance = rng(seed, `pareto/${name}`);
  const offsetUs = micros(chance.int(perUs));
  const random = (times: number): TrafficShape => ({
    kind: "poisson",
    rate: times * perSecond,
    forUs,
  });
  switch (name) {
    case "uniform":
      return [
        flow({ kind: "burst", count: openingOf(suite) }, { name: "opening" }),
        flow({ kind: "rate", rate: 3 * perSecond, forUs }, { atUs: offsetUs }),
      ];
    case "poisson":
      return [flow(random(1.5))];
    case "bursty":
      return [flow({ kind: "trace", timesUs: inBursts(suite, perUs, offsetUs, chance.next) })];
    case "edges":
      return [flow({ kind: "trace", timesUs: atEdges(suite, perUs, chance.next) })];
    case "patient":
      return [flow(random(1.2), { behaviour: PATIENT })];
    case "hammering":
      return [flow(random(1.2), { behaviour: HAMMERING })];
    case "keys":
      return [flow(random(0.5 * suite.keys), { clients: suite.keys, skew: 1 })];
  }
}

/**
 * Opening requests begin the windows that begin with a request, on most gateways of a fleet, so that what follows meets
 * such a window in the same place as a window of the clock, or in a random one.
 */
const openingOf = ({ rate }: ParetoSuite): number => Math.round(rate / 10);

const BURST = { times: 5, windows: 0.3, every: 2.4 } as const;

/** Bursts, each at a random time of a window that was opened before it, and after the windows of the last burst. */
function inBursts(
  suite: ParetoSuite,
  perUs: number,
  offsetUs: number,
  next: () => number,
): readonly Micros[] {
  const timesUs: number[] = [];
  const count = Math.round(BURST.times * BURST.windows * suite.rate);
  const everyUs = BURST.every * perUs;
  for (let atUs = offsetUs; atUs + 2 * perUs <= suite.windows * perUs; atUs += everyUs) {
    const startUs = atUs + perUs;
    const openedUs = startUs - next() * perUs;
    for (let at = 0; at < openingOf(suite); at++) timesUs.push(openedUs);
    for (let at = 0; at < count; at++) timesUs.push(startUs + (BURST.windows * perUs * at) / count);
  }
  return timesUs.map((us) => micros(Math.round(us)));
}

/** The longest duration of the burst on each side of an edge, in windows. */
const NEAR = 0.04;

/**
 * Two evenly spaced bursts around each edge, without a request on the edge, where clocks would decide. The window
 * before the edge is opened as it begins, and the first burst fills it.
 */
function atEdges(suite: ParetoSuite, perUs: number, next: () => number): readonly Micros[] {
  const timesUs: number[] = [];
  const { rate, windows } = suite;
  const opening = openingOf(suite);
  for (let window = 1; window + 1 < windows; window += 3) {
    const widthUs = NEAR * perUs * (0.5 + 0.5 * next());
    const edgeUs = (window + 1) * perUs;
    for (let at = 0; at < opening; at++) timesUs.push(window * perUs + 1);
    for (let at = opening; at < 2 * rate; at++)
      timesUs.push(Math.round(edgeUs + widthUs * ((at + 0.5) / rate - 1)));
  }
  return timesUs.map((us) => micros(us));
}
