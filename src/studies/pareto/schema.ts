// The schema of the document of weir pareto. Files are read by read-result.ts, which checks more than types.
import { z } from "zod";
import { answerSchema } from "../../lab/report/answer.ts";
import { METRIC_NAMES, type ParetoMetricName } from "./metrics.ts";
import { PARETO_FORMAT } from "./result.ts";
import { CONTENDERS, TRAFFIC } from "./suite.ts";

const count = z.int().min(0);
const value = z.number().min(0);

const ofMetrics = <T extends z.ZodType>(each: T) =>
  z.strictObject(
    Object.fromEntries(METRIC_NAMES.map((name) => [name, each])) as Record<ParetoMetricName, T>,
  );

const paretoResult = z.strictObject({
  format: z.literal(PARETO_FORMAT),
  /** Follows from the rest, so that files without it can be read. */
  answer: answerSchema,
  suite: z.strictObject({
    hash: z.string(),
    rate: value,
    perMs: value,
    windows: count,
    runs: count,
    keys: count,
    store: z.string(),
    algorithms: z.array(z.enum(CONTENDERS)).readonly(),
    traffic: z.array(z.enum(TRAFFIC)).readonly(),
    fleets: z
      .array(
        z.strictObject({
          gateways: count,
          weights: z.array(value).readonly(),
          skewMs: z.array(z.number()).readonly(),
        }),
      )
      .readonly(),
  }),
  seed: count,
  commit: z.string().nullable(), // null: the code is not a Git checkout
  argv: z.array(z.string()).readonly(),
  /** This part of the cells: index 2 of 5 has every fifth cell, from the second on. */
  shard: z.strictObject({ index: count, of: count }),
  metrics: ofMetrics(z.strictObject({ unit: z.string(), about: z.string() })),
  cells: z
    .array(
      z.strictObject({
        name: z.string(),
        algorithm: z.enum(CONTENDERS),
        traffic: z.enum(TRAFFIC),
        gateways: count,
        /** The median of the runs, and the interval (95 %) of the median that other seeds would give. */
        summary: ofMetrics(z.strictObject({ median: value, low: value, high: value })),
        runs: z.array(ofMetrics(value)).readonly(),
      }),
    )
    .readonly(),
  footer: z.strictObject({ cells: count, of: count, complete: z.boolean() }),
});

export const paretoSchema = (): unknown => z.toJSONSchema(paretoResult, { io: "input" });
