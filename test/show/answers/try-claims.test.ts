// Each sentence of an answer of weir try states what the rows of the result have: claims are checked by other code.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { percent } from "#src/kit/reading/legible.ts";
import type { AnswerSentence } from "#src/lab/report/answer.ts";
import { answerTry } from "#src/show/answers/try.ts";
import type { TryRow, UnansweredTry } from "#src/studies/try/result.ts";
import { holdsUntil } from "../../runs.ts";
import { tryResults } from "./try-results.ts";
import {
  wordsOf,
  numberText,
  never,
  drawsIn,
  valuesIn,
  middle,
  always,
  VALUES,
  exceeds,
  isCounted,
  fates,
  isSame,
  hasRange,
  alikeTo,
  findChosen,
  findNamed,
  checkRival,
  checkSteady,
  checkAlikeGroup,
  checkBetter,
  checkNear,
  checkNoDifference,
  checkQueue,
  checkSimilar,
  mostSeenBy,
} from "./try-recounted.ts";
import { checkCause, checkDecider, checkInstead, checkStrict } from "./try-recounted-reasons.ts";

type Check = (facts: UnansweredTry, sentence: AnswerSentence, chosen: TryRow | null) => void;

function checkComparison(facts: UnansweredTry, sentence: AnswerSentence, row: TryRow): void {
  const { text, numbers } = sentence;
  const group = facts.candidates.filter(alikeTo(row));
  const same = group.filter((each) => each !== row && isSame(each, row));
  expect(sentence.id !== "choice" || same.length === (numbers["equal"] ?? 0)).toBe(true);
  if (sentence.id === "choice") checkNear(facts, sentence, row);
  const [name, of] = VALUES.find(([each]) => each in numbers || text.includes(" not admit "))!;
  const other = group.find(
    (each) =>
      text.includes(`, ${wordsOf(each)} `) &&
      (hasRange(numbers, "next", valuesIn(each, of)) ||
        hasRange(numbers, "other", valuesIn(each, of))),
  );
  expect(other, `${text} (${name})`).toBeDefined();
  expect(fates(group, facts).get(other!)).not.toBeNull();
  expect(always(other!, row, (worse, better) => of(worse) > of(better))).toBe(true);
}

const worse =
  (name: string): Check =>
  (facts, { text, numbers }, chosen) => {
    const found = fates(facts.candidates.filter(alikeTo(chosen!)), facts);
    const [, of] = VALUES.find(([each]) => each === name)!;
    const out = [...found]
      .filter(
        ([row, by]) =>
          by === name &&
          !isCounted(row, chosen!) &&
          always(row, chosen!, (own, best) => of(own) > of(best)),
      )
      .map(([row]) => row);
    expect(out).toHaveLength(numbers["candidates"]!);
    expect(text).toContain(wordsOf(out[0]!));
  };

