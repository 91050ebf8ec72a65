import { expect, test } from "vitest";
import { runsOf } from "#src/lab/run/pipeline.ts";
import { virtual } from "#src/lab/drivers/virtual.node.ts";
import { scenarioReport, type ReportedScenario } from "#src/lab/report/build/report-of.ts";
import { mostEntries, refusalsOf } from "#src/lab/report/build/refusals.ts";
import { drawableOf } from "#src/show/figures/drawable-of.ts";
import {
  requestInEntryHtml,
  entryWith,
  refusalFigure,
  refusalHtml,
  refusalsHtml,
} from "#src/show/html/refusals.ts";
import { rejectionsHtml, totalsHtml } from "#src/show/html/totals.ts";
import { verdictsHtml } from "#src/show/html/verdicts.ts";
import type { ScenarioReport, VariantReport } from "#src/lab/report/model.ts";
import { REQUIREMENTS } from "#src/limiter/spec/requirements.ts";
import { runReportOfText, scenarioOf } from "./small-runs.ts";

interface World {
  readonly limit?: string;
  readonly algorithm?: string;
  readonly flow: string;
  readonly expect?: string;
}

const textOf = ({
  limit = "rate: 5, per: 1",
  algorithm = "fixed_window",
  flow,
  expect: expected = "{ id: counted, count: {}, atLeast: 1 }",
}: World): string => `id: limits/small
title: small
about: small
proves: [LIM-1]
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], ${limit} } }
  gateway: { algorithm: ${algorithm} }
traffic:
  - { send: GET /orders, ${flow} }
expect:
  - ${expected}
`;

const runReport = (world: World): ReportedScenario => runReportOfText(textOf(world));

const reportWith = (world: World): ScenarioReport => scenarioReport(runReport(world), "");
const requirements = REQUIREMENTS.map(({ id, tier, text }) => ({ id, tier, text, isBuilt: true }));
const entryHtml = (scenario: ScenarioReport, entry = 0): string =>
  String(refusalHtml({ requirements }, scenario, { scenario: 0, variant: 0 }, entry));

// Five a second, eight at once: five pass, three do not, and the window ends a second after it began.
const burst = reportWith({ flow: "name: first, as: alice, burst: 8" });

test("equal refusals of a flow are one entry, which names the requests that filled the budget", () => {
  expect(burst.variants[0]!.refusals).toEqual({
    budgets: [
      {
        name: "key/1000000us|key:alice",
        scope: "key",
        algorithm: "fixed_window",
        rate: 5,
        perUs: 1_000_000,
        because: ["LIM-13"],
      },
    ],
    entries: [
      {
        flow: "first",
        status: 429,
        reason: "rate",
        budget: 0,
        count: 3,
        first: {
          row: 5,
          request: "first:6",
          atUs: 0,
          explained: {
            agrees: "yes",
            text: "alice got 429: all 5 requests per second for this key were used; the same request would have been admitted 1 s later.",
            passesAtUs: 1_000_000,
            missedByUs: 1_000_000,
          },
        },
        last: expect.objectContaining({ row: 7, request: "first:8" }),
        cited: [expect.objectContaining({ row: 6, request: "first:7" })],
        citedRows: [5, 6, 7],
        filledBy: [{ flow: "first", fromUs: 0, toUs: 0, count: 5, what: "admitted" }],
        unlisted: 0,
        since: null,
      },
    ],
    leftOut: { entries: 0, requests: 0 },
  });
});

test("an entry opens to all of it, in words", () => {
  const html = entryHtml(burst);
  for (const words of [
    "<dt>why</dt><dd>alice got 429: all 5 requests per second for this key were used; the same request would have been admitted 1 s later.</dd>",
    '<a href="#r-LIM-13">LIM-13</a>: There are limits',
    "5 of first, at 0s: admitted",
    "first:6 at 1s: it was sent 1s too early",
    "first:8 at 1s: it was sent 1s too early",
    "requires this response",
    "weir explain scenarios/limits/small.yaml first:6 --seed 1",
  ])
    expect(html).toContain(words);
});

