// Sentences about configurations of other limiters, which answers of several commands have.
import { cut, oneLine, plural, thousands } from "../../kit/reading/legible.ts";
import { rateWords } from "../../kit/reading/periods.ts";
import type { AnswerSentence } from "../../lab/report/answer.ts";
import type { ConfigurationSide } from "../../studies/replay/configuration-side.ts";
import { listWords, sentenceCase } from "./words.ts";

type Sides = readonly ConfigurationSide[];

/** Where the requests are from. */
export type RequestSource = "log" | "traffic";

type SideRule = ConfigurationSide["rules"][number];

/** Rules that count no request of files that limit some: a log may lack the field of their keys. */
export function idleSentence(sides: Sides, source: RequestSource = "log"): AnswerSentence | null {
  const unused = sides
    .filter((side) => !limitsNothing(side))
    .flatMap(({ rules }) => rules)
    .filter(({ counted }) => counted === 0);
  const rules = new Set(unused.map(({ rule }) => rule)).size;
  if (rules === 0) return null;
  return {
    id: "unused",
    text: `${thousands(rules)} ${plural(rules, "limit counts", "limits count")} no request of the ${source}: ${whyUncounted(unused, rules, source)}.`,
    numbers: { rules },
  };
}

/** Whether no limit of a configuration counts a request of the log. */
export const limitsNothing = ({ rules }: ConfigurationSide): boolean =>
  rules.length > 0 && rules.every(({ counted }) => counted === 0);

/** A configuration that limits no request, as the part of a sentence after its name; null: it limits some. */
export const nothingWords = (
  side: ConfigurationSide,
  source: RequestSource = "log",
): string | null =>
  limitsNothing(side)
    ? `limits no request of this ${source}: ${whyUncounted(side.rules, side.rules.length, source)}`
    : null;

/** One sentence for all configurations that limit no request; it begins with a name as it is given. */
export function nothingSentence(
  sides: readonly NamedSide[],
  source: RequestSource = "log",
): AnswerSentence | null {
  const found = sides.flatMap(({ name, side }) => {
    const words = nothingWords(side, source);
    return words === null ? [] : { name, words };
  });
  if (found.length === 0) return null;
  return {
    id: "nothing",
    text: `${found.map(({ name, words }) => `${name} ${words}`).join("; ")}.`,
    numbers: { configurations: found.length },
  };
}

function whyUncounted(unused: readonly SideRule[], rules: number, source: RequestSource): string {
  const answers = unused.map(({ answeredBy }) => answeredBy);
  const [first] = answers;
  if (first === undefined || answers.includes(undefined))
    return `check that the ${source} has what ${plural(rules, "its key and location need", "their keys and locations need")}`;
  const others = answers.some((each) => each?.file !== first.file || each.line !== first.line);
  return `${cut(oneLine(first.text))} (${oneLine(first.file)}:${first.line})${others ? " and others answer" : " answers"} before ${plural(rules, "the limit counts", "the limits count")}`;
}

/** What the files have that the decisions do not reflect. */
export function doubtSentence(sides: Sides): AnswerSentence | null {
  const open = countDifferent(sides, (side) =>
    side.open.map(({ text, consequence }) => `${text}\n${consequence}`),
  );
  const questions = countDifferent(sides, (side) =>
    side.questions.flatMap(({ name, isSet }) => (isSet ? [] : [name])),
  );
  if (open + questions === 0) return null;
  const [only] = sides.flatMap((side) => side.open);
  if (only !== undefined && open === 1 && questions === 0)
    return {
      id: "doubt",
      text: `This may be wrong: ${cut(oneLine(only.text))} (${oneLine(only.file)}:${only.line}) is not understood: ${oneLine(only.consequence)}.`,
      numbers: { open, questions },
    };
  const parts = [
    ...(open === 0
      ? []
      : [`${thousands(open)} ${plural(open, "statement is", "statements are")} not understood`]),
    ...(questions === 0
      ? []
      : [
          `${thousands(questions)} ${plural(questions, "value is", "values are")} taken for granted that only production has`,
        ]),
  ];
  return {
    id: "doubt",
    text: `This may be wrong: ${listWords(parts)}; ${plural(open + questions, "it is", "they are")} listed below.`,
    numbers: { open, questions },
  };
}

/** Both files mostly have the same statements, which count once. */
const countDifferent = (sides: Sides, of: (side: ConfigurationSide) => readonly string[]): number =>
  new Set(sides.flatMap(of)).size;

/** A configuration, and words for it: "before", or its file. */
export interface NamedSide {
  readonly name: string;
  readonly side: ConfigurationSide;
}

/** What limits become on several instances; one sentence if it is the same for all configurations. */
export function fleetSentences(sides: readonly NamedSide[]): readonly AnswerSentence[] {
  const sentences = sides.map(({ side }) => fleetSentence(side));
  const first = sentences[0] ?? null;
  if (sentences.every((each) => each?.text === first?.text)) return first === null ? [] : [first];
  return sides.flatMap(({ name }, index) => {
    const sentence = sentences[index] ?? null;
    if (sentence === null) return [];
    const text = `${sentence.text.slice(0, 1).toLowerCase()}${sentence.text.slice(1)}`;
    return { ...sentence, text: `${sentenceCase(name)}, ${text}` };
  });
}

function fleetSentence({ kind, rules, fleet }: ConfigurationSide): AnswerSentence | null {
  if (fleet === null) return null;
  const { instances, balancer } = fleet;
  const assumed = fleet.isAssumed
    ? `, as ${programWords(kind)} ${fleet.sharesCounters ? "does" : "usually does"}`
    : "";
  const numbers = { instances };
  if (fleet.sharesCounters)
    return {
      id: "fleet",
      text: `The ${thousands(instances)} instances share their counters${assumed}: each limit is one for all of them.`,
      numbers,
    };
  const apartRules = rules.filter((each) => each.instances > 1);
  const some =
    apartRules.length === rules.length
      ? ""
      : ` for ${thousands(apartRules.length)} of ${thousands(rules.length)} limits`;
  const apart = `The ${thousands(instances)} instances count apart${some}${assumed}`;
  if (balancer === "sticky")
    return {
      id: "fleet",
      text: `${apart}; each client stays on one, so that only a limit that clients share grows, to ${thousands(instances)} times.`,
      numbers,
    };
  const [rule] = apartRules;
  if (rule === undefined)
    return {
      id: "fleet",
      text: `${apart}: together they admit ${thousands(instances)} times the limit.`,
      numbers,
    };
  const times = rateWords(instances * rule.rate, rule.perUs);
  return {
    id: "fleet",
    text: `${apart}: ${cut(oneLine(rule.limit))} admits up to ${times} by round robin.`,
    numbers: { ...numbers, rate: rule.rate, perUs: rule.perUs, most: instances * rule.rate },
  };
}

const programWords = (kind: string): string =>
  kind === "limit" ? "one limit" : kind === "world" ? "Weir" : kind;
