// Sentences about gates of two runs or versions: the changes, the gates without one, and the open ones.
import { exactPercent, figure, plural } from "../../kit/reading/legible.ts";
import type { AnswerSentence } from "../../lab/report/answer.ts";
import type { CompareWord } from "../../studies/bench/compare/comparison.ts";
import { changePercentOf } from "../../studies/bench/compare/phrases.ts";
import { excludesNoChange, TOO_FEW } from "../../studies/bench/compare/verdict.ts";
import { namesWords } from "./words.ts";

export interface GateChange {
  /** "processor time of a request for a sliding log". */
  readonly what: string;
  readonly unit: string;
  readonly word: CompareWord;
  readonly base: number | null;
  readonly head: number | null;
  /** Head divided by base; null: base is 0, or nothing was measured. */
  readonly ratio: number | null;
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** Why it is open, and what would settle it; null: it is not. */
  readonly doubt: string | null;
}

interface ChangeQuestion {
  readonly base: string; // words for the two sides
  readonly head: string;
  readonly minEffect: number;
  /** Words before an interval. */
  readonly likely: string;
  /** What one process of each cell cannot show; it follows the changes. Null: each side has several. */
  readonly process: AnswerSentence | null;
  /** The least change that would have been found; null: half of the widest interval. */
  readonly reach: number | null;
  /** Why a change of an open gate need not be one of the code; null: its own doubt is the reason. */
  readonly obstacle: string | null;
}

/** Gates without a change come after those with one; the first sentence is the answer. */
export function changeSentences(
  gates: readonly GateChange[],
  question: ChangeQuestion,
): readonly AnswerSentence[] {
  if (gates.length === 0)
    return [
      {
        id: "no-gate",
        text: "Nothing that could fail was compared: no cell with a gate was measured, or the suite has no gates.",
        numbers: { gates: 0 },
      },
    ];
  const ofWord = (word: CompareWord): readonly GateChange[] =>
    gates.filter((gate) => gate.word === word).toSorted((a, b) => sizeOf(b) - sizeOf(a) || 0);
  const changed = [...ofWord("regressed"), ...ofWord("improved")];
  const [open, same] = [ofWord("unclear"), ofWord("same")];
  const few = open.filter(isOfFew);
  const left = open.filter((gate) => !isOfFew(gate));
  const isOpen = changed.length === 0;
  const differing = left.filter((gate) => isOpen && isDiffering(gate, question.minEffect));
  const unclear = left.filter((gate) => !differing.includes(gate));
  return [
    ...changed.map((gate) => sentenceOfChange(gate, question)),
    ...(isOpen || question.process === null ? [] : [question.process]),
    ...(few.length === 0 ? [] : [fewSentence(few)]),
    ...differingSentences(differing, question),
    ...(isOpen && unclear.length > 0 && few.length + differing.length === 0
      ? [noneFound(unclear, question)]
      : []),
    ...(same.length === 0 ? [] : [sameSentence(same, gates.length, question)]),
    ...unclearSentences(unclear, question),
    ...(isOpen && question.process !== null ? [question.process] : []),
  ];
}

const isOfFew = ({ doubt }: GateChange): boolean => doubt?.startsWith(TOO_FEW) === true;

/** Open gates can differ beyond doubt where only the cause is open. */
const isDiffering = (gate: GateChange, minEffect: number): boolean =>
  excludesNoChange(gate) && sizeOf(gate) >= Math.log1p(minEffect);

const sizeOf = ({ ratio }: GateChange): number =>
  ratio === null || ratio === 0 ? Number.POSITIVE_INFINITY : Math.abs(Math.log(ratio));

function sentenceOfChange(gate: GateChange, question: ChangeQuestion): AnswerSentence {
  const { word, ratio, unit, base, head } = gate;
  const change =
    ratio === null
      ? "rose"
      : `${ratio > 1 ? "rose" : "fell"} by ${changePercentOf(ratio).replace(/^[+-]/, "")}${inBrackets([intervalWords(gate, question)])}`;
  const amounts =
    base === null || head === null ? "" : `, from ${figure(base)} to ${figure(head)} ${unit}`;
  return {
    id: "changed",
    text: `${question.head} is ${word === "regressed" ? "worse" : "better"} than ${question.base}: ${gate.what} ${change}${amounts.trimEnd()}.`,
    numbers: numbersOf(gate),
  };
}

