// The requests of logs as columns: read once, and decided client by client as often as a search needs.
import { MinuteCounts, type LogCoverage } from "./coverage.ts";
import type { Arrivals } from "../replay/arrivals.ts";
import type { Placement } from "../replay/placements.ts";

/** Most requests in memory. Each takes 12 bytes, and 8 more for its time under a placement: 1 GB in all. */
export const MOST_REQUESTS = 50_000_000;

interface Chunk {
  readonly atUs: Float64Array;
  readonly clients: Int32Array;
  readonly labels: Int32Array | null; // 1: bad
}

/** Requests in the order of client and time, under one placement. */
export interface ClientColumns {
  /** Requests of client `id` are from `starts[id]` to `starts[id + 1]`. */
  readonly starts: Int32Array;
  readonly atUs: Float64Array;
  readonly isBad: Uint8Array | null; // null: bad requests are not distinguished
}

/** Stores the requests of logs in the order of their arrival. */
export class LoggedTraffic {
  requests = 0;
  firstUs = 0;
  lastUs = 0;
  /** Whether there are more requests than a search can hold. */
  isFull = false;
  /** By the number of a client: 1 if all requests of the client are bad. Null: no list of bad clients was given. */
  badClients: Uint8Array | null = null;
  readonly #minutes = new MinuteCounts();
  readonly #chunks: Chunk[] = [];
  readonly #hasLabels: boolean;
  readonly #most: number;

  constructor(hasLabels: boolean, most: number = MOST_REQUESTS) {
    this.#hasLabels = hasLabels;
    this.#most = most;
  }

  decide({ count, atUs, clients, targets }: Arrivals): void {
    if (count === 0) return;
    if (this.requests === 0) this.firstUs = atUs[0]!;
    this.lastUs = atUs[count - 1]!;
    this.requests += count;
    if (this.requests > this.#most) this.isFull = true;
    if (this.isFull) return;
    this.#minutes.add(atUs, count);
    const labels = this.#hasLabels ? targets.slice(0, count) : null;
    this.#chunks.push({ atUs: atUs.slice(0, count), clients: clients.slice(0, count), labels });
  }

  end(): void {}

  coverage(): LogCoverage {
    return this.#minutes.coverage();
  }

  /** Labels all requests of these clients as bad. `clients`: the number of clients. */
  labelClients(ids: Iterable<number>, clients: number): void {
    this.badClients ??= new Uint8Array(clients);
    for (const id of ids) this.badClients[id] = 1;
  }

  /** Sorts the requests by client, and those of a client by time. `clients`: the number of clients. */
  columns({ place }: Placement, clients: number): ClientColumns {
    const starts = new Int32Array(clients + 1);
    for (const chunk of this.#chunks) for (const id of chunk.clients) starts[id + 1]!++;
    for (let id = 0; id < clients; id++) starts[id + 1]! += starts[id]!;
    const next = starts.slice();
    const atUs = new Float64Array(this.requests);
    const { badClients } = this;
    const isBad = this.#hasLabels || badClients !== null ? new Uint8Array(this.requests) : null;
    let times = new Float64Array(0);
    for (const chunk of this.#chunks) {
      const count = chunk.atUs.length;
      if (times.length < count) times = new Float64Array(count);
      place({ count, ...chunk, targets: chunk.clients }, times);
      for (let i = 0; i < count; i++) {
        const client = chunk.clients[i]!;
        const at = next[client]!++;
        atUs[at] = times[i]!;
        if (isBad !== null) isBad[at] = (chunk.labels?.[i] ?? 0) | (badClients?.[client] ?? 0);
      }
    }
    return { starts, atUs, isBad };
  }
}
