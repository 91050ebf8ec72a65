// What an answer of weir try may claim, recounted from the rows of its result by other code.
import { expect } from "vitest";
import type { Answer, AnswerSentence } from "#src/lab/report/answer.ts";
import type { TryRow, UnansweredTry } from "#src/studies/try/result.ts";

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
export const wordsOf = ({ algorithm }: TryRow): string => WORDS[algorithm!]!;
export const numberText = (value: number): string => value.toLocaleString("en-US");
export const never = (us: number | null): number => us ?? Number.POSITIVE_INFINITY;

export type Draw = Omit<TryRow["otherDraws"][number], "seed">;
export const drawsIn = (row: TryRow): readonly Draw[] => [row, ...row.otherDraws];
export const valuesIn = (row: TryRow, of: (draw: Draw) => number): readonly number[] =>
  drawsIn(row).map(of);
export const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length / 2) - 1]!;
export const always = (
  row: TryRow,
  other: TryRow,
  holds: (own: Draw, others: Draw) => boolean,
): boolean =>
  drawsIn(row).length >= drawsIn(other).length
    ? drawsIn(row).every((own, at) => holds(own, drawsIn(other)[at] ?? other))
    : drawsIn(other).every((others, at) => holds(drawsIn(row)[at] ?? row, others));

/** Whether `row` is not clearly worse than `other` in all of these, as docs/answer/try.md states it. */
export const VALUES: readonly (readonly [
  string,
  (draw: Draw) => number,
  (best: number, draw: Draw, budgets: number) => number,
])[] = [
  [
    "unadmitted",
    ({ gaveUp }) => gaveUp,
    (best, { requests }, budgets) =>
      Math.min(Math.max(0.1 * best, 0.01 * requests), 0.1 * (requests - best)) + budgets,
  ],
  [
    "refused",
    ({ refusedAttempts }) => refusedAttempts,
    (best, { requests }, budgets) => Math.max(0.1 * best, 0.01 * requests) + budgets,
  ],
  ["p99", ({ successUs }) => never(successUs.p99), (best) => Math.max(0.1 * best, 10_000)],
  ["median", ({ successUs }) => never(successUs.median), (best) => Math.max(0.1 * best, 10_000)],
];

export const exceeds = (row: TryRow, { forUs, population }: UnansweredTry): boolean =>
  forUs / row.perUs >= 2 &&
  drawsIn(row).every(
    ({ demand, requests }) => demand.beyond / requests > (population === "even" ? 0.01 : 0.05),
  );

export const COUNTING = /^(?:sliding_log|non_transactional|sentinel|bounded_log)$/;
export const isCounted = (row: TryRow, chosen: TryRow): boolean =>
  COUNTING.test(row.algorithm!) &&
  always(row, chosen, (own, best) => 2 * own.admitted < best.admitted);

/** The criterion that leaves each row out; null: none does. */
export function fates(
  rows: readonly TryRow[],
  facts: UnansweredTry,
): ReadonlyMap<TryRow, string | null> {
  const isFull = exceeds(rows[0]!, facts);
  const left = new Set(rows);
  const found = new Map<TryRow, string | null>(rows.map((row) => [row, null]));
  // Without retries and queues a wait states only that less than half, or less than 99 %, is admitted.
  const hasWaits = rows.some(
    ({ retry, algorithm }) => retry !== "none" || algorithm === "leaky_bucket",
  );
  for (const [name, of, slack] of hasWaits ? VALUES : VALUES.slice(0, 2)) {
    let [best] = left;
    for (const row of left) if (middle(valuesIn(row, of)) < middle(valuesIn(best!, of))) best = row;
    for (const row of left)
      if (
        always(row, best!, (own, other) => {
          const room = slack(of(other), other, isFull ? other.demand.over * row.rate : 0);
          return of(own) > (of(other) + room) * (1 + 1e-9);
        })
      ) {
        left.delete(row);
        found.set(row, name);
      }
  }
  return found;
}

export const isSame = (row: TryRow, chosen: TryRow): boolean =>
  always(row, chosen, (own, other) => VALUES.every(([, of]) => of(own) === of(other)));

/** Whether the numbers of a sentence have the middle of a value, and its ends if draws differ. */
export function hasRange(
  numbers: AnswerSentence["numbers"],
  name: string,
  values: readonly number[],
): boolean {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const has = (key: string, value: number): boolean =>
    (numbers[key] ?? Number.POSITIVE_INFINITY) === value;
  return (
    has(name, middle(values)) &&
    (least === most || (has(`${name}From`, least) && has(`${name}To`, most)))
  );
}

export const alikeTo =
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

