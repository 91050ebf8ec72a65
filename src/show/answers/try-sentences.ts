// Sentences of the answer of weir try about the chosen candidate, and about what the result leaves open.
import { plural } from "../../kit/reading/legible.ts";
import type { AnswerSentence } from "../../lab/report/answer.ts";
import { percent, thousands } from "../../studies/replay/table.ts";
import type { TryRow, UnansweredTry } from "../../studies/try/result.ts";
import { durationText } from "../../studies/try/text.ts";
import { chooseTried, type TryChoice } from "./try-choice.ts";
import { outcomeWords, retryWords } from "./try-words.ts";
import {
  commandWords,
  limiterWords,
  perWords,
  rateWords,
  sentenceCase,
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

export function waitSentence({ successUs: { median, p99 } }: TryRow): AnswerSentence | null {
  if (p99 === 0) return null;
  const numbers = {
    ...(median === null ? {} : { medianUs: median }),
    ...(p99 === null ? {} : { p99Us: p99 }),
  };
  if (median === null)
    return { id: "wait", text: "Fewer than half of the requests are ever admitted.", numbers };
  const half =
    median === 0
      ? "Half of the requests do not wait"
      : `Half of the requests wait up to ${durationText(median)}`;
  const most =
    p99 === null ? "fewer than 99 % are ever admitted" : `99 % up to ${durationText(p99)}`;
  return { id: "wait", text: `${half}, ${most}.`, numbers };
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

/** How far the limit is exceeded, and the best candidate of those that keep it. */
export function priceSentences(
  best: TryRow,
  rows: TriedGroup,
  { perAddress }: UnansweredTry,
): readonly AnswerSentence[] {
  const { rate, perUs, mostInWindow } = best;
  const of = perAddress === null ? "a client" : "an address";
  const numbers = { most: mostInWindow, rate, perUs };
  if (mostInWindow <= rate)
    return [
      {
        id: "kept",
        text: `It keeps the limit: at most ${thousands(mostInWindow)} of ${of} in any ${perWords(perUs)}.`,
        numbers,
      },
    ];
  const price = {
    id: "price",
    text: `Its price: up to ${thousands(mostInWindow)} of ${of} ${withinWords(perUs)}, where the limit is ${thousands(rate)}.`,
    numbers,
  };
  const [first, ...others] = rows.filter((row) => row.mostInWindow <= rate);
  if (first === undefined) return [price];
  const strict = chooseTried([first, ...others]).best;
  return [
    price,
    {
      id: "strict",
      text: `Of those that never exceed ${thousands(rate)}, take ${limiterWords(strict)}: it ${outcomeWords(strict)}.`,
      numbers: {
        most: strict.mostInWindow,
        unadmitted: strict.gaveUp,
        refused: strict.refusedAttempts,
      },
    },
  ];
}

/** What a limiter with a queue does instead, for the first kind of clients; null: there is none. */
export function queueSentence([row]: readonly TryRow[]): AnswerSentence | null {
  if (row === undefined) return null;
  const { refusedAttempts, successUs } = row;
  const half =
    successUs.median === null
      ? "fewer than half of the requests are ever admitted"
      : `half of the requests wait up to ${durationText(successUs.median)}`;
  return {
    id: "queue",
    text: `${sentenceCase(limiterWords(row))} lets requests wait in the gateway instead: it refuses ${thousands(refusedAttempts)} ${plural(refusedAttempts, "attempt")}, and ${half}.`,
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

/** What separates candidates that serve equally well. */
export function costSentence({ best, equal }: TryChoice): AnswerSentence | null {
  const rows = [best, ...equal].filter(({ commands }) => commands !== null);
  const sorted = rows.toSorted((a, b) => a.commands! - b.commands!);
  const [least, most] = [sorted[0], sorted.at(-1)];
  if (least === undefined || most === undefined || least.commands === most.commands) return null;
  const words = (commands: number): string => String(Number(commands.toFixed(2)));
  return {
    id: "cost",
    text: `These differ in cost: an attempt takes ${words(least.commands!)} store commands with ${limiterWords(least)}, ${words(most.commands!)} with ${limiterWords(most)}.`,
    numbers: { least: least.commands!, most: most.commands! },
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

/** One seed is one draw of random times. */
export function drawSentence({ population, retries, seed }: UnansweredTry): AnswerSentence | null {
  if (population === "even" && !retries.some((retry) => DRAWN.has(retry))) return null;
  return {
    id: "draw",
    text: `Random times are one draw: --seed ${seed + 1} shows another.`,
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
