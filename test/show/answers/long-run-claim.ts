// What the sentence about the long run claims, computed again from the requests.
import { expect } from "vitest";
import { micros } from "#src/kit/units.ts";
import { countLongRun } from "../../studies/recommend/one-by-one.ts";
import {
  clientsNamed,
  firstLimit,
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
