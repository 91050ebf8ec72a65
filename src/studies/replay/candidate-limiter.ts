// The interface of a candidate to a replay, the same for limits and worlds.
import type { RunOfRequests } from "../../limiter/store/numbered-runs.ts";
import type { NameTable } from "./names.ts";
import type { Selector } from "./selectors.ts";

/** The tables of names: a request has only the numbers of its client and target. */
export interface RequestNames {
  readonly clients: Pick<NameTable, "names">;
  readonly targets: NameTable | null;
  /** The fields of the sender that worlds read: their values follow the path in the name of a target. */
  readonly sender?: readonly Selector[];
}

/** Returned in place of a wait if a request is rejected before any limit. */
export const REJECTED = -1;

/** Decides requests in the order of their times. */
export interface CandidateLimiter {
  /** Decides a request by the numbers of its client and target. Returns its wait in microseconds; 0: admitted. */
  readonly decide: (client: number, target: number, atUs: number, charge?: Charge) => number;
  /** Decides many requests that each cost 1, and writes which are refused. Left out: `decide` is called for each. */
  readonly decideAll?: RunOfRequests;
  /** How long the last request, if admitted, waits for its turn. Null: this limiter delays no request. */
  readonly delayUs: (() => number) | null;
  /** Call before a request of a client whose number is larger than any before. */
  readonly makeRoom: (clients: number) => void;
  /** The requests of each rule of a configuration. Left out: it has no rules. */
  readonly ruleCounts?: () => readonly RuleCount[];
  /** The requests of each target, by its number. Left out: the limiter does not count them. */
  readonly targetCounts?: () => readonly RuleCount[];
  /** Call after the last request: ends the running requests. Left out: no request is running. */
  readonly end?: () => void;
}

export interface RuleCount {
  readonly counted: number;
  readonly refused: number;
}

/** What a request costs, and how long it lasts. Without a charge, a request costs 1. */
export interface Charge {
  readonly units: number;
  readonly lastsUs: number;
}
