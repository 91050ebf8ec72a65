// Finds the smallest rates that meet a target on the requests of logs, for each window and each algorithm or profile.
import { rng } from "../../kit/chance/rng.ts";
import type { Micros } from "../../kit/units.ts";
import { limitText, type ReplayLimit } from "../replay/candidates.ts";
import { AS_LOGGED, placementsFrom } from "../replay/placements.ts";
import {
  findOutliers,
  outliersIn,
  type RateEffect,
  type Rival,
  type WindowAdvice,
} from "./advice.ts";
import { choose, isSameSearch, mostInWindow, weigh } from "./choice.ts";
import type {
  FoundRate,
  OmittedClients,
  RateSearch,
  Recommendation,
  RecommendedRule,
} from "./recommendation.ts";
import { findNeededBurst, longTimeOf } from "./burst.ts";
import { findEdge } from "./edge.ts";
import { curvePoints, findKnee } from "./knee.ts";
import { ClientMeans, meansOf } from "./long-run.ts";
import { SearchSteps, type IsStepWanted } from "./steps.ts";
import {
  countBadClients,
  countGoodRequests,
  RefusalCurve,
  refusalsOf,
  type DecidedClients,
  type Refusals,
} from "./refusals.ts";
import { rateInterval } from "./resampling.ts";
import {
  findSmallestRate,
  findStarved,
  isTargetMet,
  meetsClients,
  meetsRequests,
  tryRates,
  type RefusalTarget,
  type RefusalTotals,
} from "./search.ts";
import { decideTogether } from "./together.ts";
import type { LoggedTraffic } from "./traffic.ts";

export const MOST_RATE = 1_000_000_000;

/** A log covers a window if it is as long as this part of it: it may begin late, and end early. */
const LEAST_COVERED = 0.9;

export interface RecommendQuestion {
  readonly rules: readonly RecommendedRule[];
  readonly windows: readonly Micros[];
  readonly target: RefusalTarget;
  readonly seed: number;
  /** How many clients are listed on each side of the edge. */
  readonly top: number;
  readonly leftOut?: OmittedClients; // no outliers are searched among the others
  readonly isWanted?: IsStepWanted;
}

