// Hidden limits behind a network with latency and loss, each identified whole: a few seconds of computing each.
import { expect, test } from "vitest";
import { rng } from "#src/kit/chance/rng.ts";
import { SECOND } from "#src/kit/units.ts";
import { drawHidden } from "#src/studies/identify/hidden.ts";
import type { NumberKind } from "#src/studies/identify/hidden-numbers.ts";
import { checkOne, type SelfCheckRow } from "#src/studies/identify/self-check.ts";

/** Those of `weir identify --self-check`. */
const CAPS = { requests: 60_000, durationUs: 30 * 24 * 3_600 * SECOND };

/** Each of the larger ones takes as long as two dozen of these: `weir identify --self-check` has them too. */
const MOST_RATE = 60;
const SEED = 7;
const OF_EACH = 20;

/** Neither the numbers nor the seed were chosen by the results. */
async function checkSome(numbers: NumberKind): Promise<readonly SelfCheckRow[]> {
  const rows: SelfCheckRow[] = [];
  for (let own = 0; rows.length < OF_EACH; own++) {
    const stream = numbers === "round" ? `hidden/${own}` : `hidden/odd/${own}`;
    if (drawHidden(rng(SEED, stream), numbers).configuration.rate > MOST_RATE) continue;
    rows.push(
      await checkOne(numbers === "round" ? 2 * own : 2 * own + 1, { seed: SEED, caps: CAPS }),
    );
  }
  return rows;
}

const textsOf = (rows: readonly SelfCheckRow[], wanted: SelfCheckRow["result"]) =>
  rows.flatMap(({ result, hidden, answer }) =>
    result === wanted ? [`${hidden} / ${answer}`] : [],
  );

test("of forty hidden limits, half of them with odd numbers, nine in ten are named right, and none wrong", async () => {
  const rows = [...(await checkSome("round")), ...(await checkSome("odd"))];
  expect(rows).toHaveLength(2 * OF_EACH);
  expect(textsOf(rows, "wrong")).toEqual([]);
  expect(textsOf(rows, "right").length).toBeGreaterThanOrEqual(0.9 * rows.length);
});
