// The answer of weir recommend: each sentence has premises, and changes or vanishes if one of them is broken.
import { expect, test } from "vitest";
import { answerRecommend } from "#src/show/answers/recommend.ts";
import type { UnansweredRecommendation } from "#src/studies/recommend/result.ts";
import { CHECKS } from "./recommend-claims.ts";
import {
  documentOf,
  drawOf,
  FILES,
  withAdvice,
  withChosen,
  withOutliers,
  withOthers,
  type Document,
} from "./recommend-documents.ts";

/** One client sends much more than the others; three do, which are too many for outliers; one, and some requests are bad. */
const ONE = await documentOf(drawOf([3]));
const THREE = await documentOf(drawOf([3, 4, 5]));
const LONGER = await documentOf({ ...drawOf([3]), windowsS: [4, 60] });
const WITHOUT = await documentOf({ ...drawOf([3]), leavesOut: true });
const LABELLED = await documentOf(drawOf([3], true));

const textOf = (document: UnansweredRecommendation, id: string): string =>
  answerRecommend(document)
    .filter((each) => each.id === id)
    .map(({ text }) => text)
    .join(" ");

const outlier = (client: string) => ({ client, requests: 9, peak: 9 });
const edgeOf = (peak: number, refused = 0) => [{ client: "192.0.2.9", requests: 9, refused, peak }];
const LONG = { firstAt: "2026-01-01T00:00:00.000Z", lastAt: "2026-01-07T23:59:59.000Z" };
const NO_ADVICE = { ...ONE, advice: [], choice: null };
const CUT = {
  ...ONE,
  advice: [],
  cut: { searched: 6, of: 6, isPlaced: true, isAdvised: false },
};