export async function recommend(
  traffic: LoggedTraffic,
  names: readonly string[],
  isWholeSeconds: boolean,
  question: RecommendQuestion,
): Promise<Recommendation> {
  const { rules, windows, target, seed, leftOut } = question;
  const [first, ...others] = isWholeSeconds ? placementsFrom(seed) : [AS_LOGGED];
  const decided: DecidedClients = { columns: traffic.columns(first!, names.length), names };
  const { starts } = decided.columns;
  const lengthsOf = starts.map((start, id) => (starts[id + 1] ?? start) - start);
  const all = Int32Array.from(names.keys()).filter(
    (id) => lengthsOf[id]! > 0 && leftOut?.clients.has(id) !== true,
  );
  const requestsOf = countGoodRequests(decided, all);
  const totals = {
    requests: requestsOf.reduce((sum, each) => sum + each, 0),
    clients: requestsOf.reduce((sum, each) => sum + (each > 0 ? 1 : 0), 0),
  };
  const candidates = windows.flatMap((perUs) => rules.map((rule) => ({ rule, perUs })));
  const logUs = traffic.lastUs - traffic.firstUs;
  const advised = windows.filter((perUs) => logUs >= LEAST_COVERED * perUs);
  // A log that is shorter than a window does not show the long run.
  const meansPer = new Map(
    advised.map((perUs) => {
      const means = meansOf(decided.columns, perUs, traffic, isWholeSeconds);
      return [perUs, new ClientMeans(means, all, Math.max(1, logUs / perUs))];
    }),
  );
  const of: SearchedClients = { decided, all, requestsOf, totals, meansPer };
  const steps = new SearchSteps(
    candidates.length * (1 + others.length) + advised.length + 1,
    question.isWanted,
  );
  const searches: RateSearch[] = [];
  // Of the two candidates that are weighed so far in each window: a curve has all clients many times.
  const curves = new Map<number, RefusalCurve>();
  const isWeighed = (search: number): boolean => {
    const { found, perUs } = searches[search]!;
    const weighed = advised.includes(perUs) ? weigh(searches, perUs) : null;
    return found !== null && (weighed?.chosen === found || weighed?.rival === found);
  };
  for (const { rule, perUs } of candidates)
    if (await steps.isNextWanted()) {
      const curve = curveOf(rule, perUs, of);
      const search = searchRate(rule, perUs, curve, first!.name, of, question);
      searches.push(search);
      if (leftOut === undefined) curves.set(searches.length - 1, curve);
      for (const index of curves.keys()) if (!isWeighed(index)) curves.delete(index);
    }
  const ratesByPlacement: RatesUnder[] = [];
  for (const placement of steps.isCut ? [] : others) {
    const placed = { ...of, decided: { columns: traffic.columns(placement, names.length), names } };
    const rates: (number | null)[] = [];
    for (const { rule, perUs } of candidates)
      if (await steps.isNextWanted()) rates.push(smallestRate(rule, perUs, placed, target));
    ratesByPlacement.push({ name: placement.name, rates });
  }
  const isPlaced = !steps.isCut || others.length === 0;
  const placed = isPlaced
    ? searches.map((search, index) => withPlacements(search, index, ratesByPlacement))
    : searches;
  const advice: WindowAdvice[] = [];
  for (const perUs of advised)
    if (await steps.isNextWanted()) advice.push(...adviseOn(perUs, placed, curves, of, question));
  const isAdvised = !steps.isCut;
  const longUs = longTimeOf(logUs);
  const rest = withoutOutliers(of, advice);
  const burst = (await steps.isNextWanted())
    ? findNeededBurst(longUs, target, rest.totals, decided, rest.all, MOST_RATE)
    : null;
  return {
    target,
    totals,
    decided,
    all,
    badTotal: all.reduce((sum, id) => sum + lengthsOf[id]!, 0) - totals.requests,
    badClients: countBadClients(decided, all),
    requestsOf: lengthsOf,
    leftOut: leftOut === undefined ? [] : listLeftOut(leftOut, decided),
    searches: placed,
    tooLong: windows.filter((perUs) => !advised.includes(perUs)),
    advice,
    together:
      isAdvised && advice.length > 1
        ? decideTogether(advice, placed, decided, { ...rest, target })
        : null,
    burst,
    choice: choose(placed, advised, leftOut),
    cut: steps.isCut
      ? { searched: searches.length, of: candidates.length, isPlaced, isAdvised }
      : null,
  };
}

interface SearchedClients {
  readonly decided: DecidedClients;
  readonly all: Int32Array;
  readonly requestsOf: Int32Array;
  readonly totals: RefusalTotals;
  readonly meansPer: ReadonlyMap<Micros, ClientMeans>;
}

function searchRate(
  rule: RecommendedRule,
  perUs: Micros,
  curve: RefusalCurve,
  placement: string,
  { requestsOf, totals }: SearchedClients,
  { target, seed, top, leftOut }: RecommendQuestion,
): RateSearch {
  const known = isSameSearch({ rule, perUs }, leftOut) ? leftOut.rate : null;
  const rate = known ?? findSmallestRate(curve, (each) => isTargetMet(each, target, totals));
  const points = curvePoints(curve);
  const of = { rule, perUs, points, knee: findKnee(points) };
  if (rate === null)
    return { ...of, found: null, refusedAtMost: curve.refusalsByRate().at(-1)!.goodRequests };
  const limit = limitAt(rule, perUs)(rate);
  const random = rng(seed, `recommend/clients/${limitText(limit.limit)} ${rule.by.name}`);
  return {
    ...of,
    refusedAtMost: 0,
    found: {
      limit,
      forRequests: findSmallestRate(curve, (each) =>
        meetsRequests(withoutLongRun(each), target, totals),
      )!,
      forClients: findSmallestRate(curve, (each) =>
        meetsClients(withoutLongRun(each), target, totals),
      )!,
      refusals: curve.at(rate),
      starved: findStarved(curve, rate, target, totals),
      interval: rateInterval(curve, target, requestsOf, rate, random),
      edge: findEdge(curve, rate, top),
      placements: [{ name: placement, rate }],
      mostInWindow: mostInWindow(limit),
    },
  };
}