test("an address that names a request inside an entry shows that request", () => {
  const [variant] = burst.variants as [VariantReport];
  const requestHtml = (row: number): string => String(requestInEntryHtml(burst, variant, 0, row));
  expect(requestHtml(5)).toBe(""); // the entry begins with it
  expect(requestHtml(6)).toContain(
    "first:7 at 0s of these 3 is the request of this address: alice got 429: all 5 requests per second for this key were used; the same request would have been admitted 1 s later.",
  );
  expect(requestHtml(6)).toContain("weir explain scenarios/limits/small.yaml first:7 --seed 1");
  const uncited: VariantReport = {
    ...variant,
    refusals: {
      ...variant.refusals,
      entries: variant.refusals.entries.map((entry) => ({ ...entry, cited: [], citedRows: [] })),
    },
  };
  expect(entryWith(uncited, 6)).toBe(0);
  expect(String(requestInEntryHtml(burst, uncited, 0, 6))).toContain(
    "This address names request 6, between the first and the last of these 3",
  );
});

test("its drawing has the window, who filled it, the request and the moment of room", () => {
  const { kind, data, signals } = drawableOf(refusalFigure(burst.variants[0]!, 0)!);
  expect(kind).toBe("refusal");
  expect(data["windows"]).toMatchObject([{ from: 0, to: 1_000, tip: "the window, 0s to 1s" }]);
  expect(data["names"]).toEqual([{ row: 0, text: "first" }]);
  expect(data["pieces"]).toMatchObject([{ from: 0, to: 0, text: "5" }]);
  expect(data["moments"]).toMatchObject([{ at: 0 }, { at: 1_000, tip: "admission from 1s on" }]);
  // Of a lane that is 34 pixels high 14 are its name's.
  const strokes = data["strokes"]!;
  expect(strokes).toMatchObject([{ at: 0 }, { at: 1_000 }]);
  for (const { high } of strokes) expect(Number(high) * 34).toBeGreaterThan(14);
  expect(signals).toMatchObject({ from: -60, until: 1_060, rows: 1, xTitle: "milliseconds" });
});

test("a log is filled by what it refused, too", () => {
  const scenario = reportWith({
    algorithm: "sliding_log",
    flow: "name: first, as: alice, burst: 8 }\n  - { send: GET /orders, name: then, as: alice, burst: 1, at: 0.5s",
  });
  expect(scenario.variants[0]!.refusals.entries[1]).toMatchObject({
    flow: "then",
    last: null,
    filledBy: [
      { flow: "first", count: 5, what: "admitted" },
      { flow: "first", count: 3, what: "refused" },
    ],
    first: { explained: { passesAtUs: 1_000_000, missedByUs: 500_000 } },
  });
  expect(entryHtml(scenario, 1)).toContain("3 of first, at 0s: refused, and counted");
});

test("rejections are no refusals: they are counted and listed by their reasons", () => {
  const scenario = reportWith({ flow: "name: first, burst: 2" });
  const [variant] = scenario.variants as [VariantReport];
  expect(variant.refusals.entries).toEqual([]);
  expect(variant).toMatchObject({ admitted: 0, refused: 0, rejected: 2, rejections: { 401: 2 } });
  expect(variant.rejectionCauses).toEqual([
    {
      status: 401,
      cause: "orders needs a key, and flow first sends none",
      count: 2,
      first: "first:1",
    },
  ]);
  const html = String(rejectionsHtml(variant));
  expect(html).toContain("2 rejections, before any limit");
  expect(html).toContain("orders needs a key, and flow first sends none, first first:1");
  expect(String(totalsHtml(variant))).toContain(
    "2 requests offered, 0 (0 %) admitted, 0 (0 %) refused, 2 (100 %) rejected: 2 × 401",
  );
});

