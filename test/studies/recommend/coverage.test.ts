// Whether a log may be a part of its traffic, with every minute counted one by one, and what the answer claims of it.
import { expect, test } from "vitest";
import * as fc from "fast-check";
import { answerRecommend } from "#src/show/answers/recommend.ts";
import { coverageSentence } from "#src/show/answers/recommend-next.ts";
import { recommend } from "#src/studies/recommend/recommend.ts";
import { micros, SECOND } from "#src/kit/units.ts";
import { MinuteCounts, type LogCoverage } from "#src/studies/recommend/coverage.ts";
import { holdsUntil, inRuns } from "../../runs.ts";
import { documentOf, drawOf } from "../../show/answers/recommend-documents.ts";
import { ALGORITHM_RULES, namesOf, questionOf, START_US, trafficOf } from "./traffic.ts";

const MINUTE_US = 60_000_000;
const DAY = 1440;

/** Requests at these minutes after the start of an hour. */
const coverageOf = (minutes: readonly number[]): LogCoverage => {
  const counts = new MinuteCounts();
  const times = Float64Array.from(minutes, (minute) => START_US + minute * MINUTE_US);
  counts.add(times.subarray(0, 7), Math.min(7, times.length));
  counts.add(times.subarray(7), Math.max(0, times.length - 7));
  return counts.coverage();
};
const sentenceOf = (minutes: readonly number[]): string =>
  coverageSentence({ coverage: coverageOf(minutes) })?.text ?? "";

const every = (step: number, count: number, from = 0): readonly number[] =>
  Array.from({ length: count }, (_, i) => from + i * step);

test("requests in one minute of each hour, in few minutes, or around a gap are stated", () => {
  const hours = every(60, 24, 5).flatMap((minute) => every(0.01, 50, minute));
  expect(sentenceOf(hours)).toBe(
    "All 1,200 requests are in 24 of the log's 1,381 minutes, always minute 5 of the hour: if it is a sample, search again with a whole log.",
  );
  expect(sentenceOf([...hours, ...every(60, 24, 24 * 60)])).toMatch(
    /^98\.0 % of the requests are in 24 of the log's /,
  );
  expect(sentenceOf([...every(0.001, 2000, 100), ...every(10, 150)])).toBe(
    "93.1 % of the requests are in 2 of the log's 1,491 minutes: if it is a sample, search again with a whole log.",
  );
  expect(sentenceOf([...every(1, DAY), ...every(1, DAY, 5 * DAY)])).toBe(
    "The log has no request for 4 days of its 6 days: if a file is missing, search again with it.",
  );
});

test("a usual log is not doubted", () => {
  expect(sentenceOf(every(1, DAY))).toBe("");
  expect(sentenceOf(every(30, 99))).toBe(""); // few requests
  expect(sentenceOf(every(0.01, 5000))).toBe(""); // less than an hour
  // Working hours of a week.
  expect(sentenceOf(every(DAY, 5).flatMap((day) => every(2, 240, day)))).toBe("");
});

test("a log of which something is doubted has that sentence in place of the next search", async () => {
  const document = await documentOf(drawOf([3]));
  const idsOf = (coverage: LogCoverage): readonly string[] =>
    answerRecommend({ ...document, coverage }).map(({ id }) => id);
  const usual = idsOf(document.coverage);
  expect(usual).toContain("again");
  expect(idsOf(coverageOf(every(60, 120, 5)))).toEqual(
    usual.map((id) => (id === "again" ? "coverage" : id)),
  );
});

test("the numbers of each doubt are those of the minutes, counted one by one", async () => {
  const seen = { "same minute of each hour": 0, "few minutes": 0, gap: 0, none: 0 };
  const dense = fc.record({
    from: fc.nat(4000),
    step: fc.constantFrom(0.02, 1, 60),
    count: fc.nat(300),
  });
  const drawn = fc
    .array(dense, { minLength: 1, maxLength: 3 })
    .map((parts) =>
      parts
        .flatMap(({ from, step, count }) => every(step, count + 1, from))
        .toSorted((a, b) => a - b),
    );
  await holdsUntil(
    3,
    () => Math.min(...Object.values(seen)),
    fc.asyncProperty(drawn, async (minutes) => {
      const coverage = coverageOf(minutes);
      const [first, last] = [Math.floor(minutes[0]!), Math.floor(minutes.at(-1)!)];
      const perMinute = Array.from(
        { length: last - first + 1 },
        (_, at) => minutes.filter((each) => Math.floor(each) === first + at).length,
      );
      const sorted = perMinute.toSorted((a, b) => b - a);
      const busy = sorted.findIndex(
        (_, at) => sorted.slice(0, at + 1).reduce((a, b) => a + b) >= 0.9 * minutes.length,
      );
      const gaps = perMinute
        .map((each) => (each === 0 ? "-" : "x"))
        .join("")
        .split("x");
      expect(coverage).toMatchObject({
        requests: minutes.length,
        minutes: perMinute.length,
        busyMinutes: busy + 1,
        busyRequests: sorted.slice(0, busy + 1).reduce((a, b) => a + b),
        longestGapMinutes: Math.max(...gaps.map(({ length }) => length)),
      });
      const { minute = null } = coverage.minuteOfHour ?? {};
      const inMinute = minutes.filter((each) => Math.floor(each) % 60 === minute).length;
      expect(coverage.minuteOfHour?.requests ?? 0).toBe(inMinute);
      expect(minute === null || inMinute >= 0.9 * minutes.length).toBe(true);
      seen[coverage.doubt ?? "none"]++;
    }),
    60,
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThanOrEqual(inRuns(3));
});

test("a sample of one minute of each hour has no recommendation per hour", async () => {
  const sent = every(1, 5 * 60).map((at) => ({
    atUs: START_US + Math.floor(at / 60) * 3_600_000_000 + (at % 60) * 900_000,
    client: at % 5,
  }));
  const windows = [60, 3600].map((s) => micros(s * SECOND));
  const question = questionOf(ALGORITHM_RULES.slice(0, 1), {
    target: { requests: 0, clients: 0 },
    windows,
  });
  const { names } = namesOf(5);
  const sample = await recommend(trafficOf(sent), names, false, question);
  expect([sample.tooLong, sample.advice.map(({ perUs }) => perUs)]).toEqual([
    [windows[1]],
    [windows[0]],
  ]);
});
