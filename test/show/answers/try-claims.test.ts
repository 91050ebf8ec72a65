// Each sentence of an answer of weir try states what the rows of the result have: claims are checked by other code.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { AnswerSentence } from "#src/lab/report/answer.ts";
import { answerTry } from "#src/show/answers/try.ts";
import type { TryRow, UnansweredTry } from "#src/studies/try/result.ts";
import { holdsUntil } from "../../runs.ts";
import { tryResults } from "./try-results.ts";

const WORDS: Readonly<Record<string, string>> = {
  fixed_window: "a fixed window",
  sliding_log: "a sliding log",
  non_transactional: "a non-transactional log",
  sentinel: "a log with a sentinel",
  drl: "DRL",
  token_bucket: "a token bucket",
  gcra: "GCRA",
  sliding_window_counter: "a sliding window counter",
  bounded_log: "a bounded log",
  leaky_bucket: "a leaky bucket",
};
const wordsOf = ({ algorithm }: TryRow): string => WORDS[algorithm!]!;
const numberText = (value: number): string => value.toLocaleString("en-US");
const never = (us: number | null): number => us ?? Number.POSITIVE_INFINITY;

/** Whether `row` is not clearly worse than `other` in all of these, as docs/answer/try.md states it. */
const VALUES: readonly (readonly [
  string,
  (row: TryRow) => number,
  (best: number, row: TryRow, budgets: number) => number,
])[] = [
  [
    "unadmitted",
    ({ gaveUp }) => gaveUp,
    (best, { requests }, budgets) => Math.max(0.1 * best, 0.01 * requests) + budgets,
  ],
  [
    "refused",
    ({ refusedAttempts }) => refusedAttempts,
    (best, { requests }, budgets) => Math.max(0.1 * best, 0.01 * requests) + budgets,
  ],
  ["p99", ({ successUs }) => never(successUs.p99), (best) => Math.max(0.1 * best, 10_000)],
  ["median", ({ successUs }) => never(successUs.median), (best) => Math.max(0.1 * best, 10_000)],
];

const exceeds = ({ demand, requests, perUs }: TryRow, { forUs }: UnansweredTry): boolean =>
  forUs / perUs >= 2 && demand.beyond / requests > 0.05;

const COUNTING = /^(?:sliding_log|non_transactional|sentinel|bounded_log)$/;
const isCounted = (row: TryRow, chosen: TryRow): boolean =>
  COUNTING.test(row.algorithm!) && 2 * row.admitted < chosen.admitted;

/** The criterion that leaves each row out; null: none does. */
function fates(rows: readonly TryRow[], facts: UnansweredTry): ReadonlyMap<TryRow, string | null> {
  const [{ demand, rate }] = rows as readonly [TryRow];
  const budgets = exceeds(rows[0]!, facts) ? demand.over * rate : 0;
  const left = new Set(rows);
  const found = new Map<TryRow, string | null>(rows.map((row) => [row, null]));
  for (const [name, of, slack] of VALUES) {
    let best = Number.POSITIVE_INFINITY;
    for (const row of left) best = Math.min(best, of(row));
    for (const row of left)
      if (of(row) > best && of(row) > best * 1.0000001 + slack(best, row, budgets) * 0.9999999) {
        left.delete(row);
        found.set(row, name);
      }
  }
  return found;
}

const alikeTo =
  (row: TryRow) =>
  ({ limit, retry }: TryRow): boolean =>
    limit === row.limit && retry === row.retry;

const CLIENTS: Readonly<Record<string, string>> = {
  none: "that do not retry",
  backoff: "that back off",
  "full-jitter": "that back off with full jitter",
  "retry-after": "that wait as Retry-After advises",
};

/** Whether a sentence names the clients and the limit of a row, where the rows differ in them. */
const isAbout = (row: TryRow, facts: UnansweredTry, text: string): boolean =>
  (facts.retries.length === 1 || new RegExp(`${CLIENTS[row.retry]!}(?! with)`).test(text)) &&
  (facts.candidates.every(({ limit }) => limit === row.limit) ||
    new RegExp(`at ${row.rate} per`, "i").test(text));

