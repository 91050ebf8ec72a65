// Which limits of a configuration refuse, at which endpoints, and what its file leaves open.
import { cut, oneLine, plural, thousands } from "../../kit/reading/legible.ts";
import type { AnswerSentence } from "../../lab/report/answer.ts";
import type { ReplayedCandidate, UnansweredReplay } from "../../studies/replay/result.ts";
import {
  doubtSentence,
  fleetSentences,
  idleSentence,
  nothingSentence,
} from "./configuration-words.ts";
import type { ConfigurationSide } from "../../studies/replay/configuration-side.ts";
import { clientWords, listWords } from "./words.ts";

export function configurationSentences({
  candidates,
}: UnansweredReplay): readonly AnswerSentence[] {
  const sides = sidesOf(candidates);
  if (sides.length === 0) return [];
  const isOnly = candidates.length === 1;
  return [
    ...candidates.flatMap((candidate) => [
      ruleSentence(candidate, isOnly),
      placeSentence(candidate, isOnly),
    ]),
    ...fleetSentences(sides.map((side) => ({ name: clientWords(side.name), side }))),
    idleSentence(sides),
    doubtSentence(sides),
  ].flatMap((sentence) => sentence ?? []);
}

const sidesOf = (candidates: readonly ReplayedCandidate[]): readonly ConfigurationSide[] =>
  candidates.flatMap(({ configuration }) => configuration ?? []);

/** The configurations that limit no request of the log. */
export const idleConfigurations = ({ candidates }: UnansweredReplay): AnswerSentence | null =>
  nothingSentence(sidesOf(candidates).map((side) => ({ name: clientWords(side.name), side })));

const MOST_RULES = 2;

/** The limits of the file that refuse most. */
function ruleSentence(
  { configuration, refused }: ReplayedCandidate,
  isOnly: boolean,
): AnswerSentence | null {
  if (configuration === null || refused === 0) return null;
  const rules = configuration.rules
    .filter((rule) => rule.refused > 0)
    .toSorted((a, b) => b.refused - a.refused);
  if (rules.length === 0) return null;
  const numbers = { refused, rules: rules.length, most: rules[0]!.refused };
  const named = rules
    .slice(0, MOST_RULES)
    .map(
      ({ limit, rule, file, line, refused: own }) =>
        `${thousands(own)} by ${cut(oneLine(limit))} of ${cut(oneLine(rule))} (${oneLine(file)}:${line})`,
    );
  const others = rules.length - named.length;
  const ofFile = isOnly ? "" : ` of ${clientWords(configuration.name)}`;
  return {
    id: "rules",
    text: `${plural(refused, "The refusal", "The refusals")}${ofFile}: ${listWords([...named, ...(others === 0 ? [] : [`the others by ${thousands(others)} ${plural(others, "limit")}`])])}.`,
    numbers,
  };
}

/** The endpoint with the most refusals. */
function placeSentence(
  { endpoints, refused, configuration }: ReplayedCandidate,
  isOnly: boolean,
): AnswerSentence | null {
  const [first] = endpoints;
  if (first === undefined || configuration === null) return null;
  const by = isOnly ? "" : ` by ${clientWords(configuration.name)}`;
  const some =
    first.refused === refused
      ? plural(refused, "The refused request is", `All ${thousands(refused)} refused requests`)
      : `${thousands(first.refused)} of the ${thousands(refused)} refused requests`;
  return {
    id: "place",
    text: `${some}${by}${refused === 1 ? "" : plural(first.refused, " is", " are")} ${clientWords(first.name)}.`,
    numbers: { refused, refusedThere: first.refused },
  };
}
