// The labels of accuracy against cost, where points are many and close to each other.
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { FrontFigure, FrontPoint } from "#src/lab/report/measured-figures.ts";
import { partOfMeasured } from "#src/show/html/measured.ts";
import { pageText } from "#src/show/page/page-text.node.ts";
import { allDrawn } from "./drawings.ts";
import { open } from "./opened.ts";
import { once } from "./pages.ts";

const NAMES = ["sliding_window_counter", "gcra", "non_transactional", "token_bucket", "drl"];

const frontOf = (title: string, places: readonly (readonly [x: number, y: number])[]) =>
  ({
    kind: "front",
    title,
    across: "store operations per request",
    up: "over and wrong, %",
    weighed: "all metrics",
    points: places.map(([x, y], index): FrontPoint => ({
      what: `${NAMES[index % NAMES.length]!} ${index + 1}`,
      x,
      y,
      low: 0.9 * y,
      high: 1.1 * y,
      isOnFront: index % 3 === 0,
    })),
  }) satisfies FrontFigure;

const each = <T>(count: number, of: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => of(index));

/** Scattered, but alike in each run. */
const placeAt = (index: number): readonly [number, number] => [
  (index * 7.3) % 10,
  (index * index * 3.7) % 20,
];

const FRONTS = [
  frontOf("scattered", each(24, placeAt)),
  frontOf(
    "all alike",
    each(8, () => [3, 5]),
  ),
  frontOf(
    "without errors",
    each(12, (index) => [index / 2, 0]),
  ),
  frontOf(
    "at the right end",
    each(12, (index) => [10 - index / 20, index]),
  ),
];

const pageOfCrowds = (): Promise<string> =>
  once("crowded.html", async (file) => {
    const part = {
      title: "Crowded",
      headline: "Crowded",
      word: null,
      doubts: [],
      summary: [],
      sections: [{ title: "Fronts", notes: [], figures: FRONTS, tables: [] }],
      facts: [],
    };
    writeFileSync(file, await pageText(null, [partOfMeasured("crowded", part)]));
  });

test.for([360, 1280])(
  "at %i pixels no label covers another one, a point or an edge",
  async (width) => {
    const page = await open(await pageOfCrowds(), { width });
    await allDrawn(page);
    const covered = await page.locator(".drawing").evaluateAll((places) =>
      places.map((place) => {
        const edge = place.getBoundingClientRect();
        const boxes = (of: string): readonly { readonly what: string; readonly box: DOMRect }[] =>
          [...place.querySelectorAll(of)]
            .filter((mark) => mark.tagName === "path" || mark.textContent !== "")
            .map((mark) => ({
              what: mark.textContent || "a point",
              box: mark.getBoundingClientRect(),
            }));
        const labels = boxes(".mark-text.role-mark text");
        const all = [...labels, ...boxes(".mark-symbol.role-mark path")];
        const found = labels.flatMap((label, index) => {
          const { left, right, top, bottom } = label.box;
          const isOut = left < edge.left || right > edge.right || top < edge.top;
          const others = all.filter(
            (other, at) =>
              (at > index || at >= labels.length) &&
              Math.min(right, other.box.right) - Math.max(left, other.box.left) > 1 &&
              Math.min(bottom, other.box.bottom) - Math.max(top, other.box.top) > 2,
          );
          return [
            ...(isOut ? [`${label.what} is cut off`] : []),
            ...others.map(({ what }) => `${label.what} and ${what}`),
          ];
        });
        return { labels: labels.length, found };
      }),
    );
    // Of 24 points some have none on a small screen.
    for (const [index, { labels }] of covered.entries())
      expect(labels).toBeGreaterThan(FRONTS[index]!.points.length * (width < 1000 ? 0.6 : 0.99));
    expect(covered.map(({ found }) => found)).toEqual(FRONTS.map(() => []));
  },
);
