// The size of a report depends on what it shows, not on the number of requests.
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { scenarioReport } from "#src/lab/report/build/report-of.ts";
import { variantFigures } from "#src/lab/report/build/variant-figures.ts";
import { drawableOf } from "#src/show/figures/drawable-of.ts";
import { historyOf, type HistoryText } from "../histories/history.ts";
import { variantOf } from "../histories/world.ts";
import { runReport } from "./small-runs.ts";

/** The same numbers each time, as unlike each other as numbers can be. */
function numbers(): () => number {
  let state = 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** Everything that a history can have, and all of it in motion: what a figure shows least shortly. */
function restless(requests: number): HistoryText {
  const next = numbers();
  const at = Array.from({ length: requests }, () => next() * 80).toSorted((a, b) => a - b);
  return {
    rows: at.map((sent) => ({
      at: sent,
      answered: sent + next() / 10,
      status: [200, 200, 429, 403, 503][Math.floor(next() * 5)]!,
      by: "key" as const,
      gateway: Math.floor(next() * 100),
      commandsBefore: Math.floor(next() * 5),
      commandsAll: Math.floor(next() * 9),
    })),
    events: at.slice(0, 1_000).map((each) => ({
      event: next() < 0.5 ? "RateLimitSmoothingUp" : "RateLimitSmoothingDown",
      at: each,
    })),
    gauges: at.flatMap((each) => [
      { at: each, value: Math.floor(next() * 50), gauge: "allowance" as const },
      { at: each, value: Math.floor(next() * 5_000), gauge: "entries" as const },
      { at: each, value: Math.floor(next() * 500_000), gauge: "bytes" as const },
    ]),
  };
}

/** Of a variant, in a page of ten megabytes that shows a thousand; verdicts and refusals need room, too. */
const MOST_BYTES = 7_000;

const figuresOf = (requests: number): ReturnType<typeof variantFigures> =>
  variantFigures(variantOf(), historyOf(restless(requests)), []);

const bytesInPage = (requests: number): number =>
  (gzipSync(JSON.stringify(figuresOf(requests))).length * 4) / 3;

test("the figures of ten thousand requests take little more of a page than those of a thousand", () => {
  const small = bytesInPage(1_000);
  const large = bytesInPage(10_000);
  expect(large).toBeLessThan(small * 1.3);
  expect(large).toBeLessThan(MOST_BYTES);
  expect(large).toBeGreaterThan(1_000);
});

test("no figure is drawn from more points than can be seen", () => {
  const figures = figuresOf(10_000);
  expect(figures).toHaveLength(7);
  for (const { title, points } of figures.map((figure) => {
    const { data } = drawableOf(figure);
    return { title: figure.title, points: Object.values(data).flat().length };
  }))
    expect({ title, points: points < 900 ? "few" : points }).toEqual({ title, points: "few" });
});

test("a variant of ten thousand requests with its refusals is a thousandth of ten megabytes", () => {
  const judged = runReport({ traffic: "poisson: 100, for: 100s" });
  const [variant] = scenarioReport(judged, "its text").variants;
  expect(variant!.requests).toBeGreaterThan(9_000);
  expect(variant!.refusals.entries.length).toBe(10);
  // The script of a page and what is written of a thousand scenarios need room, too.
  expect((gzipSync(JSON.stringify(variant)).length * 4) / 3).toBeLessThan(8_000);
});
