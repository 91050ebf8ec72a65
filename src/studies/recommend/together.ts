// What the limits of several windows refuse if all of them are enforced. Each was searched alone.
import { client as budgetOf } from "../../limiter/core/client.ts";
import { memoryStore } from "../../limiter/store/memory.ts";
import type { ReplayLimit } from "../replay/candidates.ts";
import { startCounting } from "../../lab/implementations/started-rules.ts";
import { outliersIn, type WindowAdvice } from "./advice.ts";
import type { LimitsTogether, RateSearch } from "./recommendation.ts";
import { refusalsOf, type DecidedClients } from "./refusals.ts";
import { isTargetMet, type RefusalTarget, type RefusalTotals } from "./search.ts";

type EnforcedLimit = Pick<ReplayLimit, "limit" | "options">;

/** Requests of a client that are refused: those that the target is about, and the others. */
export interface ClientLoss {
  readonly client: number;
  readonly good: number;
  readonly bad: number;
}

/**
 * Decides the requests of all clients by the limits of all windows. Each limit admits all requests of a client that no
 * limit refuses alone, so the other clients alone are decided again.
 */
export function decideTogether(
  advice: readonly WindowAdvice[],
  searches: readonly RateSearch[],
  decided: DecidedClients,
  {
    totals,
    target,
    outliers = outliersIn(advice),
  }: {
    readonly totals: RefusalTotals; // of no outliers
    readonly target: RefusalTarget;
    readonly outliers?: ReadonlySet<number>;
  },
): LimitsTogether {
  const limits = advice.map(({ search, perUs, rate }) => ({
    limit: { rate, perUs },
    options: searches[search]!.rule.options,
  }));
  const alone = advice.map(({ search, atRate }) => atRate.find((each) => each.search === search)!);
  const ids = new Set(alone.flatMap(({ refused }) => [...refused.ids]));
  const losing = lossesOf(limits, decided, ids);
  const sum = (of: readonly ClientLoss[], count: "good" | "bad"): number =>
    of.reduce((all, each) => all + each[count], 0);
  const ofGood = losing.filter(({ good }) => good > 0);
  const others = ofGood.filter(({ client }) => !outliers.has(client));
  const [goodRequests, goodClients] = [sum(others, "good"), others.length];
  return {
    refused: sum(ofGood, "good"),
    refusedClients: ofGood.length,
    totals,
    refusedOfOthers: goodRequests,
    refusedOtherClients: goodClients,
    badRefused: sum(losing, "bad"),
    badRefusedClients: losing.filter(({ bad }) => bad > 0).length,
    mostAlone: Math.max(
      ...alone.map(({ refused: { ids: of, good } }) =>
        good.reduce((all, each, at) => all + (outliers.has(of[at]!) ? 0 : each), 0),
      ),
    ),
    isMet: isTargetMet({ goodRequests, goodClients }, target, totals),
  };
}

/**
 * As many limits as keep the promise together, the shortest windows first, as places in `advice`. The first one is
 * always among them.
 */
export function selectShipped(
  advice: readonly WindowAdvice[],
  together: LimitsTogether | null, // of all
  decide: (some: readonly WindowAdvice[]) => LimitsTogether,
): { readonly ship: readonly number[]; readonly shipped: LimitsTogether | null } {
  if (together === null || together.isMet) return { ship: [...advice.keys()], shipped: null };
  let ship = [0];
  for (const place of [...advice.keys()].slice(1)) {
    const more = [...ship, place];
    if (decide(more.map((each) => advice[each]!)).isMet) ship = more;
  }
  return { ship, shipped: decide(ship.map((each) => advice[each]!)) };
}

/** How limits count a request that another one of them refuses. */
export interface Enforcement {
  readonly isInOrder?: boolean; // the limits before the one that refuses it have counted it
}

/** What several limits refuse together of clients, in the order of these; a client that loses nothing is left out. */
export const lossesOf = (
  limits: readonly EnforcedLimit[],
  decided: DecidedClients,
  ids: Iterable<number>,
  enforcement: Enforcement = {},
): readonly ClientLoss[] =>
  [...ids]
    .map((client) => ({ client, ...countRefused(limits, decided, client, enforcement) }))
    .filter(({ good, bad }) => good + bad > 0);

/** The clients of which one of the limits alone refuses a request: no other client loses one by all of them. */
export const listLosing = (
  limits: readonly ReplayLimit[],
  decided: DecidedClients,
  ids: Int32Array,
): ReadonlySet<number> =>
  new Set(limits.flatMap((limit) => [...refusalsOf(limit, decided, ids).ids]));

/** A request is admitted if each limit admits it. Unless they count in order, one that is refused spends nothing of others. */
function countRefused(
  limits: readonly EnforcedLimit[],
  { columns: { starts, atUs, isBad }, names }: DecidedClients,
  id: number,
  { isInOrder = false }: Enforcement,
): Omit<ClientLoss, "client"> {
  const own = budgetOf(names[id]!);
  const decideAll = limits.map(({ limit, options }, at) =>
    startCounting({ id: String(at), limit, options }, memoryStore()),
  );
  const refused = { good: 0, bad: 0 };
  for (let place = starts[id]!; place < starts[id + 1]!; place++) {
    const at = atUs[place]!;
    const findRefusing = (mode: "evaluate" | "spend") =>
      decideAll.find((decide) => decide(own, at, mode).refused !== null);
    const refusing = findRefusing(isInOrder ? "spend" : "evaluate");
    if (refusing !== undefined) refused[isBad?.[place] === 1 ? "bad" : "good"]++;
    if (isInOrder) continue;
    // Some limiters count refused requests.
    for (const decide of refusing === undefined ? decideAll : [refusing]) decide(own, at, "spend");
  }
  return refused;
}
