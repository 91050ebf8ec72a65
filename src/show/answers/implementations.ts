// The answer of weir implementations run: which limiters keep what they promise, and what was not seen.
import { many, plural } from "../../kit/reading/legible.ts";
import type { Answer, AnswerSentence } from "../../lab/report/answer.ts";
import type {
  ImplementationRun,
  ImplementationsRun,
} from "../../studies/implementations/result.ts";
import type { ImplementationVerdict } from "../../studies/implementations/verdict.ts";
import { namesWords } from "./words.ts";

export function answerImplementations(run: ImplementationsRun): Answer {
  const ran = run.implementations.filter(({ missing }) => missing === null);
  return [
    ...(ran.length === 0 ? [] : [promiseSentence(ran), exampleSentence(ran)]),
    countSentence(
      ran,
      "differs",
      "differently from the claimed algorithm, without a word in the documentation",
    ),
    countSentence(ran, "documented", "differently, as documented"),
    failuresSentence(ran),
    unseenSentence(ran),
    notRunSentence(run),
  ].flatMap((sentence) => sentence ?? []);
}

const countOf = ({ verdicts }: ImplementationRun, verdict: ImplementationVerdict): number =>
  verdicts.filter((each) => each.verdict === verdict).length;

const sumOf = (ran: readonly ImplementationRun[], verdict: ImplementationVerdict): number =>
  ran.reduce((sum, each) => sum + countOf(each, verdict), 0);

/** Verdicts for which a behaviour was seen, one way or the other. */
const SEEN: readonly ImplementationVerdict[] = ["holds", "contradicts", "differs", "documented"];

function promiseSentence(ran: readonly ImplementationRun[]): AnswerSentence {
  const broken = ran.filter((each) => countOf(each, "contradicts") > 0);
  const contradicted = sumOf(ran, "contradicts");
  const seen = SEEN.reduce((sum, verdict) => sum + sumOf(ran, verdict), 0);
  const holds = sumOf(ran, "holds");
  const numbers = { limiters: ran.length, broken: broken.length, contradicted, seen, holds };
  const [only] = ran;
  const seenText = `${many(seen, "behaviour")} that could be seen`;
  if (ran.length === 1)
    return {
      id: "promise",
      text:
        contradicted > 0
          ? `${only!.id} (${only!.version}) contradicts its own documentation in ${contradicted} of ${seenText}.`
          : seen === 0
            ? `${only!.id} (${only!.version}) showed none of the behaviours.`
            : holds === seen
              ? `${only!.id} (${only!.version}) does what was expected in ${seen === 1 ? "the" : "all"} ${seenText}.`
              : `${only!.id} (${only!.version}) contradicts its documentation in none of ${seenText}: ${holds} hold.`,
      numbers,
    };
  return {
    id: "promise",
    text:
      contradicted > 0
        ? `${broken.length} of ${many(ran.length, "limiter")} ${plural(broken.length, "contradicts its", "contradict their")} own documentation: ${namesWords(broken.map(({ id }) => id))}.`
        : `None of ${many(ran.length, "limiter")} contradicts its own documentation in ${seenText}: ${holds} hold.`,
    numbers,
  };
}

/** The first contradiction with its evidence, and the command that shows it again. */
function exampleSentence(ran: readonly ImplementationRun[]): AnswerSentence | null {
  const [first] = ran.flatMap(({ id, verdicts }) =>
    verdicts.flatMap((judged) => (judged.verdict === "contradicts" ? [{ id, judged }] : [])),
  );
  if (first === undefined) return null;
  const { id, judged } = first;
  const [evidence] = judged.evidence;
  return {
    id: "example",
    text: `${id} contradicts it in ${judged.behaviour}${evidence === undefined ? "" : `: ${evidence}`}. See it again: ${judged.again}`,
    numbers: {},
    command: judged.again,
  };
}

function countSentence(
  ran: readonly ImplementationRun[],
  verdict: ImplementationVerdict,
  how: string,
): AnswerSentence | null {
  const count = sumOf(ran, verdict);
  if (count === 0) return null;
  const which = ran.filter((each) => countOf(each, verdict) > 0);
  const what =
    ran.length === 1
      ? ` (${namesWords(ran[0]!.verdicts.filter((each) => each.verdict === verdict).map(({ behaviour }) => behaviour))})`
      : ` of ${namesWords(which.map(({ id }) => id))}`;
  return {
    id: verdict,
    text: `${many(count, "behaviour")}${what} ${plural(count, "is", "are")} decided ${how}.`,
    numbers: { count, limiters: which.length },
  };
}

function failuresSentence(ran: readonly ImplementationRun[]): AnswerSentence | null {
  const count = sumOf(ran, "failed");
  if (count === 0) return null;
  const which = ran.filter((each) => countOf(each, "failed") > 0);
  return {
    id: "failed",
    text: `${many(count, "behaviour")} of ${namesWords(which.map(({ id }) => id))} could not be run.`,
    numbers: { count, limiters: which.length },
  };
}

/** Behaviours that the run did not see. */
function unseenSentence(ran: readonly ImplementationRun[]): AnswerSentence | null {
  const [unsupported, open] = [sumOf(ran, "unsupported"), sumOf(ran, "open")];
  if (unsupported + open === 0) return null;
  const parts = [
    ...(unsupported === 0
      ? []
      : [
          `${many(unsupported, "behaviour")} that ${ran.length === 1 ? "it" : "they"} cannot express`,
        ]),
    ...(open === 0 ? [] : [`${open} that the times of real requests leave open`]),
  ];
  return {
    id: "unseen",
    text: `Not seen: ${parts.join(", and ")}.`,
    numbers: { unsupported, open },
  };
}

function notRunSentence({ implementations, footer }: ImplementationsRun): AnswerSentence | null {
  const missing = implementations.filter((each) => each.missing !== null);
  const [first] = missing;
  if (first === undefined) return null;
  return {
    id: "not-run",
    text:
      missing.length === 1
        ? `${first.id} was not run: ${first.missing}.`
        : `${footer.notRun} of ${many(implementations.length, "limiter")} were not run: ${namesWords(missing.map(({ id }) => id))}.`,
    numbers: { notRun: footer.notRun },
  };
}
