// The past of one budget as the history records it: every request that met the budget, with effect and time. Nothing is
// ever discarded.
import type { OracleLevel } from "./levels.ts";
import type { OracleWorld } from "./world.ts";

/** When a request was decided. Exact runs know the instant and the gateway's own stamp; other runs know a span. */
export interface Moment {
  readonly row: number;
  readonly fromUs: number; // range of the true time of the decision
  readonly toUs: number;
  readonly loUs: number; // range of the decision's timestamp
  readonly hiUs: number;
  readonly flightFromUs: number; // from the start of its first store operation to the end of its last
  readonly flightToUs: number;
  readonly gateway: number;
}

/**
 * The effect of an attempt: `admitted` spent the budget, `refused` was written to the log that refused it (ALG-3),
 * `visited` was only evaluated, `passing` was spent and refunded, because a later level refused (LIM-C1). For later
 * requests `passing` becomes `refunded`.
 */
export type Trace = "admitted" | "refused" | "visited" | "passing" | "refunded";

export interface LedgerAttempt extends Moment {
  readonly trace: Trace;
  readonly certain: boolean; // false if the attempt may never have reached the store
  readonly algorithm: OracleLevel["algorithm"];
  readonly isCountedHere: boolean; // whether the gateway counts it in its own memory (ALG-C4)
  readonly rate: number; // rate of the limit that evaluated the attempt
  readonly capacity: number; // integer part of that rate
  readonly delayUs: number; // time from its decision to its turn (ALG-C10)
  readonly cost: number; // units of the request (LIM-C19)
}

/** An earlier attempt that may affect a later request. */
export interface Past {
  readonly attempt: LedgerAttempt;
  readonly counts: "yes" | "maybe";
}

export interface Ledger {
  readonly past: Past[]; // in the order of rows, each counted as "yes"
  readonly writes: Past[]; // the written attempts of `past`, once for each unit
  readonly resets: readonly Loss[];
  readonly capacities: Set<number>; // capacities of the limits that the writes met
  leastCapacity: number; // the smallest capacity that any attempt met
  /** Whether each attempt has an exact time and was certainly written or certainly not. */
  isPlain: boolean;
  latestUs: number;
  disorderUs: number; // most by which a row's `hiUs` is before that of an earlier row
  longestUs: number; // the longest range of an attempt, of its decision or of its flight
}

/** A loss of counts: earlier counts are lost, surely if `certain`, else perhaps. */
export interface Loss {
  readonly fromUs: number;
  readonly toUs: number;
  readonly certain: boolean;
}

export const isWritten = ({ trace }: LedgerAttempt): boolean =>
  trace !== "visited" && trace !== "refunded";

/** Repeats each attempt once for each of its units, because budgets count units (LIM-C19). */
export const unitsIn = (past: readonly Past[]): readonly Past[] =>
  past.every(({ attempt }) => attempt.cost === 1)
    ? past
    : past.flatMap((one) => Array.from({ length: one.attempt.cost }, () => one));

export const emptyLedger = (resets: readonly Loss[] = []): Ledger => ({
  resets,
  past: [],
  writes: [],
  capacities: new Set(),
  leastCapacity: Number.POSITIVE_INFINITY,
  isPlain: resets.length === 0,
  latestUs: Number.NEGATIVE_INFINITY,
  disorderUs: 0,
  longestUs: 0,
});

export function enter(ledger: Ledger, attempt: LedgerAttempt, world: OracleWorld): void {
  const { fromUs, toUs, hiUs, flightFromUs, flightToUs, certain, trace, isCountedHere } = attempt;
  const losses = isCountedHere ? world.gatewayRestarts : world.storeRestartsUs;
  const isPlain = fromUs === toUs && certain && trace !== "passing" && losses.length === 0;
  const item: Past = { attempt, counts: "yes" };
  ledger.past.push(item);
  if (isWritten(attempt)) {
    ledger.writes.push(...unitsIn([item]));
    ledger.capacities.add(attempt.capacity);
  }
  ledger.leastCapacity = Math.min(ledger.leastCapacity, attempt.capacity);
  ledger.isPlain &&= isPlain;
  ledger.disorderUs = Math.max(ledger.disorderUs, ledger.latestUs - hiUs);
  ledger.latestUs = Math.max(ledger.latestUs, hiUs);
  ledger.longestUs = Math.max(ledger.longestUs, toUs - fromUs, flightToUs - flightFromUs);
}
