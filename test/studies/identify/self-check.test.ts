// Hidden limits behind a network with latency and loss, each identified whole: about a second of computing each.
import { expect, test } from "vitest";
import { rng } from "../../../src/kit/chance/rng.ts";
import { SECOND } from "../../../src/kit/units.ts";
import { drawHidden, type NumberKind } from "../../../src/studies/identify/hidden.ts";
import { checkOne, type SelfCheckRow } from "../../../src/studies/identify/self-check.ts";
import { SEED } from "../../runs.ts";

/** Those of `weir identify --self-check`. */
const CAPS = { requests: 20_000, durationUs: 48 * 3_600 * SECOND };

/** Each of the larger ones takes as long as two dozen of these: `weir identify --self-check` has them too. */
const MOST_RATE = 60;

/** Identifies hidden limits of the seed until as many as this have the wanted result, or too many were tried. */
async function checkUntil(
  seed: number,
  numbers: NumberKind,
  { floor, most }: { readonly floor: number; readonly most: number },
  isWanted: (row: SelfCheckRow) => boolean = () => true,
): Promise<readonly SelfCheckRow[]> {
  const rows: SelfCheckRow[] = [];
  for (let own = 0; rows.filter(isWanted).length < floor && rows.length < most; own++) {
    const stream = numbers === "round" ? `hidden/${own}` : `hidden/odd/${own}`;
    if (drawHidden(rng(seed, stream), numbers).configuration.rate > MOST_RATE) continue;
    const index = numbers === "round" ? 2 * own : 2 * own + 1;
    rows.push(await checkOne(index, { seed, caps: CAPS }));
  }
  return rows;
}

const isRight = ({ result }: SelfCheckRow): boolean => result === "right";

const wrongOf = (rows: readonly SelfCheckRow[]): readonly string[] =>
  rows.flatMap(({ result, hidden, answer }) =>
    result === "wrong" ? [`${hidden} / ${answer}`] : [],
  );

test("of two dozen hidden limits none is named wrong, and at least 21 are named", async () => {
  const rows = await checkUntil(7, "round", { floor: 24, most: 24 });
  expect(wrongOf(rows)).toEqual([]);
  expect(rows.filter(isRight).length).toBeGreaterThanOrEqual(21);
});

// Of a thousand with round numbers two were wrong, so that of all seeds one in twenty has a wrong one.
test("of two dozen others, half of them with odd numbers, at most one is named wrong, and ten are named right", async () => {
  const round = await checkUntil(SEED, "round", { floor: 10, most: 16 }, isRight);
  const odd = await checkUntil(SEED, "odd", { floor: 12, most: 12 });
  const wrong = wrongOf([...round, ...odd]);
  expect(wrong).toEqual(wrong.slice(0, 1));
  expect(round.filter(isRight)).toHaveLength(10);
  expect(odd).toHaveLength(12);
});

test.each([
  [
    "windows at times of their own are not taken for longer ones that fit the first responses",
    { index: 178, seed: 2 },
    "django-ratelimit: shifted_window, 5 per 15s",
  ],
  [
    "windows since a first request are tried at their end before they are named",
    { index: 122, seed: 1125 },
    "django-ratelimit: shifted_window, 40 per 60s",
  ],
])("%s", async (_, { index, seed }, limit) => {
  const { hidden, answer } = await checkOne(index, { seed, caps: CAPS });
  expect(hidden).toBe(limit);
  expect(limit).toContain(answer);
});

test("of two paces that no experiment separates none is named", async () => {
  const { hidden, answer, result } = await checkOne(24, { seed: 1125, caps: CAPS });
  expect(hidden).toBe("gcra: bucket, 3 at once, and one more every 16.667ms");
  expect(result).toBe("undecided");
  expect(answer).toContain("bucket, 3 at once, and one more every 16.667ms");
});

test.each([
  [3, 7, "hono-rate-limiter: window, 22 per 2054s"],
  [13, 7, "limiter: window_bucket, 47 per 246s"],
  [17, 7, "nginx: bucket, 9 at once, and one more every 63.714286s"],
  [19, 7, "fixed_window: clock_window, 118 per 3321s"],
  [23, 7, "sentinel: loose_log, 86 per 1.1s"],
])(
  "hidden limit %i of seed %i has odd numbers, and is not taken for another one with round numbers: %s",
  async (index, seed, limit) => {
    const { hidden, answer, result } = await checkOne(index, { seed, caps: CAPS });
    expect(hidden).toBe(limit);
    expect(result).toBe("undecided");
    expect(answer).toMatch(
      /^no known behaviour with round numbers fits; .* admitted at once, and one more/,
    );
  },
);