/** "95 %: +5.7 to +7.5 %". */
const intervalWords = ({ interval }: GateChange, { likely }: ChangeQuestion): string | null =>
  interval === null
    ? null
    : `${likely} ${changePercentOf(interval.low).replace(" %", "")} to ${changePercentOf(interval.high)}`;

const inBrackets = (words: readonly (string | null)[]): string => {
  const all = words.filter((each) => each !== null);
  return all.length === 0 ? "" : ` (${all.join(", ")})`;
};

const numbersOf = ({ ratio, interval, base, head }: GateChange): AnswerSentence["numbers"] => ({
  ...(ratio === null ? {} : { ratio }),
  ...interval,
  ...(base === null ? {} : { base }),
  ...(head === null ? {} : { head }),
});

/** With so few repeats an interval is unreliable, so the changes alone are named. */
function fewSentence(few: readonly GateChange[]): AnswerSentence {
  const names = few.map(({ what, ratio }) =>
    ratio === null ? what : `${what} ${changePercentOf(ratio)}`,
  );
  return {
    id: "too-few",
    text: `No verdict: ${few[0]!.doubt}. Measured: ${namesWords(names)}.`,
    numbers: { gates: few.length },
  };
}

/** Each gate has one sentence: it differs, and this is why that is no verdict. */
const differingSentences = (
  differing: readonly GateChange[],
  question: ChangeQuestion,
): readonly AnswerSentence[] =>
  byReason(differing, ({ doubt }) => question.obstacle ?? doubt!).map(([reason, gates]) => ({
    id: "no-verdict",
    text: `No verdict: ${question.head} differs from ${question.base} in ${changesWords(gates, question)}, but ${reason}.`,
    numbers: { gates: gates.length },
  }));

const unclearSentences = (
  unclear: readonly GateChange[],
  question: ChangeQuestion,
): readonly AnswerSentence[] =>
  byReason(unclear, ({ doubt }) => doubt!).map(([reason, gates]) => ({
    id: "unclear",
    text: `Unclear ${plural(gates.length, "is", "are")} ${changesWords(gates, question)}: ${reason}.`,
    numbers: gates.length === 1 ? numbersOf(gates[0]!) : { gates: gates.length },
  }));

const byReason = (
  gates: readonly GateChange[],
  reasonOf: (gate: GateChange) => string,
): readonly (readonly [string, readonly GateChange[]])[] => [...Map.groupBy(gates, reasonOf)];

/** "processor time of a request for the base cell +30.0 % (95 %: +7.3 to +57.5 %) and ...". */
const changesWords = (gates: readonly GateChange[], question: ChangeQuestion): string =>
  namesWords(
    gates.map((gate) =>
      gate.ratio === null
        ? gate.what
        : `${gate.what} ${changePercentOf(gate.ratio)}${inBrackets([intervalWords(gate, question)])}`,
    ),
  );

/** With the least change that would have been seen, where the intervals show it. */
function noneFound(
  open: readonly GateChange[],
  { minEffect, reach }: ChangeQuestion,
): AnswerSentence {
  const halves = open.flatMap(({ interval }) =>
    interval === null || interval.low <= 0
      ? []
      : [Math.expm1(Math.log(interval.high / interval.low) / 2)],
  );
  const least = reach ?? Math.max(minEffect, ...halves);
  return {
    id: "none-found",
    text:
      halves.length === 0
        ? "No difference was found, because too little was measured to see one."
        : `No difference was found; one of less than about ${exactPercent(Number(least.toPrecision(2)))} could be missed.`,
    numbers: { gates: open.length, ...(halves.length === 0 ? {} : { least }) },
  };
}

function sameSentence(
  same: readonly GateChange[],
  gates: number,
  { minEffect }: ChangeQuestion,
): AnswerSentence {
  const names = namesWords(same.map(({ what }) => what));
  const least = exactPercent(minEffect);
  return {
    id: "same",
    text:
      same.length === gates
        ? `Nothing has changed by ${least} or more: ${names}.`
        : `Not changed by ${least} or more: ${names}.`,
    numbers: { same: same.length, gates, minEffect },
  };
}