/** The row that a sentence takes, or the command of the answer: it has the numbers of the sentence. */
export function findChosen(
  facts: UnansweredTry,
  { text, numbers }: AnswerSentence,
  command?: string,
): TryRow {
  const row = facts.candidates.find(
    (each) =>
      (command === undefined
        ? text.includes(`ake ${wordsOf(each)}: `)
        : command.endsWith(`--limit ${each.limit} --algorithm ${each.algorithm}`)) &&
      isAbout(each, facts, text) &&
      fates(facts.candidates.filter(alikeTo(each)), facts).get(each) === null &&
      VALUES.some(
        ([name, of]) =>
          (name in numbers || text.includes(" not admit ")) &&
          hasRange(numbers, name, valuesIn(each, of)),
      ),
  );
  if (row === undefined) throw new Error(`no row is chosen and has the numbers of: ${text}`);
  return row;
}

/** Without a choice the answer is about the first row of the limiter that its command has, with the clients it names. */
export function findNamed(facts: UnansweredTry, answer: Answer): TryRow | null {
  const command = answer.find(({ id }) => id === "next")?.command;
  const alike = answer.find(({ id }) => /^(?:steady|open|little)$/.test(id));
  return (
    facts.candidates.find(
      (row) =>
        command?.endsWith(`--limit ${row.limit} --algorithm ${row.algorithm}`) &&
        (alike === undefined || isAbout(row, facts, alike.text)),
    ) ?? null
  );
}

/** Checks the rival that a sentence about small differences names, and which of its ends is true. */
export function checkRival(
  facts: UnansweredTry,
  { id, text, numbers }: AnswerSentence,
  row: TryRow,
): void {
  const [name, of, slack] = VALUES.find(([each]) => each in numbers)!;
  const rival = facts.candidates
    .filter(alikeTo(row))
    .find(
      (each) =>
        text.includes(`, ${wordsOf(each)} `) && hasRange(numbers, "next", valuesIn(each, of)),
    )!;
  expect(hasRange(numbers, name, valuesIn(row, of))).toBe(true);
  expect(always(rival, row, (own, best) => of(own) > of(best))).toBe(true);
  const isSmall = always(rival, row, (own, best) => of(own) <= of(best) + slack(of(best), best, 0));
  const isOpen = text.endsWith(" shows whether the rest lasts.");
  expect(isOpen).toBe(exceeds(row, facts) && !isSmall);
  if (id !== "group-alike") expect(isOpen).toBe(id === "open");
  const atStart = Math.max(...drawsIn(row).map(({ demand }) => Math.floor(row.rate) * demand.over));
  expect(isOpen).toBe(text.includes(` up to ${numberText(atStart)} of the difference`));
}

/** Checks that limiters refuse alike in the last windows, and that one admitted more before: at most a budget. */
export function checkSteady(
  facts: UnansweredTry,
  { text, numbers }: AnswerSentence,
  row: TryRow,
): void {
  const named = facts.candidates.filter(
    (each) => alikeTo(row)(each) && text.includes(wordsOf(each)) && !isSame(each, row),
  );
  expect(named).toHaveLength(numbers["candidates"]!);
  expect([exceeds(row, facts), row.retry]).toEqual([true, "none"]);
  const gaps = named.flatMap((each) =>
    drawsIn(each).map((draw, at) => {
      const best = drawsIn(row)[at] ?? row;
      return (best.admitted - draw.admitted) / best.demand.over;
    }),
  );
  expect(numbers["nextFrom"] ?? numbers["next"]).toBeCloseTo(Math.min(...gaps), 9);
  expect(numbers["nextTo"] ?? numbers["next"]).toBeCloseTo(Math.max(...gaps), 9);
  for (const gap of gaps) expect([gap >= 1, gap <= row.rate]).toEqual([true, true]);
  const lateOf = ({ overTime: { binUs, refused, admitted }, perUs }: TryRow): number => {
    const count = (values: readonly number[]): number =>
      values
        .filter((_, bin) => {
          const fromUs = facts.forUs - Math.floor(facts.forUs / (2 * perUs)) * perUs;
          return bin + 0.5 > fromUs / binUs && bin + 0.5 < facts.forUs / binUs;
        })
        .reduce((sum, value) => sum + value, 0);
    return count(refused) / (count(refused) + count(admitted));
  };
  const shares = [row, ...named].map(lateOf);
  expect(numbers["lateFrom"] ?? numbers["late"]).toBeCloseTo(Math.min(...shares), 9);
  expect(numbers["lateTo"] ?? numbers["late"]).toBeCloseTo(Math.max(...shares), 9);
  for (const share of shares) expect(Math.abs(share - lateOf(row))).toBeLessThanOrEqual(0.0101);
}

export const mostSeenBy = (row: TryRow): number =>
  Math.max(...valuesIn(row, ({ mostInWindow }) => mostInWindow));

