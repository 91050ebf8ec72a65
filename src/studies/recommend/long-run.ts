// What each client sends per window in the long run. A limit below it lives on its first burst: it refuses nothing of a
// short log, and loses requests as soon as the burst is spent.
import { SECOND, type Micros } from "../../kit/units.ts";
import type { ClientColumns, LoggedTraffic } from "./traffic.ts";

/** The good requests of each client per window, over all of the log, or over its whole windows if that is less. */
export function meansOf(
  { starts, atUs, isBad }: ClientColumns,
  perUs: Micros,
  { firstUs, lastUs }: Pick<LoggedTraffic, "firstUs" | "lastUs">,
  isWholeSeconds: boolean,
): Float64Array {
  const periodUs = lastUs - firstUs + (isWholeSeconds ? SECOND : 0);
  const windows = Math.max(1, Math.floor(periodUs / perUs));
  // A log that ends with a burst of each window would have a mean above the bursts.
  const endUs = firstUs + windows * perUs;
  const means = new Float64Array(starts.length - 1);
  for (let id = 0; id < means.length; id++) {
    let inWindows = 0;
    let requests = 0;
    for (let at = starts[id]!; at < starts[id + 1]!; at++) {
      if (isBad?.[at] === 1) continue;
      requests++;
      if (atUs[at]! < endUs) inWindows++;
    }
    means[id] = Math.min(inWindows / windows, requests / Math.max(1, periodUs / perUs));
  }
  return means;
}

/** What a client sends per window. */
export interface LongRun {
  readonly client: number;
  readonly mean: number;
}

/** A client of which a rate refuses no good request of the log, and what it would lose in as long a time later. */
export interface StarvedClient {
  readonly client: number;
  readonly lost: number;
}

/** Lists the clients that send more than a rate in the long run. */
export class ClientMeans {
  readonly #means: Float64Array;
  readonly #order: Int32Array; // the highest mean first
  readonly #windows: number; // of the log

  constructor(means: Float64Array, all: Int32Array, windows: number) {
    this.#means = means;
    this.#order = all.toSorted((a, b) => means[b]! - means[a]! || a - b);
    this.#windows = windows;
  }

  of(client: number): LongRun {
    return { client, mean: this.#means[client]! };
  }

  /** Of these clients, the one that sends most; null: there are none. */
  highestOf(clients: readonly number[]): LongRun | null {
    const [client] = clients.toSorted((a, b) => this.#means[b]! - this.#means[a]! || a - b);
    return client === undefined ? null : this.of(client);
  }

  /** Those that are not among `refused`. */
  listAbove(rate: number, refused: ReadonlySet<number>): readonly StarvedClient[] {
    const end = this.#order.findIndex((id) => this.#means[id]! <= rate + ROUNDING);
    return Array.from(this.#order.subarray(0, end < 0 ? undefined : end))
      .filter((id) => !refused.has(id))
      .map((client) => ({
        client,
        lost: Math.ceil((this.#means[client]! - rate) * this.#windows - ROUNDING),
      }));
  }
}

const ROUNDING = 1e-9;
