// The document of `weir bench truth`, and the problems of a file that breaks its format.
import { z } from "zod";
import { ALGORITHMS } from "../../limiter/core/algorithms.ts";
import { micros } from "../../kit/units.ts";
import { answerSchema } from "../../lab/report/answer.ts";
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import { footerFailure, readDocument } from "./read-document.ts";
import { RUN_FIELDS, suiteOfRun } from "./result.ts";

export const TRUTH_FORMAT = "weir-truth/1";

const count = z.int().min(0);
const amount = z.number().min(0);
const us = count.transform(micros);
/** Shares of the allowed number: the worst bucket, and the mean over all buckets. */
const share = z.strictObject({ worst: amount, mean: amount }).readonly();

const bucket = z
  .strictObject({
    us,
    count, // number of complete buckets
    overshoot: share, // admitted beyond the allowed number
    undershoot: share, // allowed and requested, but not admitted
  })
  .readonly();
export type BucketTruth = z.infer<typeof bucket>;

/** The stated bound of one window, wherever it begins. */
const bound = z.strictObject({ most: amount.nullable(), because: z.string() }).readonly();
export type TruthBound = z.infer<typeof bound>;

/** The most requests admitted in any span of length `us`, and the stated bound. */
const windowMost = z.strictObject({ us, most: count, stated: amount }).readonly();
export type WindowMost = z.infer<typeof windowMost>;

const subject = z
  .strictObject({
    name: z.string(),
    /** A control has a wrong limit on purpose: a run that finds a control `within` its bound proves nothing. */
    role: z.enum(["cell", "control"]),
    algorithm: z.enum(ALGORITHMS),
    store: z.enum(["memory", "redis"]),
    rate: amount, // its configured limit; every subject is checked against the rate of the suite
    answers: count,
    admitted: count,
    errors: count, // no response, or neither 2xx nor 429
    byGateway: z.array(bucket).readonly(), // by the time at which the gateway received a request
    bySender: z.array(bucket).readonly(), // by the time at which the load generator got a response
    most: count, // admitted within any window, by the gateway's clock
    inFlight: count, // the most admitted requests in flight at the same time, by the gateway's log
    bound,
    lengths: z.array(windowMost).readonly(), // an entry for a window, for each bucket length and for the whole run
    tooSoon: count, // refusals while the limit had capacity left
    faults: z.array(z.string()).readonly(),
    verdict: z.enum(["within", "outside"]),
  })
  .readonly();
export type SubjectTruth = z.infer<typeof subject>;
export type TruthSubject = Pick<SubjectTruth, "name" | "role" | "algorithm" | "store" | "rate">;

const allowedRate = z.strictObject({ rate: amount, perUs: us }).readonly();
export type AllowedRate = z.infer<typeof allowedRate>;

const truthResult = z
  .strictObject({
    format: z.literal(TRUTH_FORMAT),
    answer: answerSchema.exactOptional(), // missing in older documents; readers compute it again
    suite: suiteOfRun,
    ...RUN_FIELDS,
    limit: allowedRate,
    perSecond: amount, // requests to each subject
    lastsUs: us,
    subjects: z.array(subject).readonly(),
    stopped: z.string().nullable(),
    warnings: z.array(z.string()).readonly(), // a run with a warning does not prove that a limiter is correct
    /** A file without a footer is incomplete. */
    footer: z.strictObject({ subjects: count, outside: count, errors: count }).readonly(),
  })
  .readonly();
/** Without the answer, which follows from the rest. */
export type TruthResult = Omit<z.infer<typeof truthResult>, "answer">;

export const truthFooterOf = (subjects: readonly SubjectTruth[]): TruthResult["footer"] => ({
  subjects: subjects.length,
  outside: subjects.filter(({ role, verdict }) => role === "cell" && verdict === "outside").length,
  errors: subjects.reduce((sum, { errors }) => sum + errors, 0),
});

export function readTruthResult(text: string): TruthResult | Failure {
  const document = readDocument(text, TRUTH_FORMAT, truthResult);
  if (isFailure(document)) return document;
  const { answer: _, ...read } = document;
  for (const [at, { name, verdict, faults, most, lengths }] of read.subjects.entries()) {
    if ((verdict === "within") !== (faults.length === 0))
      return new Failure(
        `subjects.${at}.verdict: ${name} has the verdict ${verdict}, which does not agree with its ${faults.length} violations`,
      );
    const over = lengths.find((one) => one.most > one.stated);
    if (over !== undefined && verdict === "within")
      return new Failure(
        `subjects.${at}.lengths: ${name} has the verdict within, but admitted ${over.most}, more than its bound ${over.stated}`,
      );
    const window = lengths.find((one) => one.us === read.limit.perUs);
    if (window !== undefined && window.most !== most)
      return new Failure(
        `subjects.${at}.most: ${name} has ${most}, but "lengths" has ${window.most} for the same window`,
      );
  }
  return footerFailure(read.footer, truthFooterOf(read.subjects)) ?? read;
}
