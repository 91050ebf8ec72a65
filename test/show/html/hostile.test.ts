// Each string of a document in turn is an attempt to become part of the page.
import { describe, expect, test } from "vitest";
import { benchPart } from "#src/studies/bench/report/bench-part.ts";
import { comparePart } from "#src/studies/bench/report/compare-part.ts";
import { truthPart } from "#src/studies/bench/report/truth-part.ts";
import { compare } from "#src/studies/bench/compare/compare.ts";
import type { BenchResult } from "#src/studies/bench/result.ts";
import { badgeSvg } from "#src/show/ci/badge.ts";
import { svgOf } from "#src/show/figures/svg.ts";
import { templates } from "#src/show/figures/templates.ts";
import { html, join, NOTHING, trustMarkup, type Html } from "#src/show/html/html.ts";
import { partOfMeasured } from "#src/show/html/measured.ts";
import { numbersHtml } from "#src/show/html/numbers.ts";
import { pageOf, type PagePart } from "#src/show/html/page.ts";
import { requestInEntryHtml, refusalHtml, refusalsHtml } from "#src/show/html/refusals.ts";
import { runPart } from "#src/show/html/run.ts";
import { optionsHtml, variantHtml } from "#src/show/html/scenario.ts";
import { variantsHtml } from "#src/show/html/variants.ts";
import { sourceHtml } from "#src/show/html/source.ts";
import type { MeasuredPart } from "#src/lab/report/measured.ts";
import type { Figure } from "#src/show/figures/drawable-of.ts";
import { reportSchema, type Report } from "#src/lab/report/model.ts";
import { livePage } from "#src/show/page/live.ts";
import { reportOf, scenarioReport } from "#src/lab/report/build/report-of.ts";
import { control, subject, truth } from "../../studies/bench/truth-results.ts";
import { runsToCompare } from "../../studies/bench/runs-to-compare.ts";
import { result } from "../../histories/result.ts";
import { runReport, runReportOfText } from "../small-runs.ts";
import { RUN } from "../report-with.ts";

const attack = (id: string): string => `"'><img src=x onerror="alert('x')" id=${id}>`;

