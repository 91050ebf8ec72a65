// The document that weir run and weir check print for programs.
import * as z from "zod";
import type { Json } from "../../kit/reading/shape.ts";
import { answerSchema } from "./answer.ts";
import { perClientSchema } from "./per-client.ts";

const text = z.string();
const texts = z.array(text).readonly();
const value = z.json() as unknown as z.ZodType<Json>;
const count = z.int().min(0);
const outcome = z.enum(["fail", "error", "vacuous", "inconclusive", "pass"]);

const verdict = z.strictObject({
  expectation: text,
  line: count,
  proves: texts,
  outcome,
  observed: text,
  expected: text,
  /** Requests, events or samples that were examined. */
  examined: count,
  /** Examined decisions for which the specification allows both outcomes. */
  open: count.exactOptional(),
  /** Rows of the history, at most ten, of `evidenceTotal`; `requests` has their names. */
  evidence: z.array(count).readonly(),
  evidenceTotal: count,
  /** The numbers of a failed count of requests, or of the most in a window. */
  compared: z
    .strictObject({
      clients: texts,
      flows: texts,
      statuses: z.array(count).readonly().nullable(),
      windowUs: z.number().nullable(),
      offered: count,
      observed: z.strictObject({ from: count, to: count }),
      least: z.number().nullable(),
      most: z.number().nullable(),
    })
    .exactOptional(),
  requests: texts,
});

const totals = {
  requests: count,
  admitted: count,
  delayed: count,
  refused: count,
  rejected: count,
  lost: count,
  losses: z
    .array(
      z.strictObject({
        cause: text,
        requests: count,
        first: text,
        fromUs: z.number(),
        toUs: z.number(),
      }),
    )
    .readonly(),
  /** By status. */
  rejections: z.record(text, count).readonly(),
  /** The most admitted in any window of this length; null: no limit has such a window. */
  peak: z.strictObject({ admitted: count, perUs: z.number() }).nullable(),
};

const result = z.strictObject({
  scenario: text,
  file: text,
  variant: text,
  axes: z.record(text, value).readonly(),
  driver: text,
  against: text.exactOptional(),
  seed: count,
  outcome: z.enum([...outcome.options, "unsupported"]),
  unsupported: texts,
  verdicts: z.array(verdict).readonly(),
  because: texts,
  decidedBy: z.array(z.strictObject({ scope: text, because: texts })).readonly(),
  ...totals,
  /** Requests whose times leave the decision open. */
  undecided: count,
  virtualUs: z.number(),
  hints: texts.exactOptional(),
  why: z.string().exactOptional(),
  playedBefore: count.exactOptional(),
  /** The factor by which this run was slowed down. */
  stretch: z.number().exactOptional(),
  perClient: perClientSchema.exactOptional(),
});

const requirement = z.strictObject({
  id: text,
  tier: text,
  state: text,
  /** Null: no variant that ran proves it. */
  outcome: outcome.nullable(),
  scenarios: texts,
  variants: count,
});

const runDocument = z.strictObject({
  format: z.literal("weir-run/2"),
  /** Empty if nothing ran. */
  answer: answerSchema,
  /** Null if the histories are from several runs. */
  seed: count.nullable(),
  results: z.array(result).readonly(),
  requirements: z.array(requirement).readonly(),
  /** The errors because of which nothing ran. */
  faults: texts.exactOptional(),
  warnings: texts.exactOptional(),
  inconclusive: z
    .strictObject({ file: text, unlisted: texts, decided: texts, absent: texts })
    .exactOptional(),
  footer: z.strictObject({
    complete: z.boolean(),
    variants: count,
    passed: count,
    failed: count,
    skipped: count,
    inconclusive: count,
    vacuous: count,
    decisions: z.strictObject({ compared: count, open: count }),
    errors: count,
  }),
});

export type RunDocument = z.infer<typeof runDocument>;

export const runSchema = (): unknown => z.toJSONSchema(runDocument, { io: "input" });
