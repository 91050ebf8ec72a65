// The answer of weir try: which limiter to take for these clients, why, and at which price.
import type { Answer, AnswerSentence } from "../../lab/report/answer.ts";
import { valuesOf } from "../../studies/try/draw-values.ts";
import type { TryRow, UnansweredTry } from "../../studies/try/result.ts";
import { chooseTried, isQueue, mainReason, type TryChoice } from "./try-choice.ts";
import { clientsSentence, outcomeSentence } from "./try-outcome.ts";
import {
  alikeWords,
  effectWords,
  groupWords,
  worseWords,
  numberOf,
  valueWords,
} from "./try-words.ts";
import { shortenAnswer } from "./answer.ts";
import { deciderSentences } from "./try-deciders.ts";
import { adviceSentence, causeSentence, insteadSentence } from "./try-reasons.ts";
import { beginning, choiceSentence, nearIn, sameSentence } from "./try-take.ts";
import { betterSentence, findAlike, similarSentence } from "./try-alike.ts";
import { answerFile, doubtOfFile, fileSentence } from "./try-file.ts";
import { limiterWords, namesWords, sentenceCase } from "./words.ts";
import {
  burstSentence,
  findStarved,
  starvationSentence,
  isLimiter,
  limitsSentence,
  overloadSentence,
  priceSentences,
  queueSentence,
  unfairSentence,
  waitSentence,
  type TriedGroup,
} from "./try-sentences.ts";
import {
  delaySentence,
  drawSentence,
  missingSentence,
  nextSentence,
  NO_REQUESTS,
  shortSentence,
} from "./try-notes.ts";

export function answerTry(result: UnansweredTry): Answer {
  const files = result.candidates.filter(({ file }) => file !== null);
  if (files.length === result.candidates.length) return answerFile(result);
  const limiters = result.candidates.filter(({ file }) => file === null);
  const queues = limiters.filter(isQueue);
  const others = limiters.filter((row) => !isQueue(row));
  const facts = { ...result, candidates: others.length === 0 ? limiters : others };
  const groups = groupsIn(facts.candidates);
  const [first] = groups;
  if (first === undefined) return [];
  if (valuesOf(first[0], ({ requests }) => requests).includes(0)) return [NO_REQUESTS];
  const compared = groups.filter(({ length }) => length > 1);
  const {
    chosen,
    isOneOf = false,
    sentences: own,
  } = compared.length === 0
    ? outcomeSentences(groups, facts)
    : choiceSentences(compared, facts, queues);
  const sentences = [
    ...own,
    ...files.map((row) => fileSentence(row, result)),
    doubtOfFile(files[0]),
    others.length === 0 || own.some((sentence) => sentence?.id === "strict-queue")
      ? null
      : queueSentence(queues),
    missingSentence(facts),
    shortSentence(facts),
    drawSentence(
      facts,
      own.some((sentence) => sentence?.numbers["next"] !== undefined),
    ),
    delaySentence(facts),
    nextSentence(chosen, isOneOf),
  ].flatMap((sentence) => sentence ?? []);
  return shortenAnswer(sentences, DISPENSABLE);
}

/** What an answer can do without, the least important first: the tables have it too. */
const DISPENSABLE = [
  "worse-median",
  "worse-p99",
  "wait",
  "exact",
  "similar",
  "worse-refused",
  "worse-unadmitted",
  "advised",
  "served",
  "rest",
  "delay",
  "commands",
  "queue",
  "burst",
  "same",
  "limits",
  "outcome",
  "unfair",
  "counted",
  "strict",
  "strict-queue",
  "instead",
  "advice",
  "seen",
  "kept",
  "cause",
  "price",
  "bounds",
  "short",
];

interface GroupSentences {
  readonly chosen: TryRow;
  readonly isOneOf?: boolean; // others serve as well; left out: no choice
  readonly sentences: readonly (AnswerSentence | null)[];
}

