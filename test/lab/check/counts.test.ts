import { expect, test } from "vitest";
import { countDecisions, describeOpen } from "#src/lab/check/counts.ts";
import { result, verdict } from "../../histories/result.ts";

const resultWith = (examined: number, open: number) =>
  result({ verdicts: [verdict(), verdict({ examined, open })] });

test("open decisions are counted over all verdicts that compare them with the specification", () => {
  const results = [resultWith(48, 1), result(), resultWith(152, 2)];
  expect(countDecisions(results)).toEqual({ compared: 200, open: 3 });
  expect(describeOpen(results)).toBe(
    "3 of 200 compared decisions are open (1.5 %): the specification allows both outcomes",
  );
});

test("one decision that is open is one", () => {
  expect(describeOpen([resultWith(1, 1)])).toBe(
    "1 of 1 compared decision is open (100.0 %): the specification allows both outcomes",
  );
});

test("where none is open or compared there is nothing to report", () => {
  expect(describeOpen([resultWith(48, 0)])).toBeNull();
  expect(describeOpen([result()])).toBeNull();
  expect(countDecisions([result()])).toEqual({ compared: 0, open: 0 });
});
