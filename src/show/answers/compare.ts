// The answer of weir compare: the changes between two stored runs, and what these cannot show.
import { portableCommand } from "../../kit/command-line.ts";
import { exactPercent, many, plural } from "../../kit/reading/legible.ts";
import type { Answer, AnswerSentence } from "../../lab/report/answer.ts";
import {
  BY_FORCE,
  SAME_RUN,
  type BenchComparison,
  type CompareWord,
  type FigureVerdict,
} from "../../studies/bench/compare/comparison.ts";
import { changePercentOf, doubtOf } from "../../studies/bench/compare/phrases.ts";
import { isBeyondProcesses, WORTH_OF_A_PROCESS } from "../../studies/bench/medians.ts";
import { gateWords } from "./bench-words.ts";
import { changeSentences } from "./changes.ts";
import { namesWords } from "./words.ts";

export function answerCompare(comparison: BenchComparison): Answer {
  const { gates, minEffect, alpha, warnings, cases } = comparison;
  if (warnings.includes(SAME_RUN)) return [sameRunSentence(comparison)];
  const changes = changeSentences(
    gates.map((gate) => ({
      ...gate,
      what: gateWords(gate.cell, gate.metric, cases),
      word: gate.verdict.word,
      base: gate.evidence?.base.median ?? null,
      head: gate.evidence?.head.median ?? null,
      ratio: gate.evidence?.ratio ?? null,
      interval: gate.evidence?.interval ?? null,
      doubt: doubtOf(gate),
    })),
    {
      base: "BASE",
      head: "HEAD",
      minEffect,
      likely: `${exactPercent(1 - alpha)}:`,
      process: processSentence(comparison),
      reach: null,
      obstacle: obstacleWords(comparison),
    },
  );
  return [
    forceSentence(comparison),
    ...changes,
    // A sentence without a verdict has them as its reason.
    changes.some(({ id }) => id === "no-verdict") ? null : controlsSentence(comparison),
    othersSentence(comparison),
  ].flatMap((sentence) => sentence ?? []);
}

const sameRunSentence = ({ base }: BenchComparison): AnswerSentence => ({
  id: "same-run",
  text: `BASE and HEAD are the same run, begun at ${base.startedAt}: no change can be found in it, so give a second run.`,
  numbers: {},
});

/** Why a change need not be one of the code; null: there is no such reason. */
const obstacleWords = (comparison: BenchComparison): string | null =>
  comparison.moved.length > 0
    ? `so do controls without any code of Weir: ${movedWords(comparison)}`
    : listForced(comparison).length > 0
      ? "the runs are not comparable"
      : null;

const listForced = ({ warnings }: BenchComparison): readonly string[] =>
  warnings.filter((warning) => warning.startsWith(BY_FORCE));

/** Whether all changes are as small as those between two processes of equal code. */
function processSentence({ gates, word }: BenchComparison): AnswerSentence {
  const isSmall = gates.every(
    ({ evidence }) => evidence?.ratio != null && !isBeyondProcesses(evidence.ratio),
  );
  const percent = 100 * WORTH_OF_A_PROCESS;
  const command = portableCommand(["bench", "--against", "PATH"]);
  const doubt =
    isSmall && ["regressed", "improved"].includes(word)
      ? "That may be the processes and not the code: each"
      : "Each";
  return {
    id: "process",
    text: `${doubt} run has one process of a cell, and two of equal code can differ by ${percent} %. ${command} measures both versions in one run.`,
    numbers: { percent },
    command,
  };
}

const controlsSentence = (comparison: BenchComparison): AnswerSentence | null =>
  comparison.moved.length === 0
    ? null
    : {
        id: "moved",
        text: `Without any code of Weir there are changes too, so the machine may have changed: ${movedWords(comparison)}.`,
        numbers: { moved: comparison.moved.length },
      };

const movedWords = ({ moved, cases }: BenchComparison): string =>
  namesWords(
    moved.map(
      ({ control, metric, ratio }) =>
        `${gateWords(control, metric, cases)} ${changePercentOf(ratio)}`,
    ),
  );

function othersSentence({ shown, alpha, cases }: BenchComparison): AnswerSentence | null {
  if (shown.length === 0) return null;
  const ofWord = (word: CompareWord): readonly FigureVerdict[] =>
    shown.filter(({ verdict }) => verdict.word === word);
  const changed = [...ofWord("regressed"), ...ofWord("improved")];
  const unclear = ofWord("unclear").length;
  const [first] = changed;
  const chance = Math.ceil(shown.length * alpha);
  const numbers = { shown: shown.length, changed: changed.length, unclear, chance };
  const of = `Of ${many(shown.length, "metric")} without a gate`;
  if (first === undefined)
    return {
      id: "shown",
      text: `${of} none is shown to have changed${unclear === 0 ? "" : `, and ${unclear} ${plural(unclear, "is", "are")} unclear`}.`,
      numbers,
    };
  const ratio = first.evidence?.ratio ?? null;
  const example = `${gateWords(first.cell, first.metric, cases)}${ratio === null ? "" : ` ${changePercentOf(ratio)}`}`;
  return {
    id: "shown",
    text: `${of} ${changed.length} ${plural(changed.length, "differs", "differ")}, ${changed.length === 1 ? "" : "the first "}${example}; chance alone can make ${chance} differ.`,
    numbers,
  };
}

/** The first sentence of a comparison by force, with its reasons: they are the first clauses of the warnings. */
function forceSentence(comparison: BenchComparison): AnswerSentence | null {
  const forced = listForced(comparison);
  if (forced.length === 0) return null;
  const reasons = forced.map(
    (warning) => warning.slice(BY_FORCE.length).split(/: (?=run )|; /)[0]!,
  );
  return {
    id: "forced",
    text: `These runs are not comparable, so no difference need be one of the code: ${namesWords(reasons)}.`,
    numbers: { reasons: forced.length },
  };
}
