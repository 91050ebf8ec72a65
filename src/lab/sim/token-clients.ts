// Clients that wait for a token before each attempt, and adapt the rate of their tokens to the responses. Both types
// follow the program published with arXiv 2510.04516 (docs/answer/clients.md). ATB uses only the responses of its own
// client; AATB also uses the sums of a collector over the reports of all clients.
import type { Rng } from "../../kit/chance/rng.ts";
import { SECOND } from "../../kit/units.ts";
import type { Behaviour } from "../scenario/types.ts";

type TokenBehaviour = Extract<Behaviour, { kind: "atb" | "aatb" }>;

/** The pacer of one client. All times are microseconds of one clock, which never goes back. */
export interface Pacer {
  /** Takes a token, and returns the time from which the next attempt may be sent. */
  readonly take: (nowUs: number) => number;
  readonly onResponse: (nowUs: number, isRefused: boolean) => void;
  /** Sends a report every `everyUs` while the client has requests; null: the client never reports. */
  readonly report: { readonly everyUs: number; readonly send: (nowUs: number) => void } | null;
}

const LEAST_RATE = 0.01; // in tokens per second
const LEAST_STEP = 0.01;

/** The published program rounds rates to two decimals. */
const roundRate = (perSecond: number): number =>
  Math.max(LEAST_RATE, Math.round(perSecond * 100) / 100);

const raiseRate = (rate: number, factor: number): number =>
  roundRate(Math.max(rate + LEAST_STEP, rate * factor));

class TokenBucket {
  tokens = 1;
  rate: number; // in tokens per second
  readonly #most: number;
  #usedUs: number;

  constructor({ bucket, perMinute }: TokenBehaviour, startUs: number) {
    this.#most = bucket;
    this.rate = roundRate(perMinute / 60);
    this.#usedUs = startUs;
  }

