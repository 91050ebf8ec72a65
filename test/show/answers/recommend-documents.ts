// Documents of weir recommend for tests of its answer.
import { micros } from "#src/kit/units.ts";
import { recommend, type RecommendedRule } from "#src/studies/recommend/recommend.ts";
import {
  buildRecommendation,
  clientName,
  type UnansweredRecommendation,
} from "#src/studies/recommend/result.ts";
import type { RefusalTarget } from "#src/studies/recommend/search.ts";
import {
  namesOf,
  questionOf,
  trafficOf,
  type SentRequest,
} from "../../studies/recommend/traffic.ts";

export const CLIENTS = 12;
export const { names } = namesOf(CLIENTS);
export const FILES = [{ file: "world.yaml", isWritten: true, about: "" }];

export interface Draw {
  readonly requests: readonly SentRequest[];
  readonly rules: readonly RecommendedRule[];
  readonly target: RefusalTarget;
  readonly windowsS: readonly number[];
  readonly isOneBudget: boolean;
  readonly hasFiles: boolean;
  readonly leavesOut?: boolean; // as --without-outliers
}

export async function documentOf(draw: Draw): Promise<UnansweredRecommendation> {
  const { requests, rules, target, windowsS, isOneBudget, hasFiles, leavesOut } = draw;
  const traffic = trafficOf(requests);
  const windows = windowsS.map((seconds) => micros(seconds * 1_000_000));
  const question = questionOf(rules, { target, windows });
  let recommended = await recommend(traffic, names, false, question);
  const [first] = recommended.advice;
  if (leavesOut === true && first !== undefined && first.outliers !== null) {
    const { rule, perUs } = recommended.searches[first.search]!;
    const clients = new Set(first.outliers.clients.map(({ client }) => client));
    const leftOut = { clients, rule, perUs, rate: first.rate };
    recommended = await recommend(traffic, names, false, { ...question, leftOut });
  }
  return buildRecommendation(recommended, {
    key: isOneBudget ? "none" : "ip",
    traffic,
    names,
    isAnonymous: false,
    isWholeSeconds: false,
    files: [],
    skipped: [],
    cut: [],
    isInterrupted: false,
    written: hasFiles ? FILES : [],
    shownName: clientName,
  });
}
