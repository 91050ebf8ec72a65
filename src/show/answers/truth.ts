// The answer of weir bench truth: whether each limiter admitted what its algorithm allows, and whether the run would
// have seen a wrong one.
import { perWords, rateWords } from "../../kit/reading/periods.ts";
import { figure, many, plural } from "../../kit/reading/legible.ts";
import type { Answer, AnswerSentence } from "../../lab/report/answer.ts";
import type { SubjectTruth, TruthResult } from "../../studies/bench/truth-schema.ts";
import { busySentence, errorsSentence } from "./bench-words.ts";
import { spanWords, namesWords } from "./words.ts";

export function answerTruth(result: TruthResult): Answer {
  const cells = result.subjects.filter(({ role }) => role === "cell");
  const controls = result.subjects.filter(({ role }) => role === "control");
  return [
    withinSentence(result, cells),
    mostSentence(result, cells),
    controlsSentence(controls),
    errorsSentence(result.footer.errors, ""),
    busySentence(result.machine.busy),
    endSentence(result),
    cells.length === 0
      ? null
      : {
          id: "scope",
          text: "Each limiter was one gateway with one key: the run has no other loads, no fleets and no crashes.",
          numbers: { cells: cells.length },
        },
  ].flatMap((sentence) => sentence ?? []);
}

function withinSentence(
  { limit, perSecond, lastsUs }: TruthResult,
  cells: readonly SubjectTruth[],
): AnswerSentence | null {
  if (cells.length === 0) return null;
  const outside = cells.filter(({ verdict }) => verdict === "outside");
  const [first] = outside;
  const load = `${figure(perSecond)} requests a second to each for ${spanWords(lastsUs)}, with a limit of ${rateWords(limit.rate, limit.perUs)}`;
  const numbers = { cells: cells.length, outside: outside.length, perSecond, lastsUs };
  return {
    id: "within",
    text:
      first === undefined
        ? `${cells.length === 1 ? "The limiter" : `All ${cells.length} limiters`} admitted no more than the algorithm allows, and refused nothing too soon: ${load}.`
        : `${outside.length} of ${many(cells.length, "limiter")} ${plural(outside.length, "breaks", "break")} the bounds of the algorithm: ${namesWords(outside.map(({ name }) => name))}. ${first.name}: ${first.faults.join(", ")}.`,
    numbers,
  };
}

/** Which limiter admitted the most in a window, and what its algorithm allows. */
function mostSentence(
  { limit }: TruthResult,
  cells: readonly SubjectTruth[],
): AnswerSentence | null {
  const [first] = cells.toSorted((a, b) => b.most - a.most);
  if (first === undefined || first.most <= limit.rate) return null;
  const { name, most, bound } = first;
  const allowed = bound.most === null ? "" : `, where its algorithm allows ${figure(bound.most)}`;
  return {
    id: "most",
    text: `The most in any ${perWords(limit.perUs)} has ${name}: ${figure(most)}${allowed}.`,
    numbers: { most, rate: limit.rate, ...(bound.most === null ? {} : { bound: bound.most }) },
  };
}

/** Whether the limiters that are wrong on purpose were found; otherwise the run proves nothing. */
function controlsSentence(controls: readonly SubjectTruth[]): AnswerSentence | null {
  if (controls.length === 0) return null;
  const missed = controls.filter(({ verdict }) => verdict === "within");
  return {
    id: "controls",
    text:
      missed.length === 0
        ? `The run would have seen a wrong limiter: it found ${controls.length === 1 ? "the one that has" : `all ${controls.length} that have`} a wrong rate on purpose.`
        : `The run proves nothing, because it did not find ${namesWords(missed.map(({ name }) => name))} wrong, which ${plural(missed.length, "has", "have")} a wrong rate on purpose.`,
    numbers: { controls: controls.length, missed: missed.length },
  };
}

const endSentence = ({ stopped, subjects }: TruthResult): AnswerSentence | null =>
  stopped === null && subjects.length > 0
    ? null
    : {
        id: "stopped",
        text: `${subjects.length === 0 ? "Nothing was measured" : "The run is incomplete"}${stopped === null ? "" : `: ${stopped}`}.`,
        numbers: { subjects: subjects.length },
      };
