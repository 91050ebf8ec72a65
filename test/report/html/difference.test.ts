import { expect, test } from "vitest";
import { differenceOf } from "../../../src/report/html/difference.ts";

test.each<[expected: string, observed: string, left: string, right: string, inWords: string]>([
  [
    "5*200 3*429",
    "4*200 4*429",
    "<mark>5*200</mark> 3*429",
    "<mark>4*200</mark> 4*429",
    "number 5: 200 was expected, and 429 was observed",
  ],
  [
    "5*200 3*429",
    "5*200",
    "5*200 <mark>3*429</mark>",
    "5*200<mark>(nothing)</mark>",
    "number 6: 429 was expected, and nothing more was observed",
  ],
  [
    "200 429",
    "200 403",
    "200 <mark>429</mark>",
    "200 <mark>403</mark>",
    "number 2: 429 was expected, and 403 was observed",
  ],
  [
    "RateLimitSmoothingUp",
    "nothing",
    "<mark>RateLimitSmoothingUp</mark>",
    "nothing<mark>(nothing)</mark>",
    "number 1: RateLimitSmoothingUp was expected, and nothing more was observed",
  ],
  [
    "5*200",
    "8*200",
    "<mark>5*200</mark>",
    "<mark>8*200</mark>",
    "number 6: nothing more was expected, and 200 was observed",
  ],
  [
    "4*200 4*429",
    "5*200 3*429; differs at second:5 (t=1.1s): expected 429, got 200",
    "<mark>4*200</mark> 4*429",
    "<mark>5*200</mark> 3*429",
    "second:5 (t=1.1s): expected 429, got 200",
  ],
  [
    "at most 5",
    "7 of 8",
    "at most <mark>5</mark>",
    "<mark>7</mark> of 8",
    "at most 5 was expected, and 7 was observed",
  ],
  [
    "between 3 and 5",
    "7",
    "between 3 and <mark>5</mark>",
    "<mark>7</mark>",
    "at most 5 was expected, and 7 was observed",
  ],
  [
    "between 3 and 5, among at least 4",
    "[1, 2] of 8",
    "between <mark>3</mark> and 5, among at least 4",
    "[<mark>1, 2</mark>] of 8",
    "at least 3 was expected, and 1 to 2 was observed",
  ],
  [
    "at most 2 store commands a request, in all",
    "[1, 3]",
    "at most <mark>2</mark> store commands a request, in all",
    "[1, <mark>3</mark>]",
    "at most 2 was expected, and 3 was observed",
  ],
  [
    "4 in any 1s",
    "5 in the 1s up to t=900ms",
    "<mark>4</mark> in any 1s",
    "<mark>5</mark> in the 1s up to t=900ms",
    "4 was expected, and 5 was observed",
  ],
  [
    "at least 1s",
    "gaps of [900ms, 1.5s]",
    "at least <mark>1s</mark>",
    "gaps of [<mark>900ms</mark>, 1.5s]",
    "at least 1s was expected, and 900ms was observed",
  ],
  [
    "[3, 5]",
    "[3, 6]",
    "[3, <mark>5</mark>]",
    "[3, <mark>6</mark>]",
    "5 was expected, and 6 was observed",
  ],
  [
    "0.5s",
    "0.25s",
    "<mark>0.5s</mark>",
    "<mark>0.25s</mark>",
    "0.5s was expected, and 0.25s was observed",
  ],
])("%s beside %s", (expected, observed, left, right, inWords) => {
  expect(differenceOf(expected, observed, "fail")).toEqual({
    expected: left,
    observed: right,
    inWords,
  });
});

test("nothing is marked where no word of one answers to a word of the other", () => {
  for (const [expected, observed] of [
    ["5*200", "5*200"],
    ["retry-after 1", "retry-after absent"],
    ["no fault", "<b>"],
    ["allowance always between 2 and 8", "17 samples from 2 to 9, first 9 at t=3s"],
    ["at most 5, among at least 4", "[3, 5] of 8"],
  ] as const) {
    const difference = differenceOf(expected, observed, "fail");
    expect(difference.inWords).toBe(null);
    expect(`${difference.expected}${difference.observed}`).not.toMatch(/<mark>|<b>/);
  }
});

test("what is left open is not said to differ", () => {
  const { inWords, observed } = differenceOf("at most 5", "[4, 6] of 8", "inconclusive");
  expect(inWords).toBe(null);
  expect(observed).toBe("[4, 6] of 8");
});

test("long texts are cut around what differs, and all of them is escaped", () => {
  const long = `${"<i> ".repeat(400)}1 ${"<u> ".repeat(400)}`;
  const { expected } = differenceOf(long, long.replace("1", "2"), "fail");
  expect(expected).toMatch(/^….*<mark>1<\/mark>.*…$/);
  expect(expected.length).toBeLessThan(2_000);
  expect(expected).not.toMatch(/<[iu]>/);
});
