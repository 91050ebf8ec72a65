// The document that weir explain prints for programs. Infinite times are null in it.
import * as z from "zod";
import { REASONS } from "../scenario/history.ts";
import { answerSchema } from "./answer.ts";

const text = z.string();
const texts = z.array(text).readonly();
const count = z.int().min(0);
const us = z.number();

const fromTo = <T extends z.ZodType>(each: T) => z.strictObject({ from: each, to: each });
const maybeEndless = fromTo(us.nullable());

const budgetHeaders = z.strictObject({
  name: text,
  windowS: z.number().nullable(),
  limit: z.number(),
  remaining: fromTo(z.number()),
  resetUs: maybeEndless.exactOptional(),
  resetUnixS: maybeEndless,
  resetInS: maybeEndless,
});

/** What the specification requires; admit and refuse are both true if it allows both. */
const expected = z.strictObject({
  admit: z.boolean(),
  refuse: z.boolean(),
  refusalStatus: count.nullable(),
  refusalScope: text.nullable(),
  retryAfter: z
    .union([z.strictObject({ fromS: z.number(), toS: z.number() }), z.literal("absent")])
    .nullable(),
  headers: z
    .strictObject({
      form: z.enum(["legacy", "ietf", "both", "off"]),
      budgets: z.array(budgetHeaders).readonly(),
    })
    .nullable(),
  delayUs: fromTo(us).nullable(),
  why: text,
});

const budget = z.strictObject({
  /** In the store; `limit` has it in words. */
  name: text,
  scope: text,
  algorithm: text,
  rate: z.number(),
  perUs: us.nullable(),
  policy: text.nullable(),
  limit: text,
  counted: text,
  usage: z
    .strictObject({
      of: z.enum(["attempts", "admitted", "owed", "waiting"]),
      from: z.number(),
      to: z.number(),
      allowed: z.number(),
    })
    .nullable(),
});

const share = z.strictObject({
  gateway: count,
  active: count,
  admits: z.number(),
  ended: z
    .array(
      z.strictObject({ gateway: count, atUs: us, how: z.enum(["crashed", "left", "restarted"]) }),
    )
    .readonly(),
  isFrozen: z.boolean(),
  next: z.strictObject({ atUs: us, active: count }).nullable(),
});

const filledBy = z.strictObject({
  row: count,
  stampUs: us,
  status: count,
  refused: z.boolean(),
  certain: z.boolean(),
});

const retry = z.strictObject({
  attempt: count,
  first: count.nullable(),
  previous: z.array(count).readonly(),
  waitedUs: us.nullable(),
  retryAfterS: z.number().nullable(),
  behaviour: text.nullable(),
});

const explainDocument = z.strictObject({
  format: z.literal("weir-explain/1"),
  answer: answerSchema,
  /** The variant of a scenario with a matrix; null: it has none. */
  variant: text.nullable(),
  /** How many variants the scenario has; 1 for a history. */
  variants: z.int().min(1),
  /** The number of the request in the history, from 0. */
  row: count,
  sender: text,
  cost: count,
  stampUs: us,
  status: count,
  reason: z.enum(REASONS),
  agrees: z.enum(["yes", "no", "open"]),
  expected: expected.nullable(),
  gateway: count.nullable(),
  cause: text.nullable(),
  /** Null if no budget refused. */
  budget: budget.nullable(),
  share: share.nullable(),
  since: z
    .strictObject({
      atUs: us,
      call: z.strictObject({ name: text, method: text, path: text }).nullable(),
    })
    .nullable(),
  /** The requirements that put the limits there. */
  because: texts,
  state: text.nullable(),
  text,
  /** The earlier requests that the budget counted. */
  filledBy: z.array(filledBy).readonly(),
  filledBySenders: z.array(z.strictObject({ sender: text, requests: count })).readonly(),
  passesAtUs: us.nullable(),
  missedByUs: us.nullable(),
  shut: z.strictObject({ refused: count, retries: count }).nullable(),
  retry: retry.nullable(),
});

export type ExplainDocument = z.infer<typeof explainDocument>;

export const explainSchema = (): unknown => z.toJSONSchema(explainDocument, { io: "input" });
