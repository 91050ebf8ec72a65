// Sentences of the answer of weir try about the chosen candidate, and about what the result leaves open.
import { perWords, rateWords } from "../../kit/reading/periods.ts";
import { percent, plural, thousands } from "../../kit/reading/legible.ts";
import type { AnswerSentence } from "../../lab/report/answer.ts";
import type { TryRow, UnansweredTry } from "../../studies/try/result.ts";
import { durationText } from "../../studies/try/text.ts";
import { specCalled } from "../../limiter/spec/by-algorithm.ts";
import { chooseTried, isOverloaded, isQueue, keepsLimit } from "./try-choice.ts";
import { attemptsWords, outcomeWords, retryWords } from "./try-words.ts";
import {
  commandWords,
  limiterWords,
  namesWords,
  sentenceCase,
  shareRange,
  withinWords,
} from "./words.ts";

/** Candidates with the same limit and the same clients, of which one is chosen. */
export type TriedGroup = readonly [TryRow, ...TryRow[]];

export const isLimiter =
  ({ algorithm, profile }: TryRow) =>
  (row: TryRow): boolean =>
    row.algorithm === algorithm && row.profile === profile;

/** Why clients that wait as advised are served better: a longer wait makes their attempts last longer. */
export function adviceSentence(best: TryRow, other: TryRow | undefined): AnswerSentence | null {
  if (best.retry !== "retry-after" || other === undefined) return null;
  const [own, others] = [best.retryAfterS, other.retryAfterS];
  if (own === null || others === null || own <= others || best.gaveUp >= other.gaveUp) return null;
  return {
    id: "advice",
    text: `The reason is Retry-After: half of its refusals advise ${thousands(own)} s or more; with ${limiterWords(other)} it is ${thousands(others)} s, and ten attempts are used up sooner.`,
    numbers: {
      retryAfterS: own,
      otherRetryAfterS: others,
      unadmitted: best.gaveUp,
      otherUnadmitted: other.gaveUp,
    },
  };
}

/** Null: no request waits, or clients do not retry, so that those which are admitted do not wait. */
export function waitSentence(row: TryRow): AnswerSentence | null {
  const { median, p99 } = row.successUs;
  if (p99 === 0 || (row.retry === "none" && !isQueue(row))) return null;
  const numbers = {
    ...(median === null ? {} : { medianUs: median }),
    ...(p99 === null ? {} : { p99Us: p99 }),
  };
  const half =
    median === null
      ? "fewer than half of the requests are ever admitted"
      : median === 0
        ? "half of the requests do not wait"
        : `half of the requests wait up to ${durationText(median)}`;
  const most =
    p99 === null ? "fewer than 99 % are ever admitted" : `99 % wait up to ${durationText(p99)}`;
  return {
    id: "wait",
    text: `With ${limiterWords(row)} ${half}${median === null ? "" : `, and ${most}`}.`,
    numbers,
  };
}

/** Null: no client gets much less than all together. */
export function unfairSentence({ leastServed, admitted, requests }: TryRow): AnswerSentence | null {
  const served = admitted / requests;
  if (leastServed >= served / 2) return null;
  return {
    id: "unfair",
    text: `One client gets only ${percent(leastServed)} of its requests admitted, all clients together ${percent(served)}.`,
    numbers: { leastServed, served },
  };
}

