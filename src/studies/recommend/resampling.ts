// Estimates how much a recommended rate depends on the clients that happen to be in the log: clients are drawn
// repeatedly, with replacement, and each draw has its own smallest rate.
import type { Rng } from "../../kit/chance/rng.ts";
import { middleOf, type ConfidenceInterval } from "../../kit/stats/bootstrap.ts";
import type { TriedCurve, Refusals } from "./refusals.ts";
import { isTargetMet, type RefusalTarget, type RefusalTotals } from "./search.ts";

export const RESAMPLES = 400;
export const CONFIDENCE = 0.95;

/** From this rate on, a search stops at a precision of 1 in 256, about three digits. */
const FINEST = 256;

/** Clients with equally many requests, of which no rate from the floor up refuses any. They affect only the totals. */
interface ClientGroup {
  readonly requests: number;
  readonly clients: number;
}

/**
 * The confidence interval of a rate. A draw repeats each client as often as a Poisson variable of mean 1. Null: there
 * is one client. An end can be infinite, because the smallest rate of a draw is infinite if no rate meets the target.
 */
export function rateInterval(
  curve: TriedCurve,
  target: RefusalTarget,
  requestsOf: Int32Array, // requests that the target is about, of each client
  rate: number,
  random: Rng,
): ConfidenceInterval | null {
  if (requestsOf.reduce((sum, each) => sum + (each > 0 ? 1 : 0), 0) < 2) return null;
  const highest = curve.refusalsByRate().at(-1)!.rate;
  for (let floor = rate >> 2; ; floor >>= 1) {
    const resampler = new Resampler(curve, target, requestsOf, floor, highest);
    const stream = random.split(String(floor));
    const rates = new Float64Array(RESAMPLES);
    let isAbove = true;
    for (let i = 0; i < RESAMPLES && isAbove; i++) {
      const drawn = resampler.draw(stream, rate);
      if (drawn === null) isAbove = false;
      else rates[i] = drawn;
    }
    if (isAbove) return middleOf(rates, CONFIDENCE);
  }
}

class Resampler {
  readonly #curve: TriedCurve;
  readonly #target: RefusalTarget;
  readonly #floor: number;
  readonly #highest: number;
  readonly #requestsOf: Int32Array;
  readonly #apart: Int32Array; // the clients that are drawn one by one
  readonly #weights: Int32Array; // how often each client is drawn
  readonly #groups: readonly ClientGroup[];

  constructor(
    curve: TriedCurve,
    target: RefusalTarget,
    requestsOf: Int32Array,
    floor: number,
    highest: number,
  ) {
    this.#curve = curve;
    this.#target = target;
    this.#requestsOf = requestsOf;
    this.#floor = floor;
    this.#highest = highest;
    this.#weights = new Int32Array(requestsOf.length);
    const { ids, starved = [] } = curve.at(Math.max(1, floor));
    this.#apart = Int32Array.from(new Set([...ids, ...starved.map(({ client }) => client)]));
    const isApart = new Uint8Array(requestsOf.length);
    for (const id of this.#apart) isApart[id] = 1;
    const groups = new Map<number, number>();
    for (let id = 0; id < requestsOf.length; id++)
      if (isApart[id] === 0 && requestsOf[id]! > 0)
        groups.set(requestsOf[id]!, (groups.get(requestsOf[id]!) ?? 0) + 1);
    this.#groups = [...groups].map(([requests, clients]) => ({ requests, clients }));
  }

  /** The smallest rate of one draw, often `rate` itself; null: it may be at or below the floor. */
  draw(random: Rng, rate: number): number | null {
    const totals = this.#drawWeights(random);
    if (this.#floor > 0 && this.#isMet(this.#floor, totals)) return null;
    let missed = this.#floor;
    let met = this.#highest;
    if (this.#isMet(rate, totals)) {
      met = rate;
      if (rate - 1 <= missed || !this.#isMet(rate - 1, totals)) return rate;
    } else {
      missed = rate;
      if (!this.#isMet(met, totals)) return Number.POSITIVE_INFINITY;
    }
    while (met - missed > Math.max(1, missed / FINEST)) {
      const middle = Math.floor((missed + met) / 2);
      if (this.#isMet(middle, totals)) met = middle;
      else missed = middle;
    }
    return met;
  }

  #drawWeights(random: Rng): RefusalTotals {
    for (;;) {
      let requests = 0;
      let clients = 0;
      for (const id of this.#apart) {
        const weight = drawPoisson(1, random);
        this.#weights[id] = weight;
        if (this.#requestsOf[id]! > 0) clients += weight;
        requests += weight * this.#requestsOf[id]!;
      }
      for (const group of this.#groups) {
        const weight = drawPoisson(group.clients, random);
        clients += weight;
        requests += weight * group.requests;
      }
      if (clients > 0) return { requests, clients };
    }
  }

  #isMet(rate: number, totals: RefusalTotals): boolean {
    const { ids, good, starved = [] }: Refusals = this.#curve.at(rate);
    let requests = 0;
    let clients = 0;
    for (let i = 0; i < ids.length; i++) {
      const weight = this.#weights[ids[i]!]!;
      requests += weight * good[i]!;
      if (good[i]! > 0) clients += weight;
    }
    for (const { client, lost } of starved) {
      requests += this.#weights[client]! * lost;
      clients += this.#weights[client]!;
    }
    return isTargetMet({ goodRequests: requests, goodClients: clients }, this.#target, totals);
  }
}

const LARGE_MEAN = 64;

/** Draws a Poisson variable. For a large mean, a normal one of the same deviation is close enough for totals. */
export function drawPoisson(mean: number, random: Rng): number {
  if (mean > LARGE_MEAN) return Math.max(0, Math.round(mean + Math.sqrt(mean) * random.normal()));
  let count = 0;
  for (let sum = random.exponential(); sum < mean; sum += random.exponential()) count++;
  return count;
}
