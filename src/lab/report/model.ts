// A report of scenarios as data. The page renders it, and other programs may read it. Its strings come from scenarios
// and histories: a renderer must not trust them.
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
    line: count, // of the scenario's file
    proves: texts,
    outcome: z.enum(OUTCOMES),
    observed: text,
    expected: text,
    examined: count,
    open: count.optional(), // of the examined decisions: the specification allows both outcomes
    evidence: numbers, // rows of the history, at most ten
    evidenceTotal: count,
    requests: texts, // the same by name: "first:6", or "request 17" for what a client sent again
  })
  .readonly();

/** A line each, as sentences. */
const words = z.strictObject({ world: texts, traffic: texts }).readonly();

const loss = z
  .strictObject({
    cause: text,
    requests: count,
    first: text,
    fromUs: z.number(), // when they were sent
    toUs: z.number(),
  })
  .readonly();

const variant = z
  .strictObject({
    name: text,
    driver: text,
    algorithms: texts, // of the budgets that requests met
    outcome,
    requests: count,
    admitted: count,
    delayed: count.default(0), // of the admitted ones; older documents have none
    refused: count, // by a limit
    rejected: count, // otherwise
    lost: count.default(0), // without a response; older documents have none
    losses: z.array(loss).readonly().default([]),
    rejections: z.record(text, count).readonly(), // by status
    peak: z.strictObject({ admitted: count, perUs: z.number() }).readonly().nullable(), // most admitted in any window
    /** Why, the most frequent first; those that are left out are in `rejected` alone. */
    rejectionCauses: z
      .array(
        z.strictObject({ status: z.int(), cause: text, count, first: text.nullable() }).readonly(),
      )
      .readonly(),
    undecided: count,
    virtualUs: z.number().min(0),
    unsupported: texts, // why it was not run, in sentences
    verdicts: z.array(verdict).readonly(),
    figures: z.array(figure).readonly(),
    seed: count,
    words, // what the other variants do not share
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
    source: text, // at the time of the run
    proves: texts,
    outcome,
    figures: z.array(figure).readonly(), // of variants side by side
    words, // of all variants
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
    isComplete: z.boolean(), // false: it was stopped or interrupted
    faults: texts, // why the run fails whatever the outcomes of its variants are, in sentences
    warnings: texts.optional(), // of the scenario files
    requirements: z.array(requirement).readonly(),
    scenarios: z.array(scenario).readonly(),
    /** A report without it was cut off. */
    footer: z
      .strictObject({
        scenarios: count,
        variants: count,
        passed: count,
        failed: count,
        skipped: count,
        head: text, // a digest of the fields other than scenarios
        digests: texts, // one a scenario, of what was written of it
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
