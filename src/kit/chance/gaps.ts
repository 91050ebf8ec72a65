// Random gaps between the requests of one client; their mean is 1. With a coefficient of variation of 1 requests are
// independent; above 1 they come in bursts, and below 1 they are more even.
import type { Rng } from "./rng.ts";

export const GAP_FAMILIES = ["gamma", "weibull"] as const;
export type GapFamily = (typeof GAP_FAMILIES)[number];

export interface Gaps {
  readonly next: (random: Rng) => number;
  /** The time from a random instant to the next request. The instant is more often in a long gap than a short one. */
  readonly first: (random: Rng) => number;
}

export function gapsOf(family: GapFamily, cv: number): Gaps {
  if (family === "gamma") {
    const shape = 1 / (cv * cv);
    return {
      next: (random) => gamma(shape, random) / shape,
      first: (random) => (random.next() * gamma(shape + 1, random)) / shape,
    };
  }
  const shape = weibullShape(cv);
  const scale = 1 / Math.exp(logGamma(1 + 1 / shape));
  return {
    next: (random) => scale * random.exponential() ** (1 / shape),
    first: (random) => scale * random.next() * gamma(1 + 1 / shape, random) ** (1 / shape),
  };
}

/** Draws a gamma variable of scale 1 (Marsaglia and Tsang). A shape below 1 is drawn as shape + 1, then scaled down. */
function gamma(shape: number, random: Rng): number {
  if (shape < 1) return gamma(shape + 1, random) * Math.exp(-random.exponential() / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const normal = random.normal();
    const v = (1 + c * normal) ** 3;
    if (v <= 0) continue;
    if (-random.exponential() < (normal * normal) / 2 + d - d * v + d * Math.log(v)) return d * v;
  }
}

const HALVINGS = 60;

/** Finds the Weibull shape with this coefficient of variation by bisection: larger shapes have smaller coefficients. */
function weibullShape(cv: number): number {
  let [low, high] = [0.05, 100];
  for (let step = 0; step < HALVINGS; step++) {
    const middle = Math.sqrt(low * high);
    const squares = Math.exp(logGamma(1 + 2 / middle) - 2 * logGamma(1 + 1 / middle)) - 1;
    if (squares > cv * cv) low = middle;
    else high = middle;
  }
  return Math.sqrt(low * high);
}

/** The logarithm of the gamma function, by Stirling's series. It needs an argument of 10 or more to be precise. */
function logGamma(x: number): number {
  let [at, shift] = [x, 0];
  for (; at < 10; at++) shift += Math.log(at);
  const square = 1 / (at * at);
  const series = (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680))) / at;
  return (at - 0.5) * Math.log(at) - at + Math.log(2 * Math.PI) / 2 + series - shift;
}
