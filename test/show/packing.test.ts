// The page's script gets the report that was packed: by columns, and without sentences that the page has as text.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { scenarioReport } from "#src/lab/report/build/report-of.ts";
import type { RefusedRequest } from "#src/lab/report/model-refusals.ts";
import { packColumn, unpackColumn, type PackedColumn } from "#src/show/html/columns.ts";
import { withoutRepeats } from "#src/show/html/packing.ts";
import { holds } from "../runs.ts";
import { reportWith } from "./report-with.ts";
import { runReportOfText } from "./small-runs.ts";

const SCENARIO = `id: limits/small
title: small
about: small
proves: [LIM-1]
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 5, per: 1 } }
traffic:
  - { send: GET /orders, name: first, as: alice, burst: 9 }
expect:
  - { id: refused, count: { status: 429 }, equals: 4 }
`;

const throughText = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const packAndUnpack = (value: unknown): unknown =>
  unpackColumn(throughText(packColumn([value])) as PackedColumn)[0];

test("a packed report has all but the sentences of later refusals and of scenarios", () => {
  const scenario = scenarioReport(runReportOfText(SCENARIO), "");
  const answer = [{ id: "counts", text: "4 of 9 requests are refused.", numbers: { refused: 4 } }];
  const report = reportWith([{ ...scenario, answer }]);
  const [entry] = scenario.variants[0]!.refusals.entries;
  expect(entry!.first.explained!.text).toMatch(/^alice got 429: /);
  expect([entry!.filledBy.length, entry!.cited.length]).toEqual([1, 2]);
  const withoutText = (request: RefusedRequest): RefusedRequest => ({
    ...request,
    explained: request.explained === null ? null : { ...request.explained, text: "" },
  });
  const [variant] = scenario.variants;
  const refusals = {
    ...variant!.refusals,
    entries: [{ ...entry!, last: withoutText(entry!.last!), cited: entry!.cited.map(withoutText) }],
  };
  const expected = {
    ...report,
    scenarios: [{ ...scenario, variants: [{ ...variant!, refusals }] }],
  };
  expect(packAndUnpack(withoutRepeats(report))).toEqual(throughText(expected));
});

test("any document is the same by columns, and its text shorter if its rows are alike", () => {
  const field = fc.constantFrom("a", "b", "__proto__", "constructor", "");
  const { document } = fc.letrec((tie) => ({
    document: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      fc.oneof(fc.jsonValue({ maxDepth: 0 }), fc.constantFrom("x", 1, null)),
      fc.array(tie("document"), { maxLength: 4 }),
      fc.dictionary(field, tie("document"), { noNullPrototype: true, maxKeys: 3 }),
    ),
  }));
  const property = fc.property(document, (value) => {
    expect(packAndUnpack(value)).toEqual(throughText(value));
  });
  holds(property, 500);
  const rows = Array.from({ length: 50 }, (_, at) => ({ name: `row ${at}`, isWhole: true }));
  expect(JSON.stringify(packColumn([rows])).length).toBeLessThan(JSON.stringify(rows).length / 2);
});

test("a field that is absent in some rows stays absent", () => {
  const rows = [{ a: 1 }, {}, { a: null, b: [] }, { b: [{ c: undefined }] }];
  expect(packAndUnpack(rows)).toStrictEqual([{ a: 1 }, {}, { a: null, b: [] }, { b: [{}] }]);
});
