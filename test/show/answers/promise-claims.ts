// What the sentences claim that the promise is not kept in the long run, or of all clients, computed again from the requests.
import { expect } from "vitest";
import { micros } from "#src/kit/units.ts";
import type { ReplayLimit } from "#src/studies/replay/candidates.ts";
import { countLongRun, decideTogether, limitOf } from "../../studies/recommend/one-by-one.ts";
import {
  clientsNamed,
  count,
  countClients,
  expectSmallest,
  firstLimit,
  goodOf,
  listMissed,
  number,
  parts,
  perUs,
  refusalsBy,
  ruleNamed,
  without,
  type Premises,
} from "./recounted.ts";

/** "47 and not 46: in the long run 203.0.113.1 sends 46.2 per minute, though 46 refuses none of its requests here." */
export function checkMean(text: string, premises: Premises, answer: readonly string[]): string {
  const { rate, us, rule, outliers } = firstLimit(answer);
  const [at, below, subject, mean, per, again] = parts(
    text,
    /^([\d,]+) and not ([\d,]+): in the long run (.+) sends? ([\d.]+) per (.+), though ([\d,]+) refuses none(?: of its requests)? here\.$/,
  );
  const { target, logged } = premises;
  const rest = without(premises.requests, outliers);
  const refused = refusalsBy(rule, rate - 1, us, rest);
  expect([at, below, again].map(number)).toEqual([rate, rate - 1, rate - 1]);
  expect(perUs(per!)).toBe(us);
  expect(listMissed(refused, target, rest)).toEqual([]);
  const [client] = premises.isOneBudget ? [0] : clientsNamed(subject!);
  const own = rest.filter((each) => each.client === client);
  expect(own.length).toBeGreaterThan(0);
  expect(refused.refusedOf.has(client!)).toBe(false);
  const size = { rate: rate - 1, perUs: micros(us) };
  expect(countLongRun(refused, size, rest, { logged }).goodClients).toBeGreaterThan(
    refused.goodClients,
  );
  const spanUs = Math.max(us, logged.at(-1)!.atUs - logged[0]!.atUs);
  expect(Number(mean)).toBeLessThanOrEqual((own.length * us) / spanUs + 0.05);
  expect(Number(mean)).toBeGreaterThanOrEqual(rate - 1);
  return "mean";
}

/** "That is 12.5 % of all requests, above your 0.1 %: take 113 if 192.0.2.10 is a customer." */
export function checkBreach(text: string, premises: Premises, answer: readonly string[]): string {
  const { requests, target } = premises;
  const { rate, us, rule, outliers } = firstLimit(answer);
  const [share, of, notBad, allowed, withAll, name] = parts(
    text,
    /^That is ([\d.]+) % of all (requests|clients)( that are not bad)?, above your ([\d.]+) %: take ([\d,]+) if (.+) (?:is a customer|are customers)\.$/,
  );
  const good = goodOf(requests);
  const refused = refusalsBy(rule, rate, us, requests);
  expect(listMissed(refused, target, requests)).toContain(of);
  const isOfRequests = of === "requests";
  const part = isOfRequests
    ? refused.goodRequests / good.length
    : refused.goodClients / countClients(good);
  expect(Number(share)).toBeCloseTo(100 * part, 0);
  expect(notBad !== undefined).toBe(isOfRequests && good.length < requests.length);
  expect(Number(allowed)).toBeCloseTo(100 * (isOfRequests ? target.requests : target.clients));
  expect(clientsNamed(name!)).toEqual(outliers);
  expectSmallest(rule, number(withAll), us, premises, requests);
  return isOfRequests ? "breach" : "breach of clients";
}

const TOGETHER =
  /^(You can ship both|Ship one of these 2) limits(?:, not all)?: together they refuse (?:(none|[\d,]+) of the ([\d,]+) requests? of (.+?)(?: that are not bad)?, and )?(none|[\d,]+) of the ([\d,]+)(?: requests?)?(?: that are not bad)?(?: of the others)?(?: \(([\d,]+) of ([\d,]+) clients?\))?(?:, (as many as|[\d,]+ more than|[\d,]+ fewer than) the strictest alone)?(, which breaks the promise)?\.$/;

/** What the limits of the first sentence and of the sentences "Per" refuse together, and each alone. */
export function checkTogether(text: string, premises: Premises, answer: readonly string[]): string {
  const { requests, target, isOneBudget } = premises;
  const [lead, lost, sent, named, refused, of, clients, ofClients, compared, broken] = parts(
    text,
    TOGETHER,
  );
  const first = firstLimit(answer);
  const limits: readonly ReplayLimit[] = [
    limitOf(first.rule, { rate: first.rate, perUs: micros(first.us) }),
    ...answer.flatMap((each) => {
      const [, per, rate, by] = /^Per (.+?) the limit is ([\d,]+) by (.+?)[:.]/.exec(each) ?? [];
      if (per === undefined) return [];
      return [limitOf(ruleNamed(by!), { rate: number(rate), perUs: micros(perUs(per)) })];
    }),
  ];
  expect(limits).toHaveLength(2);
  const rest = without(requests, named === undefined ? [] : clientsNamed(named));
  const goodOfRest = goodOf(rest);
  const all = decideTogether(limits, requests);
  const others = decideTogether(limits, rest);
  expect([count(refused), number(of)]).toEqual([others.goodRequests, goodOfRest.length]);
  expect(named === undefined ? [] : [count(lost), number(sent)]).toEqual(
    named === undefined
      ? []
      : [all.goodRequests - others.goodRequests, goodOf(requests).length - goodOfRest.length],
  );
  expect(clients === undefined ? [] : [number(clients), number(ofClients)]).toEqual(
    others.goodRequests === 0 || isOneBudget ? [] : [others.goodClients, countClients(goodOfRest)],
  );
  const isBroken = listMissed(others, target, rest).length > 0;
  expect([broken !== undefined, lead!.startsWith("Ship one")]).toEqual([isBroken, isBroken]);
  if (compared === undefined) {
    expect(others.goodRequests).toBe(0);
    return "together none";
  }
  const mostAlone = Math.max(
    ...limits.map(
      ({ limit, by, options }) =>
        refusalsBy({ by, options }, limit.rate, limit.perUs, rest).goodRequests,
    ),
  );
  const more = others.goodRequests - mostAlone;
  const word = more > 0 ? "more than" : "fewer than";
  expect(compared).toBe(more === 0 ? "as many as" : `${Math.abs(more)} ${word}`);
  return "together";
}
