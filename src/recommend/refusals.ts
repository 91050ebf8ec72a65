// What a limit refuses at each rate that is tried. Clients have budgets of their own, so that they are decided one after
// the other, by the limiters that a replay uses.
import { startCandidate, type ReplayLimit } from "../replay/candidates.ts";
import type { ClientColumns } from "./traffic.ts";

/** Of one rate: the clients with a refused request, by their numbers, and how many of their requests are refused. */
export interface Refusals {
  readonly rate: number;
  readonly ids: Int32Array;
  /** Requests that the target is about: all, or those that are not labelled as bad. */
  readonly good: Int32Array;
  readonly bad: Int32Array;
  readonly goodRequests: number;
  readonly goodClients: number; // with such a request refused
  readonly badRequests: number;
  readonly badClients: number; // with such a request refused
}

export interface DecidedClients {
  readonly columns: ClientColumns;
  readonly names: readonly string[];
}

/** Clients that share a limiter: few enough for its counters to stay in the processor's cache. */
const BLOCK = 2048;

export function refusalsOf(
  candidate: ReplayLimit,
  { columns, names }: DecidedClients,
  ids: Int32Array,
): Omit<Refusals, "rate"> {
  const { starts, atUs, isBad } = columns;
  const refusedIds = new Int32Array(ids.length);
  const good = new Int32Array(ids.length);
  const bad = new Int32Array(ids.length);
  let count = 0;
  let goodRequests = 0;
  let goodClients = 0;
  let badRequests = 0;
  let badClients = 0;
  for (let from = 0; from < ids.length; from += BLOCK) {
    const block = ids.subarray(from, from + BLOCK);
    const clients = { names: Array.from(block, (id) => names[id]!) };
    const limiter = startCandidate(candidate, { clients, targets: null });
    limiter.makeRoom(block.length);
    for (let row = 0; row < block.length; row++) {
      const id = block[row]!;
      let goodOf = 0;
      let badOf = 0;
      for (let at = starts[id]!; at < starts[id + 1]!; at++) {
        if (limiter.decide(row, 0, atUs[at]!) <= 0) continue;
        if (isBad?.[at] === 1) badOf++;
        else goodOf++;
      }
      if (goodOf + badOf === 0) continue;
      refusedIds[count] = id;
      good[count] = goodOf;
      bad[count++] = badOf;
      goodRequests += goodOf;
      if (goodOf > 0) goodClients++;
      badRequests += badOf;
      if (badOf > 0) badClients++;
    }
  }
  return {
    ids: refusedIds.slice(0, count),
    good: good.slice(0, count),
    bad: bad.slice(0, count),
    goodRequests,
    goodClients,
    badRequests,
    badClients,
  };
}

export type LimitAt = (rate: number) => ReplayLimit;

/**
 * The refusals of one candidate by rate. A client of which one rate refuses nothing is refused nothing by any higher rate:
 * until the first refusal, counters are the same for both. So a rate decides only the clients that a lower one refuses.
 */
export class RefusalCurve {
  readonly most: number; // the highest rate
  readonly #all: Int32Array; // the numbers of all clients
  readonly #limitAt: LimitAt;
  readonly #decided: DecidedClients;
  readonly #tried = new Map<number, Refusals>();

  constructor(limitAt: LimitAt, decided: DecidedClients, all: Int32Array, most: number) {
    this.#limitAt = limitAt;
    this.#decided = decided;
    this.#all = all;
    this.most = most;
  }

  at(rate: number): Refusals {
    const tried = this.#tried.get(rate);
    if (tried !== undefined) return tried;
    const refusals = { rate, ...refusalsOf(this.#limitAt(rate), this.#decided, this.#idsAt(rate)) };
    this.#tried.set(rate, refusals);
    return refusals;
  }

  /** In the order of their rates. */
  refusalsByRate(): readonly Refusals[] {
    return [...this.#tried.values()].toSorted((a, b) => a.rate - b.rate);
  }

  /** The smallest rate that refuses none of the requests of a client; null: none does. */
  peakOf(client: number): number | null {
    const isRefused = (rate: number): boolean =>
      refusalsOf(this.#limitAt(rate), this.#decided, Int32Array.of(client)).ids.length > 0;
    let low = 0;
    let high = 1;
    while (isRefused(high)) {
      if (high === this.most) return null;
      low = high;
      high = Math.min(2 * high, this.most);
    }
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (isRefused(middle)) low = middle;
      else high = middle;
    }
    return high;
  }

  #idsAt(rate: number): Int32Array {
    let ids = this.#all;
    let nearest = 0;
    for (const [lower, refusals] of this.#tried)
      if (lower < rate && lower > nearest) {
        nearest = lower;
        ids = refusals.ids;
      }
    return ids;
  }
}