/** Checks the same sentences about other clients or limits, of which one has to fit. */
export function checkAlikeGroup(facts: UnansweredTry, sentence: AnswerSentence): void {
  const check = /^(?:.+?, )?in the long run |: (?:.+?, )?in the long run /.test(sentence.text)
    ? checkSteady
    : checkRival;
  const rows = facts.candidates.filter((row) => isAbout(row, facts, sentence.text));
  const holds = rows.map((row) => {
    try {
      check(facts, sentence, row);
      return true;
    } catch {
      return false;
    }
  });
  expect(holds).toContain(true);
}

/** Checks that limiters about as good are left, and that each has its number. */
export function checkSimilar(
  facts: UnansweredTry,
  { text, numbers }: AnswerSentence,
  chosen: TryRow,
): void {
  const group = facts.candidates.filter(alikeTo(chosen));
  const left = group.filter((row) => row !== chosen && !isSame(row, chosen));
  expect(numbers["candidates"]).toBeLessThanOrEqual(left.length);
  const named = left.filter((row) => text.includes(`${wordsOf(row)} (`));
  expect(named).toHaveLength(Math.min(numbers["candidates"]!, numbers["candidates"]! > 4 ? 3 : 4));
  for (const row of named) {
    const words = new RegExp(`${wordsOf(row)} \\(([^)]*)\\)`).exec(text)![1]!;
    const counts = VALUES.slice(0, 2).flatMap(([, of]) => Math.max(...valuesIn(row, of)));
    expect(
      counts.some((count) => words.includes(count === 0 ? "none" : numberText(count))) ||
        /within|once|never/.test(words),
    ).toBe(true);
  }
}

/** Checks that the named limiter is better than the chosen one in every draw. */
export function checkBetter(
  { candidates }: UnansweredTry,
  { text, numbers }: AnswerSentence,
  chosen: TryRow,
): void {
  const better = candidates.filter(
    (row) =>
      alikeTo(chosen)(row) &&
      VALUES.slice(0, 2).some(
        ([name, of]) =>
          hasRange(numbers, name, valuesIn(row, of)) &&
          always(chosen, row, (own, other) => of(own) > of(other)),
      ),
  );
  const isNamed = (row: TryRow): boolean => text.toLowerCase().includes(wordsOf(row).toLowerCase());
  expect(better.some(isNamed)).toBe(true);
}

/** Checks which limiters do about the same: no draw separates them by what decides, and their numbers are in the range. */
export function checkNear(
  facts: UnansweredTry,
  { text, numbers }: AnswerSentence,
  chosen: TryRow,
): void {
  const group = facts.candidates.filter(alikeTo(chosen));
  const [, of] = VALUES.find(([each]) => each in numbers || text.includes(" not admit "))!;
  const more = (a: TryRow, b: TryRow): boolean => always(a, b, (own, other) => of(own) > of(other));
  const near = group.filter(
    (row) => row !== chosen && !isSame(row, chosen) && !more(row, chosen) && !more(chosen, row),
  );
  const left = near.filter((row) => !isOut(row, group, facts, chosen));
  expect(left).toHaveLength(numbers["near"] ?? 0);
  if (left.length > 0 && "refused" in numbers)
    expect(text).toContain(
      numberText(Math.max(...[chosen, ...left].flatMap((row) => valuesIn(row, of)))),
    );
}

/** Whether a criterion leaves a row out, by which it is worse than the chosen one in every draw. */
function isOut(
  row: TryRow,
  group: readonly TryRow[],
  facts: UnansweredTry,
  chosen: TryRow,
): boolean {
  const by = fates(group, facts).get(row);
  const of = VALUES.find(([name]) => name === by)?.[1];
  return of !== undefined && always(row, chosen, (own, best) => of(own) > of(best));
}

export function checkQueue({ text, numbers }: AnswerSentence): void {
  expect(text).toMatch(/^A leaky bucket lets requests wait in the gateway instead: /);
  const most = numbers["refusedTo"] ?? numbers["refused"]!;
  expect(text).toContain(` ${most === 0 ? "no" : numberText(most)} attempt`);
  expect(text.includes("ever admitted")).toBe(
    numbers["medianUs"] === undefined && numbers["medianUsFrom"] === undefined,
  );
}

/** Checks that of the clients of a sentence some candidate is left out by no criterion. */
export function checkNoDifference(facts: UnansweredTry, { text }: AnswerSentence): void {
  const { candidates } = facts;
  expect(
    candidates.some((row) => {
      const group = candidates.filter(alikeTo(row));
      return (
        [...fates(group, facts).values()].some((by) => by === null) &&
        (row.otherDraws.length > 0 || text.includes(` ${numberText(row.requests)} requests`))
      );
    }),
  ).toBe(true);
}
