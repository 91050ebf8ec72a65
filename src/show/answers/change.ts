// The answer of weir recommend --config: what the file refuses, and the smallest change with which it does not.
import {
  cut,
  exactPercent,
  oneLine,
  percent,
  plural,
  thousands,
} from "../../kit/reading/legible.ts";
import { perWords } from "../../kit/reading/periods.ts";
import type { Answer, AnswerSentence } from "../../lab/report/answer.ts";
import { exceptionsIn, isEnough, type UnansweredChange } from "../../studies/diff/change-result.ts";
import {
  doubtSentence,
  fleetSentences,
  idleSentence,
  limitsNothing,
  nothingWords,
} from "./configuration-words.ts";
import { clientWords, countWords, listWords, MOST_NAMED } from "./words.ts";

export const answerChange = (facts: UnansweredChange): Answer =>
  [
    presentSentence(facts),
    ruleSentence(facts),
    exceptionSentence(facts),
    limitsNothing(facts.configuration) ? null : changeSentence(facts),
    ...(exceptionsIn(facts) === null
      ? [effectSentence(facts), otherSentence(facts), outlierSentence(facts), limitOfSearch(facts)]
      : []),
    ...fleetSentences([{ name: "there", side: facts.configuration }]),
    idleSentence([facts.configuration]),
    doubtSentence([facts.configuration]),
    nextSentence(facts),
  ].flatMap((sentence) => sentence ?? []);

const targetWords = ({ target }: UnansweredChange): string =>
  `at most ${exactPercent(target.requests)} of the requests and requests of at most ${exactPercent(target.clients)} of the clients`;

function presentSentence(facts: UnansweredChange): AnswerSentence {
  const { requests, clients, present, configuration, isMet, isMetAfter, changes } = facts;
  const { refused, refusedClients } = present;
  const name = clientWords(configuration.name);
  const nothing = nothingWords(configuration);
  if (nothing !== null)
    return {
      id: "present",
      text: `${name} ${nothing}.`,
      numbers: { requests, clients, refused, refusedClients },
    };
  const spared = exceptionsIn(facts);
  if (spared !== null) {
    const others = refused - spared.refused;
    const rest = requests - spared.requests;
    if (!isEnough(facts, spared)) {
      const change = { ...changes[0]!, to: spared.to };
      return {
        id: "present",
        text: `${name} is too strict even without ${namesOf(spared)}: write ${lineWords(change, configuration)}, and it refuses ${countWords(spared.left.others)} of the ${thousands(rest)} requests of the others.`,
        numbers: { requests, clients, refused, refusedClients, others, rest, to: spared.to },
      };
    }
    return {
      id: "present",
      text: `Leave ${name} as it is: it refuses ${thousands(spared.refused)} of the ${thousands(spared.requests)} requests of ${namesOf(spared)}, and ${countWords(others)} of the ${thousands(rest)} of the others.`,
      numbers: { requests, clients, refused, refusedClients, others, rest },
    };
  }
  const refuses =
    refused === 0
      ? `${name} refuses none of the ${thousands(requests)} requests of this log`
      : `${name} refuses ${thousands(refused)} of ${thousands(requests)} requests (${percent(refused / requests)}), of ${thousands(refusedClients)} of ${thousands(clients)} clients`;
  const advice = isMet
    ? "; leave it as it is"
    : isMetAfter && changes.length <= MOST_NAMED
      ? `; the smallest change is ${listWords(changes.map((change) => numberWords(change, configuration)))}`
      : "";
  return {
    id: "present",
    text: `${refuses}${advice}.`,
    numbers: { requests, clients, refused, refusedClients },
  };
}

const namesOf = ({ clients }: { readonly clients: readonly string[] }): string =>
  listWords(clients.map(clientWords));

/** "it is a customer", of clients that the first sentence has named. */
const customersIn = (spared: { readonly clients: readonly string[] }): string =>
  plural(spared.clients.length, "it is a customer", "they are customers");

/** "153r/m for 30r/m (nginx.conf:3)". */
const lineWords = (change: Change, configuration: UnansweredChange["configuration"]): string =>
  `${numberWords(change, configuration)} (${oneLine(change.file)}:${change.line})`;

type Change = UnansweredChange["changes"][number];
type NumberChange = NonNullable<Change["other"]>;

/** "153r/m for 30r/m", or "burst 17 for 2". */
function numberWords(
  { rule, what, name, unit, from, to }: NumberChange & Pick<Change, "rule">,
  { rules }: UnansweredChange["configuration"],
): string {
  const written = rules.find((each) => each.rule === rule)?.limit ?? "";
  if (what === "rate" && written.includes(`${from}`))
    return `${cut(oneLine(written.replace(`${from}`, `${to}`)))} for ${cut(oneLine(written))}`;
  return cut(oneLine(`${name} ${to}${unit} for ${from}${unit}`.trim()));
}

