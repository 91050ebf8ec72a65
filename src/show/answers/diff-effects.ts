// What a change of configuration does to the upstream, to a sender that tries its best, and to how refusals look.
import { thousands } from "../../kit/reading/legible.ts";
import { perWords } from "../../kit/reading/periods.ts";
import type { AnswerSentence } from "../../lab/report/answer.ts";
import { findOtherWorst, type DiffWindow } from "../../studies/diff/effects.ts";
import type { UnansweredDiff } from "../../studies/diff/result.ts";
import { clientWords, listWords } from "./words.ts";

export const effectSentences = (facts: UnansweredDiff): readonly AnswerSentence[] =>
  [mostSentence(facts), worstSentence(facts), refusalSentence(facts)].flatMap(
    (sentence) => sentence ?? [],
  );

/** The window in which the most of one client changes most, or that of all clients; null: none changes. */
function mostSentence({ windows }: UnansweredDiff): AnswerSentence | null {
  const ofClient = mostChanged(windows, ({ mostOfClient }) => mostOfClient);
  const ofAll = mostChanged(windows, ({ mostOfAll }) => mostOfAll);
  const window = ofClient ?? ofAll;
  if (window === null) return null;
  const { perUs, before, after } = window;
  const numbers = {
    perUs,
    clientBefore: before.mostOfClient,
    clientAfter: after.mostOfClient,
    allBefore: before.mostOfAll,
    allAfter: after.mostOfAll,
  };
  const sender =
    before.client !== null && before.client === after.client
      ? `client ${clientWords(before.client)}`
      : "one client";
  const within = `In any one ${perWords(perUs)}`;
  const text =
    ofClient === null
      ? `${within} all clients together get at most ${thousands(before.mostOfAll)} requests through before and ${thousands(after.mostOfAll)} after; the most of one client stays ${thousands(after.mostOfClient)}.`
      : `${within} ${sender} gets at most ${thousands(before.mostOfClient)} requests through before and ${thousands(after.mostOfClient)} after, all clients together ${thousands(before.mostOfAll)} and ${thousands(after.mostOfAll)}.`;
  return { id: "most", text, numbers };
}

/** The window with the largest relative change; null: there is no change. */
function mostChanged(
  windows: readonly DiffWindow[],
  of: (side: DiffWindow["before"]) => number,
): DiffWindow | null {
  const changeOf = ({ before, after }: DiffWindow): number =>
    Math.abs(of(after) - of(before)) / Math.max(1, of(before));
  const [first] = windows.toSorted((a, b) => changeOf(b) - changeOf(a));
  return first === undefined || changeOf(first) === 0 ? null : first;
}

/** The worst case of the one limit that differs, if it has one counterpart in the same window: others do not compare. */
function worstSentence({ worst }: UnansweredDiff): AnswerSentence | null {
  const [before, after, ...others] = findOtherWorst(worst);
  if (before?.side !== "before" || after?.side !== "after" || others.length > 0) return null;
  if (before.perUs !== after.perUs || before.most === null || after.most === null) return null;
  const numbers = { before: before.most, after: after.most };
  const within = `in any ${perWords(after.perUs)}`;
  const text =
    before.most === after.most
      ? `${thousands(after.most)} ${within}, as before`
      : `${thousands(before.most)} before and ${thousands(after.most)} after ${within}`;
  return {
    id: "worst",
    text: `At worst the changed limit lets a sender get ${text}.`,
    numbers,
  };
}

const HEADER_WORDS = {
  off: "no rate limit headers",
  legacy: "X-RateLimit headers",
  ietf: "RateLimit headers",
  both: "X-RateLimit and RateLimit headers",
} as const;

/** How refusals look to clients, if that changes. */
function refusalSentence({ refusals }: UnansweredDiff): AnswerSentence | null {
  const { before, after } = refusals;
  if (before === null || after === null) return null;
  const statusWords = ({ statuses }: typeof before): string =>
    `status ${listWords(statuses.map(String))}`;
  const headerWords = ({ headers }: typeof before): string =>
    listWords(headers.map((kind) => HEADER_WORDS[kind]));
  const parts = [statusWords, headerWords].flatMap((of) =>
    of(before) === of(after) ? [] : `${of(after)} after, ${of(before)} before`,
  );
  if (parts.length === 0 || before.statuses.length * after.statuses.length === 0) return null;
  return {
    id: "refusals",
    text: `Refusals look different to clients: ${parts.join("; ")}.`,
    numbers: { changes: parts.length },
  };
}