/** Marks of the strings that were not escaped: an element of theirs, or the end of an attribute. */
const attacksIn = (markup: string): readonly string[] =>
  [...markup.matchAll(/(?:<img\b|<[a-z][^<>]*"'(?:>|&gt;))[^<]*?id=(.*?)(?:>|&gt;)/g)].map(
    ([, id]) => id!,
  );

type Leaf = readonly [path: string, replace: (text: string) => void];

/** Every string of a document, and every name that a record of the document is free to choose. */
function leavesOf(value: unknown, path = "", replace: Leaf[1] = () => {}): readonly Leaf[] {
  if (typeof value === "string") return [[path, replace]];
  if (typeof value !== "object" || value === null) return [];
  const record = value as Record<string, unknown>;
  return Object.keys(record).flatMap((key) =>
    leavesOf(record[key], `${path}/${key}`, (text) => {
      record[key] = text;
    }),
  );
}

/** Every string of it that its schema leaves free, each with its own mark. */
function attackReport(report: Report): Report {
  const attacked = structuredClone(report) as unknown as Record<string, unknown>;
  const original: unknown = report;
  for (const [path, replace] of leavesOf(attacked)) replace(attack(path));
  // The fields of a figure are checked when its kind is right again.
  for (;;) {
    const issues = reportSchema.safeParse(attacked).error?.issues ?? [];
    for (const { path } of issues) {
      const parent = path.slice(0, -1).reduce(at, attacked) as Record<PropertyKey, unknown>;
      parent[path.at(-1)!] = path.reduce(at, original);
    }
    if (issues.length === 0) break;
  }
  attacked["versions"] = { [attack("versions")]: "1" };
  return reportSchema.parse(attacked);
}

const at = (value: unknown, key: PropertyKey): unknown =>
  (value as Record<PropertyKey, unknown>)[key];

const scenario = scenarioReport(
  runReportOfText(`id: limits/small
title: small
about: A key with policies.
proves: [LIM-1]
matrix: { n: [8, 9] }
world:
  apis: { orders: { listen: /orders } }
  policies:
    gold: { apis: [orders], rate: 5, per: 1 }
    free: { apis: [orders], rate: 3, per: 1 }
  keys: { alice: { apply_policies: [gold, free] } }
traffic:
  - { name: first, as: alice, send: GET /orders, burst: $n }
  - { name: stranger, send: GET /orders, burst: 2 }
expect:
  - { id: none is refused, count: { status: 429 }, equals: 0, among: { atLeast: 1 } }
  - { id: the burst is admitted, count: { status: 200 }, atLeast: 1 }
`),
  "id: limits/small\n",
);

const overTime = scenarioReport(
  runReport({
    algorithm: "sliding_log",
    matrix: "matrix: { n: [8, 9] }",
    traffic: "stages: [{ name: flood, rate: $n, for: 3s }]",
  }),
  "",
);

const head = { ...RUN, isComplete: false, faults: ["one", "two", "three", "four"] };

const report = reportOf(head, [scenario, overTime], () => "");

async function pageWith(part: PagePart, figures: readonly Figure[]): Promise<Html> {
  const drawings = new Map<string, Html>();
  const compiled = templates();
  for (const { name, figure } of part.drawnFirst)
    drawings.set(name, trustMarkup(await svgOf(figure, compiled)));
  const rest = [];
  for (const figure of figures) rest.push(trustMarkup(await svgOf(figure, compiled)));
  const page = pageOf([part, part], drawings, {
    policy: NOTHING,
    style: NOTHING,
    script: NOTHING,
    data: "",
    templates: NOTHING,
  });
  return html`${page}${rest}${figures.map(numbersHtml)}`;
}

/** All that the page's script inserts later. */
const lateMarkup = (run: Report): Html =>
  join(
    run.scenarios.flatMap((each, index) => [
      optionsHtml(each),
      variantsHtml(each),
      sourceHtml(each),
      ...each.variants.flatMap((variant, number) => {
        const where = { scenario: index, variant: number };
        return [
          variantHtml(each, where, new Map()),
          refusalsHtml(each, variant, where),
          ...variant.refusals.entries.flatMap(({ first, last }, entry) => [
            refusalHtml(run, each, where, entry),
            requestInEntryHtml(each, variant, entry, first.row + 1),
            ...(last === null ? [] : [requestInEntryHtml(each, variant, entry, last.row)]),
          ]),
        ];
      }),
    ]),
    "\n",
  );

test("the example has a place for every text of a page", () => {
  const { variants } = scenario;
  expect(variants[0]!.refusals.entries).not.toEqual([]);
  expect(variants[0]!.refusals.entries[0]!.filledBy).not.toEqual([]);
  expect(variants[0]!.rejectionCauses).not.toEqual([]);
  expect(variants[0]!.merges.tables).not.toEqual([]);
  expect(variants.map(({ outcome }) => outcome)).toEqual(["fail", "fail"]);
});

test("no string of a run becomes an element of its page", async () => {
  const run = attackReport(report);
  const figures = run.scenarios.flatMap((each) => [
    ...each.figures,
    ...each.variants.flatMap((variant) => variant.figures),
  ]);
  const markup = String(html`${await pageWith(runPart(run), figures)}${lateMarkup(run)}`);
  for (const part of ["title", "file", "source", "about", "variants/0/name"])
    expect(markup).toContain(`id=/scenarios/0/${part}&gt;`);
  expect(markup).toContain("id=/scenarios/0/variants/0/refusals/entries/0/flow&gt;");
  expect(markup).toContain("id=/scenarios/0/variants/0/merges/tables/0/keys/0&gt;");
  expect(attacksIn(markup)).toEqual([]);
});

/** Words that choose a form, which no document of a user can set. */
const CHOICES = /\/(?:kind|word|scale|shape|tone)$/;

const benchRun = (file: string): BenchResult => JSON.parse(runsToCompare[file]!) as BenchResult;

describe.each<[name: string, part: MeasuredPart]>([
  ["a benchmark", benchPart(benchRun("base.json"), null)],
  ["a truth result", truthPart(truth(subject({}), control))],
  [
    "a comparison",
    comparePart(
      compare(
        benchRun("base.json"),
        benchRun("head.json"),
        { minEffect: 0.03, alpha: 0.05, seed: 1 },
        ["busy"],
      ),
    ),
  ],
])("%s", (_, part) => {
  test("has no string that becomes an element of the page", async () => {
    const attacked = structuredClone(part);
    for (const [path, replace] of leavesOf(attacked))
      if (!CHOICES.test(path)) replace(attack(path));
    const markup = String(await pageWith(partOfMeasured("document-1", attacked), []));
    for (const name of ["headline", "title", "sections/0/title", "facts/0/1"])
      expect(markup).toContain(`id=/${name}&gt;`);
    expect(attacksIn(markup)).toEqual([]);
  });
});

test("no command becomes an element of the live page, and no problem one of a badge", () => {
  const badge = badgeSvg({ seed: 1, results: [result()], faults: [attack("problem")] });
  expect(attacksIn(String(livePage(attack("command"), NOTHING, NOTHING)))).toEqual([]);
  expect(attacksIn(badge)).toEqual([]);
});

test("an unescaped string is found in an element and in an attribute", () => {
  const text = String(html`${attack("escaped")}`);
  expect(attacksIn(`<p title="${text}">${text}</p>`)).toEqual([]);
  expect(attacksIn(`<p>${attack("a")}</p>${text}`)).toEqual(["a"]);
  const open = attack("b").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  expect(attacksIn(`<p title="${open}"></p>${text}`)).toEqual(["b"]);
});
