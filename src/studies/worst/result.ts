// The document of weir worst.
import { z } from "zod";
import { ALGORITHMS } from "../../limiter/core/algorithms.ts";
import { answerSchema } from "../../lab/report/answer.ts";
import { micros } from "../../kit/units.ts";
import type { WorstCaseQuestion } from "./question.ts";
import type { WorstCase } from "./worst.ts";

const count = z.int().min(0);
const time = z.int().transform(micros);
const atMost = z.union([count, z.literal("rate")]);

const worstCase = z.strictObject({
  format: z.literal("weir-worst/1"),
  answer: answerSchema,
  seed: count,
  question: z.strictObject({
    id: z.string(),
    algorithm: z.enum(ALGORITHMS),
    rate: z.number().min(1),
    perUs: time,
    burst: atMost,
    queue: atMost,
    fixedWindowStart: z.enum(["first_request", "clock"]),
    level: z.enum(["key", "api"]),
    nodes: count,
    balancer: z.string(),
    weights: z.array(z.number()).readonly(),
    skewUs: z.array(time).readonly(),
    storeUs: time,
    inFlight: count.nullable(), // null: as many as there are
  }),
  /** The most requests that were admitted in one window. */
  most: count,
  /** What the specification proves; null: no bound is stated. */
  bound: z.strictObject({ most: count.nullable(), because: z.string() }),
  standing: z.enum(["reached", "not reached", "passed", "nothing stated"]),
  patterns: count,
  bursts: z.array(z.strictObject({ atUs: count, count, as: z.string() })).readonly(),
  /** The admitted requests of the fullest window. */
  window: z
    .array(z.strictObject({ atUs: count, count, gateways: z.array(count).readonly() }))
    .readonly(),
  scenario: z.string(),
});

export const worstSchema = (): unknown => z.toJSONSchema(worstCase, { io: "input" });

export type UnansweredWorstCase = Omit<z.infer<typeof worstCase>, "answer">;

export const buildWorst = (
  question: WorstCaseQuestion,
  seed: number,
  { result, clients, window, bound, comparison, text }: WorstCase,
): UnansweredWorstCase => ({
  format: "weir-worst/1",
  seed,
  question: {
    ...question,
    inFlight: Number.isFinite(question.inFlight) ? question.inFlight : null,
  },
  most: result.most,
  bound,
  standing: comparison,
  patterns: result.patterns,
  bursts: result.pattern.map(({ atUs, count, client }) => ({ atUs, count, as: clients[client]! })),
  window,
  scenario: text,
});
