import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { ALGORITHMS } from "#src/limiter/core/algorithms.ts";
import { kindOf } from "#src/studies/bench/read-suite-file.ts";
import { readTruth } from "#src/studies/bench/read-truth.ts";
import type { TruthResult } from "#src/studies/bench/truth-schema.ts";
import { folderWith, weir } from "../../cli/weir.ts";

const SHIPPED = readFileSync(join(import.meta.dirname, "../../../bench/truth.yaml"), "utf8");

const SMALL = SHIPPED.replace(
  /algorithms:[\s\S]*?stores:.*/,
  "algorithms: [gcra]\nstores: [memory]",
)
  .replace("arrivals: poisson", "arrivals: constant")
  .replace("rate: 50", "rate: 20")
  .replace("per: 1s", "per: 250ms")
  .replace("id: truth", "id: small");

test("the suite of Weir measures every algorithm, with every store", () => {
  expect(kindOf(SHIPPED)).toBe("truth");
  expect(readTruth("bench/truth.yaml", SHIPPED)).toMatchObject({
    algorithms: expect.toSatisfy((listed: readonly string[]) =>
      isDeepStrictEqual(listed.toSorted(), ALGORITHMS.toSorted()),
    ) as unknown,
    stores: ["memory", "redis"],
    rate: 50,
    perUs: 1_000_000,
  });
});

test.each([
  ["demand: 2", "demand: 90", "this sends each gateway 7200 requests a second"],
  ["per: 250ms", "per: 1500us", "this must be a multiple of 1 ms"],
  ["rate: 20", "rates: 20", "rate"],
])("%s as %s is a problem with its position", (from, to, text) => {
  const read = readTruth("small.yaml", SMALL.replace(from, to));
  const [problem] = (read as { readonly problems: readonly string[] }).problems;
  expect(problem).toMatch(/^small\.yaml:\d+:\d+ error BENCH-/);
  expect(problem).toContain(text);
});

test("a limiter that keeps its bound passes, and its control is found to be wrong", async () => {
  const folder = folderWith({ "small.yaml": SMALL });
  const { out, err, code } = await weir(folder, ["bench", "small.yaml", "--duration", "2s"]);
  expect(`${err}\n${out}`).toContain("4 gateways at once");
  expect(out).toMatch(/^gcra memory .* within$/m);
  expect(out).toMatch(/^\(twice the rate\) .* outside$/m);
  expect(out).toMatch(/^\(half as much again\) .* outside$/m);
  expect(out).toMatch(/^\(a tenth of the rate\) .* outside$/m);
  const file = join(folder, "reports/runs/bench-small.json");
  const result = JSON.parse(readFileSync(file, "utf8")) as TruthResult;
  expect(result).toMatchObject({
    format: "weir-truth/1",
    perSecond: 160,
    stopped: null,
    footer: { subjects: 4, outside: 0, errors: 0 },
  });
  const [gcra, twice, , tenth] = result.subjects;
  expect(gcra).toMatchObject({ answers: 320, bound: { most: 39 }, tooSoon: 0 });
  expect(gcra!.lengths.map(({ us }) => us)).toEqual([250_000, 1_000_000, 2_000_000]);
  expect(gcra!.byGateway.map(({ us }) => us)).toEqual([1_000_000]);
  expect(twice!.byGateway[0]!.overshoot.mean).toBeGreaterThan(0.3);
  expect(tenth!.tooSoon).toBeGreaterThan(100);
  // On a busy machine the run proves nothing and warns; a wrong limiter is found all the same.
  expect(result.warnings.filter((warning) => warning.includes("control"))).toEqual([]);
  expect(code).toBe(result.warnings.length === 0 ? 0 : 5);
});
