// What the sentences of weir recommend claim about several limits as one set, computed again from the requests.
import { expect } from "vitest";
import {
  checkNeed,
  clientsNamed,
  count,
  countClients,
  expectSmallest,
  goodOf,
  limitsOf,
  listMissed,
  needIn,
  number,
  outliersOf,
  parts,
  perUs,
  refusalsBy,
  refusalsByAll,
  ruleNamed,
  WINDOW,
  withAllIn,
  without,
  type AnsweredLimit,
  type Premises,
} from "./recounted.ts";

/** The shortest window first. */
const allOf = ({
  shipped,
  apart,
}: Pick<ReturnType<typeof limitsOf>, "shipped" | "apart">): readonly AnsweredLimit[] =>
  [...shipped, ...apart].toSorted((a, b) => a.us - b.us);

/**
 * Each limit is smallest without the clients that it is not for, and as many are shipped as keep the target together.
 * With --without-outliers a limit that has outliers of its own stays as it was without them, and each other one is
 * smallest without the outliers of all limits.
 */
export function checkSet(_: string, premises: Premises, answer: readonly string[]): string {
  const { requests, target, isOneBudget } = premises;
  const { subject, why, shipped, apart } = limitsOf(answer);
  expect(subject).toBe(isOneBudget ? "all clients together" : "each client");
  const all = allOf({ shipped, apart });
  expect(shipped[0]).toEqual(all[0]);
  const earlier = premises.earlier === null ? [] : allOf(limitsOf(premises.earlier));
  for (const { rule, rate, us, outliers } of all) {
    const same = earlier.find((each) => each.us === us && each.outliers.length > 0);
    if (same !== undefined)
      expect({ rule, rate, outliers }).toEqual({ rule: same.rule, rate: same.rate, outliers: [] });
    const left = same?.outliers ?? [...premises.leftOut, ...outliers];
    expectSmallest(rule, rate, us, premises, without(premises.logged, left));
  }
  const rest = without(requests, outliersOf(all));
  const isMet = (limits: readonly AnsweredLimit[]): boolean =>
    listMissed(refusalsByAll(limits, rest), target, rest).length === 0;
  expect(isMet(all)).toBe(apart.length === 0);
  const outliers = outliersOf(shipped);
  const raised = shipped.filter((each) => each.outliers.length > 0).length;
  if (outliers.length > 0) {
    const [names, them] = parts(
      why,
      /^(.+) alone would raise (it|both|all \d|one of them|\d of them)$/,
    );
    if (outliers.length > 1) expect(names).toBe(`${outliers.length} clients`);
    else expect(clientsNamed(names!)).toEqual(outliers);
    const isAll = raised === shipped.length;
    const words = isAll
      ? ["it", "both", `all ${raised}`][Math.min(raised, 3) - 1]
      : raised === 1
        ? "one of them"
        : `${raised} of them`;
    expect(them).toBe(words);
    return apart.length > 0 ? "some" : "set because of outliers";
  }
  const [actor, refused, of, notBad] = parts(
    why,
    /^(it refuses|together they refuse) (none|[\d,]+) of (?:the )?([\d,]+) requests?( that are not bad)?(?: \(.+ %\))?$/,
  );
  const good = goodOf(requests);
  expect(actor === "it refuses").toBe(shipped.length === 1);
  expect([count(refused), number(of), notBad === undefined]).toEqual([
    refusalsByAll(shipped, requests).goodRequests,
    good.length,
    good.length === requests.length,
  ]);
  return apart.length > 0 ? "some" : "set";
}

export function checkWindow(text: string, premises: Premises, answer: readonly string[]): string {
  const withAll = withAllIn(text);
  if (withAll.length > 0) {
    const limits = allOf(limitsOf(answer));
    expect(withAll.map(({ us }) => us)).toEqual(limits.map(({ us }) => us));
    for (const [at, { rate, us }] of withAll.entries()) {
      expectSmallest(limits[at]!.rule, rate, us, premises, premises.requests);
      expect(limits[at]!.rate).toBeLessThan(0.75 * rate);
    }
    return "window of one client";
  }
  const [per, rate, by, why] = parts(text, WINDOW);
  if (by === undefined && why === undefined) throw new Error(`${text} has no news`);
  if (why?.includes("would do") === true) {
    const [names, least] = parts(
      why,
      /^(.+) alone raises? it, and for all others ([\d,]+) would do$/,
    );
    expect(clientsNamed(names!).length).toBeGreaterThan(0);
    expect(number(least)).toBeLessThanOrEqual(number(rate) / 2);
    return "window with outliers";
  }
  const rule = by === undefined ? null : ruleNamed(by);
  if (why === undefined) return "window";
  const need = needIn(why)!;
  if (rule !== null) checkNeed(need, rule, number(rate), perUs(per!), premises);
  return "window because of outliers";
}

const LOSS =
  /^(?:(none|[\d,]+) of the ([\d,]+) requests? of (this client|these \d+)(?: that are not bad)?, and )?(none|[\d,]+) of the ([\d,]+)(?: requests?)?(?: that are not bad)?(?: of the others)?(?: \(([\d,]+) of ([\d,]+) clients?\))?$/;