/** The rows that the first sentence names: they have its numbers. */
function findChosen(facts: UnansweredTry, { text, numbers }: AnswerSentence): TryRow {
  const row = facts.candidates.find(
    (each) =>
      text.includes(`ake ${wordsOf(each)}: `) &&
      isAbout(each, facts, text) &&
      fates(facts.candidates.filter(alikeTo(each)), facts).get(each) === null &&
      VALUES.some(([name, of]) => of(each) === (numbers[name] ?? Number.POSITIVE_INFINITY)),
  );
  if (row === undefined) throw new Error(`no row is chosen and has the numbers of: ${text}`);
  return row;
}

type Check = (facts: UnansweredTry, sentence: AnswerSentence, chosen: TryRow | null) => void;

function checkComparison(facts: UnansweredTry, sentence: AnswerSentence, row: TryRow): void {
  const { text, numbers } = sentence;
  const group = facts.candidates.filter(alikeTo(row));
  const [name, of] = VALUES.find(([each]) => each in numbers || text.includes(" not admit "))!;
  const other = group.find(
    (each) =>
      text.includes(`, ${wordsOf(each)} `) &&
      of(each) === (numbers["next"] ?? numbers["other"] ?? Number.POSITIVE_INFINITY),
  );
  expect(other, `${text} (${name})`).toBeDefined();
  expect(fates(group, facts).get(other!)).not.toBeNull();
  expect(of(row)).toBeLessThan(of(other!));
}

const worse =
  (name: string): Check =>
  (facts, { text, numbers }, chosen) => {
    const found = fates(facts.candidates.filter(alikeTo(chosen!)), facts);
    const out = [...found]
      .filter(([row, by]) => by === name && !isCounted(row, chosen!))
      .map(([row]) => row);
    expect(out).toHaveLength(numbers["candidates"]!);
    expect(text).toContain(wordsOf(out[0]!));
  };

