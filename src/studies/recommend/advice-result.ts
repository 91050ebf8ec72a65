// The recommendation for one window, in the document of weir recommend.
import { z } from "zod";
import { limitText } from "../replay/candidates.ts";
import type { WindowAdvice } from "./advice.ts";
import type { FoundRate, LimitsTogether, Recommendation } from "./recommendation.ts";

export const count = z.int().min(0);

/** The confidence interval of a rate; null: there is one client. A null end is infinite. */
export const rateRange = z
  .strictObject({ low: count.nullable(), high: count.nullable() })
  .nullable();

export const edgeClient = z.strictObject({
  client: z.string(),
  requests: count,
  refused: count,
  /** The smallest rate that refuses no request of this client; null: every rate refuses some. */
  peak: count.nullable(),
});

export const windowAdvice = z.strictObject({
  perUs: count,
  candidate: count, // the index of a candidate
  /** The rate of the candidate, or the rate without the outliers if there are some. */
  rate: count,
  limit: z.string(),
  mostInWindow: count.nullable(), // at `rate`, as in `candidates`
  /**
   * The smallest rate, from `rate` on, that meets the target with every placement of requests within whole seconds.
   * Null: none does, or it was not searched, as if timestamps are finer.
   */
  placedRate: count.nullable(),
  /** The clients that are no outliers and send more than `rate` on average, and the one that sends most; null: none. */
  above: z.strictObject({ client: z.string(), mean: z.number(), clients: count }).nullable(),
  /** Of clients that only in the long run need this rate, the one that sends most, per window; null: none do. */
  longRun: z.strictObject({ client: z.string(), mean: z.number() }).nullable(),
  /**
   * Of the clients that the limit refuses nothing, the one nearest to it: the smallest rate that refuses none of its
   * requests, and its requests per window over the whole log. Null: the limit refuses some of each client.
   */
  closest: z.strictObject({ client: z.string(), peak: count, mean: z.number() }).nullable(),
  /** Of the clients that are no outliers, the one of which the limit refuses most; null: it refuses nothing of them. */
  mostRefused: edgeClient.nullable(),
  /**
   * The best candidate of those that count refused requests if the chosen one does not, and of the others if it does:
   * with the smallest rate that meets the target without the outliers. Null: there is none.
   */
  rival: z
    .strictObject({
      candidate: count,
      rate: count,
      mostInWindow: count.nullable(),
    })
    .nullable(),
  /** With --with-outliers, which clients raise the rate, and the rate without them; null: none do. */
  included: z.strictObject({ clients: z.array(z.string()).readonly(), rate: count }).nullable(),
  /** The clients above the last gap, at which one client more halves the rate, at most 1 % of all; null: no gap. */
  outliers: z
    .strictObject({
      /**
       * The highest peak first. A peak is the smallest rate that refuses no request; null: every rate refuses some.
       * `refused`: by `rate`.
       */
      clients: z
        .array(
          z.strictObject({
            client: z.string(),
            requests: count,
            peak: count.nullable(),
            refused: count,
          }),
        )
        .readonly(),
      /** The smallest rate that refuses no request of the others; null: every rate refuses some. */
      othersPeak: count.nullable(),
      /** Whether each of these clients needs more than `othersPeak`, which is below the rate of the candidate. */
      needMore: z.boolean(),
      /** Of the others: all of them, and what `rate` refuses. */
      requests: count,
      otherClients: count,
      refused: count,
      refusedClients: count,
      interval: rateRange,
      edge: z.array(edgeClient).readonly(), // of all clients, at `rate`
    })
    .nullable(),
  /** What each candidate of this window refuses at `rate`, outliers included. */
  atRate: z
    .array(
      z.strictObject({
        candidate: count,
        /** The smallest rate of this candidate that meets the target without the outliers; null: none does. */
        rateOfOthers: count.nullable(),
        refused: count,
        refusedClients: count,
        badRefused: count,
        badRefusedClients: count,
        refusedOfOthers: count, // of `refused`, those of clients that are no outliers
      }),
    )
    .readonly(),
});

/** What the limits of all windows refuse together: a request that one of them refuses spends nothing of the others. */
export const limitsTogether = z.strictObject({
  refused: count,
  refusedClients: count,
  /** Of clients that are outliers of no window: all of them, and what is refused. */
  requests: count,
  otherClients: count,
  refusedOfOthers: count,
  refusedOtherClients: count,
  badRefused: count,
  badRefusedClients: count,
  mostAlone: count, // requests of these clients, by the one limit that refuses most of them
  isMet: z.boolean(), // whether these clients get what the target promises
});

export const togetherOf = ({
  totals,
  ...counts
}: LimitsTogether): z.infer<typeof limitsTogether> => ({
  ...counts,
  requests: totals.requests,
  otherClients: totals.clients,
});

export const adviceOf = (
  {
    perUs,
    search,
    outliers,
    included,
    rate,
    rival,
    atRate,
    mostInWindow,
    placedRate,
    above,
    longRun,
    closest,
    mostRefused,
  }: WindowAdvice,
  { requestsOf }: Recommendation,
  nameAt: (client: number) => string,
): z.infer<typeof windowAdvice> => ({
  perUs,
  candidate: search,
  rate,
  limit: limitText({ rate, perUs }),
  mostInWindow,
  placedRate,
  above: above === null ? null : { ...above, client: nameAt(above.client) },
  longRun: longRun === null ? null : { ...longRun, client: nameAt(longRun.client) },
  closest: closest === null ? null : { ...closest, client: nameAt(closest.client) },
  mostRefused:
    mostRefused === null
      ? null
      : {
          ...mostRefused,
          client: nameAt(mostRefused.client),
          requests: requestsOf[mostRefused.client]!,
        },
  included:
    included === null
      ? null
      : { clients: included.clients.map(({ client }) => nameAt(client)), rate: included.rate },
  rival:
    rival === null
      ? null
      : {
          candidate: rival.search,
          rate: rival.rate,
          mostInWindow: rival.mostInWindow,
        },
  outliers:
    outliers === null
      ? null
      : {
          clients: outliers.clients.map(({ client, peak, refused }) => ({
            client: nameAt(client),
            requests: requestsOf[client]!,
            peak,
            refused,
          })),
          othersPeak: outliers.othersPeak,
          needMore: outliers.needMore,
          requests: outliers.totals.requests,
          otherClients: outliers.totals.clients,
          refused: outliers.refused.goodRequests,
          refusedClients: outliers.refused.goodClients,
          interval: intervalOf(outliers),
          edge: outliers.edge.map(({ client, peak, refused }) => ({
            client: nameAt(client),
            requests: requestsOf[client]!,
            refused,
            peak,
          })),
        },
  atRate: atRate.map(({ search: candidate, rateOfOthers, refused, refusedOfOthers }) => ({
    candidate,
    rateOfOthers,
    refused: refused.goodRequests,
    refusedClients: refused.goodClients,
    badRefused: refused.badRequests,
    badRefusedClients: refused.badClients,
    refusedOfOthers,
  })),
});

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

export const intervalOf = ({ interval }: Pick<FoundRate, "interval">): z.infer<typeof rateRange> =>
  interval === null ? null : { low: finite(interval.low), high: finite(interval.high) };
