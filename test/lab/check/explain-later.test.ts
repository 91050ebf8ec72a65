import { expect, test } from "vitest";
import { rowsOf } from "../../histories/history.ts";
import { explainRow, under } from "./explained.ts";

test("a budget that retries keep shut would not have admitted later in this history", () => {
  const rows = rowsOf("3*200 2*429", 0, 0.1);
  const refused = { status: 429, by: "key" } as const;
  const retries = [0.9, 1.2, 1.3].map((at) => ({ ...refused, at, attempt: 1 }));
  const endWith = (later: typeof rows): string =>
    explainRow(under("sliding_log", 3, 1), { rows: [...rows, ...later] }, 4).text.split(
      " 700 ms ",
    )[1]!;
  expect(endWith(retries)).toBe(
    "later if no other request came first; here the retries keep it shut (the next 2 requests were refused).",
  );
  expect(endWith([{ ...refused, at: 1.2 }, { at: 3 }, { ...refused, at: 3.1 }])).toBe(
    "later if no other request came first; here the next request was refused too.",
  );
  expect(endWith([{ at: 1.2 }, ...retries.slice(2)])).toBe("later.");
});
