// Documents of weir recommend for tests of its answer.
import { micros } from "#src/kit/units.ts";
import { recommend } from "#src/studies/recommend/recommend.ts";
import type { Recommendation, RecommendedRule } from "#src/studies/recommend/recommendation.ts";
import { omitOutliers } from "#src/studies/recommend/shipped.ts";
import {
  buildRecommendation,
  clientName,
  type UnansweredRecommendation,
} from "#src/studies/recommend/result.ts";
import type { RefusalTarget } from "#src/studies/recommend/search.ts";
import {
  ALGORITHM_RULES,
  namesOf,
  questionOf,
  START_US,
  trafficOf,
  type SentRequest,
} from "../../studies/recommend/traffic.ts";

export const CLIENTS = 12;
export const { names } = namesOf(CLIENTS);
export const FILES = [{ file: "world.yaml", isWritten: true, about: "", translation: null }];

export interface Draw {
  readonly requests: readonly SentRequest[];
  readonly rules: readonly RecommendedRule[];
  readonly target: RefusalTarget;
  readonly windowsS: readonly number[];
  readonly isOneBudget: boolean;
  readonly hasFiles: boolean;
  readonly leavesOut?: boolean; // as --without-outliers
  readonly keepsOutliers?: boolean; // as --with-outliers
}

export const documentOf = async (draw: Draw): Promise<UnansweredRecommendation> =>
  (await documentsOf(draw)).document;

/** With the document from which clients were left out then; null: none were. */
export async function documentsOf(draw: Draw): Promise<{
  readonly document: UnansweredRecommendation;
  readonly earlier: UnansweredRecommendation | null;
}> {
  const { requests, rules, target, windowsS, isOneBudget, hasFiles, leavesOut, keepsOutliers } =
    draw;
  const traffic = trafficOf(requests);
  const windows = windowsS.map((seconds) => micros(seconds * 1_000_000));
  const question = {
    ...questionOf(rules, { target, windows }),
    keepsOutliers: keepsOutliers === true,
  };
  const build = (recommended: Recommendation): UnansweredRecommendation =>
    buildRecommendation(recommended, {
      key: isOneBudget ? "none" : "ip",
      traffic,
      names,
      isAnonymous: false,
      isWholeSeconds: false,
      files: [],
      skipped: [],
      cut: [],
      isInterrupted: false,
      canShipTo: ["serve", "nginx", "envoy"],
      written: hasFiles ? FILES : [],
      shownName: clientName,
    });
  const recommended = await recommend(traffic, names, false, question);
  const leftOut = omitOutliers(recommended);
  if (leavesOut !== true || leftOut.clients.size === 0)
    return { document: build(recommended), earlier: null };
  const without = await recommend(traffic, names, false, { ...question, leftOut });
  return { document: build(without), earlier: build(recommended) };
}

/** Twelve clients: each sends two requests, and one more each 600 ms if it is `heavy`, each tenth of which is bad. */
export const drawOf = (heavy: readonly number[], isLabelled = false): Draw => ({
  requests: [
    ...names.flatMap((_, client) => [0, 9_000].map((ms) => ({ atMs: ms + 700 * client, client }))),
    ...heavy.flatMap((client) =>
      Array.from({ length: 40 }, (_, i) => ({ atMs: 400 * i + Math.floor(i / 20), client })),
    ),
  ]
    .toSorted((a, b) => a.atMs - b.atMs)
    .map(({ atMs, client }, i) => ({
      atUs: START_US + atMs * 1000,
      client,
      isBad: isLabelled && i % 10 === 0,
    })),
  rules: ALGORITHM_RULES.filter(({ by }) =>
    ["fixed_window", "sliding_log", "token_bucket"].includes(by.name),
  ),
  target: { requests: 0, clients: 0 },
  windowsS: [4],
  isOneBudget: false,
  hasFiles: false,
});

export type Document = UnansweredRecommendation;

export const withAdvice = (
  document: Document,
  change: Partial<Document["advice"][number]>,
): Document => ({
  ...document,
  advice: document.advice.map((each, at) => (at === 0 ? { ...each, ...change } : each)),
});

export const withChosen = (
  document: Document,
  change: Partial<Document["candidates"][number]>,
): Document => ({
  ...document,
  candidates: document.candidates.map((each, at) =>
    at === document.advice[0]!.candidate ? { ...each, ...change } : each,
  ),
});

export const withOutliers = (
  document: Document,
  change: Partial<NonNullable<Document["advice"][number]["outliers"]>>,
): Document => withAdvice(document, { outliers: { ...document.advice[0]!.outliers!, ...change } });

type RefusedCounts = Pick<
  Document["advice"][number]["atRate"][number],
  "refused" | "refusedOfOthers"
>;

/** Changes what the other candidates refuse at the recommended rate. */
export const withOthers = (
  document: Document,
  refusedOf: (own: RefusedCounts) => RefusedCounts,
): Document => {
  const { atRate, candidate } = document.advice[0]!;
  const own = atRate.find((each) => each.candidate === candidate)!;
  const counts = refusedOf({ refused: own.refused, refusedOfOthers: own.refusedOfOthers });
  return withAdvice(document, {
    atRate: atRate.map((each) => (each.candidate === candidate ? each : { ...each, ...counts })),
  });
};
