// What every candidate is for a replay, whatever decides in it.
import type { RunOfRequests } from "../../limiter/store/numbered-runs.ts";
import type { NameTable } from "./names.ts";
import type { Selector } from "./selectors.ts";

/** The names that the numbers of a request mean. */
export interface RequestNames {
  readonly clients: Pick<NameTable, "names">;
  readonly targets: NameTable | null;
  /** What the names of targets have after the path: fields of the sender that worlds read. */
  readonly sender?: readonly Selector[];
}

/** The wait of a request that is rejected before any limit. */
export const REJECTED = -1;

/** Decides requests in the order of their times. */
export interface CandidateLimiter {
  /** By the numbers of client and target. How long the request has to wait; 0: it is admitted. */
  readonly decide: (client: number, target: number, atUs: number, charge?: Charge) => number;
  /** Many requests in turn at these times, each of which costs 1. Writes which are refused. Left out: one by one only. */
  readonly decideAll?: RunOfRequests;
  /** How long the last request waits for its turn, if it was admitted. Null: no admitted request waits. */
  readonly delayUs: (() => number) | null;
  /** Before a request of a client with a larger number than before. */
  readonly makeRoom: (clients: number) => void;
  /** After the last request: requests that are running end. Left out: none is. */
  readonly end?: () => void;
}

/** What a request costs, and how long it lasts. Left out where each costs 1. */
export interface Charge {
  readonly units: number;
  readonly lastsUs: number;
}