const CHECKS: Readonly<Record<string, Check>> = {
  "no-requests": ({ candidates }) =>
    expect(candidates.flatMap(drawsIn).some(({ requests }) => requests === 0)).toBe(true),
  choice: (facts, sentence, chosen) => checkComparison(facts, sentence, chosen!),
  "no-difference": (facts, { numbers }, chosen) => {
    const group = facts.candidates.filter(alikeTo(chosen!));
    expect(group).toHaveLength(numbers["candidates"]!);
    // Clearly worse than the best one, but not than the chosen one in every draw, leaves no candidate out.
    for (const [row, by] of fates(group, facts)) {
      const of = VALUES.find(([name]) => name === by)?.[1];
      expect(of === undefined || !always(row, chosen!, (own, best) => of(own) > of(best))).toBe(
        true,
      );
    }
  },
  "worse-unadmitted": worse("unadmitted"),
  "worse-refused": worse("refused"),
  "worse-p99": worse("p99"),
  "worse-median": worse("median"),
  same: (facts, { text, numbers }, chosen) => {
    const group = facts.candidates.filter(alikeTo(chosen!));
    const others = group.filter((row) => row !== chosen && isSame(row, chosen!));
    expect(others).toHaveLength(numbers["candidates"]!);
    for (const row of others) expect(text.toLowerCase()).toContain(wordsOf(row).toLowerCase());
  },
  little: (facts, sentence, chosen) => checkRival(facts, sentence, chosen!),
  open: (facts, sentence, chosen) => checkRival(facts, sentence, chosen!),
  steady: (facts, sentence, chosen) => checkSteady(facts, sentence, chosen!),
  cause: (facts, sentence, chosen) => checkCause(facts, sentence, chosen!),
  instead: (facts, sentence, chosen) => checkInstead(facts, sentence, chosen!),
  commands: (facts, sentence, chosen) =>
    checkDecider(facts, sentence, chosen, ({ commands }) => commands),
  served: (facts, sentence, chosen) =>
    checkDecider(facts, sentence, chosen, ({ peakAdmitted }) => peakAdmitted),
  advised: (facts, sentence, chosen) =>
    checkDecider(facts, sentence, chosen, ({ retryAfterS }) => retryAfterS),
  "group-alike": checkAlikeGroup,
  better: (facts, sentence, chosen) => checkBetter(facts, sentence, chosen!),
  similar: (facts, sentence, chosen) => checkSimilar(facts, sentence, chosen!),
  bounds: ({ candidates }, { numbers, text }, chosen) => {
    const rows = candidates.filter(alikeTo(chosen ?? candidates[0]!));
    const known = rows.filter(({ mostPossible }) => mostPossible !== null);
    expect(numbers["strict"]! + numbers["others"]!).toBeLessThanOrEqual(known.length);
    const most = Math.max(0, ...known.map(({ mostPossible }) => mostPossible!));
    const claimed = /up to ([\d,]+)/.exec(text)?.[1];
    expect(Number(claimed?.replaceAll(",", "") ?? 0)).toBeLessThanOrEqual(most);
    expect(claimed === undefined).toBe(numbers["others"] === 0);
  },
  burst: (facts, _, chosen) => {
    const group = facts.candidates.filter(alikeTo(chosen!));
    const row = group.find(({ algorithm }) => algorithm === "gcra");
    expect([row?.burst, fates(group, facts).get(row!)]).toEqual([null, expect.any(String)]);
  },
  advice: ({ candidates }, { numbers }) => {
    const pairs = candidates.flatMap((a) =>
      candidates.filter(alikeTo(a)).map((b) => [a, b] as const),
    );
    expect(
      pairs.some(
        ([a, b]) =>
          a.retry === "retry-after" &&
          middle(valuesIn(a, ({ retryAfterS }) => retryAfterS ?? 0)) === numbers["retryAfterS"] &&
          middle(valuesIn(b, ({ retryAfterS }) => retryAfterS ?? 0)) ===
            numbers["otherRetryAfterS"] &&
          always(a, b, (x, y) => x.retryAfterS! > y.retryAfterS! && x.gaveUp < y.gaveUp),
      ),
    ).toBe(true);
  },
  wait: ({ candidates }, { text, numbers }, chosen) => {
    const row = chosen ?? candidates[0]!;
    const [half, most] = [
      valuesIn(row, ({ successUs }) => never(successUs.median)),
      valuesIn(row, ({ successUs }) => never(successUs.p99)),
    ];
    expect([hasRange(numbers, "medianUs", half), hasRange(numbers, "p99Us", most)]).toEqual([
      true,
      true,
    ]);
    expect(/ever admitted|only some draws/.test(text)).toBe(
      ![...half, ...most].every(Number.isFinite),
    );
    const shares = valuesIn(row, ({ admitted, requests }) => admitted / requests);
    for (const part of [Math.min(...shares), Math.max(...shares)])
      expect(!text.includes(" ever admitted") || text.includes(percent(part))).toBe(true);
  },
  unfair: ({ candidates }, { numbers }, chosen) => {
    const row = chosen ?? candidates[0]!;
    const least = valuesIn(row, ({ leastServed }) => leastServed);
    const served = valuesIn(row, ({ admitted, requests }) => admitted / requests);
    expect(hasRange(numbers, "leastServed", least)).toBe(true);
    expect(hasRange(numbers, "served", served)).toBe(true);
    for (const [at, part] of served.entries()) expect(2 * least[at]!).toBeLessThan(part);
  },
  overload: (facts, { text, numbers }, chosen) => {
    const row = chosen ?? facts.candidates[0]!;
    const { perUs, rate } = row;
    expect(exceeds(row, facts)).toBe(true);
    const shares = valuesIn(row, ({ demand, requests }) => demand.beyond / requests);
    expect(hasRange(numbers, "share", shares)).toBe(true);
    // An independent count: what the busy ones plan in a window, above the rate.
    const windows = facts.forUs / perUs;
    const allowed = Math.floor(rate * windows) / windows;
    const sent = valuesIn(row, ({ demand }) => demand.beyond / windows / demand.over + allowed);
    expect(numbers["sent"]).toBeCloseTo(middle(sent), 5);
    expect(text.includes(" of all requests")).toBe(true);
    expect(text.includes(" refuse or delay ")).toBe(facts.retries.join() !== "none");
  },
  counted: ({ candidates }, { text, numbers }, chosen) => {
    const rows = candidates.filter((row) => alikeTo(chosen!)(row) && isCounted(row, chosen!));
    expect(rows).toHaveLength(numbers["candidates"]!);
    expect(text.toLowerCase()).toContain(wordsOf(rows[0]!));
  },
  price: ({ candidates }, { text }, chosen) => {
    const { algorithm, mostPossible, rate } = chosen ?? candidates[0]!;
    expect(text).toMatch(new RegExp(`${wordsOf(chosen ?? candidates[0]!)} may admit `, "i"));
    expect(text.startsWith("The price: ")).toBe(!text.includes(", as may "));
    const mostInWindow = mostSeenBy(chosen ?? candidates[0]!);
    expect(algorithm).toMatch(/^(?:fixed_window|drl|token_bucket|sliding_window_counter)$/);
    expect(mostPossible).toBeGreaterThan(rate);
    expect(mostInWindow).toBeLessThanOrEqual(mostPossible!);
    expect(text).toContain(`up to ${numberText(mostPossible!)} of `);
    expect(text).toContain(`${numberText(mostInWindow)} were seen`);
    expect(text).toContain(`the limit is ${numberText(rate)}.`);
  },
  seen: ({ candidates }, { text }, chosen) => {
    const { algorithm } = chosen ?? candidates[0]!;
    const mostInWindow = mostSeenBy(chosen ?? candidates[0]!);
    expect(algorithm).toMatch(/^(?:non_transactional|sentinel)$/);
    expect(text).toContain(`got up to ${numberText(mostInWindow)} `);
  },
  kept: ({ candidates }, { text }, chosen) => {
    const { algorithm, rate } = chosen ?? candidates[0]!;
    const mostInWindow = mostSeenBy(chosen ?? candidates[0]!);
    // A window of one is an interval of one; the others of these never exceed the rate.
    if (rate > 1) expect(algorithm).toMatch(/^(?:sliding_log|bounded_log|gcra|leaky_bucket|drl)$/);
    expect(mostInWindow).toBeLessThanOrEqual(rate);
    const most = Number(
      /more than ([\d,]+) of an? \w+ in any /.exec(text)![1]!.replaceAll(",", ""),
    );
    expect([most >= mostInWindow, most <= rate]).toEqual([true, true]);
  },
  strict: (facts, sentence, chosen) => checkStrict(facts, sentence, chosen!),
  "strict-queue": (facts, sentence, chosen) => checkStrict(facts, sentence, chosen!),
  idle: ({ candidates }, { numbers }, chosen) => {
    const rows = candidates.filter(alikeTo(chosen!));
    expect(rows).toHaveLength(numbers["candidates"]!);
    expect(rows.flatMap(drawsIn).every(({ refusedAttempts }) => refusedAttempts === 0)).toBe(true);
    expect(Math.max(...rows.map(mostSeenBy))).toBe(numbers["most"]);
    expect(numbers["most"]).toBeLessThanOrEqual(rows[0]!.rate);
  },
  short: ({ candidates, forUs }, { numbers }) => {
    expect(numbers["perUs"]).toBe(Math.max(...candidates.map(({ perUs }) => perUs)));
    expect(2 * numbers["perUs"]!).toBeGreaterThan(forUs);
  },
  group: (facts, sentence) => {
    const { text } = sentence;
    const same = text.replace(" too: ", ": ");
    checkComparison(facts, sentence, findChosen(facts, { ...sentence, text: same }));
  },
  "group-no-difference": checkNoDifference,
  rest: ({ candidates }, { numbers }) => {
    const groups = new Set(
      candidates
        .filter((row) => candidates.filter(alikeTo(row)).length > 1)
        .map(({ limit, retry }) => `${limit} ${retry}`),
    ).size;
    expect(numbers["choices"]).toBe(groups - 4);
  },
  limits: ({ candidates }, { text, numbers }, chosen) => {
    const { algorithm, retry } = chosen ?? candidates[0]!;
    const rows = candidates.filter((row) => row.algorithm === algorithm && row.retry === retry);
    const enough = rows.filter((row) => drawsIn(row).every(({ gaveUp }) => gaveUp === 0));
    expect(text.includes("large enough")).toBe(enough.length === 0);
    const rates = (enough.length === 0 ? rows : enough).map(({ rate, perUs }) => rate / perUs);
    expect(numbers["rate"]! / numbers["perUs"]!).toBe(
      enough.length === 0 ? Math.max(...rates) : Math.min(...rates),
    );
  },
  outcome: ({ candidates }, { numbers }) => {
    expect(
      candidates.some(
        (row) =>
          hasRange(
            numbers,
            "unadmitted",
            valuesIn(row, ({ gaveUp }) => gaveUp),
          ) &&
          hasRange(
            numbers,
            "refused",
            valuesIn(row, ({ refusedAttempts }) => refusedAttempts),
          ) &&
          row.rate === numbers["rate"],
      ),
    ).toBe(true);
  },
  clients: (facts, { numbers }) => {
    const { candidates } = facts;
    const rows = candidates.filter(({ limit }) => limit === candidates[0]!.limit);
    const best = rows.filter((row) => fates(rows, facts).get(row) === null);
    expect(
      best.some((row) => VALUES.some(([name, of]) => hasRange(numbers, name, valuesIn(row, of)))),
    ).toBe(true);
  },
  missing: ({ isInterrupted }) => expect(isInterrupted).toBe(true),
  draws: ({ candidates }, { text, numbers }) => {
    expect(numbers["draws"]).toBe(Math.max(...candidates.map((row) => drawsIn(row).length)));
    expect(text).toContain(`seeds 1 to ${numbers["draws"]}`);
  },
  draw: ({ candidates }) => {
    expect(candidates.every(({ otherDraws }) => otherDraws.length === 0)).toBe(true);
    expect(candidates.some(({ isRandom }) => isRandom)).toBe(true);
  },
  exact: ({ candidates }) => {
    expect(candidates.some(({ isRandom }) => isRandom)).toBe(false);
  },
  delay: ({ gateways }) => expect(gateways).toBeGreaterThan(1),
  queue: (_, sentence) => checkQueue(sentence),
  next: ({ candidates }, { text }, chosen) => {
    const { limit, algorithm } = chosen ?? candidates[0]!;
    expect(text).toContain(`--limit ${limit} --algorithm ${algorithm}`);
  },
};

