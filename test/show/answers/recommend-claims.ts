// What the sentences of a recommendation claim, computed again from the words of a sentence and from the requests. The
// document is read only where named.
import { expect } from "vitest";
import type { RecommendedRule } from "#src/studies/recommend/recommendation.ts";
import { checkAbove, checkBreach, checkClosest, checkMean } from "./promise-claims.ts";
import {
  checkBad,
  checkIncluded,
  checkLeftOut,
  checkSet,
  checkTogether,
  checkWindow,
} from "./set-claims.ts";
import {
  DRAWS,
  ratesOfDraws,
  mostAdmitted,
  mostPerWindow,
  count,
  countClients,
  checkNeed,
  needIn,
  expectSmallest,
  firstLimit,
  limitsOf,
  goodOf,
  isCounting,
  isWaiting,
  listMissed,
  number,
  parts,
  perUs,
  refusalsBy,
  countsIn,
  ruleNamed,
  UNITS,
  without,
  type Premises,
} from "./recounted.ts";

function checkLimit(text: string, premises: Premises, answer: readonly string[]): string {
  if (text.startsWith("Ship ")) return checkSet(text, premises, answer);
  const { subject, rate, us, rule, rest, outliers } = firstLimit(answer);
  const { requests } = premises;
  expect(subject).toBe(premises.isOneBudget ? "all clients together" : "each client");
  expectSmallest(rule, rate, us, premises, without(requests, outliers));
  if (outliers.length > 0) {
    const need = needIn(rest)!;
    checkNeed(need, rule, rate, us, premises);
    return need.isOnly ? "limit because of outliers" : "limit without outliers";
  }
  const [own, of, notBad, , clients, ofClients] = parts(
    rest,
    /^it refuses (none|[\d,]+) of (?:the )?([\d,]+) requests?( that are not bad)?(?: \((.+?) %\))?(?:, of ([\d,]+) of ([\d,]+) clients)?\.$/,
  );
  const refused = refusalsBy(rule, rate, us, requests);
  const good = goodOf(requests);
  expect([count(own), number(of), notBad === undefined]).toEqual([
    refused.goodRequests,
    good.length,
    good.length === requests.length,
  ]);
  const ofAll = clients === undefined ? null : [number(clients), number(ofClients)];
  expect(ofAll).toEqual(
    premises.isOneBudget || refused.goodRequests === 0
      ? null
      : [refused.goodClients, countClients(good)],
  );
  return "limit";
}

function checkLoss(text: string, premises: Premises, answer: readonly string[]): string {
  const { requests, target } = premises;
  const { rate, us, rule, outliers } = firstLimit(answer);
  const [lost, sent, ofOthers, of, clients, ofClients] = parts(
    text,
    /^The limit refuses (none|[\d,]+) of the ([\d,]+) requests? of this client(?: that are not bad)?, and (none|[\d,]+) of the ([\d,]+) of the others(?: \(([\d,]+) of ([\d,]+) clients?\))?\.$/,
  );
  const good = goodOf(requests);
  const rest = without(requests, outliers);
  const refused = refusalsBy(rule, rate, us, requests);
  const others = refusalsBy(rule, rate, us, rest);
  expect(outliers).toHaveLength(1);
  expect([count(lost), number(sent), number(of)]).toEqual([
    refused.goodRequests - others.goodRequests,
    good.length - goodOf(rest).length,
    goodOf(rest).length,
  ]);
  expect(count(ofOthers)).toBe(others.goodRequests);
  expect(clients === undefined ? [] : [number(clients), number(ofClients)]).toEqual(
    others.goodRequests === 0 ? [] : [others.goodClients, countClients(goodOf(rest))],
  );
  // Exactly if the limit breaks the target of all clients, the next sentence is about it.
  const isBroken = listMissed(refused, target, requests).length > 0;
  expect(answer.some((each) => each.startsWith("That is "))).toBe(isBroken);
  return "loss";
}

