// What the sentences claim that the promise is not kept in the long run, or of all clients, computed again from the requests.
import { expect } from "vitest";
import { micros } from "#src/kit/units.ts";
import { countLongRun } from "../../studies/recommend/one-by-one.ts";
import {
  clientsNamed,
  countClients,
  expectSmallest,
  goodOf,
  limitsOf,
  listMissed,
  number,
  outliersOf,
  parts,
  perUs,
  refusalsBy,
  refusalsByAll,
  without,
  type AnsweredLimit,
  type Premises,
} from "./recounted.ts";

/** "203.0.113.1 is at 98.3 % of it: it sends 46.2 per minute", as the parts of the sentence, with the limit it is of. */
function nearIn(text: string, premises: Premises, answer: readonly string[]) {
  const [subject, share, words, mean, per, rest] = parts(
    text,
    /^(.+) (?:is|are) at ([>\d.]+) % of (.+): (?:it|they) sends? ([\d.,]+) per (\d* ?\w+?)s? ((?:in|on) .+)$/,
  );
  const { shipped } = limitsOf(answer);
  const [rate] = words === "it" ? [] : parts(words!, /^([\d,]+) per .+$/);
  const limit = shipped.find(
    (each) => each.us === perUs(per!) && (words === "it" || each.rate === number(rate)),
  )!;
  const client = premises.isOneBudget ? 0 : clientsNamed(subject!)[0]!;
  expectMean(number(mean), client, limit, premises);
  if (!share!.startsWith(">"))
    expect(Math.abs(Number(share) - (100 * number(mean)) / limit.rate)).toBeLessThan(
      6 / limit.rate,
    );
  return { limit, client, mean: number(mean), rest: rest! };
}

/** Of the log, a client sends as many per window, or less if the last window is not whole. */
function expectMean(mean: number, client: number, limit: AnsweredLimit, premises: Premises): void {
  expect(mean).toBeCloseTo(meanOf(client, limit, premises), 0);
}

function meanOf(client: number, { us }: AnsweredLimit, { requests, logged }: Premises): number {
  const own = goodOf(requests).filter((each) => each.client === client);
  const spanUs = Math.max(us, logged.at(-1)!.atUs - logged[0]!.atUs);
  const whole = Math.max(1, Math.floor((logged.at(-1)!.atUs - logged[0]!.atUs) / us));
  const inWhole = own.filter(({ atUs }) => atUs < logged[0]!.atUs + whole * us).length;
  return Math.min((own.length * us) / spanUs, inWhole / whole);
}

/** ": 46 is too low, though 43 to 46 refuse nothing here": the rate below misses the target in the long run alone. */
export function checkMean(text: string, premises: Premises, answer: readonly string[]): string {
  const { limit, client, rest } = nearIn(text, premises, answer);
  const { rate, us, rule, outliers } = limit;
  const [below, from, to] = parts(
    rest,
    /^in the long run; ([\d,]+) is too low, though (?:it refuses|([\d,]+) to ([\d,]+) refuse) nothing here\.$/,
  );
  const { target, logged } = premises;
  const others = without(premises.requests, outliers);
  const refused = refusalsBy(rule, rate - 1, us, others);
  expect(number(below)).toBe(rate - 1);
  expect(listMissed(refused, target, others)).toEqual([]);
  expect(refused.refusedOf.has(client)).toBe(false);
  if (to !== undefined) expect(number(to)).toBe(rate - 1);
  const peak = number(from ?? below);
  expect(refusalsBy(rule, peak, us, others).refusedOf.has(client)).toBe(false);
  if (peak > 1) expect(refusalsBy(rule, peak - 1, us, others).refusedOf.has(client)).toBe(true);
  const size = { rate: rate - 1, perUs: micros(us) };
  expect(countLongRun(refused, size, others, { logged }).goodClients).toBeGreaterThan(
    refused.goodClients,
  );
  return "mean";
}

/** "198.51.100.7 loses most: 21 requests, for it needs 61 at the peak." */
function checkMostRefused(text: string, premises: Premises, answer: readonly string[]): string {
  const [named, ofOthers, rate, per, refused, peak] = parts(
    text,
    /^(\S+) loses most( of the others)?(?: by ([\d,]+) per (.+?))?: ([\d,]+) requests?, for (?:it needs ([\d,]+) at the peak|every rate refuses some)\.$/,
  );
  const limit = limitsOf(answer).shipped.find(
    (each) => rate === undefined || (each.rate === number(rate) && each.us === perUs(per!)),
  )!;
  const { rule, us, outliers } = limit;
  expect(ofOthers === undefined).toBe(outliers.length === 0);
  const rest = without(premises.requests, outliers);
  const lossesAt = (at: number) => refusalsBy(rule, at, us, rest).refusedOf;
  const losses = [...lossesAt(limit.rate).values()].map(({ good }) => good);
  const client = clientsNamed(named!)[0]!;
  expect(lossesAt(limit.rate).get(client)?.good).toBe(number(refused));
  expect(number(refused)).toBe(Math.max(...losses));
  if (peak !== undefined) {
    expect(lossesAt(number(peak)).has(client)).toBe(false);
    expect(lossesAt(number(peak) - 1).has(client)).toBe(true);
  }
  return "loses most";
}

