// The refusals by limits in one variant, and the reason of each: part of the document of a report.
import * as z from "zod";

const text = z.string();
const count = z.int().min(0);
const us = z.number();

const budget = z
  .strictObject({
    name: text,
    scope: text,
    algorithm: text,
    rate: z.number(),
    perUs: us.nullable(), // null if the budget never renews
    because: z.array(text).readonly(), // ids of requirements
  })
  .readonly();

/** Requests of one flow, close in time, that used the budget. */
const fillers = z
  .strictObject({
    flow: text,
    fromUs: us,
    toUs: us,
    count,
    what: z.enum(["admitted", "refused", "perhaps"]), // "refused" occurs only with logs, which count refusals
  })
  .readonly();

const explained = z
  .strictObject({
    agrees: z.enum(["yes", "no", "open"]), // whether the specification agrees with the decision
    text, // the answer of weir explain; in older reports the state of the budget at the request
    passesAtUs: us.nullable(), // when the request would be admitted; null if never
    missedByUs: us.nullable(),
  })
  .readonly();

const refused = z
  .strictObject({
    row: count,
    request: text.nullable(), // such as "first:6"; null for a retry
    atUs: us,
    explained: explained.nullable(), // null if there are too many refusals to explain all
  })
  .readonly();

/** Consecutive refusals of one flow by the same budget for the same reason. */
const refusal = z
  .strictObject({
    flow: text,
    status: z.int(),
    reason: z.enum(["rate", "quota"]),
    budget: count.nullable(), // index in `budgets`; null if no budget decided
    count,
    first: refused,
    last: refused.nullable(), // null if `first` is the only one
    cited: z.array(refused).readonly(), // refusals between first and last that verdicts cite
    citedRows: z.array(count).readonly(), // rows of this entry that verdicts cite
    /** Requests that used the budget before the first refusal; `unlisted` is the number of requests left out. */
    filledBy: z.array(fillers).readonly(),
    unlisted: count,
    /** The management call, or the scenario's change, that set the limit. */
    since: z.strictObject({ atUs: us, call: text.nullable(), request: text }).readonly().nullable(),
  })
  .readonly();

export const refusals = z
  .strictObject({
    budgets: z.array(budget).readonly(),
    entries: z.array(refusal).readonly(),
    leftOut: z.strictObject({ entries: count, requests: count }).readonly(),
  })
  .readonly();

export type RefusalsReport = z.infer<typeof refusals>;
export type RefusalReport = z.infer<typeof refusal>;
export type RefusedRequest = z.infer<typeof refused>;
export type FillersReport = z.infer<typeof fillers>;
export type BudgetReport = z.infer<typeof budget>;
