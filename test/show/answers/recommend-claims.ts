// What the sentences of a recommendation claim, computed again from the words of a sentence and from the requests. The
// document is read only where named.
import { expect } from "vitest";
import type { RecommendedRule } from "#src/studies/recommend/recommendation.ts";
import {
  DRAWS,
  ratesOfDraws,
  mostAdmitted,
  countUncounted,
  clientsNamed,
  countClients,
  checkNeed,
  needIn,
  expectSmallest,
  firstLimit,
  goodOf,
  listMissed,
  number,
  parts,
  perUs,
  refusalsBy,
  ruleNamed,
  UNITS,
  without,
  type Premises,
} from "./recounted.ts";

function checkLimit(_: string, premises: Premises, answer: readonly string[]): string {
  const { subject, rate, us, rule, rest, outliers } = firstLimit(answer);
  const { requests, target } = premises;
  expect(subject).toBe(premises.isOneBudget ? "all clients together" : "each client");
  expectSmallest(rule, rate, us, premises, without(requests, outliers));
  if (outliers.length > 0) {
    const need = needIn(rest)!;
    checkNeed(need, rule, rate, us, premises);
    expect(rate).toBeLessThan(0.75 * need.withAll);
    const [refusing, refusedClients, ofClients] = parts(
      rest,
      /; ([\d,]+) refuses requests of ([\d,]+) of ([\d,]+) clients\.$/,
    ).map(number);
    expect([refusing, refusedClients, ofClients]).toEqual([
      rate,
      refusalsBy(rule, rate, us, requests).goodClients,
      countClients(goodOf(requests)),
    ]);
    const promise = parts(rest, /to refuse (requests of )?at most ([\d.]+) % of the (\w+) /);
    const decides = promise[2] === "clients" ? "clients" : "requests";
    expect(Number(promise[1])).toBeCloseTo(100 * target[decides]);
    // One less than the rate with all misses the share that is promised.
    expect(
      listMissed(refusalsBy(rule, need.withAll - 1, us, requests), target, requests),
    ).toContain(decides);
    return need.peak === null ? "limit without outliers" : "limit because of outliers";
  }
  const [count, of, notBad, , clients, ofClients, below, missed] = parts(
    rest,
    /^it refuses (none|[\d,]+) of (?:the )?([\d,]+) requests?( that are not bad)?(?: \((.+?) %\))?(?:, of ([\d,]+) of ([\d,]+) clients)?(?:; ([\d,]+) would refuse (?:requests of )?more than [\d.]+ % of the (requests|clients))?\.$/,
  );
  const refused = refusalsBy(rule, rate, us, requests);
  const good = goodOf(requests);
  expect([count === "none" ? 0 : number(count), number(of), notBad === undefined]).toEqual([
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
  expect(below === undefined ? 0 : number(below)).toBe(rate - 1);
  if (rate > 1)
    expect(listMissed(refusalsBy(rule, rate - 1, us, requests), target, requests)).toContain(
      missed,
    );
  return "limit";
}

function checkLoss(
  text: string,
  { requests, document }: Premises,
  answer: readonly string[],
): string {
  const { rate, us, rule, outliers } = firstLimit(answer);
  const [lost, sent, name, ofOthers, of, flag] = parts(
    text,
    /^It refuses ([\d,]+) of the ([\d,]+) requests? of (.+?)(?: that are not bad)?, and (none|[\d,]+) of the ([\d,]+) requests? of the others(?: \(.+\))?(; --without-outliers .+)?\.$/,
  );
  const good = goodOf(requests);
  const refused = refusalsBy(rule, rate, us, requests);
  const others = refusalsBy(rule, rate, us, without(requests, outliers));
  expect(clientsNamed(name!)).toEqual(outliers);
  expect([number(lost), number(sent), number(of)]).toEqual([
    refused.goodRequests - others.goodRequests,
    good.length - without(good, outliers).length,
    without(good, outliers).length,
  ]);
  expect(ofOthers === "none" ? 0 : number(ofOthers)).toBe(others.goodRequests);
  expect(flag === undefined).toBe(document.files.length > 0);
  return "loss";
}

function checkPrice(text: string, premises: Premises, answer: readonly string[]): string {
  const { requests, rules } = premises;
  const { rate, us, rule } = firstLimit(answer);
  const [at, per, apart, rest] = parts(
    text,
    /^(?:Its price: at|At) ([\d,]+) per (.+?)(, bad requests apart,)? ((?:a |no |it |every |DRL|GCRA).+)\.$/,
  );
  expect([number(at), perUs(per!)]).toEqual([rate, us]);
  expect(apart === undefined).toBe(goodOf(requests).length === requests.length);
  const refusalsAt = (each: RecommendedRule): number =>
    refusalsBy(each, rate, us, requests).goodRequests;
  const own = refusalsAt(rule);
  const others = rules.filter((each) => each.by.name !== rule.by.name).map(refusalsAt);
  const [least, most] = [Math.min(...others), Math.max(...others)];
  const price =
    /^(.+) refuses ([\d,]+) requests of this log(?:, ([\d,]+) of them only because it counts refused requests too)?; (.+?) refuses ([\d,]+)$/.exec(
      rest!,
    );
  if (price === null) {
    expect(rest).toBe(
      own > 0
        ? most === own
          ? `every candidate refuses the same number of requests, ${own}`
          : `no other candidate refuses fewer than its ${own} requests`
        : most > 0
          ? `it refuses no request of this log, and other candidates up to ${most}`
          : "no candidate refuses a request of this log",
    );
    expect(least).toBeGreaterThanOrEqual(own);
    return "no price";
  }
  const [, chosen, refused, counted, other, fewer] = price;
  expect([ruleNamed(chosen!), number(refused)]).toEqual([rule, own]);
  expect([refusalsAt(ruleNamed(other!)), number(fewer)]).toEqual([least, least]);
  expect(least).toBeLessThan(own);
  if (counted === undefined) return "price";
  expect(rule.by.name).toBe("sliding_log");
  expect(number(counted)).toBe(own - countUncounted(rate, us, requests));
  return "price because refusals count";
}

function checkMost(text: string, { requests }: Premises, answer: readonly string[]): string {
  const { rate, us, rule, subject } = firstLimit(answer);
  const [per, most, ofClient, other, mostOther] = parts(
    text,
    /^In any (.+?) it admits at most ([\d,]+)( of a client)?(?:, (.+) up to ([\d,]+))?\.$/,
  );
  expect(perUs(per!)).toBe(us);
  expect(ofClient === undefined).toBe(subject === "all clients together");
  const waits = ({ by }: RecommendedRule): boolean => by.name === "leaky_bucket";
  if (!waits(rule))
    expect(mostAdmitted(rule, rate, us, requests)).toBeLessThanOrEqual(number(most));
  if (other === undefined) return "most";
  const worse = ruleNamed(other);
  expect(number(mostOther)).toBeGreaterThan(number(most));
  if (!waits(worse))
    expect(mostAdmitted(worse, rate, us, requests)).toBeLessThanOrEqual(number(mostOther));
  return "most of another";
}

function checkWindow(text: string, premises: Premises): string {
  const [per, rate, by, why] = parts(
    text,
    /^Per (.+?) the limit is ([\d,]+) by (.+?)(?:: (.+))?\.$/,
  );
  const [us, rule] = [perUs(per!), ruleNamed(by!)];
  const need = why === undefined ? null : needIn(why)!;
  const outliers = need?.outliers ?? [];
  expectSmallest(rule, number(rate), us, premises, without(premises.requests, outliers));
  if (need === null) return "window";
  checkNeed(need, rule, number(rate), us, premises);
  return "window because of outliers";
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

function checkBad(text: string, { requests }: Premises, answer: readonly string[]): string {
  const { rate, us, rule } = firstLimit(answer);
  const form =
    /^Of the ([\d,]+) bad requests? it refuses ([\d,]+) \(.+\), of ([\d,]+) of ([\d,]+) bad clients?\.$/;
  const bad = requests.filter(({ isBad }) => isBad);
  const { badRequests, badClients } = refusalsBy(rule, rate, us, requests);
  expect(parts(text, form).map(number)).toEqual([
    bad.length,
    badRequests,
    badClients,
    countClients(bad),
  ]);
  return "bad";
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
  const [moves, of, low, end, last, per, name] = parts(
    text,
    /^Other clients (may|would hardly) move it: of 400 random draws of the ([\d,]+) clients, 95 % need ([\d,]+)( to ([\d,]+)| or more|) per (.+?)(?: \(with (.+?): .+\))?\.$/,
  );
  expect([number(of), perUs(per!)]).toEqual([clients, us]);
  expect(name === undefined ? [] : clientsNamed(name)).toEqual(outliers);
  const high = end === "" ? low : last;
  expect(moves === "may").toBe(end !== "");
  const [from, to] = [number(low), high === undefined ? Number.POSITIVE_INFINITY : number(high)];
  const most = Math.max(rate, Number.isFinite(to) ? to : 0) + 1;
  const rates = ratesOfDraws(rule, us, most, target, rest);
  const inside = rates.filter((each) => each >= from && each <= to).length;
  expect([text, inside]).toEqual([text, expect.toSatisfy((count: number) => count >= 0.8 * DRAWS)]);
  // No draw needs more than the smallest rate that refuses nothing.
  if (high !== undefined && to > 1)
    expect(refusalsBy(rule, to - 1, us, rest).goodRequests).toBeGreaterThan(0);
  return "draws";
}

/** "It is the next that a lower limit would refuse, from 46 on": at 47 no other client is refused than at the limit. */
function checkWatch(text: string, { requests }: Premises, answer: readonly string[]): string {
  const { rate, us, rule } = firstLimit(answer);
  const form = /^Watch (.+): it is the next that a lower limit would refuse, from ([\d,]+) on\.$/;
  const [name, from] = parts(text, form);
  const [client] = clientsNamed(name!);
  const refusalsAt = (at: number): readonly number[] => [
    ...refusalsBy(rule, at, us, requests).refusedOf.keys(),
  ];
  expect(number(from)).toBeLessThan(rate);
  expect(refusalsAt(number(from))).toContain(client);
  expect(new Set(refusalsAt(number(from) + 1))).toEqual(new Set(refusalsAt(rate)));
  return "watch";
}

function checkLeftOut(
  text: string,
  { logged, leftOut }: Premises,
  answer: readonly string[],
): string {
  const { rate, us, rule } = firstLimit(answer);
  const [name, sent, refused] = parts(
    text,
    /^Left out: (.+), with ([\d,]+) requests?, of which it refuses ([\d,]+)\.$/,
  );
  expect(clientsNamed(name!)).toEqual(leftOut);
  const own = logged.filter(({ client }) => leftOut.includes(client));
  const { goodRequests, badRequests } = refusalsBy(rule, rate, us, own);
  expect([number(sent), number(refused)]).toEqual([own.length, goodRequests + badRequests]);
  return "left-out";
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
  const { us, rule, outliers } = firstLimit(answer);
  if (text.startsWith("--out FOLDER")) {
    expect(premises.document.files).toEqual([]);
    return "ship";
  }
  const form =
    /^The files have the limit for all clients, ([\d,]+) per (.+); --without-outliers writes those of the lower limit\.$/;
  const [rate, per] = parts(text, form);
  expect(perUs(per!)).toBe(us);
  expect(outliers.length).toBeGreaterThan(0);
  expectSmallest(rule, number(rate), us, premises, premises.requests);
  return "ship of all clients";
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
  "left-out": checkLeftOut,
  price: checkPrice,
  most: checkMost,
  window: checkWindow,
  "too-long": checkTooLong,
  bad: checkBad,
  draws: checkDraws,
  watch: checkWatch,
  again: checkAgain,
  ship: checkShip,
};

/** Every case that a property has to meet. */
export const CASES: readonly string[] = [
  "no-limit",
  "limit",
  "limit because of outliers",
  "limit without outliers",
  "loss",
  "left-out",
  "no price",
  "price",
  "price because refusals count",
  "most",
  "most of another",
  "window",
  "window because of outliers",
  "too-long",
  "bad",
  "draws",
  "no draws",
  "watch",
  "again",
  "ship",
  "ship of all clients",
];