test("omitted refusals are counted, with the command that shows them", () => {
  const judged = runReport({
    algorithm: "token_bucket",
    flow: "name: first, as: alice, every: 100ms, count: 60",
  });
  const [{ variant, history, result }] = judged.runs as [(typeof judged.runs)[number]];
  const whole = refusalsOf({ variant, history: history!, verdicts: [] }, 200);
  const cut = refusalsOf({ variant, history: history!, verdicts: [] }, 3);
  expect(whole.entries.length).toBeGreaterThan(3);
  expect(cut.entries.map(({ first }) => first)).toEqual(
    whole.entries.slice(0, 3).map(({ first }) => first),
  );
  expect(cut.entries.every(({ filledBy }) => filledBy.length <= 10)).toBe(true);
  expect(cut.leftOut.entries).toBe(whole.entries.length - 3);
  const counted = [...cut.entries].reduce((sum, { count }) => sum + count, cut.leftOut.requests);
  expect(counted).toBe(result.refused);
  const scenario = scenarioReport(judged, "");
  const html = String(
    refusalsHtml(
      scenario,
      { ...scenario.variants[0]!, refusals: cut },
      { scenario: 0, variant: 0 },
    ),
  );
  expect(html.match(/<details class="refusal"/g)).toHaveLength(3);
  expect(html).toContain("weir explain scenarios/limits/small.yaml REQUEST --seed 1");
});

test.each([
  [1, 200],
  [20, 200],
  [100, 40],
  [1_000, 10],
])("of %d variants each may have %d entries", (variants, most) => {
  expect(mostEntries(variants)).toBe(most);
});

test("no more than forty stretches filled a budget; those that are left out are counted", () => {
  const scenario = reportWith({
    algorithm: "sliding_log",
    limit: "rate: 70, per: 10000",
    flow: "name: first, as: alice, every: 260s, count: 40 }\n  - { send: GET /orders, name: then, as: alice, every: 260s, count: 40, at: 130s",
  });
  const [entry] = scenario.variants[0]!.refusals.entries;
  expect([entry!.filledBy.length, entry!.unlisted]).toEqual([40, 30]);
  expect(entry!.filledBy.at(-1)).toMatchObject({ fromUs: 69 * 130_000_000, count: 1 });
});

test("evidence of a verdict leads to the entry that holds it", () => {
  const scenario = reportWith({
    flow: "name: first, as: alice, burst: 8",
    expect: "{ id: nobody is refused, sequence: {}, equals: 8*200 }",
  });
  const { verdicts, refusals } = scenario.variants[0]!;
  expect(verdicts[0]!.evidence).toEqual([1, 2, 3, 4, 5]);
  expect(refusals.entries[0]!.citedRows).toEqual([5]);
  const html = String(verdictsHtml(scenario, { scenario: 0, variant: 0 }));
  expect(html).toContain(
    'first:4, first:5, <a href="#s-limits_small?variant=&amp;refusal=5">first:6</a>',
  );
});

test("names of flows and keys are shown as they are and become no part of the page", () => {
  const sly = `<img src=x onerror="alert(1)">'`;
  const scenario = reportWith({ flow: `name: ${JSON.stringify(sly)}, as: alice, burst: 8` });
  const list = refusalsHtml(scenario, scenario.variants[0]!, { scenario: 0, variant: 0 });
  const html = `${String(list)}${entryHtml(scenario)}`;
  expect(html).not.toMatch(/<img|onerror="/);
  expect(html).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;");
});

test("a call that set the limit is named, with its time and its content", async () => {
  const text = textOf({
    flow: "name: first, as: alice, burst: 8, at: 2s }\n  - { at: 1s, name: lower, call: PUT admin/org/keys/alice, body: { rate: 2 }",
  });
  const decoded = scenarioOf(text);
  const runs = await Array.fromAsync(runsOf(decoded, decoded.variants, 1, virtual()));
  const scenario = scenarioReport({ scenario: decoded, runs }, text);
  const [entry] = scenario.variants[0]!.refusals.entries;
  expect(entry!.since).toEqual({
    atUs: 1_000_000,
    call: "lower",
    request: "PUT /admin-api/admin/org/keys/alice",
  });
  expect(entryHtml(scenario)).toContain(
    "the call `lower` at 1s: PUT /admin-api/admin/org/keys/alice",
  );
  expect(entryHtml(scenario)).toContain("all 2 requests per second for this key were used");
});
