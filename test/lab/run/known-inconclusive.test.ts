import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isFailure, requireValue } from "#src/kit/reading/failure.ts";
import {
  addRun,
  compareWithList,
  EMPTY_LIST,
  inconclusiveListText,
  readInconclusiveList,
} from "#src/lab/run/known-inconclusive.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";
import type { Result } from "#src/lab/scenario/verdict.ts";
import { result } from "../../histories/result.ts";

const resultOf = (scenario: string, outcome: Result["outcome"]): Result =>
  result({ scenario, variant: "n=1", driver: "redis", outcome });

const first = addRun(EMPTY_LIST, "redis", [
  resultOf("limits/b", "inconclusive"),
  resultOf("limits/a", "inconclusive"),
  resultOf("limits/c", "pass"),
]);

test("a list has each inconclusive variant in the order of names, and in how many of the runs it was inconclusive", () => {
  const second = addRun(first, "redis", [
    resultOf("limits/a", "inconclusive"),
    resultOf("limits/b", "pass"),
  ]);
  expect(second.drivers).toEqual({
    redis: {
      runs: 2,
      variants: [
        { scenario: "limits/a", variant: "n=1", inconclusive: 2 },
        { scenario: "limits/b", variant: "n=1", inconclusive: 1 },
      ],
    },
  });
  expect(readInconclusiveList(inconclusiveListText(second))).toEqual(second);
});

test("a run differs by inconclusive variants that are not listed, and by listed ones that passed or did not run", () => {
  const unlisted = resultOf("limits/d", "inconclusive");
  const drift = compareWithList(first, "redis", [
    resultOf("limits/a", "inconclusive"),
    resultOf("limits/b", "pass"),
    resultOf("limits/c", "fail"),
    unlisted,
  ]);
  const decided = [{ name: "limits/b n=1", inconclusive: 1, runs: 1 }];
  expect(drift).toEqual({ unlisted: [unlisted], decided, absent: [] });
  expect(compareWithList(first, "redis", []).absent).toEqual(["limits/a n=1", "limits/b n=1"]);
  expect(compareWithList(first, "embedded", [unlisted]).unlisted).toEqual([unlisted]);
});

const listWith = (redis: unknown): string =>
  JSON.stringify({ format: "weir-inconclusive/1", drivers: { redis } });

test.each([
  ["{", "this is not JSON"],
  ["[]", "this is no list of format weir-inconclusive/1"],
  [JSON.stringify({ format: "weir-inconclusive/1" }), "it has no drivers"],
  [listWith([]), "its driver redis has a field of the wrong type"],
  [listWith({ runs: 0, variants: [] }), "its driver redis has a field of the wrong type"],
  [
    listWith({ runs: 1, variants: [{ scenario: "a", variant: "", inconclusive: 2 }] }),
    "its driver redis has a field of the wrong type",
  ],
])("%s is no list", (text, why) => {
  const read = readInconclusiveList(text);
  expect(isFailure(read) && read.message).toContain(why);
});

/** Of .ci/run, by driver. These numbers may only shrink. */
const MOST_LISTED: Readonly<Record<string, number>> = { embedded: 6, redis: 9 };

test("the list of the build machine has variants of the suite alone, and is no longer than it was", () => {
  const root = join(import.meta.dirname, "../../..");
  const text = readFileSync(join(root, "reports/reference/inconclusive.json"), "utf8");
  const { drivers } = requireValue(readInconclusiveList(text));
  expect(Object.keys(drivers).toSorted()).toEqual(Object.keys(MOST_LISTED));
  for (const [name, { variants }] of Object.entries(drivers)) {
    expect(variants.length).toBeLessThanOrEqual(MOST_LISTED[name]!);
    for (const { scenario, variant } of variants) {
      const file = join(root, `scenarios/${scenario}.yaml`);
      const { variants: known } = decode(file, readFileSync(file, "utf8")).scenario!;
      expect(known.map((one) => one.name)).toContain(variant);
    }
  }
});
