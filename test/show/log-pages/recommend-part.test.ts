// The limit of an answer in the tables and charts of its page: without outliers, and of several windows together.
import { expect, test } from "vitest";
import { recommendPart } from "#src/show/log-pages/recommend-part.ts";
import { answerRecommend } from "#src/show/answers/recommend.ts";
import type { CurveFigure, DatedFigure, RowsFigure } from "#src/lab/report/measured-figures.ts";
import { micros } from "#src/kit/units.ts";
import { documentOf, drawOf } from "../answers/recommend-documents.ts";
import { START_US } from "../../studies/recommend/traffic.ts";
import { decideOneByOne, decideTogether, limitOf } from "../../studies/recommend/one-by-one.ts";

/** One client sends much in the long run, and another one fifteen requests at once. */
const DRAW = {
  ...drawOf([3]),
  requests: [
    ...drawOf([3]).requests,
    ...Array.from({ length: 15 }, () => ({ atUs: START_US + 5_000_000, client: 5, isBad: false })),
  ].toSorted((one, next) => one.atUs - next.atUs),
  windowsS: [1, 15],
};
const NO_TIME: DatedFigure = {
  kind: "time",
  shows: "demand",
  title: "",
  unit: "",
  startS: 0,
  untilS: 1,
  binS: 1,
  bars: [],
  curves: [],
  lines: [],
  limits: [],
  spans: [],
  marks: [],
  top: null,
};
const document = await documentOf(DRAW);
const [advice, other] = [document.advice[0]!, document.advice[1]!];
const partOf = (of: typeof document) =>
  recommendPart(
    { ...of, answer: answerRecommend(of) },
    { peaks: [], answers: of.ship.map(() => ({ overTime: NO_TIME, edge: null })) },
    [],
    ["recommend", "a b.log", "--per", "1s,15s", "--html", "page.html"],
  );
const part = partOf(document);
type Figure = (typeof part.sections)[number]["figures"][number];

const figures = part.sections.flatMap((section) => section.figures);
const isRows = (figure: Figure): figure is RowsFigure => figure.kind === "rows";
const isCurve = (figure: Figure): figure is CurveFigure => figure.kind === "curve";

const limitAt = ({ candidate, rate, perUs }: typeof advice) => {
  const name = document.candidates[candidate]!.algorithm;
  const rule = DRAW.rules.find(({ by }) => by.name === name)!;
  return limitOf(rule, { rate, perUs: micros(perUs) });
};

const share = (count: number, of: number): RegExp =>
  new RegExp(`^${count} \\(${((100 * count) / of).toFixed(1)}\\d*\\s%\\)$`);

test("the table has a row with the limit without outliers, and one with what all limits refuse together", () => {
  const { heads, rows } = part.sections[0]!.tables[0]!;
  const cellsOf = (row: readonly string[]) =>
    Object.fromEntries(heads.map((head, i) => [head, row[i]]));
  const at = rows.findIndex((row) => row.includes("without 192.0.2.5"));
  const chosen = document.candidates[advice.candidate]!;
  expect(rows[at - 1]!.slice(0, 2)).toEqual([chosen.limit, chosen.algorithm]);
  const alone = decideOneByOne(limitAt(advice), DRAW.requests);
  expect(alone.goodRequests).toBeGreaterThan(0);
  expect(cellsOf(rows[at]!)).toMatchObject({
    limit: advice.limit,
    refused: expect.stringMatching(share(alone.goodRequests, DRAW.requests.length)),
    clients: expect.stringMatching(share(alone.goodClients, 12)),
    "most in window": String(advice.mostInWindow),
  });
  const both = decideTogether([limitAt(advice), limitAt(other)], DRAW.requests);
  expect(both.goodRequests).toBeGreaterThan(alone.goodRequests);
  expect(cellsOf(rows.at(-1)!)).toEqual({
    limit: "together",
    by: `${advice.limit}, ${other.limit}`,
    refused: expect.stringMatching(share(both.goodRequests, DRAW.requests.length)),
    clients: expect.stringMatching(share(both.goodClients, 12)),
    knee: "",
    "most in window": "",
  });
});

test("the charts mark the limit without outliers, and the one with them", () => {
  const { rows } = figures.find(isRows)!;
  const chosen = document.candidates[advice.candidate]!;
  const row = rows.find(({ what }) => what.endsWith(", recommended"))!;
  expect(row.value).toMatch(new RegExp(`^${advice.rate}; with all ${chosen.rate}, draws `));
  const ticks = row.marks.filter(({ shape }) => shape === "tick");
  expect(ticks.map(({ from, tone }) => [from, tone])).toEqual([
    [chosen.rate, "own"],
    [advice.rate, "good"],
  ]);
  const others = rows.filter((each) => each !== row).flatMap(({ marks }) => marks);
  expect(others.filter(({ tone }) => tone === "good")).toEqual([]);
  const curves = figures.filter(isCurve);
  expect(curves).toHaveLength(document.candidates.length);
  const curve = curves.find(({ title }) =>
    title.startsWith(`${advice.limit} ${chosen.algorithm}: `),
  )!;
  const { goodRequests } = decideOneByOne(limitAt(advice), DRAW.requests);
  const main = curve.points.filter(({ isMain }) => isMain);
  expect(main.map(({ x, y }) => [x, y])).toEqual([
    [advice.rate, expect.closeTo((100 * goodRequests) / DRAW.requests.length)],
  ]);
  expect(curve.references[0]).toMatchObject({ at: advice.rate, isMain: true });
  expect(curve.band).toMatchObject({ from: advice.outliers!.interval!.low });
});

test("the page has the next command as it can be typed", () => {
  // Outliers of each window fill the answer with other sentences.
  const few = document.advice.map((each) => ({ ...each, outliers: null }));
  expect(partOf({ ...document, advice: few }).answer!.at(-1)).toMatch(
    /^weir recommend 'a b\.log' --per 1s,15s with --out FOLDER writes these limits down for weir serve, one in each file/,
  );
});
