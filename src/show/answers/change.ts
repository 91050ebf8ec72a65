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
import { MOST_SEARCHED } from "../../studies/diff/worst-of-rule.ts";
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
      ? [effectSentence(facts), otherSentence(facts), outlierSentence(facts)]
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
    if (!isEnough(spared)) {
      const lines = spared.changes.map((change) => lineWords(change, configuration));
      return {
        id: "present",
        text: `${name} is too strict even without ${namesOf(spared)}: write ${listWords(lines)}, and it refuses ${countWords(spared.left.others)} of the ${thousands(rest)} requests of the others.`,
        numbers: { requests, clients, refused, refusedClients, others, rest },
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

type Change = NonNullable<UnansweredChange["without"]>["changes"][number];
type NumberChange = UnansweredChange["changes"][number]["others"][number]["numbers"][number];

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
  if (spared === null || isEnough(spared)) return null;
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
      text: `No change of a rate, a time or a burst is enough to refuse ${targetWords(facts)}.`,
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
  const { configuration, without } = facts;
  if (without === null) return null;
  const { clients, changes } = without;
  const enough =
    changes.length === 0
      ? "no change would be needed"
      : `${listWords(changes.map((each) => numberWords(each, configuration)))} would do`;
  return {
    id: "outliers",
    text: `Without ${plural(clients.length, "client", "clients")} ${namesOf(without)}, ${enough}.`,
    numbers: { clients: clients.length, changes: changes.length },
  };
}

/** What else would do in place of the changes of one limit, and what each lets through. */
function otherSentence({ changes, configuration }: UnansweredChange): AnswerSentence | null {
  const [change] = changes;
  if (change === undefined || changes.some(({ rule }) => rule !== change.rule)) return null;
  const { rule, perUs, most, others } = change;
  const [least] = others;
  if (least === undefined) return null;
  const alone = changes.length > 1 ? " alone" : "";
  const wordsOf = ({ numbers }: typeof least): string =>
    `${listWords(numbers.map((each) => numberWords({ rule, ...each }, configuration)))}${alone}`;
  if (most === null || least.most === null)
    return {
      id: "other",
      text: `In its place, ${others.map(wordsOf).join(" or ")} would do too.`,
      numbers: {},
    };
  const place = changes.length > 1 ? "In their place" : "In its place";
  const much = `${thousands(least.most)} in any ${perWords(perUs)}`;
  const effect =
    least.most === most
      ? `; with each, a sender gets up to ${much}`
      : `, but then a sender gets up to ${much}, not ${thousands(most)}`;
  const rest = others.slice(1).map((each) => `; ${wordsOf(each)} ${mostWords(each.most)}`);
  const text = `${wordsOf(least)} would do too${effect}${rest.join("")}`;
  const numbers = { most, other: least.most };
  return { id: "other", text: `${place}, ${text}.`, numbers };
}

const mostWords = (most: number | null): string =>
  most === null ? `over ${thousands(MOST_SEARCHED)}` : thousands(most);

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
