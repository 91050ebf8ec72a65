// The answer of weir implementations prove: whether limiters decide as their profiles, and in how many worlds.
import { many, percent, plural, thousands } from "../../kit/reading/legible.ts";
import type { Answer, AnswerSentence } from "../../lab/report/answer.ts";
import type {
  ImplementationProof,
  ImplementationsProof,
  ProofVerdict,
} from "../../studies/implementations/proof.ts";
import { asSentence } from "./bench-words.ts";
import { namesWords } from "./words.ts";

export function answerProve(proof: ImplementationsProof): Answer {
  const ran = proof.implementations.filter(({ verdict }) => verdict !== null);
  return [
    ran.length === 0 ? null : profileSentence(ran, proof),
    differenceSentence(ran),
    decisionsSentence(ran),
    wordSentence(
      ran,
      "partial",
      `were compared in fewer ${onesOf(proof)} than wanted, without a difference`,
    ),
    wordSentence(
      ran,
      "vacuous",
      `refused nothing, so a wrong ${proof.of === undefined ? "profile" : "reader"} would have looked the same`,
    ),
    failureSentence(ran, proof),
    openSentence(ran),
    notRunSentence(proof),
  ].flatMap((sentence) => sentence ?? []);
}

const ofVerdict = (
  ran: readonly ImplementationProof[],
  verdict: ProofVerdict,
): readonly ImplementationProof[] => ran.filter((each) => each.verdict === verdict);

/** What limiters were compared in. */
const onesOf = ({ of: kind }: ImplementationsProof): "worlds" | "configurations" | "runs" =>
  kind === "file" ? "runs" : (kind ?? "worlds");

function profileSentence(
  ran: readonly ImplementationProof[],
  proof: ImplementationsProof,
): AnswerSentence {
  const { worlds: wanted } = proof;
  const differing = ofVerdict(ran, "differs");
  const proved = ofVerdict(ran, "proved");
  const [only] = ran;
  const isOfFiles = proof.of !== undefined;
  const ones = onesOf(proof);
  const random = proof.of === "file" ? "" : "random ";
  const files = proof.file ?? "its files";
  if (ran.length === 1) {
    const { id, version, counts } = only!;
    const { worlds, differing: apart } = counts;
    return {
      id: "profile",
      text:
        apart > 0
          ? `${id} (${version}) differs from ${isOfFiles ? `what Weir reads in ${files}` : "its profile"} in ${thousands(apart)} of ${thousands(worlds)} ${random}${ones}.`
          : `${id} (${version}) decides as ${isOfFiles ? `Weir reads ${files}` : "its profile"} in ${thousands(worlds)} of ${thousands(wanted)} ${random}${ones}.`,
      numbers: { limiters: 1, worlds, wanted, differing: apart },
    };
  }
  const differ = isOfFiles
    ? `${plural(differing.length, "differs", "differ")} from what Weir reads in files`
    : plural(differing.length, "differs from its profile", "differ from their profiles");
  return {
    id: "profile",
    text:
      differing.length > 0
        ? `${differing.length} of ${many(ran.length, "limiter")} ${differ}: ${namesWords(differing.map(({ id }) => id))}.`
        : `${proved.length} of ${many(ran.length, "limiter")} decide as ${isOfFiles ? "Weir reads their files" : "their profiles"}, in ${thousands(wanted)} random ${ones} each; none was seen to differ.`,
    numbers: { limiters: ran.length, differing: differing.length, proved: proved.length, wanted },
  };
}

/** The smallest difference of the first limiter that has one, and the command that shows it again. */
function differenceSentence(ran: readonly ImplementationProof[]): AnswerSentence | null {
  const first = ran.find(({ difference }) => difference !== null);
  if (first?.difference == null) return null;
  const { request, requests, sentence, again } = first.difference;
  const ofLimiter = ran.length === 1 ? "" : ` of ${first.id}`;
  return {
    id: "difference",
    text: `The smallest difference${ofLimiter} is request ${request} of ${requests}: ${sentence.replace(/\.$/, "")}. See it again: ${again}`,
    numbers: { request, requests },
    command: again,
  };
}

function decisionsSentence(ran: readonly ImplementationProof[]): AnswerSentence | null {
  const sum = (of: (counts: ImplementationProof["counts"]) => number): number =>
    ran.reduce((total, { counts }) => total + of(counts), 0);
  const [decisions, refused, open] = [
    sum((counts) => counts.decisions),
    sum((counts) => counts.refused),
    sum((counts) => counts.open),
  ];
  if (decisions === 0) return null;
  const openText =
    open === 0
      ? ""
      : `; ${thousands(open)} are left open (${percent(open / decisions)}), because the times allow both results`;
  return {
    id: "decisions",
    text: `${ran.length === 1 ? "It" : many(ran.length, "limiter")} made ${thousands(decisions)} decisions, and refused or delayed ${thousands(refused)} requests${openText}.`,
    numbers: { decisions, refused, open },
  };
}

function wordSentence(
  ran: readonly ImplementationProof[],
  verdict: ProofVerdict,
  what: string,
): AnswerSentence | null {
  const which = ofVerdict(ran, verdict);
  if (which.length === 0) return null;
  return {
    id: verdict,
    text: `${namesWords(which.map(({ id }) => id))} ${plural(which.length, what.replace(/^were/, "was"), what)}.`,
    numbers: { limiters: which.length },
  };
}

function failureSentence(
  ran: readonly ImplementationProof[],
  proof: ImplementationsProof,
): AnswerSentence | null {
  const first = ran.find(({ failure }) => failure !== null);
  if (first?.failure == null) return null;
  const worlds = ran.reduce((sum, { counts }) => sum + counts.failed, 0);
  return {
    id: "failed",
    text: `${many(worlds, onesOf(proof).slice(0, -1))} could not be run, first by ${first.id}: ${asSentence(first.failure)}`,
    numbers: { worlds },
  };
}

/** Limiters of which the proof is weak, because most decisions are open. */
function openSentence(ran: readonly ImplementationProof[]): AnswerSentence | null {
  const which = ran.filter(({ isMostlyOpen }) => isMostlyOpen);
  if (which.length === 0) return null;
  return {
    id: "weak",
    text: `For ${namesWords(which.map(({ id }) => id))} the proof is weak: more than half of the decisions are open.`,
    numbers: { limiters: which.length },
  };
}

function notRunSentence({ implementations, footer }: ImplementationsProof): AnswerSentence | null {
  const missing = implementations.filter(({ verdict }) => verdict === null);
  const [first] = missing;
  if (first === undefined) return null;
  return {
    id: "not-run",
    text:
      missing.length === 1
        ? `${first.id} was not run: ${first.missing ?? "the run ended before"}.`
        : `${footer.notRun} of ${many(implementations.length, "limiter")} were not run: ${namesWords(missing.map(({ id }) => id))}.`,
    numbers: { notRun: footer.notRun },
  };
}
