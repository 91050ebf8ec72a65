// Divides a replay among machines that all read the whole log. If a candidate counts each client alone, each share
// decides some clients. Each of the other candidates is decided by one share alone.
import type { Arrivals } from "./arrivals.ts";
import { countsClientsAlone, type Candidate } from "./candidates.ts";
import { hashOf, type NameTable } from "./names.ts";

export interface ReplayShare {
  readonly index: number; // from 0
  readonly of: number;
}

/** The clients whose requests one share decides for a candidate. */
export type DecidedPart = "all clients" | "own clients" | "none";

export function partOf(
  candidate: Candidate,
  number: number,
  share: ReplayShare | "none" | undefined,
  hasRetries: boolean,
): DecidedPart {
  if (share === undefined) return "all clients";
  if (share === "none") return "none";
  // All retrying clients draw from one random stream, so they cannot be divided.
  if (!hasRetries && countsClientsAlone(candidate)) return "own clients";
  return number % share.of === share.index ? "all clients" : "none";
}

/** The rows of a share's clients, which a hash of their names selects. */
export class OwnRows {
  arrivals: Arrivals = NO_ARRIVALS;
  times = new Float64Array(0);
  steps = new Int32Array(0);
  readonly #share: ReplayShare;
  readonly #names: NameTable;
  #isOwn = new Uint8Array(0); // 1 for each client of this share
  #known = 0;
  #rows = new Int32Array(0);

  constructor(share: ReplayShare, names: NameTable) {
    this.#share = share;
    this.#names = names;
  }

  select({ count, atUs, clients, targets }: Arrivals, steps: Int32Array): void {
    this.#findOwn();
    if (this.#rows.length < count) {
      this.#rows = new Int32Array(count);
      this.times = new Float64Array(count);
      this.steps = new Int32Array(count);
      this.arrivals = {
        count: 0,
        atUs: new Float64Array(count),
        clients: new Int32Array(count),
        targets: new Int32Array(count),
      };
    }
    const own = this.arrivals;
    let rows = 0;
    for (let row = 0; row < count; row++) {
      if (this.#isOwn[clients[row]!] === 0) continue;
      this.#rows[rows] = row;
      own.atUs[rows] = atUs[row]!;
      own.clients[rows] = clients[row]!;
      own.targets[rows] = targets[row]!;
      this.steps[rows++] = steps[row]!;
    }
    this.arrivals = { ...own, count: rows };
  }

  /** Copies the times of the share's rows from `times`, which has all rows under a placement. */
  place(times: Float64Array): void {
    for (let at = 0; at < this.arrivals.count; at++) this.times[at] = times[this.#rows[at]!]!;
  }

  #findOwn(): void {
    const { count } = this.#names;
    if (count > this.#isOwn.length) {
      const larger = new Uint8Array(Math.max(count, 2 * this.#isOwn.length));
      larger.set(this.#isOwn);
      this.#isOwn = larger;
    }
    const { index, of } = this.#share;
    for (; this.#known < count; this.#known++)
      this.#isOwn[this.#known] = hashOf(this.#names.nameOf(this.#known)) % of === index ? 1 : 0;
  }
}

const NO_ARRIVALS: Arrivals = {
  count: 0,
  atUs: new Float64Array(0),
  clients: new Int32Array(0),
  targets: new Int32Array(0),
};
