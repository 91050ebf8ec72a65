// A file of the suite raises the bound of open decisions no further than its variants need.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isFailure } from "#src/kit/reading/failure.ts";
import { readConformance } from "#src/show/conformance/read-conformance.ts";
import { MOST_OPEN_SHARE } from "#src/lab/scenario/expectation.ts";

const root = join(import.meta.dirname, "../../..");
const BOUND = /open: \{ atMost: ([\d.]+), because: \S.* \}/g;
const STEP = 0.05;

const bounds = readdirSync(join(root, "scenarios"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".yaml"))
  .flatMap((name) => {
    const text = readFileSync(join(root, "scenarios", name), "utf8");
    const id = name.replaceAll("\\", "/").slice(0, -".yaml".length);
    return [...text.matchAll(BOUND)].map(([, atMost]) => ({ id, atMost: Number(atMost) }));
  });

/** The largest share of a scenario's variants, by the reference. */
function largestShareOf(id: string): number {
  const reference = readConformance(
    readFileSync(join(root, "reports/reference/conformance.json"), "utf8"),
  );
  if (isFailure(reference)) throw new Error(reference.message);
  const { variants } = reference.scenarios.find((scenario) => scenario.id === id)!;
  const shares = variants.flatMap(({ verdicts }) =>
    verdicts.map((verdict) => {
      const [, examined, open] = /^pass (\d+), (\d+) open$/.exec(verdict ?? "") ?? [];
      return open === undefined ? 0 : Number(open) / Number(examined);
    }),
  );
  return Math.max(...shares);
}

test("there are files whose subject leaves decisions open", () => {
  expect(bounds.length).toBeGreaterThan(0);
});

test.each(bounds)("$id needs its bound of $atMost", ({ id, atMost }) => {
  const share = largestShareOf(id);
  expect(share).toBeGreaterThan(MOST_OPEN_SHARE);
  expect(share).toBeLessThanOrEqual(atMost);
  expect(atMost - share).toBeLessThan(STEP);
});