const CHECKS: Readonly<Record<string, Check>> = {
  "no-requests": ({ candidates }) =>
    expect(candidates.every(({ requests }) => requests === 0)).toBe(true),
  choice: (facts, sentence, chosen) => checkComparison(facts, sentence, chosen!),
  "no-difference": (facts, { numbers }) => {
    const { candidates } = facts;
    const group = candidates.filter(alikeTo(candidates[0]!));
    expect(group).toHaveLength(numbers["candidates"]!);
    expect([...fates(group, facts).values()].every((by) => by === null)).toBe(true);
  },
  "worse-unadmitted": worse("unadmitted"),
  "worse-refused": worse("refused"),
  "worse-p99": worse("p99"),
  "worse-median": worse("median"),
  equal: (facts, { text }, chosen) => {
    const group = facts.candidates.filter(alikeTo(chosen!));
    const [first] = group.filter((row) => row !== chosen && fates(group, facts).get(row) === null);
    expect(text).toContain(wordsOf(first!));
  },
  advice: ({ candidates }, { numbers }) => {
    const pairs = candidates.flatMap((a) =>
      candidates.filter(alikeTo(a)).map((b) => [a, b] as const),
    );
    expect(
      pairs.some(
        ([a, b]) =>
          a.retry === "retry-after" &&
          a.retryAfterS === numbers["retryAfterS"] &&
          b.retryAfterS === numbers["otherRetryAfterS"] &&
          a.retryAfterS > b.retryAfterS &&
          a.gaveUp < b.gaveUp,
      ),
    ).toBe(true);
  },
  wait: ({ candidates }, { text, numbers }, chosen) => {
    const { median, p99 } = (chosen ?? candidates[0]!).successUs;
    expect([numbers["medianUs"] ?? null, numbers["p99Us"] ?? null]).toEqual([median, p99]);
    expect(text.includes("ever admitted")).toBe(median === null || p99 === null);
  },
  unfair: ({ candidates }, { numbers }, chosen) => {
    const { leastServed, admitted, requests } = chosen ?? candidates[0]!;
    expect(numbers).toEqual({ leastServed, served: admitted / requests });
    expect(2 * leastServed).toBeLessThan(admitted / requests);
  },
  overload: (facts, { text, numbers }, chosen) => {
    const row = chosen ?? facts.candidates[0]!;
    const { requests, perUs, rate, demand } = row;
    expect(exceeds(row, facts)).toBe(true);
    expect(numbers["share"]).toBe(demand.beyond / requests);
    // An independent count: what the busy ones plan in a window, above the rate.
    const windows = facts.forUs / perUs;
    const above = (numbers["sent"]! - Math.floor(rate * windows) / windows) * windows * demand.over;
    expect(above).toBeCloseTo(demand.beyond, 5);
    expect(text.includes(" of all requests")).toBe(true);
    expect(text.includes(" refuse or delay ")).toBe(facts.retries.join() !== "none");
  },
  counted: ({ candidates }, { text, numbers }, chosen) => {
    const rows = candidates.filter((row) => alikeTo(chosen!)(row) && isCounted(row, chosen!));
    expect(rows).toHaveLength(numbers["candidates"]!);
    expect(text.toLowerCase()).toContain(wordsOf(rows[0]!));
  },
  price: ({ candidates }, { text }, chosen) => {
    const { algorithm, mostInWindow, mostPossible, rate } = chosen ?? candidates[0]!;
    expect(algorithm).toMatch(/^(?:fixed_window|drl|token_bucket|sliding_window_counter)$/);
    expect(mostPossible).toBeGreaterThan(rate);
    expect(mostInWindow).toBeLessThanOrEqual(mostPossible!);
    expect(text).toContain(`up to ${numberText(mostPossible!)} of `);
    expect(text).toContain(`${numberText(mostInWindow)} were seen`);
    expect(text).toContain(`the limit is ${numberText(rate)}.`);
  },
  seen: ({ candidates }, { text }, chosen) => {
    const { algorithm, mostInWindow } = chosen ?? candidates[0]!;
    expect(algorithm).toMatch(/^(?:non_transactional|sentinel)$/);
    expect(text).toContain(`got up to ${numberText(mostInWindow)} `);
  },
  kept: ({ candidates }, { text }, chosen) => {
    const { algorithm, mostInWindow, rate } = chosen ?? candidates[0]!;
    // A window of one is an interval of one; the others of these never exceed the rate.
    if (rate > 1) expect(algorithm).toMatch(/^(?:sliding_log|bounded_log|gcra|leaky_bucket|drl)$/);
    expect(mostInWindow).toBeLessThanOrEqual(rate);
    expect(text).toContain(`more than ${numberText(rate)} in any `);
  },
  strict: (facts, { text, numbers }, chosen) => {
    const keepers = facts.candidates.filter(
      (row) => alikeTo(chosen!)(row) && row.mostPossible !== null && row.mostPossible <= row.rate,
    );
    const left = keepers.filter((row) => fates(keepers, facts).get(row) === null);
    const row = left.find((each) =>
      text
        .toLowerCase()
        .match(new RegExp(`take ${wordsOf(each)}:|^${wordsOf(each)} never exceeds`, "i")),
    );
    expect(row).toMatchObject({
      gaveUp: numbers["unadmitted"],
      refusedAttempts: numbers["refused"],
    });
  },
  unreached: ({ candidates }) => {
    const [{ rate, mostInWindow }] = candidates as readonly [TryRow];
    expect(mostInWindow).toBeLessThan(rate);
  },
  group: (facts, sentence) => {
    const { text } = sentence;
    const same = text.replace(" too: ", ": ");
    checkComparison(facts, sentence, findChosen(facts, { ...sentence, text: same }));
  },
  "group-no-difference": (facts, { text }) => {
    const { candidates } = facts;
    expect(
      candidates.some((row) => {
        const group = candidates.filter(alikeTo(row));
        return (
          [...fates(group, facts).values()].some((by) => by === null) &&
          text.includes(` ${numberText(row.requests)} requests`)
        );
      }),
    ).toBe(true);
  },
  rest: ({ candidates }, { numbers }) => {
    const groups = new Set(candidates.map(({ limit, retry }) => `${limit} ${retry}`)).size;
    expect(numbers["choices"]).toBe(groups - 4);
  },
  limits: ({ candidates }, { text, numbers }, chosen) => {
    const { algorithm, retry } = chosen ?? candidates[0]!;
    const rows = candidates.filter((row) => row.algorithm === algorithm && row.retry === retry);
    const enough = rows.filter(({ gaveUp }) => gaveUp === 0);
    expect(text.includes("large enough")).toBe(enough.length === 0);
    const rates = (enough.length === 0 ? rows : enough).map(({ rate, perUs }) => rate / perUs);
    expect(numbers["rate"]! / numbers["perUs"]!).toBe(
      enough.length === 0 ? Math.max(...rates) : Math.min(...rates),
    );
  },
  outcome: ({ candidates }, { numbers }) => {
    expect(
      candidates.some(
        ({ gaveUp, refusedAttempts, rate }) =>
          gaveUp === numbers["unadmitted"] &&
          refusedAttempts === numbers["refused"] &&
          rate === numbers["rate"],
      ),
    ).toBe(true);
  },
  clients: (facts, { numbers }) => {
    const { candidates } = facts;
    const rows = candidates.filter(({ limit }) => limit === candidates[0]!.limit);
    const best = rows.filter((row) => fates(rows, facts).get(row) === null);
    expect(
      best.some((row) =>
        VALUES.some(([name, of]) => of(row) === (numbers[name] ?? Number.POSITIVE_INFINITY)),
      ),
    ).toBe(true);
  },
  missing: ({ isInterrupted }) => expect(isInterrupted).toBe(true),
  draw: ({ population, retries }) => {
    expect(population !== "even" || retries.some((retry) => /backoff|jitter/.test(retry))).toBe(
      true,
    );
  },
  delay: ({ gateways }) => expect(gateways).toBeGreaterThan(1),
  queue: (_, { text, numbers }) => {
    expect(text).toMatch(/^A leaky bucket lets requests wait in the gateway instead: /);
    const refused = numbers["refused"]!;
    expect(text).toContain(` ${refused === 0 ? "no" : numberText(refused)} attempt`);
    expect(text.includes("ever admitted")).toBe(numbers["medianUs"] === undefined);
  },
  next: ({ candidates }, { text }, chosen) => {
    const { limit, algorithm } = chosen ?? candidates[0]!;
    expect(text).toContain(`--limit ${limit} --algorithm ${algorithm}`);
  },
};

