import { expect, test } from "vitest";
import { mergesHtml } from "#src/show/html/merges.ts";
import type { MergeTableReport } from "#src/lab/report/model-merges.ts";

const TABLE: MergeTableReport = {
  keys: ["alice"],
  moreKeys: 0,
  api: null,
  sinceUs: null,
  rows: [
    { policy: "gold", from: "own", limit: { rate: 6, perUs: 3_000_000 } },
    { policy: "silver", from: "own", limit: { rate: 5, perUs: 1_000_000 } },
    { policy: "none", from: "own", limit: null },
  ],
  winner: 1,
  retired: { rate: 6, perUs: 3_000_000 },
};

const rowsOf = (table: MergeTableReport): readonly string[] =>
  [
    ...String(mergesHtml({ tables: [table], leftOut: 0 })).matchAll(
      /<tr>(<td>.*?)(?=<\/tbody>|$)/gm,
    ),
  ].map(([, row]) =>
    row!
      .replaceAll(/<\/?(?:td|em|strong|mark)>/g, " ")
      .replaceAll(/ +/g, " ")
      .trim(),
  );

test("every policy is listed with its effective rate, then the retired rule, marked where it differs", () => {
  expect(rowsOf(TABLE)).toEqual([
    "gold 6 per 3s 2",
    "silver 5 per 1s 5 supplies rate and per",
    "none none",
    "for comparison: largest rate with largest per 6 per 3s 2 an older merge rule, not used: it would give another limit",
  ]);
  expect(rowsOf({ ...TABLE, retired: { rate: 5, perUs: 1_000_000 } }).at(-1)).toBe(
    "for comparison: largest rate with largest per 5 per 1s 5 an older merge rule, not used: it would give the same",
  );
  expect(rowsOf({ ...TABLE, retired: null }).at(-1)).toBe(
    "for comparison: largest rate with largest per the same an older merge rule, not used: it would give the same",
  );
});

test("without policies to merge there is no table, and what is left out is counted", () => {
  expect(String(mergesHtml({ tables: [], leftOut: 0 }))).toBe("");
  expect(String(mergesHtml({ tables: [TABLE], leftOut: 2 }))).toContain(
    "2 more tables like these are left out.",
  );
});

test("names are shown as they are and become no part of the page", () => {
  const sly = "<img src=x>";
  const html = String(
    mergesHtml({
      tables: [
        {
          ...TABLE,
          keys: [sly],
          moreKeys: 7,
          api: sly,
          rows: [{ ...TABLE.rows[0]!, policy: sly }],
        },
      ],
      leftOut: 0,
    }),
  );
  expect(html).not.toContain("<img");
  expect(html).toContain("Keys &lt;img src=x&gt; and 7 more, API &lt;img src=x&gt;");
});
