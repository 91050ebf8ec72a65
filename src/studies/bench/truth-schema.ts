// The file format of the document of `weir bench truth`, and the problems of a file that breaks it.
import { z } from "zod";
import { ALGORITHMS } from "../../limiter/core/algorithms.ts";
import { micros } from "../../kit/units.ts";
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import { footerFailure, readDocument } from "./read-document.ts";
import { machineSchema } from "./result-schema.ts";
import { TRUTH_FORMAT, type SubjectTruth, type TruthResult } from "./truth.ts";

const count = z.int().min(0);
const amount = z.number().min(0);
const us = count.transform(micros);
const share = z.strictObject({ worst: amount, mean: amount }).readonly();

const inBuckets = z
  .array(z.strictObject({ us, count, overshoot: share, undershoot: share }).readonly())
  .readonly();

const subject = z
  .strictObject({
    name: z.string(),
    role: z.enum(["cell", "control"]),
    algorithm: z.enum(ALGORITHMS),
    store: z.enum(["memory", "redis"]),
    rate: amount,
    answers: count,
    admitted: count,
    errors: count,
    byGateway: inBuckets,
    bySender: inBuckets,
    most: count,
    inFlight: count,
    bound: z.strictObject({ most: amount.nullable(), because: z.string() }).readonly(),
    lengths: z.array(z.strictObject({ us, most: count, stated: amount }).readonly()).readonly(),
    tooSoon: count,
    faults: z.array(z.string()).readonly(),
    verdict: z.enum(["within", "outside"]),
  })
  .readonly();

const truthResult = z
  .strictObject({
    format: z.literal(TRUTH_FORMAT),
    suite: z.strictObject({ id: z.string(), title: z.string() }).readonly(),
    startedAt: z.string(),
    tookSeconds: amount,
    argv: z.array(z.string()).readonly(),
    seed: count,
    machine: machineSchema,
    limit: z.strictObject({ rate: amount, perUs: us }).readonly(),
    perSecond: amount,
    lastsUs: us,
    subjects: z.array(subject).readonly(),
    stopped: z.string().nullable(),
    warnings: z.array(z.string()).readonly(),
    footer: z.strictObject({ subjects: count, outside: count, errors: count }).readonly(),
  })
  .readonly();

export const truthFooterOf = (subjects: readonly SubjectTruth[]): TruthResult["footer"] => ({
  subjects: subjects.length,
  outside: subjects.filter(({ role, verdict }) => role === "cell" && verdict === "outside").length,
  errors: subjects.reduce((sum, { errors }) => sum + errors, 0),
});

export function readTruthResult(text: string): TruthResult | Failure {
  const read = readDocument(text, TRUTH_FORMAT, truthResult);
  if (isFailure(read)) return read;
  for (const [at, { name, verdict, faults, most, lengths }] of read.subjects.entries()) {
    if ((verdict === "within") !== (faults.length === 0))
      return new Failure(
        `subjects.${at}.verdict: it is ${verdict} for ${name}, which has ${faults.length} violations`,
      );
    const over = lengths.find((one) => one.most > one.stated);
    if (over !== undefined && verdict === "within")
      return new Failure(
        `subjects.${at}.lengths: the verdict of ${name} is within, and ${over.most} are more than ${over.stated}`,
      );
    const window = lengths.find((one) => one.us === read.limit.perUs);
    if (window !== undefined && window.most !== most)
      return new Failure(
        `subjects.${at}.most: it is ${most} for ${name}, and its windows have ${window.most}`,
      );
  }
  return footerFailure(read.footer, truthFooterOf(read.subjects)) ?? read;
}
