// Sentences of the answer of weir try about the chosen candidate and those that it is compared with.
import { perWords, rateWords } from "../../kit/reading/periods.ts";
import { plural, thousands } from "../../kit/reading/legible.ts";
import type { AnswerSentence } from "../../lab/report/answer.ts";
import { drawsOf, middleOf, valuesOf } from "../../studies/try/draw-values.ts";
import type { TryRow, UnansweredTry } from "../../studies/try/result.ts";
import { specCalled } from "../../limiter/spec/by-algorithm.ts";
import {
  chooseTried,
  isOverloaded,
  isQueue,
  keepsLimit,
  pairDraws,
  TRY_VALUES,
} from "./try-choice.ts";
import {
  attemptsWords,
  groupWords,
  halfWords,
  isNever,
  limitersWords,
  longestWords,
  numberOf,
  ofRequests,
  outcomeWords,
  rangeNumbers,
  retryWords,
  roundShares,
  valueWords,
} from "./try-words.ts";
import {
  limiterWords,
  listWords,
  namesWords,
  rangeWords,
  sentenceCase,
  shareRange,
  withinWords,
} from "./words.ts";

/** Candidates with the same limit and the same clients, of which one is chosen. */
export type TriedGroup = readonly [TryRow, ...TryRow[]];

export const isLimiter =
  ({ algorithm, profile, file }: TryRow) =>
  (row: TryRow): boolean =>
    row.algorithm === algorithm && row.profile === profile && row.file?.name === file?.name;

/** Null: no request waits, or clients do not retry, so that those which are admitted do not wait. */
export function waitSentence(row: TryRow): AnswerSentence | null {
  if (isNever(row, TRY_VALUES.p99) || (row.retry === "none" && !isQueue(row))) return null;
  const half = halfWords(row);
  const isHalf = valuesOf(row, TRY_VALUES.median).every(Number.isFinite);
  return {
    id: "wait",
    text: `With ${limiterWords(row)} ${half}${isHalf ? `, and ${longestWords(row)}` : ""}.`,
    numbers: { ...numberOf(row, "median", "medianUs"), ...numberOf(row, "p99", "p99Us") },
  };
}

/** Null: no client gets much less than all together, at least in one draw. */
export function unfairSentence(row: TryRow): AnswerSentence | null {
  const draws = drawsOf(row).map(({ leastServed, admitted, requests }) => ({
    least: leastServed,
    served: admitted / requests,
  }));
  if (draws.some(({ least, served }) => least >= served / 2)) return null;
  const [least, served] = [draws.map((draw) => draw.least), draws.map((draw) => draw.served)];
  return {
    id: "unfair",
    text: `With ${limiterWords(row)} one client gets only ${shareRange(least)} of its requests admitted, all clients together ${shareRange(served)}.`,
    numbers: { ...rangeNumbers("leastServed", least), ...rangeNumbers("served", served) },
  };
}

const mostSeen = (row: TryRow): number =>
  Math.max(...valuesOf(row, ({ mostInWindow }) => mostInWindow));

const budgetOwner = ({ perAddress }: UnansweredTry): string =>
  perAddress === null ? "a client" : "an address";