/** The id of a sentence, a document with it, its premise broken, and what is left of the sentence. */
const BROKEN: readonly (readonly [
  id: string,
  premise: string,
  before: Document,
  after: Document,
  text: RegExp,
])[] = [
  ["limit", "one client alone raises it", ONE, withAdvice(ONE, { outliers: null }), /: it refuses/],
  [
    "limit",
    "it is one client",
    ONE,
    withOutliers(ONE, { clients: ["a", "b"].map(outlier) }),
    /only a and b need more than .* with them; /,
  ],
  [
    "limit",
    "no other client needs more",
    ONE,
    withOutliers(ONE, { needMore: false }),
    /sliding log: to refuse at most 0 % of the requests it takes \d+ with 192\.0\.2\.3, and \d+ without it; \d+ refuses requests of 1 of 12 clients\.$/,
  ],
  [
    "limit",
    "requests decide",
    ONE,
    withChosen(ONE, { rateForRequests: 1 }),
    /to refuse requests of at most 0 % of the clients it takes/,
  ],
  [
    "limit",
    "few are named",
    ONE,
    withOutliers(ONE, { clients: ["a", "b", "c", "d"].map(outlier) }),
    /only 4 clients need/,
  ],
  [
    "limit",
    "it is of this rate",
    ONE,
    withAdvice(ONE, { rate: 77 }),
    /^Limit each client to 77 per 4 seconds/,
  ],
  ["limit", "each client has a limit", ONE, { ...ONE, key: "none" }, /^Limit all clients together/],
  [
    "limit",
    "nothing is refused",
    THREE,
    withChosen(THREE, { refused: 5, refusedShare: 0.1, refusedClients: 2 }),
    /refuses 5 of \d+ requests \(10\.0 %\), of 2 of 12 clients;/,
  ],
  [
    "limit",
    "requests decide",
    THREE,
    withChosen(THREE, { rateForRequests: 1 }),
    /would refuse requests of more than 0 % of the clients\.$/,
  ],
  [
    "limit",
    "a rate is below",
    THREE,
    withAdvice(THREE, { rate: 1 }),
    /none of the \d+ requests\.$/,
  ],
  ["limit", "no request is bad", THREE, { ...THREE, badRequests: 1 }, /requests that are not bad/],
  [
    "limit",
    "there are several requests",
    THREE,
    { ...THREE, requests: 1 },
    /none of the 1 request;/,
  ],
  [
    "loss",
    "it sent several requests",
    ONE,
    withOutliers(ONE, { requests: ONE.requests - 1 }),
    /of the 1 request of 192/,
  ],
  ["loss", "there are outliers", ONE, withAdvice(ONE, { outliers: null }), /^$/],
  [
    "loss",
    "others lose nothing",
    ONE,
    withOutliers(ONE, { refused: 1 }),
    /and 1 of the \d+ requests of the others \(.+ %, with a promise of at most 0 %\)/,
  ],
  ["loss", "no file is written", ONE, { ...ONE, files: FILES }, /of the others\.$/],
  ["left-out", "a client is left out", WITHOUT, { ...WITHOUT, leftOut: [] }, /^$/],
  [
    "left-out",
    "few are named",
    WITHOUT,
    {
      ...WITHOUT,
      leftOut: ["a", "b", "c", "d"].map((client) => ({ client, requests: 9, refused: 2 })),
    },
    /^Left out: 4 clients, with 36 requests, of which it refuses 8\.$/,
  ],
  [
    "price",
    "another is cheaper",
    ONE,
    withOthers(ONE, (own) => own + 1),
    /^At .* no other candidate refuses fewer than its/,
  ],
  [
    "price",
    "another is cheaper",
    ONE,
    withOthers(ONE, (own) => own),
    /^At .* every candidate refuses the same number/,
  ],
  [
    "price",
    "refused requests count",
    ONE,
    withAdvice(ONE, { refusedUncounted: null }),
    /requests of this log; a/,
  ],
  [
    "price",
    "there are others",
    ONE,
    withAdvice(ONE, {
      atRate: ONE.advice[0]!.atRate.filter(
        ({ candidate }) => candidate === ONE.advice[0]!.candidate,
      ),
    }),
    /^$/,
  ],
  [
    "price",
    "no candidate refuses anything",
    THREE,
    withOthers(THREE, () => 3),
    /it refuses no request of this log, and other candidates up to 3\.$/,
  ],
  [
    "price",
    "some requests are bad",
    LABELLED,
    { ...LABELLED, badRequests: 0 },
    /per 4 seconds a sliding log/,
  ],
  ["most", "the most is known", ONE, withChosen(ONE, { mostInWindow: null }), /^$/],
  [
    "most",
    "another admits more",
    ONE,
    withAdvice(ONE, {
      atRate: ONE.advice[0]!.atRate.map((each) => ({ ...each, mostInWindow: 5 })),
    }),
    /at most 5 of a client\.$/,
  ],
  ["window", "there are two windows", ONE, { ...ONE, advice: ONE.advice.slice(0, 1) }, /^$/],
  [
    "window",
    "it has outliers",
    ONE,
    { ...ONE, advice: ONE.advice.map((each) => ({ ...each, outliers: null })) },
    /by a sliding log\.$/,
  ],
  ["too-long", "a window is longer than the log", LONGER, { ...LONGER, tooLong: [] }, /^$/],
  [
    "too-long",
    "it is one window",
    LONGER,
    { ...LONGER, tooLong: [3_600_000_000, 60_000_000] },
    /^There is no recommendation per hour and minute: the log covers \d+ seconds/,
  ],
  ["bad", "some requests are bad", LABELLED, { ...LABELLED, badRequests: 0 }, /^$/],
  [
    "draws",
    "there are outliers",
    ONE,
    withAdvice(ONE, { outliers: null }),
    /draws of the 12 clients, 95 % need [^(]+\.$/,
  ],
  [
    "draws",
    "there are several clients",
    THREE,
    withChosen(THREE, { interval: null }),
    /^With one client/,
  ],
  ["draws", "each client has a limit", THREE, { ...THREE, key: "none" }, /^$/],
  ["watch", "no client is an outlier", THREE, { ...ONE }, /^$/],
  ["watch", "a lower limit refuses it", THREE, withChosen(THREE, { edge: edgeOf(1) }), /^$/],
  ["watch", "it is admitted", THREE, withChosen(THREE, { edge: edgeOf(9, 1) }), /^$/],
  [
    "watch",
    "it is the next",
    THREE,
    withChosen(THREE, { edge: edgeOf(9) }),
    /^Watch 192\.0\.2\.9: .* from 8 on/,
  ],
  ["watch", "each client has a limit", THREE, { ...THREE, key: "none" }, /^$/],
  [
    "again",
    "the log is short",
    ONE,
    { ...ONE, ...LONG },
    /^The log covers 7 days: search again after as long/,
  ],
  ["ship", "no file is written", THREE, { ...THREE, files: FILES }, /^$/],
  [
    "ship",
    "no file is written",
    ONE,
    { ...ONE, files: FILES },
    /^The files have the limit for all clients, \d+ per 4 seconds; --without-outliers writes/,
  ],
  ["ship", "a world counts by this key", THREE, { ...THREE, key: "path" }, /^$/],
  ["ship", "no world has a profile", THREE, withChosen(THREE, { profile: "nginx" }), /^$/],
  [
    "ship",
    "the world is written",
    { ...ONE, files: FILES },
    { ...ONE, files: FILES.map((each) => ({ ...each, isWritten: false })) },
    /^$/,
  ],
  ["interrupted", "a rate was found", CUT, { ...CUT, choice: null }, /^$/],
  [
    "interrupted",
    "outliers were not searched",
    CUT,
    { ...CUT, cut: { ...CUT.cut, isPlaced: false } },
    /but only for requests spread evenly within their seconds: \d+ per 4 seconds by/,
  ],
  [
    "draws",
    "draws differ",
    THREE,
    withChosen(THREE, { interval: { low: 12, high: 12 } }),
    /^Other clients would hardly move it: .+ 95 % need 12 per 4 seconds\.$/,
  ],
  [
    "draws",
    "draws have a rate",
    THREE,
    withChosen(THREE, { interval: { low: null, high: null } }),
    /almost none has a rate that meets the target per 4 seconds\.$/,
  ],
  ["no-limit", "no candidate meets the target", NO_ADVICE, ONE, /^$/],
  [
    "no-limit",
    "all were searched",
    NO_ADVICE,
    { ...NO_ADVICE, cut: { searched: 1, of: 3, isPlaced: false, isAdvised: false } },
    /1 of 3 candidates were searched\.$/,
  ],
  [
    "no-limit",
    "each client has a limit",
    NO_ADVICE,
    { ...NO_ADVICE, key: "none" },
    /more than 0 % of the requests, or choose/,
  ],
];

test.each(BROKEN)('the sentence "%s" has a premise: %s', (id, _, before, after, text) => {
  expect(textOf(before, id)).not.toBe("");
  expect(textOf(before, id)).not.toMatch(text);
  expect(textOf(after, id)).toMatch(text);
});

test("a log that is shorter than each window has no limit, and no sentence about the target", async () => {
  const document = await documentOf({ ...drawOf([3]), windowsS: [60] });
  expect(document).toMatchObject({ advice: [], choice: null, tooLong: [60_000_000] });
  expect(answerRecommend(document).map(({ id }) => id)).toEqual(["too-long"]);
});

test("each sentence has a broken premise, and its numbers for programs", () => {
  expect(new Set(BROKEN.map(([id]) => id))).toEqual(
    new Set([...Object.keys(CHECKS), "interrupted"]),
  );
  const numbersOf = (document: Document) =>
    Object.fromEntries(answerRecommend(document).map(({ id, numbers }) => [id, numbers]));
  const { candidate, rate, perUs, outliers, atRate } = ONE.advice[0]!;
  const { othersPeak, refused, requests, interval, otherClients } = outliers!;
  const own = atRate.find((each) => each.candidate === candidate)!;
  expect(numbersOf(ONE)).toMatchObject({
    limit: { rate, perUs, outliers: 1, othersPeak, rateWithAll: ONE.candidates[candidate]!.rate },
    loss: { lost: own.refused - refused, sent: ONE.requests - requests, refused, requests },
    price: { rate, perUs, refused: own.refused },
    most: { perUs, rate, most: own.mostInWindow },
    window: { rate: ONE.advice[1]!.rate, perUs: ONE.advice[1]!.perUs },
    draws: { resamples: 400, clients: otherClients, low: interval!.low, high: interval!.high },
    again: { us: expect.any(Number) },
  });
  expect(numbersOf(LONGER)["too-long"]).toEqual({ us: expect.any(Number), windows: 1 });
  const [out] = WITHOUT.leftOut;
  expect(numbersOf(WITHOUT)["left-out"]).toEqual({
    clients: 1,
    sent: out!.requests,
    refused: out!.refused,
  });
  const labelled = LABELLED.advice[0]!;
  const bad = labelled.atRate.find((each) => each.candidate === labelled.candidate)!;
  expect(numbersOf(LABELLED)["bad"]).toEqual({
    badRequests: LABELLED.badRequests,
    badRefused: bad.badRefused,
    badClients: LABELLED.badClients,
    badRefusedClients: bad.badRefusedClients,
  });
});
