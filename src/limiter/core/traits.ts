// What there is to know of an algorithm without its rule; `algorithms.ts` has it of each.

export interface AlgorithmTraits {
  /** The numbers that a store has for one budget. Algorithms of one state share its rule, table and script. */
  readonly state: "counter" | "debt" | "queue" | "two_windows" | "log";
  /** Counted for all gateways in the store, or by each gateway, which then has its share of the rate (ALG-C4). */
  readonly place: "store" | "gateway";
  /** When a remote store gets single commands, between which others can act, and no script (ALG-C6, ALG-C7). */
  readonly sentAsCommands: "always" | "in_transactions" | "never";
  /** The decision only reads; a background write stores the attempt, and a mark for the decisions to come (ALG-C5). */
  readonly isWrittenInBackground: boolean;
  /** A log that drops attempts beyond the newest `rate`, because they decide nothing (ALG-C9). */
  readonly isBounded: boolean;
  /** An admitted request waits until it is its turn (ALG-C10). */
  readonly delays: boolean;
  /** How many windows back a request can still count. */
  readonly lookbackWindows: 1 | 2;
  /** The gateway options that only this algorithm reads. */
  readonly options: readonly ("fixedWindowStart" | "sentinelMark" | "burst" | "queue")[];
}
