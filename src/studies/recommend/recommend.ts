// Finds the smallest rates that meet a target on the requests of logs, for each window and each algorithm or profile.
import { rng } from "../../kit/chance/rng.ts";
import type { Micros } from "../../kit/units.ts";
import { limitText, type ReplayLimit } from "../replay/candidates.ts";
import { AS_LOGGED, placementsFrom } from "../replay/placements.ts";
import {
  adviseOn,
  curveOf,
  limitAt,
  MOST_RATE,
  type AdviceQuestion,
  type SearchedClients,
} from "./advise.ts";
import { outliersIn, type WindowAdvice } from "./advice.ts";
import { choose, limitWithout, mostInWindow, weigh } from "./choice.ts";
import type {
  LimitsTogether,
  OmittedClients,
  RateSearch,
  Recommendation,
  RecommendedRule,
} from "./recommendation.ts";
import { findNeededBurst, longTimeOf } from "./burst.ts";
import { longestShownUs } from "./coverage.ts";
import { findEdge } from "./edge.ts";
import { findPlacedRates } from "./placed.ts";
import { curvePoints, findKnee } from "./knee.ts";
import { ClientMeans, meansOf } from "./long-run.ts";
import { SearchSteps, type IsStepWanted } from "./steps.ts";
import {
  countBadClients,
  countGoodRequests,
  type DecidedClients,
  type RefusalCurve,
} from "./refusals.ts";
import { rateInterval } from "./resampling.ts";
import {
  findSmallestRate,
  findStarved,
  isTargetMet,
  meetsClients,
  meetsRequests,
  type RefusalTarget,
  whatMisses,
} from "./search.ts";
import { limitOf } from "./shipped.ts";
import { decideTogether, lossesOf, selectShipped } from "./together.ts";
import type { LoggedTraffic } from "./traffic.ts";

/** A log covers a window if it is as long as this part of it: it may begin late, and end early. */
const LEAST_COVERED = 0.9;

export interface RecommendQuestion extends AdviceQuestion {
  readonly rules: readonly RecommendedRule[];
  readonly windows: readonly Micros[]; // in any order: the shortest one comes first in the result
  readonly isWanted?: IsStepWanted;
}

export async function recommend(
  traffic: LoggedTraffic,
  names: readonly string[],
  isWholeSeconds: boolean,
  question: RecommendQuestion,
): Promise<Recommendation> {
  const { rules, target, seed, leftOut } = question;
  const windows = question.windows.toSorted((a, b) => a - b);
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
  const longestUs = longestShownUs(traffic.coverage());
  const advised = windows.filter((perUs) => logUs >= LEAST_COVERED * perUs && perUs <= longestUs);
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
  // A random placement has the same times again only if it is a new one.
  const clientsPlaced = (placement: number): SearchedClients => ({
    ...of,
    decided: { columns: traffic.columns(placementsFrom(seed)[placement]!, names.length), names },
  });
  for (const [place, placement] of steps.isCut ? [] : others.entries()) {
    const placed = clientsPlaced(1 + place);
    const rates: (number | null)[] = [];
    for (const { rule, perUs } of candidates)
      if (await steps.isNextWanted()) rates.push(smallestRate(rule, perUs, placed, target));
    ratesByPlacement.push({ name: placement.name, rates });
  }
  const isPlaced = !steps.isCut || others.length === 0;
  const placed = isPlaced
    ? searches.map((search, index) => withPlacements(search, index, ratesByPlacement))
    : searches;
  let advice: readonly WindowAdvice[] = [];
  for (const perUs of advised)
    if (await steps.isNextWanted())
      advice = [...advice, ...adviseOn(perUs, placed, curves, of, question)];
  const isAdvised = !steps.isCut;
  if (isAdvised && others.length > 0) {
    const rates = findPlacedRates(advice, {
      searches: placed,
      target,
      placements: 1 + others.length,
      clientsPlaced,
    });
    advice = advice.map((each, place) => ({ ...each, placedRate: rates[place]! }));
  }
  const outliers = outliersIn(advice);
  const longUs = longTimeOf(logUs);
  const rest = withoutOutliers(of, outliers);
  const burst = (await steps.isNextWanted())
    ? findNeededBurst(longUs, target, rest.totals, decided, rest.all, MOST_RATE)
    : null;
  const decide = (some: readonly WindowAdvice[]): LimitsTogether =>
    decideTogether(some, placed, decided, { ...rest, target, outliers });
  const together = isAdvised && advice.length > 1 ? decide(advice) : null;
  const { ship, shipped } = selectShipped(advice, together, decide);
  const limits = ship.map((place) => limitOf(advice[place]!, placed));
  return {
    target,
    totals,
    decided,
    all,
    badTotal: all.reduce((sum, id) => sum + lengthsOf[id]!, 0) - totals.requests,
    badClients: countBadClients(decided, all),
    requestsOf: lengthsOf,
    leftOut: leftOut === undefined ? [] : listLeftOut(leftOut, limits, decided),
    searches: placed,
    tooLong: windows.filter((perUs) => !advised.includes(perUs)),
    advice,
    together,
    ship,
    shipped,
    burst,
    choice: choose(placed, advised, leftOut),
    cut: steps.isCut
      ? { searched: searches.length, of: candidates.length, isPlaced, isAdvised }
      : null,
  };
}

function searchRate(
  rule: RecommendedRule,
  perUs: Micros,
  curve: RefusalCurve,
  placement: string,
  { requestsOf, totals }: SearchedClients,
  { target, seed, top, leftOut }: RecommendQuestion,
): RateSearch {
  const fixed = limitWithout(leftOut, { rule, perUs });
  const rate = fixed?.rate ?? findSmallestRate(curve, (each) => isTargetMet(each, target, totals));
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
      forRequests: findSmallestRate(curve, (each) => meetsRequests(each, target, totals))!,
      forClients: findSmallestRate(curve, (each) => meetsClients(each, target, totals))!,
      refusals: curve.at(rate),
      below: whatMisses(curve, rate, target, totals),
      starved: findStarved(curve, rate, target, totals),
      interval: rateInterval(curve, target, requestsOf, rate, random),
      edge: findEdge(curve, rate, top),
      placements: [{ name: placement, rate }],
      mostInWindow: mostInWindow(limit),
    },
  };
}

/** The clients that are outliers of no window, and what the target is about of them. */
function withoutOutliers(
  { all, requestsOf, totals }: SearchedClients,
  outliers: ReadonlySet<number>,
): Pick<SearchedClients, "all" | "totals"> {
  const requests = [...outliers].reduce((sum, id) => sum + requestsOf[id]!, 0);
  return {
    all: all.filter((id) => !outliers.has(id)),
    totals: { requests: totals.requests - requests, clients: totals.clients - outliers.size },
  };
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

/** What the limits to ship refuse of the clients that are left out. */
function listLeftOut(
  { clients }: OmittedClients,
  limits: readonly ReplayLimit[],
  decided: DecidedClients,
): Recommendation["leftOut"] {
  const lost = new Map(
    lossesOf(limits, decided, clients).map(({ client, good, bad }) => [client, good + bad]),
  );
  return [...clients].map((client) => ({ client, refused: lost.get(client) ?? 0 }));
}
