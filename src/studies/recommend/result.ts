// The document of weir recommend.
import { z } from "zod";
import { answerSchema } from "../../lab/report/answer.ts";
import { limitText } from "../replay/candidates.ts";
import type { LogFile } from "../replay/log-file.ts";
import { isoTime, logOf, replayedLog } from "../replay/result.ts";
import {
  adviceOf,
  count,
  edgeClient,
  intervalOf,
  limitsTogether,
  rateRange,
  togetherOf,
  windowAdvice,
} from "./advice-result.ts";
import { coverageSchema } from "./coverage.ts";
import type { EdgeClient } from "./edge.ts";
import type { CurvePoint } from "./knee.ts";
import { CONFIDENCE, RESAMPLES } from "./resampling.ts";
import type { RateSearch, Recommendation } from "./recommendation.ts";
import type { LoggedTraffic } from "./traffic.ts";

const RECOMMENDATION_FORMAT = "weir-recommendation/2";

const share = z.number().min(0).max(1);

const point = z.strictObject({
  rate: count,
  refused: count,
  refusedClients: count,
  badRefused: count,
  badRefusedClients: count,
});

const recommendedCandidate = z.strictObject({
  limit: z.string(),
  perUs: count,
  algorithm: z.string().nullable(),
  profile: z.string().nullable(),
  /** The recommended rate, to which all other numbers refer; null: no rate meets the target. */
  rate: count.nullable(),
  rateForRequests: count.nullable(),
  rateForClients: count.nullable(),
  /** What one less misses of the target, in the log or only in the long run; null: nothing, or no rate is below. */
  below: z.enum(["requests", "clients", "long run"]).nullable(),
  interval: rateRange,
  /** The smallest rate under each placement of requests within seconds. */
  placements: z.array(z.strictObject({ placement: z.string(), rate: count.nullable() })).readonly(),
  refused: count,
  refusedShare: share,
  refusedClients: count,
  refusedClientShare: share,
  badRefused: count,
  badRefusedClients: count,
  /** The most requests of one client in any window that the limit admits; null: unknown. */
  mostInWindow: count.nullable(),
  knee: point.nullable(),
  curve: z.array(point).readonly(),
  edge: z.array(edgeClient).readonly(),
});

/** How a program of --to counts the limits. */
const translation = z.strictObject({
  to: z.string(),
  /** What it refuses of the clients that the limits are for; null: it is not written, or has `mostClients`. */
  effect: z
    .strictObject({ refused: count, requests: count, refusedClients: count, isMet: z.boolean() })
    .nullable(),
  mostClients: count.nullable(), // of which it keeps budgets; null: all
  hasAll: z.boolean(), // whether it has all limits
});

const recommendation = z.strictObject({
  format: z.literal(RECOMMENDATION_FORMAT),
  answer: answerSchema,
  key: z.string(),
  logs: z.array(replayedLog).readonly(),
  skipped: z.array(z.string()).readonly(),
  isInterrupted: z.boolean(),
  /** How many candidates an interrupted search has completed; null: the search is complete. */
  cut: z
    .strictObject({
      searched: count,
      of: count,
      /** Whether these candidates have rates under all placements of requests within seconds. */
      isPlaced: z.boolean(),
      isAdvised: z.boolean(), // whether the outliers of each window were searched
    })
    .nullable(),
  /** Requests that are not labelled as bad; all shares refer to them. */
  requests: count,
  clients: count,
  badRequests: count,
  /** Clients with a bad request, some of which may have other requests too. */
  badClients: count,
  /** Clients that --without-outliers left out: no other number is about them. `refused`: at the rate of `choice`. */
  leftOut: z
    .array(z.strictObject({ client: z.string(), requests: count, refused: count }))
    .readonly(),
  firstAt: z.iso.datetime(),
  lastAt: z.iso.datetime(),
  timestamps: z.enum(["whole seconds", "finer"]),
  coverage: coverageSchema,
  target: z.strictObject({ requests: share, clients: share }),
  resamples: count,
  confidence: share,
  candidates: z.array(recommendedCandidate).readonly(),
  /** Windows longer than the log, in which nothing shows what clients need. */
  tooLong: z.array(count).readonly(),
  /** For each other window with a rate that meets the target. */
  advice: z.array(windowAdvice).readonly(),
  /** What all limits of `advice` refuse together; null: there are fewer than two, or the search was interrupted. */
  together: limitsTogether.nullable(),
  /** The limits that keep the target together, as indices of `advice`. They are the limits of the answer and the files. */
  ship: z.array(count).readonly(),
  /** What these refuse together; null: they are all of `advice`, or there are fewer than two. */
  shipped: limitsTogether.nullable(),
  /**
   * The burst that clients need in addition to `rate` per `perUs`, without outliers; null: no
   * rate meets the target. `client` is one that a smaller burst refuses; null: none needs more than one request at once.
   */
  burst: z
    .strictObject({
      limit: z.string(),
      rate: count,
      perUs: count,
      burst: count,
      client: z.string().nullable(),
    })
    .nullable(),
  /** The index of a candidate; null: none meets the target. */
  choice: count.nullable(),
  /** What --out and --to can write of the limit: `serve`, and names of --to. */
  canShipTo: z.array(z.string()).readonly(),
  /** The files of --out. `about` describes a file, or states why it was not written. */
  files: z
    .array(
      z.strictObject({
        file: z.string(),
        isWritten: z.boolean(),
        about: z.string(),
        translation: translation.nullable(), // of --to; null: a file for Weir
      }),
    )
    .readonly(),
});

