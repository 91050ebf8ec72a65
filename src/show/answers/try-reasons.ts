// Sentences of the answer of weir try that compare the chosen limiter with the next one: the cause, and when that one
// is better.
import { thousands } from "../../kit/reading/legible.ts";
import { durationWords } from "../../kit/units.ts";
import type { AnswerSentence } from "../../lab/report/answer.ts";
import { specCalled } from "../../limiter/spec/by-algorithm.ts";
import { middleOf, valuesOf } from "../../studies/try/draw-values.ts";
import type { DrawFigures, TryRow, UnansweredTry } from "../../studies/try/result.ts";
import { FREE_LOG } from "../../studies/replay/choices.ts";
import { isWorse, pairDraws, SLACK, TRY_VALUES, type TryCriterion } from "./try-choice.ts";
import { numberOf, ofRequests, valueWords, waitWords } from "./try-words.ts";
import { limiterWords, rangeWords, sentenceCase, withinWords } from "./words.ts";

/** Why clients that wait as advised are served better: a longer wait makes their attempts last longer. */
export function adviceSentence(best: TryRow, other: TryRow | undefined): AnswerSentence | null {
  if (best.retry !== "retry-after" || other === undefined) return null;
  const isCause = pairDraws(best, other).every(
    ([own, others]) =>
      (own.retryAfterS ?? 0) > (others.retryAfterS ?? Number.POSITIVE_INFINITY) &&
      own.gaveUp < others.gaveUp,
  );
  if (!isCause) return null;
  const adviceOf = (row: TryRow): readonly number[] =>
    valuesOf(row, ({ retryAfterS }) => retryAfterS ?? 0);
  const [own, others] = [adviceOf(best), adviceOf(other)];
  return {
    id: "advice",
    text: `The cause is Retry-After: half of the refusals of ${limiterWords(best)} advise ${rangeWords(own)} s or more, of ${limiterWords(other)} ${rangeWords(others)} s, after which few of the waiting requests fit, and ten attempts are used up sooner.`,
    numbers: {
      retryAfterS: middleOf(own),
      otherRetryAfterS: middleOf(others),
      ...numberOf(best, "unadmitted"),
      ...numberOf(other, "unadmitted", "otherUnadmitted"),
    },
  };
}

/** How a spent budget is returned; null: it is not known, as of a profile. */
function returnWords(
  { algorithm, burst, rate, perUs }: TryRow,
  { gateways }: UnansweredTry,
): string | null {
  if (algorithm === null) return null;
  if (specCalled(algorithm)?.countsAttempts === true)
    return `one window after each attempt, refused or not`;
  switch (algorithm) {
    case "fixed_window":
      return "only when a window ends";
    case "drl":
      return `only when a window ends${gateways === 1 ? "" : `, and each of ${gateways} gateways has its own share`}`;
    case "gcra":
      return burst === null || burst === 1
        ? `for one request at a time, ${durationWords(Math.round(perUs / rate))} after the last`
        : "request by request as time passes";
    case "token_bucket":
      return "request by request as time passes";
    case "sliding_window_counter":
      return "as the window before counts less and less";
    case FREE_LOG:
      return "one window after each admitted request";
    default:
      return null;
  }
}

const seenBy = ({ mostInWindow }: DrawFigures): number => mostInWindow;

/** What the two limiters do in different ways. Null: the same, or it is not known and the draws do not show it. */
export function causeSentence(
  best: TryRow,
  next: TryRow,
  facts: UnansweredTry,
): AnswerSentence | null {
  const [own, other] = [returnWords(best, facts), returnWords(next, facts)];
  const [name, nextName] = [limiterWords(best), limiterWords(next)];
  if (own !== null && other !== null && own !== other)
    return {
      id: "cause",
      text: `The cause: ${name} returns budget ${own}, ${nextName} ${other}.`,
      numbers: {},
    };
  if (pairDraws(best, next).some(([more, less]) => seenBy(more) <= seenBy(less))) return null;
  const [seen, nextSeen] = [best, next].map((row) => Math.max(...valuesOf(row, seenBy))) as [
    number,
    number,
  ];
  return {
    id: "cause",
    text: `The cause: ${name} let up to ${thousands(seen)} of ${facts.perAddress === null ? "a client" : "an address"} through ${withinWords(best.perUs)}, ${nextName} ${thousands(nextSeen)}.`,
    numbers: { seen, nextSeen },
  };
}

// ---------------------------------------------------------------- when the next one is better

const isBetterBy = (next: TryRow, best: TryRow, by: TryCriterion): boolean =>
  isWorse(best, next, by, (value, draw) => value + SLACK[by](value, draw, 0));

const isMuchMore = (best: TryRow, next: TryRow, valueOf: (draw: DrawFigures) => number): boolean =>
  pairDraws(best, next).every(([own, other]) => valueOf(own) > 2 * valueOf(other));

interface Instead {
  readonly condition: string;
  readonly numbers: Readonly<Record<string, number>>;
}

function insteadOf(best: TryRow, next: TryRow, by: TryCriterion): readonly Instead[] {
  const name = limiterWords(best);
  const counted = (condition: string, what: string, criterion: TryCriterion): Instead[] =>
    by === criterion || best.retry === "none" || !isBetterBy(next, best, criterion)
      ? []
      : [
          {
            condition: `if ${condition} (${what.replace("N", rangeWords(valuesOf(next, TRY_VALUES[criterion])))}, with ${name} ${rangeWords(valuesOf(best, TRY_VALUES[criterion]))})`,
            numbers: {
              ...numberOf(next, criterion),
              ...numberOf(best, criterion, `${criterion}Taken`),
            },
          },
        ];
  const waits = valuesOf(next, TRY_VALUES.median);
  const peak = ({ peakSent }: DrawFigures): number => peakSent;
  const [sent, nextSent] = [middleOf(valuesOf(best, peak)), middleOf(valuesOf(next, peak))];
  return [
    ...counted(
      "admitted requests count more than refused attempts",
      `N ${ofRequests(next)} stay unadmitted`,
      "unadmitted",
    ),
    ...(by !== "median" && waits.every(Number.isFinite) && isBetterBy(next, best, "median")
      ? [
          {
            condition: `if half of the requests must not wait (they are admitted ${waitWords(waits)}, with ${name} ${valueWords(best, "median", next)})`,
            numbers: {
              ...numberOf(next, "median", "medianUs"),
              ...numberOf(best, "median", "medianUsTaken"),
            },
          },
        ]
      : []),
    ...(isMuchMore(best, next, peak)
      ? [
          {
            condition: `if many attempts at once do harm (${thousands(nextSent)} in one second, with ${name} ${thousands(sent)})`,
            numbers: { sent: nextSent, sentTaken: sent },
          },
        ]
      : []),
    ...counted("refused attempts cost most", "N", "refused"),
  ];
}

const MOST_CONDITIONS = 2;

/** What the limiter that was left out does better in every draw; null: nothing. */
export function insteadSentence(
  best: TryRow,
  next: TryRow,
  by: TryCriterion,
): AnswerSentence | null {
  const found = insteadOf(best, next, by).slice(0, MOST_CONDITIONS);
  if (found.length === 0) return null;
  return {
    id: "instead",
    text: `${sentenceCase(limiterWords(next))} is better ${found.map(({ condition }) => condition).join(", or ")}.`,
    numbers: Object.assign({}, ...found.map(({ numbers }) => numbers)) as Record<string, number>,
  };
}