/** How far the algorithm may exceed the limit, and the best of `rows` that never does: one with a queue too. */
export function priceSentences(
  best: TryRow,
  next: TryRow | undefined,
  rows: TriedGroup,
  facts: UnansweredTry,
): readonly AnswerSentence[] {
  const { rate, perUs, mostPossible } = best;
  const of = budgetOwner(facts);
  const name = limiterWords(best); // other sentences between may be about others
  const seen = mostSeen(best);
  const numbers = { seen, rate, perUs };
  if (mostPossible === null) {
    const sentence = {
      id: "seen",
      text: `With ${name} ${of} got up to ${thousands(seen)} ${withinWords(perUs)}, and the limit is ${thousands(rate)}; with other traffic it may be more.`,
      numbers,
    };
    const strict = seen > rate ? strictSentence(best, next, rows, facts) : null;
    return strict === null ? [sentence] : [sentence, strict];
  }
  if (keepsLimit(best))
    return [
      {
        id: "kept",
        text: `${sentenceCase(name)} never admits more than ${thousands(mostPossible)} of ${of} in any ${perWords(perUs)}.`,
        numbers: { ...numbers, possible: mostPossible },
      },
    ];
  const other =
    next === undefined || next.mostPossible === null || keepsLimit(next)
      ? ""
      : next.mostPossible === mostPossible
        ? `, as may ${limiterWords(next)}`
        : `, ${limiterWords(next)} ${thousands(next.mostPossible)}`;
  const price = {
    id: "price",
    text: `${next?.mostPossible === mostPossible ? sentenceCase(name) : `The price: ${name}`} may admit up to ${thousands(mostPossible)} of ${of} ${withinWords(perUs)}${other}; ${thousands(seen)} were seen, and the limit is ${thousands(rate)}.`,
    numbers: { ...numbers, possible: mostPossible },
  };
  const strict = strictSentence(best, next, rows, facts);
  return strict === null ? [price] : [price, strict];
}

/** The best candidate of those that never exceed the limit. */
function strictSentence(
  { rate, perUs }: TryRow,
  next: TryRow | undefined,
  rows: TriedGroup,
  facts: UnansweredTry,
): AnswerSentence | null {
  const [first, ...others] = rows.filter(keepsLimit);
  if (first === undefined) return null;
  const { best: strict, equal } = chooseTried([first, ...others], facts);
  const isKnown = strict === next && strict.retry === "none"; // the first sentence has its refusals
  const names = limitersWords([strict, ...equal], "or");
  const does = `${equal.length === 0 ? "it" : "each"} ${outcomeWords(strict)}`;
  const how = isQueue(strict)
    ? ", in which requests wait"
    : strict.algorithm === "gcra" && strict.burst === null
      ? " (its default: one request at once)"
      : "";
  return {
    id: isQueue(strict) ? "strict-queue" : "strict",
    text: `If ${budgetOwner(facts)} must never get more than ${thousands(rate)} ${withinWords(perUs)}, take ${names}${how}${isKnown ? "" : `: ${does}`}.`,
    numbers: {
      most: strict.mostPossible!,
      ...numberOf(strict, "unadmitted"),
      ...numberOf(strict, "refused"),
    },
  };
}

/** How far each of several equal candidates may exceed the limit; null: it is known of none. */
export function boundsSentence(
  rows: TriedGroup,
  facts: UnansweredTry,
  lead = "", // if it separates them
): AnswerSentence | null {
  const [{ rate, perUs }] = rows;
  const known = rows.filter(({ mostPossible }) => mostPossible !== null);
  const [strict, others] = [known.filter(keepsLimit), known.filter((row) => !keepsLimit(row))];
  if (known.length === 0) return null;
  const of = budgetOwner(facts);
  const bounds = others.map(({ mostPossible }) => mostPossible!);
  const highest = Math.max(0, ...bounds);
  const lower = others
    .filter(({ mostPossible }) => mostPossible! < highest)
    .map((row) => `${limiterWords(row)} ${thousands(row.mostPossible!)}`);
  const more = `up to ${thousands(highest)}${lower.length === 0 ? "" : ` (${listWords(lower)})`}`;
  const within = `${thousands(rate)} of ${of} in any ${perWords(perUs)}`;
  const text =
    others.length === 0
      ? `${limitersWords(strict, "and")} never ${plural(strict.length, "admits", "admit")} more than ${within}`
      : strict.length === 0
        ? `${limitersWords(others, "and")} may admit ${more} of ${of} ${withinWords(perUs)}, and the limit is ${thousands(rate)}`
        : `${limitersWords(strict, "and")} never ${plural(strict.length, "admits", "admit")} more than ${within}; ${limitersWords(others, "and")} may admit ${more}`;
  const isLed = strict.length > 0 && others.length > 0;
  return {
    id: "bounds",
    text: `${isLed ? `${lead}${lead === "" ? sentenceCase(text) : text}` : sentenceCase(text)}.`,
    numbers: { rate, perUs, strict: strict.length, others: others.length },
  };
}