/** These take several times as long to occur; other tests have them. */
const RARE: ReadonlySet<string> = new Set([
  "better",
  "strict-queue",
  "same",
  "rest",
  "worse-median",
  "worse-p99",
  "worse-refused",
  "worse-unadmitted",
  "advice",
  "steady",
  "cause",
  "instead",
  "commands",
  "served",
  "advised",
]);

test("each sentence states what the rows of a random result have", async () => {
  const seen = new Map<string, number>();
  const common = Object.keys(CHECKS).filter((id) => !RARE.has(id));
  const countLeast = (): number => Math.min(...common.map((id) => seen.get(id) ?? 0));
  const property = fc.property(tryResults, (result) => {
    const answer = answerTry(result);
    expect(answer.length === 0).toBe(result.candidates.length === 0);
    expect(answer.length).toBeLessThanOrEqual(8);
    // A queue is compared with nothing, unless all candidates have one.
    const others = result.candidates.filter(({ algorithm }) => algorithm !== "leaky_bucket");
    const facts = others.length === 0 ? result : { ...result, candidates: others };
    const queue = answer.find(({ id }) => id === "queue");
    const queued = result.candidates.find(({ algorithm }) => algorithm === "leaky_bucket");
    // It is left out of a long answer.
    const isNamed = answer.some(({ id }) => id === "strict-queue");
    expect(queue === undefined || (others.length > 0 && !isNamed)).toBe(true);
    expect(queue?.numbers["refused"]).toBe(
      queue && middle(valuesIn(queued!, ({ refusedAttempts }) => refusedAttempts)),
    );
    const choice = answer.find(({ id }) => id === "choice");
    const chosen =
      choice === undefined
        ? findNamed(facts, answer)
        : findChosen(facts, choice, answer.find(({ id }) => id === "next")?.command);
    for (const sentence of answer) {
      seen.set(sentence.id, (seen.get(sentence.id) ?? 0) + 1);
      CHECKS[sentence.id]!(sentence.id.startsWith("strict") ? result : facts, sentence, chosen);
    }
  });
  await holdsUntil(1, countLeast, property, 150);
  expect(common.filter((id) => !seen.has(id))).toEqual([]);
});