const withoutLongRun = ({ goodRequests, goodClients }: Refusals) => ({ goodRequests, goodClients });

/** The clients that are outliers of no window, and what the target is about of them. */
function withoutOutliers(
  { all, requestsOf, totals }: SearchedClients,
  advice: readonly WindowAdvice[],
): Pick<SearchedClients, "all" | "totals"> {
  const outliers = outliersIn(advice);
  const requests = [...outliers].reduce((sum, id) => sum + requestsOf[id]!, 0);
  return {
    all: all.filter((id) => !outliers.has(id)),
    totals: { requests: totals.requests - requests, clients: totals.clients - outliers.size },
  };
}

/** The advice on a window; none if no rate meets the target. */
function adviseOn(
  perUs: Micros,
  searches: readonly RateSearch[],
  curves: ReadonlyMap<number, RefusalCurve>,
  of: SearchedClients,
  { target, seed, top, leftOut }: RecommendQuestion,
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
  const outliers =
    leftOut === undefined
      ? findOutliers(
          curveAt(search),
          chosen.limit.limit.rate,
          { target, totals, requestsOf },
          rng(seed, `recommend/outliers/${limitText(chosen.limit.limit)} ${rule.by.name}`),
          top,
        )
      : null;
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
  return [
    {
      perUs,
      search,
      outliers,
      rate,
      mostInWindow: mostInWindow(limitAt(rule, perUs)(rate)),
      longRun: of.meansPer.get(perUs)!.highestOf(outliers?.starved ?? chosen.starved),
      rival: rival === null ? null : findRival(indexOf(rival)),
      atRate,
    },
  ];
}

const smallestRate = (
  rule: RecommendedRule,
  perUs: Micros,
  of: SearchedClients,
  target: RefusalTarget,
): number | null =>
  findSmallestRate(curveOf(rule, perUs, of), (each) => isTargetMet(each, target, of.totals));

/** The rates of all candidates under one placement. */
interface RatesUnder {
  readonly name: string;
  readonly rates: readonly (number | null)[];
}

const withPlacements = (
  search: RateSearch,
  index: number,
  others: readonly RatesUnder[],
): RateSearch =>
  search.found === null
    ? search
    : {
        ...search,
        found: {
          ...search.found,
          placements: [
            ...search.found.placements,
            ...others.map(({ name, rates }) => ({ name, rate: rates[index]! })),
          ],
        },
      };

const limitAt =
  ({ by, options }: RecommendedRule, perUs: Micros) =>
  (rate: number): ReplayLimit => ({ kind: "limit", limit: { rate, perUs }, by, options });

/** Creates a curve, and tries the rates with which every search begins. */
function curveOf(
  rule: RecommendedRule,
  perUs: Micros,
  { decided, all, meansPer }: SearchedClients,
): RefusalCurve {
  const means = meansPer.get(perUs) ?? null;
  const curve = new RefusalCurve(limitAt(rule, perUs), decided, all, MOST_RATE, means);
  tryRates(curve);
  return curve;
}

/** What the kept limit refuses of the clients that are left out. */
function listLeftOut(
  { clients, rule, perUs, rate }: OmittedClients,
  decided: DecidedClients,
): Recommendation["leftOut"] {
  const ids = Int32Array.from(clients).toSorted();
  const refused = refusalsOf(limitAt(rule, perUs)(rate), decided, ids);
  const of = new Map([...refused.ids].map((id, at) => [id, refused.good[at]! + refused.bad[at]!]));
  return [...clients].map((client) => ({ client, refused: of.get(client) ?? 0 }));
}
