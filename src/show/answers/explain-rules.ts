// The answer of weir explain --config: which limit of the file refuses a request of a log, and why.
import { countText, cut, oneLine, plural, thousands } from "../../kit/reading/legible.ts";
import { perWords } from "../../kit/reading/periods.ts";
import type { Answer, AnswerSentence } from "../../lab/report/answer.ts";
import type { CountingFacts, ExplainedRequest } from "../../studies/replay/explain-rules.ts";
import { clientWords, listWords } from "./words.ts";

export interface ExplainedByFile extends ExplainedRequest {
  readonly file: string;
  readonly isWholeSeconds: boolean;
  readonly doubts: readonly string[];
}

export const answerExplainRules = (facts: ExplainedByFile): Answer =>
  [
    facts.refusedBy === null ? admissionSentence(facts) : refusalSentence(facts, facts.refusedBy),
    facts.refusedBy === null ? null : usageSentence(facts.refusedBy),
    waitSentence(facts),
    fleetSentence(facts),
    othersSentence(facts),
    secondsSentence(facts),
    doubtSentence(facts),
  ].flatMap((sentence) => sentence ?? []);

const timeWords = (us: number): string => new Date(us / 1_000).toISOString().replace(".000Z", "Z");

const placeWords = ({ rule, limit, file, line }: CountingFacts): string =>
  `${cut(oneLine(limit))} of ${cut(oneLine(rule))} (${oneLine(file)}:${line})`;

const requestWords = ({ client, request, atUs }: ExplainedRequest): string =>
  `${clientWords(request)} of ${clientWords(client)} at ${timeWords(atUs)}`;

function refusalSentence(facts: ExplainedByFile, by: CountingFacts): AnswerSentence {
  return {
    id: "why",
    text: `${requestWords(facts)} gets ${facts.status}: its budget of ${placeWords(by)} is used up.`,
    numbers: { status: facts.status ?? 0, nth: facts.nth },
  };
}

function admissionSentence(facts: ExplainedByFile): AnswerSentence {
  const { countedBy, nth } = facts;
  const [first] = countedBy;
  const why =
    first === undefined
      ? `no limit of ${clientWords(facts.file)} counts it`
      : `${countedBy.map(placeWords).join(" and ")} ${plural(countedBy.length, "has", "have")} room`;
  return {
    id: "why",
    text: `${requestWords(facts)} is admitted: ${why}.`,
    numbers: { nth, limits: countedBy.length },
  };
}

/** A shorter span has no rate that can be compared with the limit. */
const LEAST_PART = 0.1;

/** Which requests used the budget. */
function usageSentence(by: CountingFacts): AnswerSentence {
  const { before, refusedBefore, clientsBefore, perUs, spanUs, isFull } = by;
  const numbers = { before, refused: refusedBefore, clients: clientsBefore, perUs, spanUs };
  if (before === 0)
    return { id: "used", text: "No request of this budget came before it.", numbers };
  const refused =
    refusedBefore === 0 ? "none of them refused" : `${thousands(refusedBefore)} of them refused`;
  const senders = clientsBefore > 1 ? ` of ${thousands(clientsBefore)} clients` : "";
  const rate = Number(((before * perUs) / spanUs).toPrecision(3));
  const often = spanUs < perUs * LEAST_PART ? "" : ` (${thousands(rate)} per ${perWords(perUs)})`;
  return {
    id: "used",
    text: `${isFull ? "At least " : ""}${countText(before, "request")}${senders} of this budget came in the ${secondsText(spanUs)} before${often}, ${refused}.`,
    numbers,
  };
}

const secondsText = (us: number): string => `${Number((us / 1_000_000).toPrecision(3))} s`;

/** Which instance decided, and whether requests of the others count there. */
function fleetSentence({ fleet }: ExplainedByFile): AnswerSentence | null {
  if (fleet === undefined) return null;
  const { instances, instance, countsApart, balancer } = fleet;
  const way = balancer === "sticky" ? "each client stays on one" : "they get requests by turns";
  return {
    id: "fleet",
    text: countsApart
      ? `Instance ${instance} of ${instances} decides it, which counts only its own requests; ${way}.`
      : `The ${instances} instances count together, so that it does not matter which one decides it.`,
    numbers: { instances, instance },
  };
}

function waitSentence({ waitUs }: ExplainedByFile): AnswerSentence | null {
  if (waitUs === 0) return null;
  if (!Number.isFinite(waitUs))
    return { id: "wait", text: "No wait would admit it: the limit admits nothing.", numbers: {} };
  return {
    id: "wait",
    text: `The same request would be admitted ${secondsText(waitUs)} later, if no other of this budget came before.`,
    numbers: { waitUs },
  };
}

/** The other limits that count a refused request. */
function othersSentence({ refusedBy, countedBy }: ExplainedByFile): AnswerSentence | null {
  const others = countedBy.filter((each) => each !== refusedBy);
  if (refusedBy === null || others.length === 0) return null;
  return {
    id: "others",
    text: `${plural(others.length, "Another limit counts", "Other limits count")} it too: ${listWords(others.map(placeWords))}.`,
    numbers: { limits: others.length },
  };
}

const secondsSentence = ({ isWholeSeconds }: ExplainedByFile): AnswerSentence | null =>
  isWholeSeconds
    ? {
        id: "seconds",
        text: "The log has whole seconds: the requests of a second are spread evenly over it, and other times may change this.",
        numbers: {},
      }
    : null;

function doubtSentence({ doubts }: ExplainedByFile): AnswerSentence | null {
  const [first] = doubts;
  if (first === undefined) return null;
  const more = doubts.length === 1 ? "" : `; ${thousands(doubts.length - 1)} more in --json`;
  return {
    id: "doubt",
    text: `This may be wrong: ${oneLine(first)}${more}.`,
    numbers: { doubts: doubts.length },
  };
}
