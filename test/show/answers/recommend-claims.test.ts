// The sentences of weir recommend about random requests: no sentence claims anything that the requests contradict.
import { expect, test } from "vitest";
import * as fc from "fast-check";
import { answerRecommend, sentencesOf } from "#src/show/answers/recommend.ts";
import { holdsUntil, inRuns } from "../../runs.ts";
import { ALGORITHM_RULES, START_US } from "../../studies/recommend/traffic.ts";
import { CHECKS } from "./recommend-claims.ts";
import { without } from "./recounted.ts";
import { CLIENTS, documentsOf, names, type Draw } from "./recommend-documents.ts";

/** Every case that a property has to meet. */
const CASES: readonly string[] = [
  "no-limit",
  "limit",
  "limit because of outliers",
  "limit without outliers",
  "loss",
  "breach",
  "breach of clients",
  "set",
  "set because of outliers",
  "some",
  "together",
  "together with outliers",
  "together too much",
  "shipped",
  "left-out",
  "included",
  "no price",
  "the same price",
  "price",
  "most",
  "most above a log",
  "most of a log",
  "window",
  "window because of outliers",
  "window of one client",
  "window with outliers",
  "too-long",
  "bad",
  "draws",
  "no draws",
  "below",
  "closest",
  "closest in bursts",
  "above",
  "several above",
  "loses most",
  "no headroom",
  "mean",
  "again",
  "ship",
  "files",
];

/** Of the first sentence, which is repeated in meetings. */
const MOST_WORDS = 31;
/** Of each sentence, so that a terminal of 80 columns has two lines of it. */
const MOST_LETTERS = 160;

const parts = {
  few: fc.array(fc.record({ atMs: fc.nat(20_000), client: fc.nat(CLIENTS - 1) }), {
    maxLength: 60,
    size: "max",
  }),
  heavy: fc.array(
    fc.record({
      client: fc.nat(CLIENTS - 1),
      fromMs: fc.nat(15_000),
      stepMs: fc.constantFrom(0, 1, 50, 400),
      count: fc.integer({ min: 5, max: 40 }),
    }),
    { maxLength: 2 },
  ),
  badEach: fc.constantFrom(0, 0, 3),
  rules: fc.oneof(
    { weight: 4, arbitrary: fc.subarray([...ALGORITHM_RULES], { minLength: 1, maxLength: 4 }) },
    { weight: 1, arbitrary: fc.constant(ALGORITHM_RULES.filter(({ by }) => by.name === "gcra")) },
  ),
  target: fc.constantFrom(
    { requests: 0, clients: 0 },
    { requests: 0.02, clients: 0.1 },
    { requests: 0.1, clients: 0.25 },
    { requests: 0.3, clients: 1 },
  ),
  windowsS: fc.constantFrom([1], [4, 1], [60, 4]),
  clients: fc.constantFrom("one budget", "one", "all", "all", "all", "all"),
  hasFiles: fc.boolean(),
  outliers: fc.constantFrom("apart", "apart", "leave out", "keep"),
};

/** A few clients send as evenly as a bucket is filled: it refuses nothing of them here, and some in the long run. */
const steadyParts = {
  ...parts,
  few: fc.constant([]),
  heavy: fc
    .array(
      fc
        .integer({ min: 16, max: 60 })
        .map((count) => ({ count, stepMs: Math.floor(16_000 / count) })),
      { minLength: 2, maxLength: 5 },
    )
    .map((all) => all.map((each, client) => ({ ...each, client, fromMs: 10 * client }))),
  badEach: fc.constant(0),
  rules: fc.constant(ALGORITHM_RULES.filter(({ by }) => by.name === "token_bucket")),
  target: fc.constantFrom({ requests: 0.1, clients: 0.25 }, { requests: 0.3, clients: 1 }),
  windowsS: fc.constant([4]),
  clients: fc.constant("all"),
  outliers: fc.constant("keep"),
};