  /** Takes a token. Returns when the attempt may be sent: at `earliestUs` or later. */
  take(nowUs: number, earliestUs: number): number {
    const filled = this.tokens + ((nowUs - this.#usedUs) * this.rate) / SECOND;
    this.tokens = Math.min(this.#most, filled);
    const missingUs = this.tokens >= 1 ? 0 : Math.ceil(((1 - this.tokens) * SECOND) / this.rate);
    const atUs = Math.max(nowUs + missingUs, earliestUs);
    this.tokens = Math.max(this.tokens - 1, 0);
    this.#usedUs = atUs;
    return atUs;
  }
}

export function atbPacer(behaviour: Extract<Behaviour, { kind: "atb" }>, startUs: number): Pacer {
  const bucket = new TokenBucket(behaviour, startUs);
  let refusedAtRate = Number.POSITIVE_INFINITY;
  return {
    take: (nowUs) => bucket.take(nowUs, nowUs),
    onResponse: (_nowUs, isRefused) => {
      const { rate } = bucket;
      if (!isRefused) {
        bucket.rate = raiseRate(rate, rate < refusedAtRate ? behaviour.step : behaviour.stepAbove);
        return;
      }
      refusedAtRate = rate;
      bucket.rate = roundRate(rate / 2);
      bucket.tokens = 0;
    },
    report: null,
  };
}

const REPORTED_US = 30 * SECOND;
const SLICE_US = 2 * SECOND;
const ACTIVE_US = 60 * SECOND;
const ACTIVE_SLICE_US = 10 * SECOND;

/** The sums of all clients' reports in the latest complete slices of time. */
export interface ReportSums {
  readonly requests: number;
  readonly refusals: number;
  readonly clients: number; // at least 1
}

/** Sums up the reports of clients that share a budget. */
export class ReportCollector {
  #slices = new Map<number, { requests: number; refusals: number }>();
  #active = new Map<number, Set<number>>();

  add(nowUs: number, client: number, requests: number, refusals: number): ReportSums {
    const slice = Math.floor(nowUs / SLICE_US);
    const activeSlice = Math.floor(nowUs / ACTIVE_SLICE_US);
    this.#forgetBefore(slice - REPORTED_US / SLICE_US, activeSlice - ACTIVE_US / ACTIVE_SLICE_US);
    const sums = { requests: 0, refusals: 0 };
    for (const [at, counts] of this.#slices)
      if (at < slice) {
        sums.requests += counts.requests;
        sums.refusals += counts.refusals;
      }
    const clients = new Set<number>();
    for (const [at, reporting] of this.#active)
      if (at < activeSlice) for (const each of reporting) clients.add(each);
    const current = this.#slices.get(slice) ?? { requests: 0, refusals: 0 };
    current.requests += requests;
    current.refusals += refusals;
    this.#slices.set(slice, current);
    this.#active.set(activeSlice, (this.#active.get(activeSlice) ?? new Set()).add(client));
    return { ...sums, clients: Math.max(1, clients.size) };
  }

  #forgetBefore(slice: number, activeSlice: number): void {
    for (const at of this.#slices.keys()) if (at < slice) this.#slices.delete(at);
    for (const at of this.#active.keys()) if (at < activeSlice) this.#active.delete(at);
  }
}

const LITTLE_LOAD = 0.75; // of the mean: a client that sent less raises its rate by the large step
const LOW_LOAD = 0.5; // of the mean: a client that sent less halves its rate after a 429, others divide theirs by three
const TOKENS_AFTER_429 = 1.1;

interface ReportingClient {
  readonly collector: ReportCollector;
  readonly client: number;
  readonly startUs: number;
}

export function aatbPacer(
  behaviour: Extract<Behaviour, { kind: "aatb" }>,
  { collector, client, startUs }: ReportingClient,
  chance: Rng,
): Pacer {
  const { quotaPerMinute, step, stepBusy, reportUs } = behaviour;
  const bucket = new TokenBucket(behaviour, startUs);
  let earliestUs = 0; // applies to the next attempt only
  let [sent, sentBefore] = [0, 0]; // attempts since the last report, and between the last two reports
  let changedUs = startUs;
  let refusedUs = Number.NEGATIVE_INFINITY;
  const reportNow = (nowUs: number, refusals: number): ReportSums => {
    const sums = collector.add(nowUs, client, sent, refusals);
    [sent, sentBefore] = [0, sent];
    return sums;
  };
  const adapt = (nowUs: number, { requests, refusals, clients }: ReportSums): void => {
    if (refusals > 0) {
      earliestUs = nowUs + reportUs + (chance.next() * 4 - 2) * SECOND;
      return;
    }
    if (nowUs - changedUs < reportUs) return;
    const mean = requests / clients;
    const isIdle = clients === 1 || mean === 0 || sentBefore + sent < LITTLE_LOAD * mean;
    bucket.rate = raiseRate(bucket.rate, isIdle ? step : stepBusy);
    changedUs = nowUs;
  };
  return {
    take: (nowUs) => {
      const atUs = bucket.take(nowUs, Math.ceil(earliestUs));
      earliestUs = 0;
      return atUs;
    },
    onResponse: (nowUs, isRefused) => {
      sent++;
      if (!isRefused) return;
      refusedUs = nowUs;
      const { requests, refusals, clients } = reportNow(nowUs, 1);
      const divisor = sentBefore < (LOW_LOAD * requests) / clients ? 2 : 3;
      bucket.rate = roundRate(bucket.rate / divisor);
      bucket.tokens = TOKENS_AFTER_429;
      changedUs = nowUs;
      earliestUs = nowUs + ((refusals + 1) * 60 * SECOND) / quotaPerMinute + chance.next() * SECOND;
    },
    report: {
      everyUs: reportUs,
      send: (nowUs) => {
        if (nowUs - refusedUs >= reportUs) adapt(nowUs, reportNow(nowUs, 0));
      },
    },
  };
}
