// The answer of weir compare: the changes between two stored runs, and what these cannot show.
import { portableCommand } from "../../kit/command-line.ts";
import { exactPercent, many, plural } from "../../kit/reading/legible.ts";
import type { Answer, AnswerSentence } from "../../lab/report/answer.ts";
import {
  BY_FORCE,
  SAME_RUN,
  type BenchComparison,
} from "../../studies/bench/compare/comparison.ts";
import { changePercentOf, doubtOf } from "../../studies/bench/compare/phrases.ts";
import { isBeyondProcesses, WORTH_OF_A_PROCESS } from "../../studies/bench/medians.ts";
import { gateWords } from "./bench-words.ts";
import { changeSentences } from "./changes.ts";
import { namesWords } from "./words.ts";

export function answerCompare(comparison: BenchComparison): Answer {
  const { gates, minEffect, alpha, warnings, cases } = comparison;
  if (warnings.includes(SAME_RUN)) return [sameRunSentence(comparison)];
  return [
    forceSentence(comparison),
    ...changeSentences(
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
    ),
    controlsSentence(comparison),
    othersSentence(comparison),
  ].flatMap((sentence) => sentence ?? []);
}

const sameRunSentence = ({ base }: BenchComparison): AnswerSentence => ({
  id: "same-run",
  text: `BASE and HEAD are the same run, begun at ${base.startedAt}: no change can be found in it, so give a second run.`,
  numbers: {},
});

/** Why a change need not be one of the code; null: there is no such reason. */
function obstacleWords(comparison: BenchComparison): string | null {
  const reasons = [
    ...(comparison.moved.length > 0 ? ["controls without any code of Weir changed too"] : []),
    ...(listForced(comparison).length > 0 ? ["--force compared runs that are not comparable"] : []),
  ];
  return reasons.length === 0
    ? null
    : `the code need not be the cause, because ${reasons.join(" and ")}`;
}

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

function controlsSentence({ moved, cases }: BenchComparison): AnswerSentence | null {
  if (moved.length === 0) return null;
  const names = moved.map(
    ({ control, metric, ratio }) =>
      `${gateWords(control, metric, cases)} ${changePercentOf(ratio)}`,
  );
  return {
    id: "moved",
    text: `${plural(moved.length, "A control", "Controls")} without any code of Weir changed too, so the machine may have: ${namesWords(names)}.`,
    numbers: { moved: moved.length },
  };
}

function othersSentence({ shown, alpha, cases }: BenchComparison): AnswerSentence | null {
  if (shown.length === 0) return null;
  const changed = (["regressed", "improved"] as const).flatMap((word) =>
    shown.filter(({ verdict }) => verdict.word === word),
  );
  const [first] = changed;
  const chance = Math.ceil(shown.length * alpha);
  const numbers = { shown: shown.length, changed: changed.length, chance };
  if (first === undefined)
    return {
      id: "shown",
      text: `No change was found in ${many(shown.length, "metric")} without a gate.`,
      numbers,
    };
  const ratio = first.evidence?.ratio ?? null;
  const example = `${gateWords(first.cell, first.metric, cases)}${ratio === null ? "" : ` ${changePercentOf(ratio)}`}`;
  return {
    id: "shown",
    text: `Of ${many(shown.length, "metric")} without a gate ${changed.length} ${plural(changed.length, "has", "have")} changed, ${changed.length === 1 ? "" : "the first "}${example}; ${chance} may have by chance alone.`,
    numbers,
  };
}

function forceSentence(comparison: BenchComparison): AnswerSentence | null {
  const forced = listForced(comparison);
  return forced.length === 0
    ? null
    : {
        id: "forced",
        text: `These runs are not comparable, for ${many(forced.length, "reason")}, and --force compared them: no change here need be one of the code.`,
        numbers: { reasons: forced.length },
      };
}
