// The budgets of a key, with the counters of the gateways (MGT-C11).
import { z } from "zod";
import { SCOPES } from "../../limiter/core/budget.ts";

export const budgetShown = z.strictObject({
  level: z.enum(SCOPES),
  budget: z.string().meta({ description: "its name, by which it is reset" }),
  apis: z.array(z.string()).meta({ description: "APIs whose requests it counts" }),
  algorithm: z.string(),
  rate: z.number(),
  per: z.number().nullable().meta({ description: "in seconds; null: it never renews" }),
  limit: z.number().meta({ description: "of the present window" }),
  remaining: z.number(),
  delay: z
    .number()
    .nullable()
    .meta({ description: "seconds that the next request would wait in the queue; null: none" }),
  reset: z.number().nullable().meta({ description: "in Unix seconds; null: never" }),
  allowance: z.number().nullable().meta({ description: "the whole part of A; null: not smoothed" }),
  shadow: z.boolean().meta({ description: "evaluated, never enforced" }),
  because: z.array(z.string()).readonly(),
});
export type BudgetShown = Readonly<Omit<z.infer<typeof budgetShown>, "apis">> & {
  readonly apis: readonly string[];
};

/** A limit of the key that counts by address or header, so that each client has a budget (LIM-C17). */
export const byClientShown = z.strictObject({
  apis: z.array(z.string()),
  space: z.string().meta({ description: "prefix of the names of its budgets" }),
  by: z.union([z.literal("ip"), z.strictObject({ header: z.string() })]),
});
type ByClientShown = Readonly<Omit<z.infer<typeof byClientShown>, "apis">> & {
  readonly apis: readonly string[];
};

interface BudgetsOfKey {
  readonly budgets: readonly BudgetShown[];
  readonly byClient: readonly ByClientShown[];
}

/** Access to the counters of budgets. Null: the store or all gateways are unreachable. */
export interface Budgets {
  readonly read: (keyId: string) => Promise<BudgetsOfKey | null>;
  /** Resets the budget with this name, or all of the key's if `name` is null. Returns the names of reset budgets. */
  readonly reset: (keyId: string, name: string | null) => Promise<readonly string[] | null>;
}

/** The budgets in a process without a gateway, which can reach no counters. */
export const NO_BUDGETS: Budgets = {
  read: () => Promise.resolve(null),
  reset: () => Promise.resolve(null),
};
