// The properties of an algorithm, without its rule. `algorithms.ts` lists them for each algorithm.

export interface AlgorithmTraits {
  /** The numbers that a store has for one budget. Algorithms with the same state share rule, table and script. */
  readonly state: "counter" | "debt" | "queue" | "two_windows" | "log";
  /** Whether the store counts for all gateways, or each gateway counts its share of the rate (ALG-C4). */
  readonly place: "store" | "gateway";
  /** When a remote store gets single commands instead of a script; requests can act in between (ALG-C6, ALG-C7). */
  readonly sentAsCommands: "always" | "in_transactions" | "never";
  /** The decision only reads. A background write then stores the attempt, and a mark for later decisions (ALG-C5). */
  readonly isWrittenInBackground: boolean;
  /** A log that drops attempts beyond the newest `rate`, because they decide nothing (ALG-C9). */
  readonly isBounded: boolean;
  /** An admitted request may wait for its turn (ALG-C10). */
  readonly delays: boolean;
  /** For how many windows a request can affect later decisions. */
  readonly lookbackWindows: 1 | 2;
  /** The gateway options that only this algorithm reads. */
  readonly options: readonly ("fixedWindowStart" | "sentinelMark" | "burst" | "queue")[];
}