/** One client sends a burst, and another one more in a longer time: each limit alone refuses one client at most. */
const apartParts = {
  ...parts,
  heavy: fc
    .record({
      burst: fc.integer({ min: 12, max: 40 }),
      many: fc.integer({ min: 30, max: 60 }),
      stepMs: fc.integer({ min: 60, max: 110 }),
    })
    .map(({ burst, many, stepMs }) => [
      { client: 0, fromMs: 100, stepMs: 0, count: burst },
      { client: 1, fromMs: 5000, stepMs, count: many },
      { client: 2, fromMs: 9000, stepMs: 300, count: 20 },
    ]),
  badEach: fc.constant(0),
  target: fc.constant({ requests: 0.4, clients: 0.1 }),
  windowsS: fc.constantFrom([4], [4, 1], [1, 4]),
  clients: fc.constant("all"),
};

/** Requests at one instant, which GCRA refuses at any rate, and a target of none. */
const instantParts = {
  ...parts,
  heavy: fc.constant([{ client: 0, fromMs: 100, stepMs: 0, count: 6 }]),
  badEach: fc.constant(0),
  rules: fc.constant(ALGORITHM_RULES.filter(({ by }) => by.name === "gcra")),
  target: fc.constant({ requests: 0, clients: 0 }),
  outliers: fc.constant("keep"),
};

/** Each client sends a few requests, and some of them many. */
const drawn: fc.Arbitrary<Draw> = fc
  .oneof(
    { weight: 12, arbitrary: fc.record(parts) },
    { weight: 2, arbitrary: fc.record(steadyParts) },
    { weight: 2, arbitrary: fc.record(apartParts) },
    { weight: 1, arbitrary: fc.record(instantParts) },
  )
  .map(({ few, heavy, badEach, clients, outliers, ...others }) => {
    const sent = [
      ...names.map((_, client) => ({ atMs: 1500 * client, client })),
      ...few,
      ...heavy.flatMap(({ client, fromMs, stepMs, count }) =>
        Array.from({ length: count }, (_, i) => ({ atMs: fromMs + i * stepMs, client })),
      ),
    ];
    const requests = sent
      .toSorted((a, b) => a.atMs - b.atMs)
      .map(({ atMs, client }, i) => ({
        atUs: START_US + atMs * 1000,
        client: clients === "all" ? client : 0,
        isBad: badEach > 0 && i % badEach === 1,
      }));
    return {
      ...others,
      requests,
      isOneBudget: clients === "one budget",
      leavesOut: outliers === "leave out",
      keepsOutliers: outliers === "keep",
    };
  });

test("no sentence is contradicted by the requests, and each kind of sentence occurs", async () => {
  const examined = new Map(CASES.map((each) => [each, 0]));
  await holdsUntil(
    3,
    () => Math.min(...examined.values()),
    fc.asyncProperty(drawn, async (draw) => {
      const { document, earlier: before } = await documentsOf(draw);
      const answer = sentencesOf(document); // also those that a long answer leaves out
      const leftOut = document.leftOut.map(({ client }) => names.indexOf(client));
      const requests = without(draw.requests, leftOut);
      const earlier = before === null ? null : sentencesOf(before).map(({ text }) => text);
      const premises = { ...draw, requests, logged: draw.requests, leftOut, earlier, document };
      const texts = answer.map(({ text }) => text);
      const shown = answerRecommend(document);
      expect(shown.length).toBeLessThanOrEqual(6);
      for (const { text } of shown) expect(text.length).toBeLessThan(MOST_LETTERS);
      expect(shown).toEqual(
        answer.filter(({ id, text }) => shown.some((each) => each.id === id && each.text === text)),
      );
      expect(shown[0]).toEqual(answer[0]);
      expect(texts[0]!.split(" ").length).toBeLessThanOrEqual(MOST_WORDS);
      for (const { id, text } of answer) {
        const checked = CHECKS[id]!(text, premises, texts);
        expect(CASES).toContain(checked); // else it would count as NaN, and end the draws
        examined.set(checked, examined.get(checked)! + 1);
      }
    }),
    40,
  );
  for (const [kind, count] of examined)
    expect([kind, count]).toEqual([kind, expect.toSatisfy((each: number) => each >= inRuns(3))]);
});
