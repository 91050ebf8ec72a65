// 429s of clients with tokens against those with exponential backoff, under the conditions of arXiv 2510.04516 as far as
// they are known (docs/answer/clients.md).
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { micros } from "#src/kit/units.ts";
import { behaviourCalled } from "#src/studies/try/retries.ts";
import type { TryQuestion } from "#src/studies/try/question.ts";
import { tryRunner } from "#src/studies/try/run-try.ts";

const SEEDS = 10;
const LIMIT = { rate: 80, perUs: micros(60_000_000) };
const RETRIES = ["patient", "atb", "aatb"] as const;

const questionOf = (clients: number, requests: number): TryQuestion => ({
  clients,
  population: "random",
  rate: requests / clients / 300,
  bursts: null,
  retries: RETRIES.map((name) => ({ name, behaviour: behaviourCalled(name, LIMIT) })),
  isSequential: true,
  perAddress: clients,
  forUs: micros(300_000_000),
  gateways: 1,
  limits: [LIMIT],
  limiters: [{ kind: "algorithm", name: "gcra", burst: 100 }],
});

interface Totals {
  refusals: number;
  attempts: number;
  lastUs: number; // summed up over the seeds
}

function totalsOf(clients: number, requests: number): readonly Totals[] {
  const totals = RETRIES.map((): Totals => ({ refusals: 0, attempts: 0, lastUs: 0 }));
  for (let seed = 1; seed <= SEEDS; seed++) {
    const runner = tryRunner(questionOf(clients, requests));
    for (const at of RETRIES.keys()) {
      const { figures, history } = runner({ place: at, seed, wantsHistory: true });
      expect(figures.gaveUp).toBe(0);
      const total = totals[at]!;
      total.refusals += figures.refusedAttempts;
      total.attempts += figures.attempts;
      total.lastUs += history!.requests.answeredUs.reduce((last, us) => Math.max(last, us), 0);
    }
  }
  return totals;
}

const less = (value: number, base: number): string => `${((1 - value / base) * 100).toFixed(1)} %`;
const more = (value: number, base: number): string => `${((value / base - 1) * 100).toFixed(1)} %`;

test("the figures of the page are those of ten seeds", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/answer/clients.md"), "utf8");
  const rows = [5, 100].flatMap((clients) =>
    [500, 800].map((requests) => {
      const [backoff, atb, aatb] = totalsOf(clients, requests);
      const cells = [atb!, aatb!].flatMap(({ refusals, lastUs }) => [
        less(refusals, backoff!.refusals),
        more(lastUs, backoff!.lastUs),
      ]);
      return [clients, requests, Math.round(backoff!.refusals / SEEDS), ...cells].map(String);
    }),
  );
  const written = page
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .filter(([, clients = ""]) => /^(?:5|100)$/.test(clients))
    .map((cells) => cells.slice(1, 8));
  expect(written).toEqual(rows);
});
