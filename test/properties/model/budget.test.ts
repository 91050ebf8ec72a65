import { expect, test } from "vitest";
import { level } from "../../limiter/store/budgets.ts";
import { emptyBook, turnAfter } from "./budget.ts";

// Found by WEIR_SEED=237949888: the model searched for a turn no further than the debt lasts.
test("a request whose clock is behind waits until the latest stamp, and then for its turn", () => {
  const one = level("leaky_bucket", { rate: 2, per: 1 });
  const book = { ...emptyBook(), admitted: [{ atUs: 5_000_000, rate: 2 }] };
  expect(
    [0, 4_900_000, 5_000_000, 5_400_000, 5_500_000].map((nowUs) => turnAfter(one, book, nowUs)),
  ).toEqual([5_500_000, 600_000, 500_000, 100_000, 0]);
});