/** How far the algorithm may exceed the limit, and the best candidate of those that never do. */
export function priceSentences(
  best: TryRow,
  next: TryRow | undefined,
  rows: TriedGroup,
  facts: UnansweredTry,
): readonly AnswerSentence[] {
  const { rate, perUs, mostInWindow, mostPossible } = best;
  const of = facts.perAddress === null ? "a client" : "an address";
  const numbers = { seen: mostInWindow, rate, perUs };
  if (mostPossible === null) {
    const seen = {
      id: "seen",
      text: `In this run ${of} got up to ${thousands(mostInWindow)} ${withinWords(perUs)}, and the limit is ${thousands(rate)}; other traffic may get more.`,
      numbers,
    };
    const strict = mostInWindow > rate ? strictSentence(best, next, rows, facts) : null;
    return strict === null ? [seen] : [seen, strict];
  }
  if (keepsLimit(best))
    return [
      {
        id: "kept",
        text: `It keeps the limit: ${of} never gets more than ${thousands(mostPossible)} in any ${perWords(perUs)}.`,
        numbers: { ...numbers, possible: mostPossible },
      },
    ];
  const other =
    next === undefined || next.mostPossible === null || keepsLimit(next)
      ? ""
      : next.mostPossible === mostPossible
        ? `, as with ${limiterWords(next)}`
        : `, with ${limiterWords(next)} ${thousands(next.mostPossible)}`;
  const price = {
    id: "price",
    text: `Its price: up to ${thousands(mostPossible)} of ${of} ${withinWords(perUs)} are possible${other}; ${thousands(mostInWindow)} were seen, and the limit is ${thousands(rate)}.`,
    numbers: { ...numbers, possible: mostPossible },
  };
  const strict = strictSentence(best, next, rows, facts);
  return strict === null ? [price] : [price, strict];
}

/** The best candidate of those that never exceed the limit. */
function strictSentence(
  { rate }: TryRow,
  next: TryRow | undefined,
  rows: TriedGroup,
  facts: UnansweredTry,
): AnswerSentence | null {
  const [first, ...others] = rows.filter(keepsLimit);
  if (first === undefined) return null;
  const strict = chooseTried([first, ...others], facts).best;
  const name = limiterWords(strict);
  const isKnown = strict === next && strict.retry === "none"; // the first sentence has its refusals
  return {
    id: "strict",
    text:
      strict === next || others.length === 0
        ? `${sentenceCase(name)} never exceeds ${thousands(rate)}${isKnown ? "" : `: it ${outcomeWords(strict)}`}.`
        : `Of those that never exceed ${thousands(rate)}, take ${name}: it ${outcomeWords(strict)}.`,
    numbers: {
      most: strict.mostPossible!,
      unadmitted: strict.gaveUp,
      refused: strict.refusedAttempts,
    },
  };
}

/** What no limiter can change: clients plan more than the limit allows. Null: they do not, or only in a short run. */
export function overloadSentence(row: TryRow, facts: UnansweredTry): AnswerSentence | null {
  if (!isOverloaded(row, facts)) return null;
  const { rate, perUs, requests, demand } = row;
  const { budgets, over, planned, beyond } = demand;
  const each = planned / over / (facts.forUs / perUs);
  const share = beyond / requests;
  const kind = facts.perAddress === null ? "client" : "address";
  const kinds = facts.perAddress === null ? "clients" : "addresses";
  const mean = facts.population === "even" ? "" : " on average";
  const per = perWords(perUs);
  const subject =
    over < budgets
      ? `${thousands(over)} of ${thousands(budgets)} ${kinds} ${plural(over, "sends", "send")} more than the limit of ${thousands(rate)} per ${per}`
      : `${budgets === 1 ? "The" : "Each"} ${kind} sends${mean} ${thousands(each < 10 ? Number(each.toFixed(1)) : Math.round(each))} requests per ${per}, and the limit is ${thousands(rate)}`;
  const must = facts.retries.every((retry) => retry === "none") ? "refuse" : "refuse or delay";
  return {
    id: "overload",
    text: `${subject}: in the long run any limiter has to ${must} ${share > 0.99 ? percent(share) : `${Math.round(share * 100)} %`} of all requests.`,
    numbers: { sent: each, rate, perUs, over, budgets, share },
  };
}

/** Why candidates admit so much less: refused requests count too. */
export function starvationSentence(best: TryRow, rows: readonly TryRow[]): AnswerSentence | null {
  if (rows.length === 0) return null;
  const own = rows.length === 1;
  return {
    id: "counted",
    text: `${sentenceCase(namesWords(rows.map(limiterWords), 3))} ${own ? "admits" : "admit"} only ${shareRange(rows.map(({ admitted, requests }) => admitted / requests))}: ${own ? "it counts" : "they count"} refused requests too, so that a client above the limit stays refused.`,
    numbers: {
      candidates: rows.length,
      admitted: Math.max(...rows.map(({ admitted }) => admitted)),
      bestAdmitted: best.admitted,
    },
  };
}

