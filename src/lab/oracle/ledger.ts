// The past of one budget, as the history recorded it: every request that met the budget, its effect, and its time.
// Nothing is ever discarded.
import type { OracleLevel } from "./levels.ts";
import type { OracleWorld } from "./world.ts";

/** When a request was decided. Exact runs know the instant and the gateway's own stamp; others a span. */
export interface Moment {
  readonly row: number;
  readonly fromUs: number; // true time of the decision
  readonly toUs: number;
  readonly loUs: number; // the stamp it carries
  readonly hiUs: number;
  readonly flightFromUs: number; // from its first store operation to its last
  readonly flightToUs: number;
  readonly gateway: number;
}

/**
 * `admitted` was spent, `refused` was written to the log that refused it (ALG-3), `visited` only evaluated,
 * `passing` was spent and refunded because a later level refused (LIM-C1). To a request that came after the refund it is
 * `refunded`.
 */
export type Trace = "admitted" | "refused" | "visited" | "passing" | "refunded";

export interface LedgerAttempt extends Moment {
  readonly trace: Trace;
  readonly certain: boolean; // false: perhaps it never reached the store
  readonly algorithm: OracleLevel["algorithm"];
  readonly isCountedHere: boolean; // by its gateway for itself (ALG-C4)
  readonly rate: number; // of the limit that it met
  readonly capacity: number; // its whole part
  readonly delayUs: number; // from its decision to its turn (ALG-C10)
  readonly cost: number; // in units (LIM-C19)
}

/** An earlier attempt, as far as a later request can depend on it. */
export interface Past {
  readonly attempt: LedgerAttempt;
  readonly counts: "yes" | "maybe";
}

export interface Ledger {
  readonly past: Past[]; // in the order of the rows; all as if certain
  readonly writes: Past[]; // those of them that were written, one for each unit
  readonly resets: readonly Loss[];
  readonly capacities: Set<number>; // of the limits that writes met
  leastCapacity: number; // of those that any attempt met
  /** Nothing about these attempts is uncertain: instants, and each surely written or surely not. */
  isPlain: boolean;
  latestUs: number;
  disorderUs: number; // the most by which the end of a stamp's span is before that of an earlier row
  longestUs: number; // the longest time between the first and the last moment of an attempt
}

/** Counts from before it are lost, or perhaps lost. */
export interface Loss {
  readonly fromUs: number;
  readonly toUs: number;
  readonly certain: boolean;
}

export const isWritten = ({ trace }: LedgerAttempt): boolean =>
  trace !== "visited" && trace !== "refunded";

/** Each attempt as often as it has units: budgets count units (LIM-C19). */
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