/** The limit that refuses most. */
function ruleSentence({ configuration, present }: UnansweredChange): AnswerSentence | null {
  const [rule] = configuration.rules.toSorted((a, b) => b.refused - a.refused);
  if (rule === undefined || rule.refused === 0) return null;
  const some =
    rule.refused === present.refused
      ? plural(present.refused, "It is refused", `All ${thousands(present.refused)} are refused`)
      : `${thousands(rule.refused)} of them ${plural(rule.refused, "is", "are")} refused`;
  return {
    id: "rule",
    text: `${some} by ${cut(oneLine(rule.limit))} of ${cut(oneLine(rule.rule))} (${oneLine(rule.file)}:${rule.line}).`,
    numbers: { refused: present.refused, ofRule: rule.refused },
  };
}

/** What the change leaves refused of the exceptions, and what the present numbers refuse; null: none, or no change. */
function exceptionSentence(facts: UnansweredChange): AnswerSentence | null {
  const spared = exceptionsIn(facts);
  if (spared === null || isEnough(facts, spared)) return null;
  const { clients, requests, refused, left } = spared;
  const others = facts.present.refused - refused;
  return {
    id: "spared",
    text: `It then refuses ${countWords(left.own)} of the ${thousands(requests)} requests of ${plural(clients.length, "this client", `these ${clients.length}`)}; now it refuses ${countWords(refused)}, and ${countWords(others)} of the others.`,
    numbers: { requests, refused, others, left: left.own },
  };
}

function changeSentence(facts: UnansweredChange): AnswerSentence | null {
  const { changes, configuration, isMet, isMetAfter } = facts;
  if (isMet)
    return {
      id: "change",
      text: `That is within the target: to refuse ${targetWords(facts)}.`,
      numbers: { changes: 0 },
    };
  if (changes.length === 0 || !isMetAfter)
    return {
      id: "change",
      text: `No change of one number of each limit is enough to refuse ${targetWords(facts)}.`,
      numbers: { changes: changes.length },
    };
  const lines = changes.map((change) => lineWords(change, configuration));
  const spared = exceptionsIn(facts);
  if (spared !== null)
    return {
      id: "change",
      text: `If ${customersIn(spared)}, add --with-outliers: the smallest change is then ${listWords(lines)}.`,
      numbers: { changes: changes.length },
    };
  return {
    id: "change",
    text: `To refuse ${targetWords(facts)}, write ${listWords(lines)}.`,
    numbers: { changes: changes.length },
  };
}

function effectSentence({ after, requests }: UnansweredChange): AnswerSentence | null {
  if (after === null) return null;
  const { refused, refusedClients } = after;
  const text =
    refused === 0
      ? "With it no request of this log is refused."
      : `With it ${thousands(refused)} ${plural(refused, "request is", "requests are")} refused (${percent(refused / requests)}), of ${thousands(refusedClients)} ${plural(refusedClients, "client")}.`;
  return { id: "effect", text, numbers: { refused, refusedClients } };
}

/** The few clients without which a smaller change would do; null: there are none. */
function outlierSentence(facts: UnansweredChange): AnswerSentence | null {
  const {
    changes: [change],
    configuration,
    without,
  } = facts;
  if (change === undefined || without === null) return null;
  const { clients, to } = without;
  const enough =
    to === change.from
      ? "no change would be needed"
      : `${numberWords({ ...change, to }, configuration)} would do`;
  return {
    id: "outliers",
    text: `Without ${plural(clients.length, "client", "clients")} ${namesOf(without)}, ${enough}.`,
    numbers: { clients: clients.length, to },
  };
}

/** The other number of the one changed limit, and what both let through. */
function otherSentence({ changes, configuration }: UnansweredChange): AnswerSentence | null {
  const [change, second] = changes;
  if (change === undefined || second !== undefined || change.other === null) return null;
  const { rule, perUs, most, other } = change;
  const words = numberWords({ rule, ...other }, configuration);
  if (most === null || other.most === null)
    return { id: "other", text: `In its place, ${words} would do too.`, numbers: {} };
  const much = `${thousands(other.most)} in any ${perWords(perUs)}`;
  return {
    id: "other",
    text:
      other.most === most
        ? `In its place, ${words} would do too; with each, a sender gets up to ${much}.`
        : `In its place, ${words} would do too, but then a sender gets up to ${much}, not ${thousands(most)}.`,
    numbers: { most, other: other.most },
  };
}

/** What the search does not try. */
const limitOfSearch = ({ changes }: UnansweredChange): AnswerSentence | null =>
  changes.length === 0
    ? null
    : {
        id: "searched",
        text: "One number of each limit is changed: a rate and a burst together may do with less of each.",
        numbers: { changes: changes.length },
      };

/** How the change is applied, if it is in one file. */
function nextSentence(facts: UnansweredChange): AnswerSentence | null {
  const { changes, patch } = facts;
  const files = [...new Set(changes.map(({ file }) => file))];
  if (patch === null || files.length !== 1) return null;
  return {
    id: "next",
    text: `The change is below: pipe this output into patch ${clientWords(files[0]!)} to apply it.`,
    numbers: { files: files.length },
  };
}
