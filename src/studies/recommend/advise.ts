// The advice on one window: the limit, the clients that alone would raise it, and what it was weighed against.
import { rng } from "../../kit/chance/rng.ts";
import type { Micros } from "../../kit/units.ts";
import { limitText, type ReplayLimit } from "../replay/candidates.ts";
import { findOutliers, type RateEffect, type Rival, type WindowAdvice } from "./advice.ts";
import { mostInWindow, weigh } from "./choice.ts";
import type { ClientMeans } from "./long-run.ts";
import type { FoundRate, OmittedClients, RateSearch, RecommendedRule } from "./recommendation.ts";
import { RefusalCurve, refusalsOf, type DecidedClients } from "./refusals.ts";
import {
  findSmallestRate,
  isTargetMet,
  tryRates,
  type RefusalTarget,
  type RefusalTotals,
} from "./search.ts";

export const MOST_RATE = 1_000_000_000;

/** The part of a question that advice depends on. */
export interface AdviceQuestion {
  readonly target: RefusalTarget;
  readonly seed: number;
  /** How many clients are listed on each side of the edge. */
  readonly top: number;
  readonly leftOut?: OmittedClients; // no outliers are searched among the others
  readonly keepsOutliers?: boolean; // the limit is for all clients, outliers too
}

export interface SearchedClients {
  readonly decided: DecidedClients;
  readonly all: Int32Array;
  readonly requestsOf: Int32Array;
  readonly totals: RefusalTotals;
  readonly meansPer: ReadonlyMap<Micros, ClientMeans>;
}

export const limitAt =
  ({ by, options }: RecommendedRule, perUs: Micros) =>
  (rate: number): ReplayLimit => ({ kind: "limit", limit: { rate, perUs }, by, options });

/** Creates a curve of which no rate is tried yet. */
export const startCurve = (
  rule: RecommendedRule,
  perUs: Micros,
  { decided, all, meansPer }: SearchedClients,
): RefusalCurve =>
  new RefusalCurve(limitAt(rule, perUs), decided, all, MOST_RATE, meansPer.get(perUs) ?? null);

/** Creates a curve, and tries the rates with which every search begins. */
export function curveOf(rule: RecommendedRule, perUs: Micros, of: SearchedClients): RefusalCurve {
  const curve = startCurve(rule, perUs, of);
  tryRates(curve);
  return curve;
}

/** The advice on a window; none if no rate meets the target. */
export function adviseOn(
  perUs: Micros,
  searches: readonly RateSearch[],
  curves: ReadonlyMap<number, RefusalCurve>,
  of: SearchedClients,
  { target, seed, top, leftOut, keepsOutliers = false }: AdviceQuestion,
): readonly WindowAdvice[] {
  const { decided, all, requestsOf, totals } = of;
  const weighed = weigh(searches, perUs, leftOut);
  if (weighed === null) return [];
  const { chosen, rival } = weighed;
  const indexOf = (rate: FoundRate): number => searches.findIndex(({ found }) => found === rate);
  const curveAt = (index: number): RefusalCurve =>
    curves.get(index) ?? curveOf(searches[index]!.rule, perUs, of);
  const search = indexOf(chosen);
  const { rule } = searches[search]!;
  const found =
    leftOut === undefined
      ? findOutliers(
          curveAt(search),
          chosen.limit.limit.rate,
          { target, totals, requestsOf, clients: all.length },
          rng(seed, `recommend/outliers/${limitText(chosen.limit.limit)} ${rule.by.name}`),
          top,
        )
      : null;
  const outliers = keepsOutliers ? null : found;
  const rate = outliers?.rate ?? chosen.limit.limit.rate;
  const left = new Set(outliers?.clients.map(({ client }) => client));
  const rateOfOthers = (index: number): number | null =>
    outliers === null
      ? (searches[index]!.found?.limit.limit.rate ?? null)
      : findSmallestRate(curveAt(index).without(left), (each) =>
          isTargetMet(each, target, outliers.totals),
        );
  const atRate = searches.flatMap((each, at): readonly RateEffect[] => {
    if (each.perUs !== perUs) return [];
    const refused = refusalsOf(limitAt(each.rule, perUs)(rate), decided, all);
    const refusedOfOthers = refused.good.reduce(
      (sum, good, place) => sum + (left.has(refused.ids[place]!) ? 0 : good),
      0,
    );
    return [{ search: at, rateOfOthers: rateOfOthers(at), refused, refusedOfOthers }];
  });
  const findRival = (index: number): Rival | null => {
    const others = atRate.find((each) => each.search === index)!.rateOfOthers;
    if (others === null) return null;
    const own = limitAt(searches[index]!.rule, perUs)(others);
    return { search: index, rate: others, mostInWindow: mostInWindow(own) };
  };
  const means = of.meansPer.get(perUs)!;
  const longRun = means.highestOf(outliers?.starved ?? chosen.starved);
  const next = (outliers?.edge ?? chosen.edge).find(
    ({ client, refused, peak }) => refused === 0 && peak !== null && !left.has(client),
  );
  const above = means.listAbove(rate, left);
  const highest = means.highestOf(above.map(({ client }) => client));
  const closest = longRun?.client ?? next?.client ?? null;
  const { ids, good } = atRate.find((each) => each.search === search)!.refused;
  const [most] = Array.from(ids, (client, at) => ({ client, refused: good[at]! }))
    .filter(({ client, refused }) => refused > 0 && !left.has(client))
    .toSorted((a, b) => b.refused - a.refused || a.client - b.client);
  return [
    {
      perUs,
      search,
      outliers,
      included: keepsOutliers ? found : null,
      rate,
      mostInWindow: mostInWindow(limitAt(rule, perUs)(rate)),
      placedRate: null,
      above: highest === null ? null : { ...highest, clients: above.length },
      longRun,
      closest:
        closest === null ? null : { ...means.of(closest), peak: curveAt(search).peakOf(closest)! },
      mostRefused:
        most === undefined ? null : { ...most, peak: curveAt(search).peakOf(most.client) },
      rival: rival === null ? null : findRival(indexOf(rival)),
      atRate,
    },
  ];
}
