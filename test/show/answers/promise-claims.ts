// What the sentences claim that the promise is not kept in the long run, or of all clients, computed again from the requests.
import { expect } from "vitest";
import { micros } from "#src/kit/units.ts";
import { countLongRun } from "../../studies/recommend/one-by-one.ts";
import {
  clientsNamed,
  countClients,
  expectSmallest,
  firstLimit,
  goodOf,
  listMissed,
  number,
  parts,
  perUs,
  refusalsBy,
  without,
  type Premises,
} from "./recounted.ts";

/** "46 would keep the promise in this log alone: 203.0.113.1 sends 46.2 per minute on average." */
export function checkMean(text: string, premises: Premises, answer: readonly string[]): string {
  const { rate, us, rule, outliers } = firstLimit(answer);
  const [below, subject, mean, per] = parts(
    text,
    /^([\d,]+) would keep the promise in this log alone: (.+) sends? ([\d.]+) per (.+) on average\.$/,
  );
  const { target, logged } = premises;
  const rest = without(premises.requests, outliers);
  const refused = refusalsBy(rule, rate - 1, us, rest);
  expect([number(below), perUs(per!)]).toEqual([rate - 1, us]);
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
