import { expect, test } from "vitest";
import { differenceOf as htmlOf, type MarkedDifference } from "#src/show/html/difference.ts";

/** As it is written into a page. */
function differenceOf(
  ...texts: Parameters<typeof htmlOf>
): Readonly<Record<"expected" | "observed", string>> & Pick<MarkedDifference, "place"> {
  const { expected, observed, place } = htmlOf(...texts);
  return { expected: String(expected), observed: String(observed), place };
}

test.each<[expected: string, observed: string, left: string, right: string, place: string | null]>([
  [
    "5*200 3*429",
    "4*200 4*429",
    "<mark>5*200</mark> 3*429",
    "<mark>4*200</mark> 4*429",
    "number 5",
  ],
  ["5*200 3*429", "5*200", "5*200 <mark>3*429</mark>", "5*200<mark>(nothing)</mark>", "number 6"],
  ["200 429", "200 403", "200 <mark>429</mark>", "200 <mark>403</mark>", "number 2"],
  [
    "RateLimitSmoothingUp",
    "nothing",
    "<mark>RateLimitSmoothingUp</mark>",
    "nothing<mark>(nothing)</mark>",
    "number 1",
  ],
  ["5*200", "8*200", "<mark>5*200</mark>", "<mark>8*200</mark>", "number 6"],
  [
    "4*200 4*429",
    "5*200 3*429; differs at second:5 (t=1.1s): expected 429, got 200",
    "<mark>4*200</mark> 4*429",
    "<mark>5*200</mark> 3*429",
    "second:5 (t=1.1s)",
  ],
  ["at most 5", "7 of 8", "at most <mark>5</mark>", "<mark>7</mark> of 8", null],
  ["between 3 and 5", "7", "between 3 and <mark>5</mark>", "<mark>7</mark>", null],
  [
    "between 3 and 5, among at least 4",
    "[1, 2] of 8",
    "between <mark>3</mark> and 5, among at least 4",
    "[<mark>1, 2</mark>] of 8",
    null,
  ],
  [
    "at most 2 store commands a request, in all",
    "[1, 3]",
    "at most <mark>2</mark> store commands a request, in all",
    "[1, <mark>3</mark>]",
    null,
  ],
  [
    "4 in any 1s",
    "5 in the 1s up to t=900ms",
    "<mark>4</mark> in any 1s",
    "<mark>5</mark> in the 1s up to t=900ms",
    null,
  ],
  [
    "at least 1s",
    "gaps of [900ms, 1.5s]",
    "at least <mark>1s</mark>",
    "gaps of [<mark>900ms</mark>, 1.5s]",
    null,
  ],
  ["[3, 5]", "[3, 6]", "[3, <mark>5</mark>]", "[3, <mark>6</mark>]", null],
  ["0.5s", "0.25s", "<mark>0.5s</mark>", "<mark>0.25s</mark>", null],
])("%s with %s", (expected, observed, left, right, place) => {
  expect(differenceOf(expected, observed, "fail")).toEqual({
    expected: left,
    observed: right,
    place,
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
    expect(difference.place).toBe(null);
    expect(`${difference.expected}${difference.observed}`).not.toMatch(/<mark>|<b>/);
  }
});

test("an open part is not shown as a difference", () => {
  const { place, observed } = differenceOf("at most 5", "[4, 6] of 8", "inconclusive");
  expect(place).toBe(null);
  expect(observed).toBe("[4, 6] of 8");
});

test("long texts are cut around what differs, and all of them is escaped", () => {
  const long = `${"<i> ".repeat(400)}1 ${"<u> ".repeat(400)}`;
  const { expected } = differenceOf(long, long.replace("1", "2"), "fail");
  expect(expected).toMatch(/^….*<mark>1<\/mark>.*…$/);
  expect(expected.length).toBeLessThan(2_000);
  expect(expected).not.toMatch(/<[iu]>/);
});
