import type { LedgerAttempt, Moment } from "#src/lab/oracle/ledger.ts";

/** Decided, sent and answered within a span; one number is an instant. Its stamp is as uncertain. */
export const momentOf = (row: number, fromUs: number, toUs: number = fromUs): Moment => ({
  row,
  fromUs,
  toUs,
  loUs: fromUs,
  hiUs: toUs,
  flightFromUs: fromUs,
  flightToUs: toUs,
  gateway: 0,
});

/** Admitted and surely counted, as one unit, except for its own fields. */
export const attemptOf = (moment: Moment, own: Partial<LedgerAttempt> = {}): LedgerAttempt => ({
  trace: "admitted",
  certain: true,
  algorithm: "fixed_window",
  isCountedHere: false,
  rate: 1,
  capacity: 1,
  delayUs: 0,
  cost: 1,
  ...moment,
  ...own,
});
