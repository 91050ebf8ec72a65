// The answer of weir explain: why this request got its response, who used the budget up, and what else matters.
import { durationWords } from "../../kit/units.ts";
import { countText, plural, thousands } from "../../kit/reading/legible.ts";
import type { Explanation } from "../../lab/check/explain.ts";
import type { Answer, AnswerSentence } from "../../lab/report/answer.ts";
import { clientWords, limiterWords, listWords, sentenceCase } from "./words.ts";

/** The variant of a scenario with a matrix; a page of one variant has none. */
type Facts = Explanation & {
  readonly variant?: string | null;
  readonly variants?: number;
};

export function answerExplain(facts: Facts): Answer {
  return [
    whySentence(facts),
    stateSentence(facts),
    attemptsSentence(facts),
    sendersSentence(facts),
    shareSentence(facts),
    specSentence(facts),
    variantSentence(facts),
  ].flatMap((sentence) => sentence ?? []);
}

function whySentence({ text, status, cost, budget, missedByUs }: Explanation): AnswerSentence {
  const usage = budget?.usage ?? null;
  return {
    id: "why",
    text,
    numbers: {
      status,
      cost,
      ...(budget === null ? {} : { rate: budget.rate }),
      ...(usage === null ? {} : { usedFrom: usage.from, usedTo: usage.to, allowed: usage.allowed }),
      ...(missedByUs === null ? {} : { missedByUs }),
    },
  };
}

/** What the budgets had counted, if the request was not refused. */
function stateSentence({ state }: Explanation): AnswerSentence | null {
  if (state === null) return null;
  return { id: "state", text: `${sentenceCase(state)}.`, numbers: {} };
}

/** How many of the requests that fill a log were refused themselves. */
function attemptsSentence({ filledBy, budget }: Explanation): AnswerSentence | null {
  const refused = filledBy.filter((each) => each.refused).length;
  if (refused === 0) return null;
  const which =
    refused === filledBy.length
      ? `${refused === 1 ? "That one was" : `All ${thousands(refused)} were`} refused`
      : `${thousands(refused)} of them ${plural(refused, "was", "were")} refused`;
  return {
    id: "attempts",
    text: `${which}: ${limiterWords({ algorithm: budget!.algorithm, profile: null })} counts refused requests too.`,
    numbers: { refused, requests: filledBy.length },
  };
}

const MOST_SENDERS = 3;

/** Who used the budget up, if it was not the sender alone. */
function sendersSentence({ sender, filledBySenders }: Explanation): AnswerSentence | null {
  const [first, ...others] = filledBySenders;
  if (first === undefined || (others.length === 0 && first.sender === sender)) return null;
  const shown = filledBySenders.slice(0, MOST_SENDERS);
  const rest = filledBySenders.slice(MOST_SENDERS).reduce((sum, { requests }) => sum + requests, 0);
  const names = [
    ...shown.map(({ sender: name, requests }) => `${thousands(requests)} of ${clientWords(name)}`),
    ...(rest === 0
      ? []
      : [
          `${thousands(rest)} of ${countText(filledBySenders.length - MOST_SENDERS, "other client")}`,
        ]),
  ];
  const own = filledBySenders.find((each) => each.sender === sender)?.requests ?? 0;
  return {
    id: "senders",
    text: `It was filled by ${listWords(names)}${own === 0 ? `, none of them of ${clientWords(sender)}` : ""}.`,
    numbers: { senders: filledBySenders.length, own },
  };
}

/** Why a gateway admits only a part of the limit. */
function shareSentence({ share, budget }: Explanation): AnswerSentence | null {
  if (share === null || budget === null) return null;
  if (share.admits >= budget.rate) return null; // each gateway admits at least 1
  const { gateway, active, ended, isFrozen, next } = share;
  const gone = ended.map(
    ({ gateway: other, atUs, how }) => `gateway ${other} (${how} at ${durationWords(atUs)})`,
  );
  const until = isFrozen
    ? "because the store is unreachable and no heartbeat arrives"
    : `until ${plural(gone.length, "its last heartbeat expires", "their last heartbeats expire")}`;
  const counted =
    gone.length === 0
      ? ""
      : ` ${sentenceCase(listWords(gone))} ${plural(gone.length, "counts", "count")} ${until}${next === null ? "" : `: from ${durationWords(next.atUs)} on gateway ${gateway} counts ${next.active}`}.`;
  return {
    id: "share",
    text: `Gateway ${gateway} admits ${thousands(share.admits)} of ${thousands(budget.rate)} because it counts ${thousands(active)} active gateways.${counted}`,
    numbers: { gateway, active, admits: share.admits, ended: ended.length, rate: budget.rate },
  };
}

/** Only a decision that the specification does not require needs a sentence. */
function specSentence({ agrees, status, expected }: Explanation): AnswerSentence | null {
  if (agrees === "yes" || status === 0) return null;
  return {
    id: "spec",
    text:
      agrees === "no"
        ? "The specification does not allow this decision."
        : `The specification allows this decision and the opposite one: ${firstReason(expected?.why ?? "")}.`,
    numbers: {},
  };
}

function variantSentence({ variant, variants = 1 }: Facts): AnswerSentence | null {
  if (variant === undefined || variant === null || variants === 1) return null;
  return {
    id: "variant",
    text: `This is variant ${variant}, one of ${variants} (--variant).`,
    numbers: { variants },
  };
}

const firstReason = (why: string): string => why.replace(/;.*$/s, "").replaceAll(/ \([^)]*\)/g, "");
