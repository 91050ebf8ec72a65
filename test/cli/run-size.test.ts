import { serialize } from "node:v8";
import { expect, test } from "vitest";
import { largeRuns, tooLarge } from "#src/cli/run-size.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import { BYTES_A_REQUEST, countPlannedRequests, sizeOf } from "#src/lab/scenario/plan/size.ts";
import { playVariant } from "#src/lab/drivers/virtual.node.ts";
import { sample } from "./samples.ts";
import { folderWith, weir } from "./weir.ts";

const scenarioOf = (shape: string) =>
  decode(
    "limits/one.yaml",
    sample("limits/one", {
      traffic: `\n  - { name: first, as: alice, send: GET /orders, ${shape} }`,
      expect: "\n  - { id: some, count: { status: 200 }, atLeast: 1 }",
    }),
  ).scenario!;

test.each([
  "burst: 40",
  "every: 1s, count: 7",
  "rate: 10, for: 3s",
  "stages: [{ name: up, rate: 0, rateTo: 10, for: 20s }]",
])("what %s plans is known without planning it", (shape) => {
  const [variant] = scenarioOf(shape).variants;
  const planned = plan(variant!, "limits/one", 1).atUs.length;
  expect(Math.abs(countPlannedRequests(variant!) - planned)).toBeLessThanOrEqual(2);
});

test("the history of a run takes at most what is estimated for a run, and at least a quarter of it", async () => {
  const requests = 50_000;
  const [variant] = scenarioOf(`burst: ${requests}`).variants;
  const history = await playVariant(variant!, plan(variant!, "limits/one", 1));
  expect(history.requests.length).toBe(requests);
  const { bytes } = sizeOf({ variants: [variant!] }, false);
  expect(bytes).toBe(requests * BYTES_A_REQUEST);
  // Counted, because a heap that is measured holds whatever other tests have left there.
  const counted = serialize(history).byteLength;
  expect(counted).toBeLessThanOrEqual(bytes);
  expect(counted).toBeGreaterThanOrEqual(bytes / 4);
});

test("what does not fit is refused with its size before it starts", () => {
  const file = { file: "big.yaml", requests: 50_000_000, variants: 1, bytes: 25e9 };
  expect(tooLarge([file], 1, 30e9)).toBeNull();
  expect(tooLarge([file], 1, 0)).toBeNull(); // without /proc Node knows no memory
  expect(tooLarge([file], 1, 20e9)).toMatch(
    /^big\.yaml: 50,000,000 requests in 1 variant take at least 25\.0 GB of memory, and 20\.0 GB are free; send less/,
  );
  expect(tooLarge([file, { ...file, file: "other.yaml" }], 2, 30e9)).toMatch(/^big\.yaml: /);
  expect(largeRuns([file, { ...file, requests: 1000 }])).toHaveLength(1);
});

test("variants that are compared are held together", () => {
  const { variants } = scenarioOf("burst: 10");
  const two = { variants: [...variants, ...variants] };
  expect(sizeOf(two, true).bytes).toBe(2 * sizeOf(two, false).bytes);
});

test("a file with errors leaves no result of an earlier run behind, and is a JSON document and an annotation", async () => {
  const folder = folderWith({
    "a.yaml": sample("limits/one").replace("rate: 5", "ratee: 5"),
    "s.xml": '<testsuites failures="0"/>',
  });
  const { code, out, err } = await weir(folder, ["run", "a.yaml", "--json", "-o", "junit=s.xml"], {
    GITHUB_ACTIONS: "true",
  });
  expect(code).toBe(2);
  expect(JSON.parse(out)).toMatchObject({
    format: "weir-faults/1",
    command: "run",
    exitCode: 2,
    faults: [{ file: "a.yaml", line: 6, code: "CFG-UNKNOWN-FIELD" }],
  });
  expect(err).toMatch(/^::error file=a\.yaml,line=6,col=\d+,title=weir::CFG-UNKNOWN-FIELD /m);
});
