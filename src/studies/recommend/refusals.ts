// Finds what a limit refuses at each tried rate. Clients have budgets of their own, so they are decided one after the
// other, by the limiters of a replay.
import { ClientBlock } from "../replay/client-block.ts";
import { startCandidate, type ReplayLimit } from "../replay/candidates.ts";
import type { ClientMeans, StarvedClient } from "./long-run.ts";
import type { ClientColumns } from "./traffic.ts";

/** The clients that a rate refuses, by their numbers, and how many of their requests. */
export interface Refusals {
  readonly rate: number;
  readonly ids: Int32Array;
  /** Refused requests that the target is about: all that are not labelled as bad. */
  readonly good: Int32Array;
  readonly bad: Int32Array;
  readonly goodRequests: number;
  readonly goodClients: number; // clients with a good request refused
  readonly badRequests: number;
  readonly badClients: number; // clients with a bad request refused
  /** Clients of which no good request is refused, although they send more than the rate in the long run. */
  readonly starved?: readonly StarvedClient[];
}

export interface DecidedClients {
  readonly columns: ClientColumns;
  readonly names: readonly string[];
}

/** The number of clients in one limiter, few enough for its counters to stay in the processor's cache. */
const BLOCK = 2048;

export function refusalsOf(
  candidate: ReplayLimit,
  { columns, names }: DecidedClients,
  ids: Int32Array,
): Omit<Refusals, "rate"> {
  const { isBad, starts } = columns;
  const refusedIds = new Int32Array(ids.length);
  const good = new Int32Array(ids.length);
  const bad = new Int32Array(ids.length);
  const rows = Math.min(ids.length, BLOCK);
  const goodOf = new Int32Array(rows);
  const badOf = new Int32Array(rows);
  const note = (row: number, place: number): void => {
    if (isBad?.[place] === 1) badOf[row]!++;
    else goodOf[row]!++;
  };
  const requests = new ClientBlock(ids.reduce((sum, id) => sum + starts[id + 1]! - starts[id]!, 0));
  let count = 0;
  let goodRequests = 0;
  let goodClients = 0;
  let badRequests = 0;
  let badClients = 0;
  for (let from = 0; from < ids.length; from += BLOCK) {
    const block = ids.subarray(from, from + BLOCK);
    const clients = { names: Array.from(block, (id) => names[id]!) };
    goodOf.fill(0);
    badOf.fill(0);
    requests.decide(startCandidate(candidate, { clients, targets: null }), columns, block, note);
    for (let row = 0; row < block.length; row++) {
      if (goodOf[row]! + badOf[row]! === 0) continue;
      refusedIds[count] = block[row]!;
      good[count] = goodOf[row]!;
      bad[count++] = badOf[row]!;
      goodRequests += goodOf[row]!;
      if (goodOf[row]! > 0) goodClients++;
      badRequests += badOf[row]!;
      if (badOf[row]! > 0) badClients++;
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

/** The requests of each client that the target is about. */
export function countGoodRequests(
  { columns: { starts, isBad }, names }: DecidedClients,
  all: Int32Array,
): Int32Array {
  const requestsOf = new Int32Array(names.length);
  for (const id of all)
    for (let at = starts[id]!; at < starts[id + 1]!; at++) if (isBad?.[at] !== 1) requestsOf[id]!++;
  return requestsOf;
}

/** The clients with a bad request. */
export const countBadClients = (
  { columns: { starts, isBad } }: DecidedClients,
  all: Int32Array,
): number =>
  isBad === null
    ? 0
    : all.filter((id) => isBad.subarray(starts[id], starts[id + 1]).includes(1)).length;

/** What a search reads of a curve. */
export interface TriedCurve {
  readonly at: (rate: number) => Refusals;
  /** All tried rates, in ascending order. */
  readonly refusalsByRate: () => readonly Refusals[];
}

export type LimitAt = (rate: number) => ReplayLimit;

/**
 * The refusals of one candidate by rate. If a rate refuses no request of a client, no higher rate does: until the first
 * refusal both rates count the same. So a rate decides only the clients that a lower rate refuses.
 */
export class RefusalCurve implements TriedCurve {
  readonly most: number; // the highest rate
  readonly #all: Int32Array; // the numbers of all clients
  readonly #limitAt: LimitAt;
  readonly #decided: DecidedClients;
  readonly #tried = new Map<number, Refusals>();
  readonly #means: ClientMeans | null;

  /** `means`: null if rates are no rates of the long run. */
  constructor(
    limitAt: LimitAt,
    decided: DecidedClients,
    all: Int32Array,
    most: number,
    means: ClientMeans | null = null,
  ) {
    this.#means = means;
    this.#limitAt = limitAt;
    this.#decided = decided;
    this.#all = all;
    this.most = most;
  }

  at(rate: number): Refusals {
    const tried = this.#tried.get(rate);
    if (tried !== undefined) return tried;
    const refused = refusalsOf(this.#limitAt(rate), this.#decided, this.#idsAt(rate));
    const isGood = (_: number, at: number): boolean => refused.good[at]! > 0;
    const starved = this.#means?.listAbove(rate, new Set(refused.ids.filter(isGood)));
    const refusals = { rate, ...refused, ...(starved === undefined ? {} : { starved }) };
    this.#tried.set(rate, refusals);
    return refusals;
  }

  refusalsByRate(): readonly Refusals[] {
    return [...this.#tried.values()].toSorted((a, b) => a.rate - b.rate);
  }

  /** The curve of all other clients, of which none is decided again. */
  without(clients: ReadonlySet<number>): TriedCurve {
    const rest = new Map<number, Refusals>();
    const restOf = (refusals: Refusals): Refusals => {
      const known = rest.get(refusals.rate) ?? refusalsWithout(refusals, clients);
      rest.set(refusals.rate, known);
      return known;
    };
    return {
      at: (rate) => rest.get(rate) ?? restOf(this.at(rate)),
      refusalsByRate: () => this.refusalsByRate().map(restOf),
    };
  }

  /**
   * The smallest rate that refuses no request of a client; null: every rate refuses some. Searches only between the
   * nearest rates that were tried before.
   */
  peakOf(client: number): number | null {
    let low = 0;
    let high = Number.POSITIVE_INFINITY;
    for (const [rate, { ids }] of this.#tried)
      if (isIn(ids, client)) low = Math.max(low, rate);
      else high = Math.min(high, rate);
    const isRefused = (rate: number): boolean =>
      refusalsOf(this.#limitAt(rate), this.#decided, Int32Array.of(client)).ids.length > 0;
    while (high - low > 1) {
      if (low === this.most) return null;
      const middle =
        high < Number.POSITIVE_INFINITY
          ? Math.floor((low + high) / 2)
          : Math.min(Math.max(1, 2 * low), this.most);
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

function refusalsWithout<Refused extends Omit<Refusals, "rate">>(
  refusals: Refused,
  clients: ReadonlySet<number>,
): Refused {
  const places = [...refusals.ids.keys()].filter((at) => !clients.has(refusals.ids[at]!));
  const pick = (counts: Int32Array): Int32Array => Int32Array.from(places, (at) => counts[at]!);
  const [good, bad] = [pick(refusals.good), pick(refusals.bad)];
  const sum = (counts: Int32Array): number => counts.reduce((total, each) => total + each, 0);
  const countAbove = (counts: Int32Array): number => counts.filter((each) => each > 0).length;
  return {
    ...refusals,
    ids: pick(refusals.ids),
    good,
    bad,
    goodRequests: sum(good),
    goodClients: countAbove(good),
    badRequests: sum(bad),
    badClients: countAbove(bad),
    ...(refusals.starved === undefined
      ? {}
      : { starved: refusals.starved.filter(({ client }) => !clients.has(client)) }),
  };
}

/** Whether `ids`, which are in ascending order, contain a client. */
function isIn(ids: Int32Array, client: number): boolean {
  let from = 0;
  let to = ids.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (ids[middle]! < client) from = middle + 1;
    else to = middle;
  }
  return ids[from] === client;
}