function checkPrice(text: string, premises: Premises, answer: readonly string[]): string {
  const { requests, rules } = premises;
  const { rate, us, rule, outliers } = firstLimit(answer);
  const refusalsAt = (each: RecommendedRule): readonly [number, number] => [
    refusalsBy(each, rate, us, without(requests, outliers)).goodRequests,
    refusalsBy(each, rate, us, requests).goodRequests,
  ];
  const own = refusalsAt(rule);
  const [least] = rules
    .filter((each) => each.by.name !== rule.by.name)
    .map(refusalsAt)
    .toSorted(([a, ofAll], [b, ofAllToo]) => a - b || ofAll - ofAllToo);
  const expectRate = (at: string, per: string, apart: string | undefined): void => {
    expect([number(at), perUs(per)]).toEqual([rate, us]);
    expect(apart === undefined).toBe(goodOf(requests).length === requests.length);
  };
  const price =
    /^The price: at ([\d,]+) per (.+?)(, bad requests apart)?, (?:an? [a-z -]+|DRL|GCRA) refuses (.+?); ((?:an? |DRL|GCRA).*?) ((?:none|\d).+?)\.$/.exec(
      text,
    );
  if (price === null) {
    const [of, at, per, apart, alike, other, refused] = parts(
      text,
      /^No other of the (\d) algorithms compared refuses fewer at ([\d,]+) per (.+?)(, bad requests apart)?(?:; (.+) refuses as many|: (.+) refuses (.+))\.$/,
    );
    expectRate(at!, per!, apart);
    expect(Number(of)).toBe(rules.length);
    expect(refusalsAt(ruleNamed((alike ?? other)!))).toEqual(least);
    expect(least![0] - own[0] || least![1] - own[1]).toBeGreaterThanOrEqual(0);
    expect(alike === undefined ? countsIn(refused!) : own).toEqual(least);
    return alike === undefined ? "no price" : "the same price";
  }
  const [, at, per, apart, refused, other, fewer] = price;
  expectRate(at!, per!, apart);
  expect([countsIn(refused!), countsIn(fewer!)]).toEqual([own, least]);
  expect(refusalsAt(ruleNamed(other!))).toEqual(least);
  expect(least![0] - own[0] || least![1] - own[1]).toBeLessThan(0);
  return "price";
}

function checkMost(text: string, premises: Premises, answer: readonly string[]): string {
  const { rate, us, rule, subject, outliers } = firstLimit(answer);
  const { requests } = premises;
  const [per, most, ofClient, log, logMost, free, freeMost] = parts(
    text,
    /^In any (.+?) the limit admits at most ([\d,]+) requests( of a client)?(?:; (.+) needs only ([\d,]+), but counts refusals: early retries stay refused|; (.+), which counts no refusals, admits up to ([\d,]+) for the same target)?\.$/,
  );
  expect(perUs(per!)).toBe(us);
  expect(ofClient === undefined).toBe(subject === "all clients together");
  if (!isWaiting(rule))
    expect(mostAdmitted(rule, rate, us, requests)).toBeLessThanOrEqual(number(most));
  if (log !== undefined) {
    const rival = ruleNamed(log);
    expect([isCounting(rule), isCounting(rival)]).toEqual([false, true]);
    expect(number(logMost)).toBeLessThan(number(most));
    expectSmallest(rival, number(logMost), us, premises, without(requests, outliers));
    return "most above a log";
  }
  if (free === undefined) return "most";
  expect([isCounting(rule), isCounting(ruleNamed(free))]).toEqual([true, false]);
  expect(number(freeMost)).toBeGreaterThan(number(most));
  return "most of a log";
}

function checkTooLong(text: string, { logged, document }: Premises): string {
  const [windows, count, unit] = parts(
    text,
    /^There is no recommendation per (.+): the log covers ([\d,]+) (second|minute|hour)s?, and does not show .+\.$/,
  );
  const spanUs = logged.at(-1)!.atUs - logged[0]!.atUs;
  expect(Math.abs(number(count) * UNITS[unit!]! - spanUs)).toBeLessThanOrEqual(UNITS[unit!]!);
  const all = new Set(document.candidates.map(({ perUs: us }) => us));
  expect(windows!.split(/, | and /).map(perUs)).toEqual([...all].filter((us) => spanUs < 0.9 * us));
  return "too-long";
}

