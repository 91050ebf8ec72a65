// The document of weir try.
import { answerSchema } from "../../lab/report/answer.ts";
import { perClientSchema } from "../../lab/report/per-client.ts";
import { limitText, mostPossible } from "../replay/candidates.ts";
import { FREE_LOG } from "../replay/choices.ts";
import { z } from "zod";
import { trafficText } from "./as-scenario.ts";
import { countDraws, hasDrawnStart } from "./draws.ts";
import type { TriedFile, TriedLimiter, TryCandidate, TryQuestion } from "./question.ts";

const TRY_FORMAT = "weir-try/1";

const count = z.int().min(0);
const share = z.number().min(0).max(1);

const attemptSeries = z.strictObject({
  /** The first and last number of these attempts, from 1 for a new request. `to` null: without an upper end. */
  from: count,
  to: count.nullable(),
  values: z.array(count).readonly(),
});
export type AttemptSeries = z.infer<typeof attemptSeries>;

const drawFigures = z.strictObject({
  requests: count, // planned requests: a retry is another attempt, not another request
  attempts: count,
  admitted: count,
  refusedAttempts: count,
  lost: count.default(0), // attempts without a response; older documents have none
  /** Requests of which no attempt was admitted. */
  gaveUp: count,
  /** The planned requests, compared with what the limit allows over the whole time, at least one window. */
  demand: z.strictObject({
    budgets: count, // clients that send, or addresses with a shared budget
    over: count, // those of them that plan more than the limit allows
    planned: count, // requests of these
    beyond: count, // those of them that the limit does not allow
  }),
  refusedClients: count, // clients with at least one refused attempt
  /** The most admitted requests of a client, or of an address with a shared budget, in any window. */
  mostInWindow: count,
  /** The time from a request's planned time to its admission, over all requests; null: never. */
  successUs: z.strictObject({ median: count.nullable(), p99: count.nullable() }),
  /** The median of the waits that refusals advise, in seconds; null: none, or most refusals advise no wait. */
  retryAfterS: z.number().min(0).nullable(),
  /** Jain's index of the clients' shares, each the part of its requests that was admitted. */
  fairness: share,
  leastServed: share, // the smallest share of a client
  /** The most in any second over all clients: attempts, and requests that reached the upstream. */
  peakSent: count,
  peakAdmitted: count,
  /** Store commands for each attempt; null: a profile has no store of its own. */
  commands: z.number().min(0).nullable(),
});
export type DrawFigures = z.infer<typeof drawFigures>;

const figures = z.strictObject({
  ...drawFigures.shape,
  /**
   * Attempts by the time of their response, and in `byAttempt` by their send time; one value for each bin. `later`:
   * attempts with a response after the last bin.
   */
  overTime: z.strictObject({
    binUs: count,
    admitted: z.array(count).readonly(),
    refused: z.array(count).readonly(),
    lost: z.array(count).readonly().default([]),
    byAttempt: z.array(attemptSeries).readonly(),
    later: count,
  }),
  /** The time around the second with the most retries; null: there are none. */
  herd: z
    .strictObject({
      fromUs: count,
      binUs: count,
      most: count,
      byAttempt: z.array(attemptSeries).readonly(),
    })
    .nullable(),
  perClient: perClientSchema,
});

/** The measured numbers. They have `commands` for a profile too, whose row in the document has null instead. */
export type TryFigures = z.infer<typeof figures> & { readonly commands: number };

const triedFile = z.strictObject({
  name: z.string(),
  request: z.string(), // such as "GET /login"
  owner: z.enum(["client", "address", "all"]), // of the budgets of the lowest limit
  /** The limits that count the requests, the lowest first. */
  rules: z
    .array(
      z.strictObject({
        rule: z.string(),
        limit: z.string(),
        file: z.string(),
        line: count,
        status: count, // of a refusal
        isDryRun: z.boolean(),
      }),
    )
    .readonly(),
  /** Parts that are not understood, and values that only production has. */
  doubts: z.array(z.string()).readonly(),
});
export type TriedFileRow = z.infer<typeof triedFile>;

