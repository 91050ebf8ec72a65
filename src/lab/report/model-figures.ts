// The figures of a report, as columns without any style.
import * as z from "zod";

const text = z.string();
const count = z.int().min(0);
const seconds = z.number();
const numbers = z.array(z.number()).readonly();

const bars = z.strictObject({ what: text, values: numbers }).readonly();
const curve = z
  .strictObject({ what: text, values: z.array(z.number().nullable()).readonly() })
  .readonly();
const steps = z.strictObject({ what: text, at: numbers, values: numbers }).readonly();
const span = z.strictObject({ what: text, fromS: seconds, toS: seconds, text }).readonly();
const mark = z.strictObject({ what: text, atS: seconds, text }).readonly();

const SUBJECTS = [
  "asked", // a chart that the scenario file defines
  "demand",
  "allowance",
  "gateways",
  "operations",
  "entries",
  "bytes",
  "latency",
  "candidate", // one of several candidates for the same traffic
] as const;

const timeFigure = z
  .strictObject({
    kind: z.literal("time"),
    shows: z.enum(SUBJECTS),
    title: text,
    unit: text,
    untilS: z.number().positive(),
    binS: z.number().positive(),
    bars: z.array(bars).readonly(), // stacked, one value for each bin
    curves: z.array(curve).readonly(), // one value for each bin; null if the bin has no data
    lines: z.array(steps).readonly(), // a value is valid until the next one
    limits: z.array(steps).readonly(), // limits that the other series are compared with
    spans: z.array(span).readonly(),
    marks: z.array(mark).readonly(),
    top: z.number().nullable(), // the end of the value axis, equal in figures that are compared; null: automatic
  })
  .readonly();

/** The results of each flow in planned order, equal neighbours joined. */
const sequenceFigure = z
  .strictObject({
    kind: z.literal("sequence"),
    title: text,
    runs: z
      .array(
        z
          .strictObject({
            flow: text, // name and start time of the flow
            from: count, // index in the flow: 0 for its first request
            to: count,
            status: z.int(),
            isRejected: z.boolean(), // rejected for another reason than a limit
            isDelayed: z.literal(true).optional(), // admitted after a wait for its turn
          })
          .readonly(),
      )
      .readonly(),
  })
  .readonly();

/** The same quantity of several things, one row each; the parts of a thing share its row. */
const comparedFigure = z
  .strictObject({
    kind: z.literal("compared"),
    title: text,
    unit: text,
    rows: z
      .array(
        z
          .strictObject({
            name: text,
            parts: z
              .array(z.strictObject({ what: text, value: z.number().min(0) }).readonly())
              .readonly(),
          })
          .readonly(),
      )
      .readonly(),
  })
  .readonly();

export const figure = z.discriminatedUnion("kind", [timeFigure, sequenceFigure, comparedFigure]);

export type RunFigure = z.infer<typeof figure>;
export type TimeFigure = z.infer<typeof timeFigure>;
export type SequenceFigure = z.infer<typeof sequenceFigure>;
export type ComparedFigure = z.infer<typeof comparedFigure>;
export type AnswerRun = SequenceFigure["runs"][number];
export type Bars = z.infer<typeof bars>;
export type Curve = z.infer<typeof curve>;
export type StepLine = z.infer<typeof steps>;