function checkDraws(
  text: string,
  { requests, target }: Premises,
  answer: readonly string[],
): string {
  const { rate, us, rule, outliers } = firstLimit(answer);
  const rest = without(requests, outliers);
  const clients = countClients(goodOf(rest));
  if (text === "With one client in the log, nothing shows what other clients need.") {
    expect(clients).toBe(1);
    return "no draws";
  }
  const [moves, of, low, end, last, per] = parts(
    text,
    /^Other clients (may|would hardly) move it: of 400 random draws of the ([\d,]+) clients, 95 % need ([\d,]+)( to ([\d,]+)| or more|) per (.+?)\.$/,
  );
  expect([number(of), perUs(per!)]).toEqual([clients, us]);
  const high = end === "" ? low : last;
  expect(moves === "may").toBe(end !== "");
  const [from, to] = [number(low), high === undefined ? Number.POSITIVE_INFINITY : number(high)];
  const most = Math.max(rate, Number.isFinite(to) ? to : 0) + 1;
  const rates = ratesOfDraws(rule, us, most, target, rest);
  const inside = rates.filter((each) => each >= from && each <= to).length;
  expect([text, inside]).toEqual([text, expect.toSatisfy((count: number) => count >= 0.8 * DRAWS)]);
  // No draw needs more than the smallest rate that refuses nothing, and has what each client sends in the long run. From
  // 256 on the rate of a draw has three digits (src/studies/recommend/resampling.ts).
  const below = to - Math.max(1, Math.ceil(to / 256));
  if (high !== undefined && below > 0) {
    const { goodRequests } = refusalsBy(rule, below, us, rest);
    expect(goodRequests > 0 || mostPerWindow(goodOf(rest), requests, us) > below).toBe(true);
  }
  return "draws";
}

/** "A limit of 46 would refuse over 0.1 % of the requests." */
function checkBelow(text: string, premises: Premises, answer: readonly string[]): string {
  const { rate, us, rule } = firstLimit(answer);
  const [below, missed] = parts(
    text,
    /^A limit of ([\d,]+) would refuse (?:requests of )?over [\d.]+ % of the (requests|clients)\.$/,
  );
  const { requests, target } = premises;
  expect(number(below)).toBe(rate - 1);
  expect(listMissed(refusalsBy(rule, rate - 1, us, requests), target, requests)).toContain(missed);
  return "below";
}

function checkAgain(text: string, { logged: requests }: Premises): string {
  const [count, unit] = parts(
    text,
    /^The log covers (\d+) (second|minute|hour)s?: .+ a week .+\.$/,
  );
  const spanUs = requests.at(-1)!.atUs - requests[0]!.atUs;
  const us = Number(count) * UNITS[unit!]!;
  expect(Math.abs(us - spanUs)).toBeLessThanOrEqual(UNITS[unit!]! / 2 + 1000);
  return "again";
}

function checkShip(text: string, premises: Premises, answer: readonly string[]): string {
  const { shipped } = limitsOf(answer);
  expect(text).toMatch(/^The same command with --out FOLDER writes /);
  expect(premises.document.files).toEqual([]);
  expect(text.includes("one in each file")).toBe(shipped.length > 1);
  return "ship";
}

function checkFiles(text: string, premises: Premises, answer: readonly string[]): string {
  const { shipped } = limitsOf(answer);
  const [limits, raised] = parts(
    text,
    /^The files have (this limit|these limits), not (.+) for all clients: --with-outliers writes (?:that|those)\.$/,
  );
  expect(limits === "this limit").toBe(shipped.length === 1);
  const without = shipped.filter(({ outliers }) => outliers.length > 0);
  const rates = raised!.split(/, | and /);
  expect(rates).toHaveLength(without.length);
  for (const [at, { rule, us }] of without.entries()) {
    const [rate, per] = parts(rates[at]!, /^([\d,]+) per (.+)$/);
    expect(perUs(per!)).toBe(us);
    expectSmallest(rule, number(rate), us, premises, premises.requests);
  }
  return "files";
}

function checkNoLimit(_: string, { requests, rules, target, document }: Premises): string {
  const windows = new Set(document.candidates.map((candidate) => candidate.perUs));
  for (const us of windows)
    if (!document.tooLong.includes(us))
      for (const rule of rules) {
        const refused = refusalsBy(rule, 1_000_000_000, us, requests);
        expect(listMissed(refused, target, requests)).not.toEqual([]);
      }
  return "no-limit";
}

type Check = (text: string, premises: Premises, answer: readonly string[]) => string;

/** By the id of a sentence. Each returns the case that it has checked. */
export const CHECKS: Readonly<Record<string, Check>> = {
  "no-limit": checkNoLimit,
  limit: checkLimit,
  loss: checkLoss,
  breach: checkBreach,
  together: checkTogether,
  "left-out": checkLeftOut,
  price: checkPrice,
  most: checkMost,
  window: checkWindow,
  "too-long": checkTooLong,
  bad: checkBad,
  draws: checkDraws,
  below: checkBelow,
  included: checkIncluded,
  above: checkAbove,
  closest: checkClosest,
  mean: checkMean,
  again: checkAgain,
  ship: checkShip,
  files: checkFiles,
};
