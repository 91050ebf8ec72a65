// The answer of weir recommend: each sentence has premises, and changes or vanishes if one of them is broken.
import { expect, test } from "vitest";
import { answerRecommend, sentencesOf } from "#src/show/answers/recommend.ts";
import { outlierTables } from "#src/studies/recommend/outlier-tables.ts";
import { recommendationText } from "#src/studies/recommend/text.ts";
import { CHECKS } from "./recommend-claims.ts";
import { documentOf, drawOf, names, type Document } from "./recommend-documents.ts";
import { BROKEN_BY_FILES } from "./files-premises.ts";
import { BROKEN_LIMITS } from "./limit-premises.ts";
import { BROKEN_PROMISES } from "./promise-premises.ts";
import {
  BROKEN,
  BURST_REQUESTS,
  BURSTS,
  LABELLED,
  LONGER,
  ONE,
  SET,
  WITHOUT,
} from "./recommend-premises.ts";

const textOf = (document: Document, id: string): string =>
  sentencesOf(document)
    .filter((each) => each.id === id)
    .map(({ text }) => text)
    .join(" ");

const ALL_BROKEN = [...BROKEN, ...BROKEN_LIMITS, ...BROKEN_PROMISES, ...BROKEN_BY_FILES];

test.each(ALL_BROKEN)('the sentence "%s" has a premise: %s', (id, _, before, after, text) => {
  expect(textOf(before, id)).not.toBe("");
  expect(textOf(before, id)).not.toMatch(text);
  expect(textOf(after, id)).toMatch(text);
});

test("a log that is shorter than each window has no limit, and no sentence about the target", async () => {
  const document = await documentOf({ ...drawOf([3]), windowsS: [60] });
  expect(document).toMatchObject({ advice: [], choice: null, tooLong: [60_000_000] });
  expect(answerRecommend(document).map(({ id }) => id)).toEqual(["too-long"]);
});

test("a table has the numbers of the sentences about outliers, for each candidate", async () => {
  for (const document of [ONE, BURSTS, LABELLED]) {
    const [table] = outlierTables(document).filter(({ columns }) => columns.length === 5);
    const rows = table!.columns[0]!.cells.map((_, at) =>
      table!.columns.map(({ cells }) => cells[at]!),
    );
    const { atRate, rival, limit, candidate } = document.advice[0]!;
    const own = rows.find((_, at) => atRate[at]?.candidate === candidate)!;
    const loss = sentencesOf(document).find(({ id }) => id === "loss")!;
    const { refused, lost } = loss.numbers;
    expect(own).toEqual([limit, "token_bucket", limit, String(refused), String(lost)]);
    const price = sentencesOf(document).find(({ id }) => id === "price")!;
    const { leastOther, leastOfOthers } = price.numbers;
    expect(rows.map((row) => row.slice(3).map(Number))).toContainEqual([
      leastOfOthers,
      leastOther! - leastOfOthers!,
    ]);
    const weighed = rows[atRate.findIndex((each) => each.candidate === rival!.candidate)]!;
    expect(weighed[0]).toMatch(new RegExp(`^${rival!.rate}/`));
    const text = recommendationText(document, (_, words) => words, { hasLegend: true }).join("\n");
    expect(text).toMatch(/^ *limit +by +advised +others +outliers$/m);
  }
  const { advice, candidates, ...facts } = BURSTS;
  const left = new Set(advice[0]!.outliers!.clients.map(({ client }) => client));
  const requests = BURST_REQUESTS.filter(({ client }) => !left.has(names[client]!));
  const alone = await documentOf({ ...drawOf([3]), requests });
  expect(facts.clients - alone.clients).toBe(1);
  expect(advice[0]!.atRate.map(({ rateOfOthers }) => rateOfOthers)).toEqual(
    alone.candidates.slice(0, candidates.length).map(({ rate }) => rate),
  );
});

test("each sentence has a broken premise, and its numbers for programs", () => {
  expect(new Set(ALL_BROKEN.map(([id]) => id))).toEqual(
    new Set([...Object.keys(CHECKS), "interrupted", "outliers", "timing", "translation"]), // at most one of 12 clients is an outlier
  );
  const numbersOf = (document: Document) =>
    Object.fromEntries(sentencesOf(document).map(({ id, numbers }) => [id, numbers]));
  const { candidate, rate, perUs, outliers, atRate, mostInWindow } = ONE.advice[0]!;
  const { othersPeak, refused, requests, interval, otherClients } = outliers!;
  const own = atRate.find((each) => each.candidate === candidate)!;
  expect(numbersOf(ONE)).toMatchObject({
    limit: { rate, perUs, outliers: 1, othersPeak, rateWithAll: ONE.candidates[candidate]!.rate },
    loss: { lost: own.refused - refused, sent: ONE.requests - requests, refused, requests },
    price: { rate, perUs, refused: own.refused },
    most: { perUs, most: mostInWindow },
    draws: { resamples: 400, clients: otherClients, low: interval!.low, high: interval!.high },
    again: { us: expect.any(Number) },
  });
  const { rival } = BURSTS.advice[0]!;
  expect(numbersOf(BURSTS)["most"]).toMatchObject({
    rivalRate: rival!.rate,
    rivalMost: rival!.mostInWindow,
  });
  const [first, second] = SET.advice;
  const mixed = { ...SET, advice: [first!, { ...second!, outliers: null }] };
  expect(numbersOf(mixed)["window"]).toMatchObject({ rate: first!.rate, perUs: first!.perUs });
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

test("an answer has six sentences: those whose numbers are in the tables go first", () => {
  const closest = { client: "a", peak: 1, mean: 1 };
  const near = { ...ONE, advice: ONE.advice.map((each) => ({ ...each, closest })) };
  const idsOf = (document: Document) => answerRecommend(document).map(({ id }) => id);
  const all = sentencesOf(near).map(({ id }) => id);
  expect(all).toHaveLength(9);
  expect(idsOf(near)).toEqual(all.filter((id) => !["price", "draws", "closest"].includes(id)));
});

test("a doubt that leaves little of the limit comes second, and another one at the end", () => {
  const idsOf = (document: Document) => answerRecommend(document).map(({ id }) => id);
  const long = { ...ONE, firstAt: "2026-01-01T00:00:00.000Z", lastAt: "2026-01-01T01:00:00.000Z" };
  expect(idsOf(ONE)[1]).toBe("again");
  expect(idsOf(long).indexOf("again")).toBe(idsOf(long).length - 2);
  const sample = { doubt: "few minutes" as const, minutes: 4981, busyMinutes: 84 };
  const few = { ...long, coverage: { ...long.coverage, ...sample, busyRequests: ONE.requests } };
  expect(idsOf(few)[1]).toBe("coverage");
  expect(idsOf(few)).not.toContain("again");
});

test("the rate of the burst is that of the busiest time, and no average", () => {
  const burst = { limit: "617/1h", rate: 617, perUs: 3_600_000_000, burst: 9, client: null };
  const text = recommendationText({ ...ONE, burst }, (_, words) => words).join("\n");
  expect(text).toContain("is filled by 617/1h, which clients need in their busiest such time, has");
});
