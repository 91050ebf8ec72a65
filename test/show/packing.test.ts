// The page's script gets the report that was packed, without sentences that the page has as text.
import { expect, test } from "vitest";
import { scenarioReport } from "#src/lab/report/build/report-of.ts";
import type { RefusedRequest } from "#src/lab/report/model-refusals.ts";
import { packRun, unpackRun } from "#src/show/html/packing.ts";
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

test("a packed report has all but the sentences of later refusals and of scenarios", () => {
  const scenario = scenarioReport(runReportOfText(SCENARIO), "");
  const answer = [{ id: "counts", text: "4 of 9 requests are refused.", numbers: { refused: 4 } }];
  const report = reportWith([{ ...scenario, answer }]);
  const [entry] = scenario.variants[0]!.refusals.entries;
  expect(entry!.first.explained!.text).toMatch(/^alice got 429: /);
  expect([entry!.filledBy.length, entry!.cited.length]).toEqual([1, 2]);
  const unpacked = unpackRun(
    JSON.parse(JSON.stringify(packRun(report))) as ReturnType<typeof packRun>,
  );
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
  expect(unpacked).toEqual(JSON.parse(JSON.stringify(expected)));
});
