// The functions of an imitated rule, and the counting that is built from them.
import type { Micros } from "../../../kit/units.ts";
import { limitForClients, type BoundLevel, type Counting } from "../counting.ts";
import { showBudget } from "../shown-budget.ts";
import type { BudgetTable, Extra } from "../table.ts";

export interface ImitatedRule<T extends BudgetTable> {
  /** How long until all units are admitted; 0: now, infinity: never. */
  wait(bound: BoundLevel<T>, atUs: number, units: number): number;
  spend(bound: BoundLevel<T>, atUs: Micros, units: number): void;
  /** Changes the budget for a refused request. */
  refuse(bound: BoundLevel<T>, atUs: Micros, units: number): void;
  remaining(bound: BoundLevel<T>, atUs: number): number;
  fullUs(bound: BoundLevel<T>, atUs: number): number;
  giveBack(table: T, row: number, takenUs: Micros, units: number): void;
}

export const countingBy = <T extends BudgetTable>(rule: ImitatedRule<T>): Counting<T> => ({
  evaluate: (bound, atUs, _, units) => rule.wait(bound, atUs, units),
  spend: (bound, index, atUs, reply, units) => {
    rule.spend(bound, atUs, units);
    showBudget(bound, index, atUs, reply);
  },
  writeRefused: (bound, atUs, _, units) => rule.refuse(bound, atUs, units),
  limit: limitForClients,
  remaining: (bound, atUs) => rule.remaining(bound, atUs),
  fullUs: (bound, atUs) => Math.max(atUs, rule.fullUs(bound, atUs)),
  nextWait: (bound, atUs) => rule.wait(bound, atUs, 1),
  giveBack: (table, row, takenUs, units) => rule.giveBack(table, row, takenUs, units),
});

/** A limit's rate has changed between two requests of a client. */
export interface RateChange {
  readonly from: number;
  readonly to: number;
  readonly atUs: number;
  readonly isShare: boolean; // true: the same share of the limit remains; false: the same units
}

const NEVER = Number.NEGATIVE_INFINITY;

/** The additional state of this row, created when it is first needed. */
export function extraOf({ table, row }: BoundLevel): Extra {
  const extras = table.extras!;
  const extra = extras.get(row) ?? { untilUs: NEVER, startUs: NEVER, count: 0, rate: Number.NaN };
  extras.set(row, extra);
  return extra;
}
