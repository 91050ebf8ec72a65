// What the limits of several windows refuse if all of them are enforced. Each was searched alone.
import { client as budgetOf } from "../../limiter/core/client.ts";
import { memoryStore } from "../../limiter/store/memory.ts";
import type { ReplayLimit } from "../replay/candidates.ts";
import { startCounting } from "../../lab/implementations/started-rules.ts";
import { outliersIn, type WindowAdvice } from "./advice.ts";
import type { LimitsTogether, RateSearch } from "./recommendation.ts";
import type { DecidedClients } from "./refusals.ts";
import { isTargetMet, type RefusalTarget, type RefusalTotals } from "./search.ts";

/**
 * Decides the requests of all clients by the limits of all windows. Each limit admits all requests of a client that no
 * limit refuses alone, so the other clients alone are decided again.
 */
export function decideTogether(
  advice: readonly WindowAdvice[],
  searches: readonly RateSearch[],
  decided: DecidedClients,
  { totals, target }: { readonly totals: RefusalTotals; readonly target: RefusalTarget }, // of no outliers
): LimitsTogether {
  const outliers = outliersIn(advice);
  const limits = advice.map(({ search, perUs, rate }) => ({
    limit: { rate, perUs },
    options: searches[search]!.rule.options,
  }));
  const alone = advice.map(({ search, atRate }) => atRate.find((each) => each.search === search)!);
  const ids = new Set(alone.flatMap(({ refused }) => [...refused.ids]));
  const losing = [...ids]
    .map((client) => ({ client, refused: countRefused(limits, decided, client) }))
    .filter(({ refused }) => refused > 0);
  const others = losing.filter(({ client }) => !outliers.has(client));
  const sum = (of: typeof losing): number => of.reduce((all, { refused }) => all + refused, 0);
  const [goodRequests, goodClients] = [sum(others), others.length];
  return {
    refused: sum(losing),
    refusedClients: losing.length,
    totals,
    refusedOfOthers: goodRequests,
    refusedOtherClients: goodClients,
    mostAlone: Math.max(
      ...alone.map(({ refused: { ids: of, good } }) =>
        good.reduce((all, each, at) => all + (outliers.has(of[at]!) ? 0 : each), 0),
      ),
    ),
    isMet: isTargetMet({ goodRequests, goodClients }, target, totals),
  };
}

/** A request is admitted if each limit admits it. One that a limit refuses spends nothing of the others. */
function countRefused(
  limits: readonly Pick<ReplayLimit, "limit" | "options">[],
  { columns: { starts, atUs, isBad }, names }: DecidedClients,
  id: number,
): number {
  const own = budgetOf(names[id]!);
  const decideAll = limits.map(({ limit, options }, at) =>
    startCounting({ id: String(at), limit, options }, memoryStore()),
  );
  let refused = 0;
  for (let place = starts[id]!; place < starts[id + 1]!; place++) {
    const at = atUs[place]!;
    const refusing = decideAll.find((decide) => decide(own, at, "evaluate").refused !== null);
    if (refusing === undefined) for (const decide of decideAll) decide(own, at, "spend");
    else {
      refusing(own, at, "spend"); // some limiters count refused requests
      if (isBad?.[place] !== 1) refused++;
    }
  }
  return refused;
}