/** What no limiter can change: clients plan more than the limit allows. Null: they do not, or only in a short run. */
export function overloadSentence(row: TryRow, facts: UnansweredTry): AnswerSentence | null {
  if (!isOverloaded(row, facts)) return null;
  const { rate, perUs } = row;
  const draws = drawsOf(row);
  const [{ demand }] = draws;
  const over = draws.map((draw) => draw.demand.over);
  const each = draws.map((draw) => draw.demand.planned / draw.demand.over / (facts.forUs / perUs));
  const shares = draws.map((draw) => draw.demand.beyond / draw.requests);
  const kind = facts.perAddress === null ? "client" : "address";
  const kinds = facts.perAddress === null ? "clients" : "addresses";
  const mean = facts.population === "even" ? "" : " on average";
  const per = perWords(perUs);
  const { budgets } = demand;
  const subject = over.some((count) => count < budgets)
    ? `${rangeWords(over)} of ${thousands(budgets)} ${kinds} ${plural(Math.max(...over), "sends", "send")} more than the limit of ${thousands(rate)} per ${per}`
    : `${budgets === 1 ? "The" : "Each"} ${kind} sends${mean} ${rangeWords(each, (sent) => thousands(sent < 10 ? Number(sent.toFixed(1)) : Math.round(sent)))} requests per ${per}, and the limit is ${thousands(rate)}`;
  const must = facts.retries.every((retry) => retry === "none") ? "refuse" : "refuse or delay";
  const more = must === "refuse" ? idleBudgetWords(row, shares, facts) : "";
  return {
    id: "overload",
    text: `${subject}: in the long run any limiter has to ${must} ${roundShares(shares)} of all requests${more}.`,
    numbers: {
      rate,
      perUs,
      budgets,
      ...rangeNumbers("sent", each),
      ...rangeNumbers("over", over),
      ...rangeNumbers("share", shares),
    },
  };
}

/** From this part of the requests on, more is refused than in the long run has to be. */
const MUCH_MORE = 0.05;

/** Why more is refused than the limit needs: a budget that is full gains nothing. Empty: it is not, or refusals count. */
function idleBudgetWords(
  row: TryRow,
  shares: readonly number[],
  { candidates }: Pick<UnansweredTry, "candidates">,
): string {
  const refusalSharesOf = (each: TryRow): readonly number[] =>
    valuesOf(each, ({ gaveUp, requests }) => gaveUp / requests);
  const refused = refusalSharesOf(row);
  if (Math.min(...refused) <= Math.max(...shares) + MUCH_MORE) return "";
  const isFree = ({ algorithm }: TryRow): boolean =>
    algorithm !== null && specCalled(algorithm)?.countsAttempts === false;
  const doesAsMuch = (each: TryRow): boolean =>
    each.limit === row.limit &&
    each.retry === row.retry &&
    Math.max(...refusalSharesOf(each)) <= Math.max(...refused) + 0.01;
  if (!candidates.some((each) => isFree(each) && doesAsMuch(each))) return "";
  return `; here ${limiterWords(row)} refuses ${roundShares(refused)}, since a full budget gains nothing between bursts`;
}

/** Why candidates admit so much less: refused requests count too. */
export function starvationSentence(best: TryRow, rows: readonly TryRow[]): AnswerSentence | null {
  if (rows.length === 0) return null;
  const own = rows.length === 1;
  const shares = rows.flatMap((row) =>
    valuesOf(row, ({ admitted, requests }) => admitted / requests),
  );
  const admitted = rows.flatMap((row) => valuesOf(row, (draw) => draw.admitted));
  return {
    id: "counted",
    text: `${sentenceCase(namesWords(rows.map(limiterWords), 3))} ${own ? "admits" : "admit"} only ${shareRange(shares)}: ${own ? "it counts" : "they count"} refused requests too, so that a client above the limit stays refused.`,
    numbers: {
      candidates: rows.length,
      admitted: Math.max(...admitted),
      bestAdmitted: middleOf(valuesOf(best, (draw) => draw.admitted)),
    },
  };
}

