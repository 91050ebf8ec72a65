// Refusals of one variant, which limits gave, and why each of them was: part of the document of a report.
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
    perUs: us.nullable(), // null: it never renews
    because: z.array(text).readonly(), // ids of requirements
  })
  .readonly();

/** Neighbours in time of one flow that took room in the budget. */
const fillers = z
  .strictObject({
    flow: text,
    fromUs: us,
    toUs: us,
    count,
    what: z.enum(["admitted", "refused", "perhaps"]), // a log holds what it refused
  })
  .readonly();

const explained = z
  .strictObject({
    agrees: z.enum(["yes", "no", "open"]), // the specification
    text, // what the request met there
    passesAtUs: us.nullable(), // null: never
    missedByUs: us.nullable(),
  })
  .readonly();

const refused = z
  .strictObject({
    row: count,
    request: text.nullable(), // "first:6"; null: a client came again
    atUs: us,
    explained: explained.nullable(), // null: too many to explain them all
  })
  .readonly();

/** Refusals of one flow, one after the other, by the same budget for the same reason. */
const refusal = z
  .strictObject({
    flow: text,
    status: z.int(),
    reason: z.enum(["rate", "quota"]),
    budget: count.nullable(), // index; null: no budget decided
    count,
    first: refused,
    last: refused.nullable(), // null: it is the only one
    cited: z.array(refused).readonly(), // those between that verdicts have as evidence
    citedRows: z.array(count).readonly(), // rows of it that verdicts have as evidence
    /** What the first one found there, and how many requests are left out of it. */
    filledBy: z.array(fillers).readonly(),
    unlisted: count,
    /** The management call, or the change of the scenario, that set the limit. */
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
