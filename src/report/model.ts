// What a report of scenarios says, as data: a page only draws it, and a program may read it instead. Every text in it
// comes from scenarios and histories, and is trusted by nobody who draws it.
import * as z from "zod";
import type { MeasuredFigure } from "./figures/measured/figures.ts";
import { OUTCOMES } from "../scenario/verdict.ts";

export const REPORT_FORMAT = "weir-report/2";

const text = z.string();
const count = z.int().min(0);
const seconds = z.number();
const texts = z.array(text).readonly();
const numbers = z.array(z.number()).readonly();
const outcome = z.enum([...OUTCOMES, "unsupported"]);

const bars = z.strictObject({ what: text, values: numbers }).readonly();
const line = z.strictObject({ what: text, at: numbers, values: numbers }).readonly();
const mark = z.strictObject({ atS: seconds, what: text }).readonly();

/** Bars have one value for each bin; a line keeps its value until its next point. */
const timeFigure = z
  .strictObject({
    kind: z.literal("time"),
    title: text,
    unit: text,
    untilS: z.number().positive(),
    binS: z.number().positive(),
    bars: z.array(bars).readonly(),
    lines: z.array(line).readonly(),
    marks: z.array(mark).readonly(),
  })
  .readonly();

/** The answers of each flow in planned order, equal ones together. */
const sequenceFigure = z
  .strictObject({
    kind: z.literal("sequence"),
    title: text,
    runs: z
      .array(
        z
          .strictObject({
            flow: text, // with the time at which it starts
            from: count, // 0 for the first request of the flow
            to: count,
            status: z.int(),
          })
          .readonly(),
      )
      .readonly(),
  })
  .readonly();

const figure = z.discriminatedUnion("kind", [timeFigure, sequenceFigure]);

const verdict = z
  .strictObject({
    expectation: text,
    line: count, // of the scenario's file
    proves: texts,
    outcome: z.enum(OUTCOMES),
    observed: text,
    expected: text,
    examined: count,
    evidence: numbers, // rows of the history
  })
  .readonly();

const variant = z
  .strictObject({
    name: text,
    driver: text,
    algorithms: texts, // of the budgets that requests met
    outcome,
    requests: count,
    refused: count,
    undecided: count,
    virtualUs: z.number().min(0),
    unsupported: texts, // why it was not played, in sentences
    verdicts: z.array(verdict).readonly(),
    figures: z.array(figure).readonly(),
  })
  .readonly();

const scenario = z
  .strictObject({
    id: text,
    title: text,
    about: text,
    file: text,
    source: text, // as it was played
    proves: texts,
    outcome,
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
        digests: texts, // one a scenario, of what was written of it
      })
      .readonly(),
  })
  .readonly();

export type Report = z.infer<typeof reportSchema>;
export type ScenarioReport = z.infer<typeof scenario>;
export type VariantReport = z.infer<typeof variant>;
export type VerdictReport = z.infer<typeof verdict>;
export type RequirementReport = z.infer<typeof requirement>;
export type RunFigure = z.infer<typeof figure>;
/** All that a page draws; those that are not of a run are made when it is drawn, and stand in no document. */
export type Figure = RunFigure | MeasuredFigure;
export type TimeFigure = z.infer<typeof timeFigure>;
export type SequenceFigure = z.infer<typeof sequenceFigure>;
export type AnswerRun = SequenceFigure["runs"][number];