/** Candidates that count refused requests too, and admit less than half as much as the best one in every draw. */
export const findStarved = (best: TryRow, rows: readonly TryRow[]): readonly TryRow[] =>
  rows.filter(
    (row) =>
      row.algorithm !== null &&
      specCalled(row.algorithm)?.countsAttempts === true &&
      pairDraws(row, best).every(([own, most]) => own.admitted < most.admitted / 2),
  );

/** GCRA is left out for its default more often than for itself. Null: it has a burst, or is not left out. */
export function burstSentence(leftOut: readonly TryRow[]): AnswerSentence | null {
  const row = leftOut.find(({ algorithm, burst }) => algorithm === "gcra" && burst === null);
  if (row === undefined) return null;
  return {
    id: "burst",
    text: `GCRA has its default here, one request at once: --burst ${Math.floor(row.rate)} allows as many as the limit.`,
    numbers: { rate: row.rate },
  };
}

/** What a limiter with a queue does instead, for the first kind of clients; null: there is none. */
export function queueSentence([row]: readonly TryRow[]): AnswerSentence | null {
  if (row === undefined) return null;
  return {
    id: "queue",
    text: `${sentenceCase(limiterWords(row))} lets requests wait in the gateway instead: it refuses ${attemptsWords(row)}, and ${halfWords(row)}.`,
    numbers: { ...numberOf(row, "refused"), ...numberOf(row, "median", "medianUs") },
  };
}

/** For candidates that refuse nothing and admit no more than the limit: any of them will do. Null: they do. */
export function idleSentence(rows: TriedGroup, facts: UnansweredTry): AnswerSentence | null {
  const [{ rate, perUs }] = rows;
  const most = Math.max(...rows.map(mostSeen));
  if (most > rate || rows.some((row) => !isNever(row, TRY_VALUES.refused))) return null;
  const where = groupWords(rows[0], facts);
  const which = rows.length === 2 ? "either limiter" : `any of the ${rows.length} limiters`;
  return {
    id: "idle",
    text: `${where === "" ? "" : `${sentenceCase(where)}, `}${where === "" ? "Nothing" : "nothing"} is refused, so ${which} will do: ${budgetOwner(facts)} sends up to ${thousands(most)} in any ${perWords(perUs)}, and the limit is ${thousands(rate)}.`,
    numbers: { rate, perUs, most, candidates: rows.length },
  };
}

/** Which of several limits is large enough for these requests. */
export function limitsSentence(
  best: TryRow,
  { candidates, retries }: UnansweredTry,
): AnswerSentence | null {
  const rows = candidates
    .filter((row) => isLimiter(best)(row) && row.retry === best.retry)
    .toSorted((a, b) => a.rate / a.perUs - b.rate / b.perUs);
  if (rows.length === 1) return null;
  const enough = rows.find((row) => isNever(row, TRY_VALUES.unadmitted));
  const shown = enough ?? rows.at(-1)!;
  const { rate, perUs } = shown;
  const numbers = { rate, perUs, ...numberOf(shown, "unadmitted") };
  const clients = retries.length === 1 ? "" : ` with ${retryWords(best.retry)}`;
  return {
    id: "limits",
    text:
      enough === undefined
        ? `No limit is large enough for all requests: at ${rateWords(rate, perUs)} ${valueWords(shown, "unadmitted", shown)} ${ofRequests(shown)} are never admitted${clients}.`
        : `${sentenceCase(rateWords(rate, perUs))} is the lowest of these limits at which ${limiterWords(best)} admits all requests${clients}.`,
    numbers,
  };
}