test("each sentence states what the rows of a random result have", async () => {
  const seen = new Map(Object.keys(CHECKS).map((id) => [id, 0]));
  const property = fc.property(tryResults, (result) => {
    const answer = answerTry(result);
    expect(answer.length === 0).toBe(result.candidates.length === 0);
    // A queue is compared with nothing, unless all candidates have one.
    const others = result.candidates.filter(({ algorithm }) => algorithm !== "leaky_bucket");
    const facts = others.length === 0 ? result : { ...result, candidates: others };
    const queue = answer.find(({ id }) => id === "queue");
    const queued = result.candidates.find(({ algorithm }) => algorithm === "leaky_bucket");
    const isApart = others.length > 0 && others[0]!.requests > 0;
    expect(queue?.numbers["refused"]).toBe(isApart ? queued?.refusedAttempts : undefined);
    const choice = answer.find(({ id }) => id === "choice");
    const chosen = choice === undefined ? null : findChosen(facts, choice);
    for (const sentence of answer) {
      seen.set(sentence.id, seen.get(sentence.id)! + 1);
      CHECKS[sentence.id]!(facts, sentence, chosen);
    }
  });
  await holdsUntil(1, () => Math.min(...seen.values()), property, 150);
  expect([...seen].filter(([, count]) => count === 0)).toEqual([]);
});
