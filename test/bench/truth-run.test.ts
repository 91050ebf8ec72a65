import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isTruth, readTruth } from "../../src/bench/read-truth.ts";
import type { TruthResult } from "../../src/bench/truth.ts";
import { folderWith, weir } from "../cli/weir.ts";

const SHIPPED = readFileSync(join(import.meta.dirname, "../../bench/truth.yaml"), "utf8");

const SMALL = SHIPPED.replace(
  /algorithms:[\s\S]*?stores:.*/,
  "algorithms: [gcra]\nstores: [memory]",
)
  .replace("arrivals: poisson", "arrivals: constant")
  .replace("id: truth", "id: small");

test("the suite that comes with Weir asks every algorithm over every store", () => {
  expect(isTruth(SHIPPED)).toBe(true);
  expect(readTruth("bench/truth.yaml", SHIPPED)).toMatchObject({
    suite: { algorithms: { length: 9 }, stores: ["memory", "redis"], rate: 50, perUs: 1_000_000 },
  });
});

test.each([
  ["demand: 2", "demand: 90", "this offers each gateway 4500 requests a second"],
  ["per: 1s", "per: 1500us", "no whole number of milliseconds"],
  ["rate: 50", "rates: 50", "rate"],
])("%s as %s is refused with its place", (from, to, says) => {
  const read = readTruth("small.yaml", SMALL.replace(from, to));
  const [fault] = (read as { readonly faults: readonly string[] }).faults;
  expect(fault).toMatch(/^small\.yaml:\d+:\d+ BENCH-/);
  expect(fault).toContain(says);
});

test("a limiter that keeps its bound passes, and the control beside it is seen to be wrong", () => {
  const folder = folderWith({ "small.yaml": SMALL });
  const { out, err, code } = weir(folder, ["bench", "small.yaml", "--lasts", "1500ms"]);
  expect(`${err}\n${out}`).toContain("2 gateways at once");
  expect(out).toMatch(/^gcra memory .* within$/m);
  expect(out).toMatch(/^\(twice the rate\) .* outside$/m);
  const file = join(folder, "reports/runs/bench-small.json");
  const result = JSON.parse(readFileSync(file, "utf8")) as TruthResult;
  expect(result).toMatchObject({
    format: "weir-truth/1",
    perSecond: 100,
    stopped: null,
    footer: { subjects: 2, outside: 0, errors: 0 },
  });
  const [gcra, control] = result.subjects;
  expect(gcra).toMatchObject({ answers: 150, bound: { most: 99 } });
  expect(gcra!.byGateway.map(({ us }) => us)).toEqual([1_000_000]);
  expect(control!.byGateway[0]!.overshoot.mean).toBeGreaterThan(0.8);
  expect(code).toBe(0);
});