export type RecommendationDocument = z.infer<typeof recommendation>;
export type UnansweredRecommendation = Omit<RecommendationDocument, "answer">;
export type RecommendationAdvice = RecommendationDocument["advice"][number];
export type RecommendedCandidate = RecommendationDocument["candidates"][number];

export const recommendationSchema = (): unknown => z.toJSONSchema(recommendation);

export interface RecommendationFacts {
  readonly key: string;
  readonly traffic: LoggedTraffic;
  readonly names: readonly string[];
  readonly isAnonymous: boolean;
  readonly isWholeSeconds: boolean;
  readonly files: readonly LogFile[];
  readonly skipped: readonly string[];
  readonly cut: readonly { readonly name: string; readonly why: string }[];
  readonly isInterrupted: boolean; // interrupted before all lines were read
  readonly canShipTo: readonly string[];
  readonly written: RecommendationDocument["files"];
  /** Changes the name of a client for display. */
  readonly shownName: ShownName;
}

export function buildRecommendation(
  recommended: Recommendation,
  facts: RecommendationFacts,
): UnansweredRecommendation {
  const { target, totals, badTotal, badClients, searches, burst, choice } = recommended;
  const nameAt = (client: number): string => facts.shownName(facts.names[client]!);
  const { key, traffic, files, skipped, cut, isInterrupted } = facts;
  return {
    format: RECOMMENDATION_FORMAT,
    key,
    logs: files.map((file) => logOf(file, cut, facts.isAnonymous)),
    skipped,
    isInterrupted: isInterrupted || recommended.cut !== null,
    cut: recommended.cut,
    requests: totals.requests,
    clients: totals.clients,
    badRequests: badTotal,
    badClients,
    leftOut: recommended.leftOut.map(({ client, refused }) => ({
      client: nameAt(client),
      requests: recommended.requestsOf[client]!,
      refused,
    })),
    firstAt: isoTime(traffic.firstUs),
    lastAt: isoTime(traffic.lastUs),
    timestamps: facts.isWholeSeconds ? ("whole seconds" as const) : ("finer" as const),
    coverage: traffic.coverage(),
    target,
    resamples: RESAMPLES,
    confidence: CONFIDENCE,
    candidates: searches.map((search) => candidateOf(search, facts, recommended)),
    tooLong: recommended.tooLong,
    advice: recommended.advice.map((each) => adviceOf(each, recommended, nameAt)),
    together: recommended.together === null ? null : togetherOf(recommended.together),
    ship: recommended.ship,
    shipped: recommended.shipped === null ? null : togetherOf(recommended.shipped),
    burst:
      burst === null
        ? null
        : {
            limit: limitText(burst.limit),
            ...burst.limit,
            burst: burst.burst,
            client: burst.client === null ? null : nameAt(burst.client),
          },
    choice: choice === null ? null : searches.findIndex(({ found }) => found === choice),
    canShipTo: facts.canShipTo,
    files: facts.written,
  };
}

function candidateOf(
  { rule, perUs, found, refusedAtMost, points, knee }: RateSearch,
  facts: RecommendationFacts,
  { totals, requestsOf }: Recommendation,
): RecommendedCandidate {
  const of = {
    perUs,
    algorithm: rule.by.kind === "algorithm" ? rule.by.name : null,
    profile: rule.by.kind === "profile" ? rule.by.name : null,
    knee: knee === null ? null : pointOf(knee),
    curve: points.map(pointOf),
  };
  const size = limitText({ rate: 0, perUs }).slice(2);
  if (found === null)
    return {
      limit: `none/${size}`,
      ...of,
      rate: null,
      rateForRequests: null,
      rateForClients: null,
      below: null,
      interval: null,
      placements: [],
      refused: refusedAtMost,
      refusedShare: refusedAtMost / totals.requests,
      refusedClients: points.at(-1)?.clients ?? 0,
      refusedClientShare: (points.at(-1)?.clients ?? 0) / totals.clients,
      badRefused: points.at(-1)?.badRefused ?? 0,
      badRefusedClients: points.at(-1)?.badClients ?? 0,
      mostInWindow: null,
      edge: [],
    };
  const { goodRequests, goodClients, badRequests, badClients } = found.refusals;
  return {
    limit: limitText(found.limit.limit),
    ...of,
    rate: found.limit.limit.rate,
    rateForRequests: found.forRequests,
    rateForClients: found.forClients,
    below: found.below,
    interval: intervalOf(found),
    placements: found.placements.map(({ name, rate }) => ({ placement: name, rate })),
    refused: goodRequests,
    refusedShare: goodRequests / totals.requests,
    refusedClients: goodClients,
    refusedClientShare: goodClients / totals.clients,
    badRefused: badRequests,
    badRefusedClients: badClients,
    mostInWindow: found.mostInWindow,
    edge: found.edge.map((each) => edgeOf(each, facts, requestsOf)),
  };
}

const pointOf = ({ rate, refused, clients, badRefused, badClients }: CurvePoint) => ({
  rate,
  refused,
  refusedClients: clients,
  badRefused,
  badRefusedClients: badClients,
});

const edgeOf = (
  { client, peak, refused }: EdgeClient,
  { names, shownName }: RecommendationFacts,
  requestsOf: Int32Array,
): RecommendedCandidate["edge"][number] => ({
  client: shownName(names[client]!),
  requests: requestsOf[client]!,
  refused,
  peak,
});

/** Returns the displayed name for a client's name in the columns. */
export type ShownName = (name: string) => string;

/** Shows a key of several fields with a plus between them. */
export const clientName: ShownName = (name) => name.replaceAll("\u001F", " + ");