/** "299 of the 450 requests of 192.0.2.10, and 64 of the 1,653 of the others (2 of 40 clients)". */
function checkLoss(
  words: string,
  limits: readonly AnsweredLimit[],
  outliers: readonly number[], // of all limits
  premises: Premises,
): void {
  const { requests, isOneBudget } = premises;
  const [lost, sent, named, refused, of, clients, ofClients] = parts(words, LOSS);
  if (named !== undefined)
    expect(named).toBe(outliers.length === 1 ? "this client" : `these ${outliers.length}`);
  const rest = without(requests, outliers);
  const others = refusalsByAll(limits, rest);
  expect([count(refused), number(of)]).toEqual([others.goodRequests, goodOf(rest).length]);
  if (named !== undefined)
    expect([count(lost), number(sent)]).toEqual([
      refusalsByAll(limits, requests).goodRequests - others.goodRequests,
      goodOf(requests).length - goodOf(rest).length,
    ]);
  expect(clients === undefined ? [] : [number(clients), number(ofClients)]).toEqual(
    others.goodRequests === 0 || isOneBudget
      ? []
      : [others.goodClients, countClients(goodOf(rest))],
  );
}

/** What the limits refuse together, and each alone. */
export function checkTogether(text: string, premises: Premises, answer: readonly string[]): string {
  const { shipped, apart } = limitsOf(answer);
  if (apart.length > 0) {
    const [all, some] = parts(
      text,
      /^(?:(?:Both|All \d) limits together would refuse (.+?)(?: of the others)?, more than the target allows|(?:This one refuses|These \d refuse) (.+))\.$/,
    );
    const limits = allOf({ shipped, apart });
    const outliers = outliersOf(limits);
    if (all !== undefined) {
      expect(text.includes(" of the others,")).toBe(outliers.length > 0);
      checkLoss(all, limits, outliers, premises);
      return "together too much";
    }
    expect(some!.includes(" of the others")).toBe(outliers.length > 0);
    checkLoss(some!, shipped, outliers, premises);
    return "shipped";
  }
  const [loss, clients, ofClients, compared] = parts(
    text,
    /^(?:Together they refuse (.+?)|(?:They are of ([\d,]+) of ([\d,]+) clients?,|That is) (as many as|[\d,]+ more than|[\d,]+ fewer than) the strictest alone refuses)\.$/,
  );
  const outliers = outliersOf(shipped);
  expect(loss === undefined).toBe(outliers.length === 0);
  if (loss !== undefined) {
    checkLoss(loss, shipped, outliers, premises);
    return "together with outliers";
  }
  const rest = without(premises.requests, outliers);
  const { goodRequests, goodClients } = refusalsByAll(shipped, rest);
  if (clients !== undefined)
    expect([number(clients), number(ofClients)]).toEqual([goodClients, countClients(goodOf(rest))]);
  const mostAlone = Math.max(
    ...shipped.map(({ rule, rate, us }) => refusalsBy(rule, rate, us, rest).goodRequests),
  );
  const more = goodRequests - mostAlone;
  expect(compared).toBe(
    more === 0 ? "as many as" : `${Math.abs(more)} ${more > 0 ? "more" : "fewer"} than`,
  );
  return "together";
}

export function checkBad(text: string, { requests }: Premises, answer: readonly string[]): string {
  const form =
    /^Of the ([\d,]+) bad requests? the limits? refuses? ([\d,]+) \(.+\), of ([\d,]+) of ([\d,]+) bad clients?\.$/;
  const bad = requests.filter(({ isBad }) => isBad);
  const { badRequests, badClients } = refusalsByAll(limitsOf(answer).shipped, requests);
  expect(parts(text, form).map(number)).toEqual([
    bad.length,
    badRequests,
    badClients,
    countClients(bad),
  ]);
  return "bad";
}

export function checkLeftOut(
  text: string,
  { logged, leftOut }: Premises,
  answer: readonly string[],
): string {
  const [name, sent, refused] = parts(
    text,
    /^Left out: (.+), with ([\d,]+) requests?, of which the limits? refuses? ([\d,]+)\.$/,
  );
  expect(clientsNamed(name!)).toEqual(leftOut);
  const own = logged.filter(({ client }) => leftOut.includes(client));
  const { goodRequests, badRequests } = refusalsByAll(limitsOf(answer).shipped, own);
  expect([number(sent), number(refused)]).toEqual([own.length, goodRequests + badRequests]);
  return "left-out";
}

/** "192.0.2.10 alone raises it: for all others 38 per minute would do." */
export function checkIncluded(text: string, premises: Premises, answer: readonly string[]): string {
  const [names, rate, per] = parts(
    text,
    /^(.+) alone raises? it: for all others ([\d,]+) per (.+) would do\.$/,
  );
  const [{ us, rule, rate: withAll }] = limitsOf(answer).shipped as [AnsweredLimit];
  expect(perUs(per!)).toBe(us);
  expect(number(rate)).toBeLessThanOrEqual(withAll / 2);
  expectSmallest(
    rule,
    number(rate),
    us,
    premises,
    without(premises.requests, clientsNamed(names!)),
  );
  return "included";
}