/** Candidates that count refused requests too, and admit less than half as much as the best one. */
export const findStarved = (best: TryRow, rows: readonly TryRow[]): readonly TryRow[] =>
  rows.filter(
    ({ algorithm, admitted }) =>
      algorithm !== null &&
      specCalled(algorithm)?.countsAttempts === true &&
      admitted < best.admitted / 2,
  );

/** What a limiter with a queue does instead, for the first kind of clients; null: there is none. */
export function queueSentence([row]: readonly TryRow[]): AnswerSentence | null {
  if (row === undefined) return null;
  const { refusedAttempts, successUs } = row;
  const half =
    successUs.median === null
      ? "fewer than half of the requests are ever admitted"
      : successUs.median === 0
        ? "half of the requests do not wait"
        : `half of the requests wait up to ${durationText(successUs.median)}`;
  return {
    id: "queue",
    text: `${sentenceCase(limiterWords(row))} lets requests wait in the gateway instead: it refuses ${attemptsWords(refusedAttempts)}, and ${half}.`,
    numbers: {
      refused: refusedAttempts,
      ...(successUs.median === null ? {} : { medianUs: successUs.median }),
    },
  };
}

/** For candidates that nothing separates: a limit that is never reached cannot separate them. */
export function idleSentence({
  refusedAttempts,
  mostInWindow,
  rate,
  perUs,
}: TryRow): AnswerSentence | null {
  if (refusedAttempts > 0 || mostInWindow >= rate) return null;
  return {
    id: "unreached",
    text: `The limit of ${thousands(rate)} is never reached: no more than ${thousands(mostInWindow)} are sent in any ${perWords(perUs)}. Try a lower one, or more traffic.`,
    numbers: { rate, perUs, most: mostInWindow },
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
  const enough = rows.find(({ gaveUp }) => gaveUp === 0);
  const { rate, perUs, gaveUp, requests } = enough ?? rows.at(-1)!;
  const numbers = { rate, perUs, unadmitted: gaveUp };
  const clients = retries.length === 1 ? "" : ` with ${retryWords(best.retry)}`;
  return {
    id: "limits",
    text:
      enough === undefined
        ? `No limit is large enough for all requests: at ${rateWords(rate, perUs)} ${thousands(gaveUp)} of ${thousands(requests)} are never admitted${clients}.`
        : `${sentenceCase(rateWords(rate, perUs))} is the lowest of these limits at which ${limiterWords(best)} admits all requests${clients}.`,
    numbers,
  };
}

// ---------------------------------------------------------------- what the result leaves open, and the next step

export const missingSentence = ({ isInterrupted }: UnansweredTry): AnswerSentence | null =>
  isInterrupted
    ? {
        id: "missing",
        text: "The run was interrupted: a candidate that is missing may be better.",
        numbers: {},
      }
    : null;

const DRAWN: ReadonlySet<string> = new Set(["backoff", "full-jitter", "equal-jitter", "patient"]);

/** Whether the numbers of a candidate depend on the seed. */
export const isDrawn = ({ retry }: TryRow, { population }: UnansweredTry): boolean =>
  population !== "even" || DRAWN.has(retry);

/** One seed is one draw of random times. */
export function drawSentence({ population, retries, seed }: UnansweredTry): AnswerSentence | null {
  if (population === "even" && !retries.some((retry) => DRAWN.has(retry))) return null;
  return {
    id: "draw",
    text: `Another draw of the random times has other numbers: try --seed ${seed + 1}.`,
    numbers: { seed },
  };
}

export function delaySentence({ gateways }: UnansweredTry): AnswerSentence | null {
  if (gateways === 1) return null;
  const command = commandWords(["pareto", "--quick", "--gateways", String(gateways)]);
  return {
    id: "delay",
    text: `The store replies without delay here; to see the mistakes that a delay causes: ${command}`,
    numbers: { gateways },
    command,
  };
}

export function nextSentence({ limit, algorithm, profile }: TryRow): AnswerSentence {
  const by = profile === null ? ["--algorithm", algorithm!] : ["--profile", profile];
  const command = commandWords(["replay", "access.log", "--limit", limit, ...by]);
  return {
    id: "next",
    text: `Test it on a log of real requests: ${command}`,
    numbers: {},
    command,
  };
}