function groupsIn(rows: readonly TryRow[]): readonly TriedGroup[] {
  const groups = new Map<string, [TryRow, ...TryRow[]]>();
  for (const row of rows) {
    const name = `${row.limit} ${row.retry}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [row]);
    else group.push(row);
  }
  return [...groups.values()];
}

// ---------------------------------------------------------------- a choice between limiters

const MOST_GROUPS = 3;

function choiceSentences(
  groups: readonly TriedGroup[],
  facts: UnansweredTry,
  queues: readonly TryRow[],
): GroupSentences {
  const limiter = mostChosen(groups.map((group) => chooseTried(group, facts)));
  const choices = groups.map((group) => chooseTried(group, facts, isLimiter(limiter)));
  const own = choices.filter(({ best }) => isLimiter(limiter)(best));
  const main = own.find(({ leftOut }) => leftOut.length > 0) ?? own[0]!;
  const others = choices.filter((choice) => choice !== main);
  const rows = groups[choices.indexOf(main)]!;
  const { best, leftOut } = main;
  const out = leftOut.flatMap(({ rows: worse }) => worse);
  const counted = findStarved(best, out);
  const alike = findAlike(main, facts, beginning(best, facts));
  const reason = mainReason(main);
  const rival = alike === null ? reason?.next : (alike.rival ?? undefined);
  const sentences = [
    alike?.sentence ?? choiceSentence(main, rows, facts),
    alike === null ? betterSentence(main, beginning(best, facts)) : null,
    rival === undefined || counted.includes(rival)
      ? null // the sentence about those has the cause
      : (adviceSentence(best, rival) ?? causeSentence(best, rival, facts)),
    overloadSentence(best, facts),
    sameSentence(main),
    ...whySentences(main, counted, alike === null ? reason?.next : undefined),
    starvationSentence(best, counted),
    burstSentence(out),
    reason === undefined && alike === null
      ? null
      : similarSentence(main, reason?.by ?? "unadmitted", alike?.named ?? nearIn(main)),
    waitSentence(best),
    unfairSentence(best),
    ...priceOf(main, alike, [...rows, ...queues.filter(isForSame(best))], facts),
    rival === undefined || counted.includes(rival)
      ? null
      : insteadSentence(best, rival, reason?.by ?? "unadmitted"),
    ...others
      .slice(0, MOST_GROUPS)
      .flatMap((choice) => groupSentences(choice, groups[choices.indexOf(choice)]!, main, facts)),
    restSentence(others.slice(MOST_GROUPS)),
    limitsSentence(best, facts),
  ];
  const isOneOf =
    reason === undefined ||
    (alike === null ? main.equal.length + nearIn(main).length > 0 : alike.sentence.id !== "open");
  return { chosen: best, isOneOf, sentences };
}

/** The price of the chosen limiter; or, where refusals do not decide, by what else to choose. */
function priceOf(
  choice: TryChoice,
  alike: ReturnType<typeof findAlike>,
  rows: TriedGroup,
  facts: UnansweredTry,
): readonly (AnswerSentence | null)[] {
  const { best, equal, similar, leftOut } = choice;
  if (alike?.sentence.id === "steady")
    return deciderSentences([best, ...equal, ...alike.named], facts, "By");
  if (alike?.sentence.id === "little")
    return deciderSentences([best, ...equal, ...similar], facts, "By");
  if (leftOut.length === 0) return deciderSentences([best, ...equal, ...similar], facts);
  if (equal.length > 0)
    return deciderSentences([best, ...equal, ...nearIn(choice)], facts, "Between them choose by");
  const next = alike === null ? mainReason(choice)?.next : alike.rival;
  return priceSentences(best, next ?? undefined, rows, facts);
}

/** Whether a row has the limit and the clients of another one. */
const isForSame =
  ({ limit, retry }: TryRow) =>
  (row: TryRow): boolean =>
    row.limit === limit && row.retry === retry;

/** The limiter that is left in the most choices; the first one of several. */
function mostChosen(choices: readonly TryChoice[]): TryRow {
  const left = choices.flatMap(({ best, equal, similar }) => [best, ...equal, ...similar]);
  const countOf = (row: TryRow): number => left.filter(isLimiter(row)).length;
  return left.reduce((most, row) => (countOf(row) > countOf(most) ? row : most));
}

const MOST_REASONS = 1;

/** Of more limiters a sentence has no names, and its range is so wide that it states nothing. */
const MOST_WORSE = 3;

/** The candidates that each criterion leaves out, except those that another sentence names. */
function whySentences(
  { leftOut }: TryChoice,
  counted: readonly TryRow[],
  named: TryRow | undefined,
): readonly AnswerSentence[] {
  return leftOut
    .map(({ by, rows }) => ({ by, rows: rows.filter((row) => !counted.includes(row)) }))
    .filter(({ rows }) => rows.length <= MOST_WORSE && rows.some((row) => row !== named))
    .slice(0, MOST_REASONS)
    .map(({ by, rows }) => ({
      id: `worse-${by}`,
      text: worseWords(by, rows),
      numbers: { candidates: rows.length },
    }));
}

// ---------------------------------------------------------------- other clients and limits

/** The choice for other clients or another limit, compared with the limiter of the first sentence. */
function groupSentences(
  choice: TryChoice,
  rows: TriedGroup,
  main: TryChoice,
  facts: UnansweredTry,
): readonly AnswerSentence[] {
  const { best, leftOut } = choice;
  const isSame = isLimiter(main.best)(best);
  const where = `${sentenceCase(groupWords(best, facts))},`;
  const reason = isSame
    ? mainReason(choice)
    : leftOut.find((out) => out.rows.some(isLimiter(main.best)));
  if (reason === undefined) {
    const alike = findAlike(choice, facts, `${groupWords(best, facts)}, `);
    if (alike !== null) return [{ ...alike.sentence, id: "group-alike" }];
    return [
      {
        id: "group-no-difference",
        text: `${where} nothing separates the candidates: ${alikeWords(rows)}.`,
        numbers: { candidates: rows.length },
      },
    ];
  }
  const { by } = reason;
  const other = isSame ? reason.next : reason.rows.find(isLimiter(main.best))!;
  const advised = adviceSentence(best, other);
  return [
    {
      id: "group",
      text: `${where} take ${limiterWords(best)}${isSame ? " too" : ""}: it ${effectWords(best, by)}, ${limiterWords(other)} ${valueWords(other, by, best)}.`,
      numbers: { ...numberOf(best, by), ...numberOf(other, by, "other") },
    },
    ...(advised === null ? [] : [advised]),
  ];
}

function restSentence(choices: readonly TryChoice[]): AnswerSentence | null {
  if (choices.length === 0) return null;
  const chosen = [...new Set(choices.map(({ best }) => limiterWords(best)))];
  return {
    id: "rest",
    text: `For the other ${choices.length} limits and clients take ${namesWords(
      chosen.map(
        (name) => `${name} (${choices.filter(({ best }) => limiterWords(best) === name).length})`,
      ),
    )}.`,
    numbers: { choices: choices.length },
  };
}

// ---------------------------------------------------------------- one limiter

function outcomeSentences(groups: readonly TriedGroup[], facts: UnansweredTry): GroupSentences {
  const [[first]] = groups as readonly [TriedGroup];
  const alike = groups.map(([row]) => row).filter(({ limit }) => limit === first.limit);
  const sentences = [
    clientsSentence(alike, facts),
    ...groups.slice(0, MOST_GROUPS + 1).map(([row]) => outcomeSentence(row, facts)),
    overloadSentence(first, facts),
    ...(groups.length === 1
      ? [
          waitSentence(first),
          unfairSentence(first),
          ...priceSentences(first, undefined, [first], facts),
        ]
      : []),
    limitsSentence(first, facts),
  ];
  return { chosen: first, sentences };
}
