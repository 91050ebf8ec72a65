// A report of scenarios as data. The page renders it, and other programs may read it. Its strings come from scenarios
// and histories, so a renderer must not trust them.
import { answerSchema } from "./answer.ts";
import * as z from "zod";
import { OUTCOMES } from "../scenario/verdict.ts";
import { REPORT_FORMAT } from "./format.ts";
import { figure } from "./model-figures.ts";
import { merges } from "./model-merges.ts";
import { refusals } from "./model-refusals.ts";

const text = z.string();
const count = z.int().min(0);
const texts = z.array(text).readonly();
const numbers = z.array(z.number()).readonly();
const outcome = z.enum([...OUTCOMES, "unsupported"]);

const verdict = z
  .strictObject({
    expectation: text,
    line: count, // in the scenario file
    proves: texts,
    outcome: z.enum(OUTCOMES),
    observed: text,
    expected: text,
    examined: count,
    open: count.optional(), // examined decisions for which the specification allows both outcomes
    evidence: numbers, // rows of the history, at most ten
    evidenceTotal: count,
    requests: texts, // the same rows by name: "first:6", or "request 17" for a retry
  })
  .readonly();

/** Sentences, one for each line. */
const words = z.strictObject({ world: texts, traffic: texts }).readonly();

const loss = z
  .strictObject({
    cause: text,
    requests: count,
    first: text,
    fromUs: z.number(), // sending times of the first and the last
    toUs: z.number(),
  })
  .readonly();

const variant = z
  .strictObject({
    name: text,
    driver: text,
    algorithms: texts, // algorithms of the budgets that requests met
    outcome,
    requests: count,
    admitted: count,
    delayed: count.default(0), // admitted after a wait; older documents lack it
    refused: count, // by a limit
    rejected: count, // for other reasons
    lost: count.default(0), // without a response; older documents lack it
    losses: z.array(loss).readonly().default([]),
    rejections: z.record(text, count).readonly(), // by status
    peak: z.strictObject({ admitted: count, perUs: z.number() }).readonly().nullable(), // most admitted in any window
    /** Causes of rejections, the most frequent first. Causes that are left out are included only in `rejected`. */
    rejectionCauses: z
      .array(
        z.strictObject({ status: z.int(), cause: text, count, first: text.nullable() }).readonly(),
      )
      .readonly(),
    undecided: count,
    virtualUs: z.number().min(0),
    unsupported: texts, // sentences that explain why the variant did not run
    verdicts: z.array(verdict).readonly(),
    figures: z.array(figure).readonly(),
    seed: count,
    words, // sentences that apply only to this variant
    refusals,
    merges,
  })
  .readonly();

const scenario = z
  .strictObject({
    id: text,
    title: text,
    about: text,
    file: text,
    source: text, // text of the file when it ran
    proves: texts,
    outcome,
    answer: answerSchema.optional(), // what separates the variants; unset: nothing, or there is one variant
    figures: z.array(figure).readonly(), // figures that compare variants
    words, // what all variants share
    variants: z.array(variant).readonly(),
  })
  .readonly();

const requirement = z.strictObject({ id: text, tier: text, text, isBuilt: z.boolean() }).readonly();

export const reportSchema = z
  .strictObject({
    format: z.literal(REPORT_FORMAT),
    seed: count,
    argv: texts,
    startedAt: text,
    tookSeconds: z.number().min(0),
    commit: text.nullable(),
    versions: z.record(text, text).readonly(),
    isComplete: z.boolean(), // false if the run was stopped or interrupted
    faults: texts, // sentences that explain why the run fails regardless of its variants' outcomes
    warnings: texts.optional(), // warnings about the scenario files
    requirements: z.array(requirement).readonly(),
    scenarios: z.array(scenario).readonly(),
    /** If the footer is missing, the report was cut off. */
    footer: z
      .strictObject({
        scenarios: count,
        variants: count,
        passed: count,
        failed: count,
        skipped: count,
        head: text, // a digest of all fields except scenarios
        digests: texts, // one for each scenario, of its written text
      })
      .readonly(),
  })
  .readonly();

export type Report = z.infer<typeof reportSchema>;
export type ScenarioReport = z.infer<typeof scenario>;
export type VariantReport = z.infer<typeof variant>;
export type VerdictReport = z.infer<typeof verdict>;
export type WordsReport = z.infer<typeof words>;
export type RequirementReport = z.infer<typeof requirement>;
export type { RunFigure, SequenceFigure, TimeFigure } from "./model-figures.ts";
