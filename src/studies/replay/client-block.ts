// Requests of some clients, sorted by client, as the loops of the algorithms need them. A client with many requests is
// decided in several parts.
import {
  attemptCounter,
  type AttemptCounter,
  type AttemptWindow,
} from "../../limiter/store/attempt-counts.ts";
import type { RequestBlock } from "../../limiter/store/numbered-runs.ts";
import type { CandidateLimiter } from "./candidate-limiter.ts";

/** Most requests of a block: few enough for the processor's cache. */
const MOST_REQUESTS = 1 << 14;

/** Requests of client `id` are from `starts[id]` to `starts[id + 1]`. */
interface GroupedTimes {
  readonly starts: Int32Array;
  readonly atUs: Float64Array;
}

export class ClientBlock implements RequestBlock {
  count = 0;
  clientCount = 0;
  readonly clients: Int32Array;
  readonly atUs: Float64Array;
  readonly #places: Int32Array; // row of the request in the caller's columns
  readonly #refused: Int32Array;
  #attempts: AttemptCounter | null = null;

  /** `requests`: the number of requests of all clients to be decided. */
  constructor(requests: number) {
    const rows = Math.min(requests, MOST_REQUESTS);
    this.clients = new Int32Array(rows);
    this.atUs = new Float64Array(rows);
    this.#places = new Int32Array(rows);
    this.#refused = new Int32Array(rows);
  }

  /** Decides all requests of the clients `ids`; the limiter numbers these from 0. Calls `note` for each refusal. */
  decide(
    limiter: CandidateLimiter,
    { starts, atUs }: GroupedTimes,
    ids: Int32Array,
    note: (row: number, place: number) => void,
  ): void {
    this.clientCount = ids.length;
    this.#attempts = null;
    limiter.makeRoom(ids.length);
    for (let row = 0; row < ids.length; row++) {
      const end = starts[ids[row]! + 1]!;
      for (let place = starts[ids[row]!]!; place < end; place++) {
        if (this.count === this.clients.length) this.#decideAll(limiter, note);
        this.clients[this.count] = row;
        this.atUs[this.count] = atUs[place]!;
        this.#places[this.count++] = place;
      }
    }
    this.#decideAll(limiter, note);
  }

  /** One counter is enough, because one limiter decides all requests, with one window. */
  attemptsWithin(window: AttemptWindow, perUs: number): Int32Array {
    this.#attempts ??= attemptCounter(window, perUs);
    return this.#attempts.count(this, this.clientCount);
  }

  #decideAll(limiter: CandidateLimiter, note: (row: number, place: number) => void): void {
    const refused = this.#refused;
    let count = 0;
    if (limiter.decideAll === undefined) {
      for (let i = 0; i < this.count; i++)
        if (limiter.decide(this.clients[i]!, 0, this.atUs[i]!) > 0) refused[count++] = i;
    } else count = limiter.decideAll(this, refused);
    for (let i = 0; i < count; i++) note(this.clients[refused[i]!]!, this.#places[refused[i]!]!);
    this.count = 0;
  }
}
