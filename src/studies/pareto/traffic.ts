// The shapes of traffic, as flows of a scenario. If a shape is not random itself, the seed shifts it against the
// windows.
import { rng } from "../../kit/chance/rng.ts";
import { micros, type Micros } from "../../kit/units.ts";
import type { Behaviour, Flow, TrafficShape } from "../../lab/scenario/types.ts";
import type { ParetoSuite, TrafficName } from "./suite.ts";

export const TRAFFIC_ABOUT: Readonly<Record<TrafficName, string>> = {
  uniform: "3 times the limit, evenly",
  poisson: "1.5 times the limit, at random",
  bursty: "5 times the limit for 0.3 windows, then nothing for 1.1",
  edges: "the limit right before the end of a window and again right after it, every third window",
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
      return [flow({ kind: "rate", rate: 3 * perSecond, forUs }, { atUs: offsetUs })];
    case "poisson":
      return [flow(random(1.5))];
    case "bursty":
      return [
        flow(
          {
            kind: "on_off",
            onUs: micros(0.3 * perUs),
            offUs: micros(1.1 * perUs),
            rate: 5 * perSecond,
            forUs,
          },
          { atUs: offsetUs },
        ),
      ];
    case "edges":
      return [flow({ kind: "trace", timesUs: atEdges(suite, perUs, () => chance.next()) })];
    case "patient":
      return [flow(random(1.2), { behaviour: PATIENT })];
    case "hammering":
      return [flow(random(1.2), { behaviour: HAMMERING })];
    case "keys":
      return [flow(random(0.5 * suite.keys), { clients: suite.keys, skew: 1 })];
  }
}

/** The longest duration of the burst on each side of an edge, in windows. */
const NEAR = 0.04;

/** Two evenly spaced bursts around each edge, without a request on the edge, where clocks would decide. */
function atEdges(
  { rate, windows }: ParetoSuite,
  perUs: number,
  next: () => number,
): readonly Micros[] {
  const timesUs: number[] = [];
  for (let window = 1; window < windows; window += 3) {
    const widthUs = NEAR * perUs * (0.5 + 0.5 * next());
    for (let at = 0; at < 2 * rate; at++)
      timesUs.push(Math.round(window * perUs + widthUs * ((at + 0.5) / rate - 1)));
  }
  return timesUs.map((us) => micros(us));
}