const candidate = z.strictObject({
  limit: z.string(),
  rate: z.number().min(0),
  perUs: count,
  algorithm: z.string().nullable(), // null if `profile` is set
  profile: z.string().nullable(),
  /** The file that has the limits; then `algorithm` and `profile` are null. */
  file: triedFile.nullable().default(null),
  retry: z.string(),
  burst: z.union([count, z.literal("rate")]).nullable(), // of GCRA; null: its default, one request
  /** The variant of the scenario that --scenario saves. */
  variant: z.string(),
  /** The digest of the history, as in reference results; null: it was not computed. */
  history: z.string().nullable(),
  /** The most of a budget that the algorithm can admit in any window (LIM-C11); null: there is no such bound. */
  mostPossible: count.nullable(),
  ...figures.shape,
  isRandom: z.boolean(), // whether another seed may have other numbers
  /** The same candidate with the seeds that follow; none if nothing is random. */
  otherDraws: z
    .array(z.strictObject({ seed: count, ...drawFigures.shape }))
    .readonly()
    .default([]),
});

const tryResult = z.strictObject({
  format: z.literal(TRY_FORMAT),
  answer: answerSchema,
  seed: count,
  traffic: z.string(),
  clients: count,
  gateways: count,
  forUs: count,
  population: z.string(),
  retries: z.array(z.string()).readonly(),
  isSequential: z.boolean(),
  /** Clients that share an address and its budget; null: each has a budget of its own. */
  perAddress: count.nullable(),
  isInterrupted: z.boolean(),
  candidates: z.array(candidate).readonly(),
});

export type TryResult = z.infer<typeof tryResult>;
export type UnansweredTry = Omit<TryResult, "answer">;
export type TryRow = TryResult["candidates"][number];

export const trySchema = (): unknown => z.toJSONSchema(tryResult, { io: "input" });

interface Tried {
  readonly variant: string;
  readonly history: string | null;
  readonly figures: TryFigures;
  readonly seed: number;
}

/** The first draw has its history and its times, and the others have their figures. */
export const rowOfTry = (
  { limit, limiter, retry }: TryCandidate,
  question: TryQuestion,
  [{ variant, history, figures }, ...others]: readonly [Tried, ...Tried[]],
): TryRow => ({
  limit: limiter.kind === "file" ? question.file!.rules[0]!.limit : limitText(limit),
  rate: limit.rate,
  perUs: limit.perUs,
  file: limiter.kind === "file" ? fileOf(question.file!) : null,
  algorithm: limiter.kind === "algorithm" ? limiter.name : null,
  profile: limiter.kind === "profile" ? limiter.name : null,
  retry: retry.name,
  burst: limiter.burst,
  variant,
  history,
  mostPossible:
    limiter.kind === "algorithm"
      ? mostPossible(
          limit,
          { algorithm: limiter.name, burst: limiter.burst ?? 1 },
          question.gateways,
        )
      : null,
  ...figures,
  isRandom: countDraws(question, retry, 2) > 1,
  ...commandsOf(limiter, figures),
  otherDraws: others.map(({ seed, figures: drawn }) => ({
    seed,
    ...z.object(drawFigures.shape).parse(drawn), // without times and clients
    ...commandsOf(limiter, drawn),
  })),
});

const fileOf = ({ file, method, path, owner, rules, doubts }: TriedFile): TriedFileRow => ({
  name: file,
  request: `${method} ${path}`,
  owner,
  rules: rules.map(({ rule, limit, file: place, line, status, isDryRun }) => ({
    rule,
    limit,
    file: place,
    line,
    status,
    isDryRun,
  })),
  doubts,
});

/** Only algorithms of Weir's gateway have store commands. */
const commandsOf = (
  { kind, name }: TriedLimiter,
  { commands }: TryFigures,
): Pick<DrawFigures, "commands"> => ({
  commands: kind !== "algorithm" || name === FREE_LOG ? null : commands,
});

export const buildTryResult = (
  question: TryQuestion,
  seed: number,
  candidates: readonly TryRow[],
  isInterrupted: boolean,
): UnansweredTry => ({
  format: TRY_FORMAT,
  seed,
  traffic: trafficText(question, hasDrawnStart(question) ? " from a random time on" : ""),
  clients: question.clients,
  gateways: question.gateways,
  forUs: question.forUs,
  population: question.population,
  retries: question.retries.map(({ name }) => name),
  isSequential: question.isSequential,
  perAddress: question.perAddress,
  isInterrupted,
  candidates,
});