/** The client nearest to a limit, of those that it refuses nothing, and what it needs at its peak. */
export function checkClosest(text: string, premises: Premises, answer: readonly string[]): string {
  if (/ (?:is|are) at /.test(text)) {
    const { limit, client, mean, rest } = nearIn(text, premises, answer);
    expect(
      refusalsBy(limit.rule, limit.rate, limit.us, premises.requests).refusedOf.has(client),
    ).toBe(false);
    expect(mean).toBeLessThanOrEqual(limit.rate + 0.05);
    expect(rest).toMatch(/no headroom\.$/);
    return "no headroom";
  }
  if (text.includes(" loses most")) return checkMostRefused(text, premises, answer);
  const [words, named, burst, peak, mean, per, share] = parts(
    text,
    /^(?:All clients together|Closest to (.+?) is (\S+?)(?=,| ))(?:,? which)?(, in bursts alone: (?:it|they))? needs? (all of it|[\d,]+) at the peak and sends? ([\d.,]+) per (.+) on average(?: \(([<>\d.]+) % of the limit\))?\.$/,
  );
  const { shipped } = limitsOf(answer);
  const [rate] = words === undefined || words === "it" ? [] : parts(words, /^([\d,]+) per .+$/);
  const limit = shipped.find(
    (each) => each.us === perUs(per!) && (rate === undefined || each.rate === number(rate)),
  )!;
  const client = named === undefined ? 0 : clientsNamed(named)[0]!;
  const need = peak === "all of it" ? limit.rate : number(peak);
  const isRefused = (at: number): boolean =>
    refusalsBy(limit.rule, at, limit.us, premises.requests).refusedOf.has(client);
  expect([need <= limit.rate, isRefused(need), need > 1 && !isRefused(need - 1)]).toEqual([
    true,
    false,
    false,
  ]);
  expectMean(number(mean), client, limit, premises);
  expect(share === undefined).toBe(burst !== undefined);
  // A mean in words has one decimal place.
  const half = need / 2;
  if (Math.abs(number(mean) - half) > 0.05) expect(burst !== undefined).toBe(number(mean) < half);
  return burst === undefined ? "closest" : "closest in bursts";
}

/** The client that sends most of those that send more than a limit on average, though it is not for them. */
export function checkAbove(text: string, premises: Premises, answer: readonly string[]): string {
  const { shipped, apart } = limitsOf(answer);
  const [all, named, mean, per, words, several, ofWords, first, ofFirst, perOf] = parts(
    text,
    /^(?:(?:(All clients together) send|(\S+) sends) at least ([\d.,]+) per (.+) on average, above (.+): .+|At least (\d+) clients send more than (.+) on average, (\S+) at least ([\d.,]+) per (.+): .+)$/,
  );
  const us = perUs((per ?? perOf)!);
  const limit = shipped.find((each) => each.us === us)!;
  const { rate, outliers } = limit;
  expect(words ?? ofWords).toMatch(
    shipped.length + apart.length > 1 ? new RegExp(`^${rate} per `) : /^the limit$/,
  );
  const client = all === undefined ? clientsNamed((named ?? first)!)[0]! : 0;
  expect(outliers).not.toContain(client);
  const most = number(mean ?? ofFirst);
  expectMean(most, client, limit, premises);
  expect(most).toBeGreaterThan(rate - 0.05);
  const rest = without(premises.requests, outliers);
  // No other client sends more, and as many send more than the limit.
  const means = [...new Set(rest.map((each) => each.client))].map((each) =>
    meanOf(each, limit, premises),
  );
  expect(Math.max(...means)).toBeLessThan(most + 0.06);
  expect(means.filter((each) => each > rate + 1e-9)).toHaveLength(Number(several ?? 1));
  return several === undefined ? "above" : "several above";
}

/** "That is 12.5 % of all requests, above the 0.1 % of the target: take 113 if it is a customer (--with-outliers)." */
export function checkBreach(text: string, premises: Premises, answer: readonly string[]): string {
  const { requests, target } = premises;
  const { shipped } = limitsOf(answer);
  const [share, of, notBad, allowed, then] = parts(
    text,
    /^That is ([\d.]+) % of all (requests|clients)( that are not bad)?, above the ([\d.]+) % of the target: (take [\d,]+|add --with-outliers) if (?:it is a customer|they are customers)(?: \(--with-outliers\))?\.$/,
  );
  const good = goodOf(requests);
  const refused = refusalsByAll(shipped, requests);
  expect(listMissed(refused, target, requests)).toContain(of);
  const isOfRequests = of === "requests";
  const part = isOfRequests
    ? refused.goodRequests / good.length
    : refused.goodClients / countClients(good);
  expect(Number(share)).toBeCloseTo(100 * part, 0);
  expect(notBad !== undefined).toBe(isOfRequests && good.length < requests.length);
  expect(Number(allowed)).toBeCloseTo(100 * (isOfRequests ? target.requests : target.clients));
  expect(text.includes("it is")).toBe(outliersOf(shipped).length === 1);
  const [rate] = /[\d,]+/.exec(then!) ?? [];
  expect(rate === undefined).toBe(answer[0]!.startsWith("Ship "));
  const [{ rule, us }] = shipped as [AnsweredLimit];
  if (rate !== undefined) expectSmallest(rule, number(rate), us, premises, requests);
  return isOfRequests ? "breach" : "breach of clients";
}
