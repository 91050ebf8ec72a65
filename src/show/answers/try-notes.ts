// Sentences of the answer of weir try about what its result leaves open, and the next step.
import { portableCommand } from "../../kit/command-line.ts";
import { perWords } from "../../kit/reading/periods.ts";
import type { AnswerSentence } from "../../lab/report/answer.ts";
import type { TryRow, UnansweredTry } from "../../studies/try/result.ts";
import { countDrawn, seedsText } from "../../studies/try/text.ts";
import { TRY_VALUES } from "./try-choice.ts";
import { isNever } from "./try-words.ts";
import { limiterWords, spanWords } from "./words.ts";

export const NO_REQUESTS: AnswerSentence = {
  id: "no-requests",
  text: "A draw of this traffic has no request: write a longer --for, or a higher --rate.",
  numbers: { requests: 0 },
};

export const missingSentence = ({ isInterrupted }: UnansweredTry): AnswerSentence | null =>
  isInterrupted
    ? {
        id: "missing",
        text: "The run was interrupted: a candidate that is missing may be better.",
        numbers: {},
      }
    : null;

/** Null: clients send for at least two windows of each limit, or none refuses a request. */
export function shortSentence({ candidates, forUs }: UnansweredTry): AnswerSentence | null {
  const longestUs = Math.max(0, ...candidates.map(({ perUs }) => perUs));
  if (forUs >= 2 * longestUs || candidates.every((row) => isNever(row, TRY_VALUES.refused)))
    return null;
  return {
    id: "short",
    text: `Clients send for ${spanWords(forUs)} only, and the limit is per ${perWords(longestUs)}: a longer --for may change all of this.`,
    numbers: { forUs, perUs: longestUs },
  };
}

/** How many draws of the random times there are, or that nothing is random. */
export function drawSentence(
  { candidates, seed }: UnansweredTry,
  hasDifference: boolean,
): AnswerSentence | null {
  if (candidates.length === 0) return null;
  const draws = countDrawn({ candidates });
  if (draws > 1)
    return {
      id: "draws",
      text: `${hasDifference ? "Each difference named here is" : "This holds"} in ${draws === 2 ? "both" : `all ${draws}`} draws of the random times (${seedsText({ candidates, seed })}).`,
      numbers: { seed, draws },
    };
  return candidates.some(({ isRandom }) => isRandom)
    ? {
        id: "draw",
        text: "This is one draw of the random times: --draws 5 shows which differences others have too.",
        numbers: { seed },
      }
    : {
        id: "exact",
        text: "All times are exact to the microsecond here, and those of real clients are not: compare --population random.",
        numbers: {},
      };
}

export function delaySentence({ gateways }: UnansweredTry): AnswerSentence | null {
  if (gateways === 1) return null;
  const command = portableCommand(["pareto", "--quick", "--gateways", String(gateways)]);
  return {
    id: "delay",
    text: `The store replies without delay here; to see the mistakes that a delay causes: ${command}`,
    numbers: { gateways },
    command,
  };
}

/** `isOneOf`: the row is one of several that serve as well, so that its name is no choice. */
export function nextSentence(row: TryRow, isOneOf = false): AnswerSentence {
  const { limit, algorithm, profile, file } = row;
  const by = profile === null ? ["--algorithm", algorithm!] : ["--profile", profile];
  const limits = file === null ? ["--limit", limit, ...by] : ["--config", file.name];
  const command = portableCommand(["replay", "access.log", ...limits]);
  return {
    id: "next",
    text: `Test ${isOneOf ? `one of them, such as ${limiterWords(row)},` : "it"} on a log of real requests: ${command}`,
    numbers: {},
    command,
  };
}
