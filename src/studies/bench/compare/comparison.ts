// The document of a comparison, and its reader.
import { z } from "zod";
import { answerSchema } from "../../../lab/report/answer.ts";
import { Failure, isFailure } from "../../../kit/reading/failure.ts";
import { footerFailure, readDocument } from "../read-document.ts";

/** The beginning of a warning that would have prevented the comparison without --force. */
export const BY_FORCE = "compared by force: ";

/** The warning for a run that is compared with itself. */
export const SAME_RUN = "BASE and HEAD are the same run";

export const COMPARE_FORMAT = "weir-compare/2";

const count = z.int().min(0);
const amount = z.number().min(0);
const text = z.string();
const metric = z.string();
const word = z.enum(["improved", "regressed", "same", "unclear"]);
export type CompareWord = z.infer<typeof word>;

const side = z
  .strictObject({ median: amount, mad: amount, min: amount, max: amount, repeats: count })
  .readonly();

const evidence = z
  .strictObject({
    base: side,
    head: side,
    /** The median of head divided by that of base; null if only the median of base is 0. */
    ratio: amount.nullable(),
    /** The likely range of the ratio after endlessly many repeats; null if it has no upper end. */
    interval: z.strictObject({ low: amount, high: amount }).readonly().nullable(),
    /** The probability that chance alone separates base and head as far as measured. */
    p: amount,
  })
  .readonly();
export type Evidence = z.infer<typeof evidence>;

/** The evidence of a metric divided by a control of the same rounds. */
const relative = z.strictObject({ control: text, evidence }).readonly();
export type RelativeEvidence = z.infer<typeof relative>;

const verdict = z
  .strictObject({
    word,
    /** Why the verdict is unclear; null unless the word is "unclear". */
    why: text.nullable(),
    /** Estimated repeats in each run that would probably give a clear verdict; null: more would not help. */
    needed: amount.nullable(),
  })
  .readonly();
export type CompareVerdict = z.infer<typeof verdict>;

const figureVerdict = z
  .strictObject({
    cell: text,
    metric,
    unit: text,
    better: z.enum(["less", "more"]),
    evidence: evidence.nullable(), // null: not measured in both runs
    relative: z.array(relative).readonly(),
    /** The largest p-value of `evidence` and `relative`. For a gate it is corrected for the number of gates. */
    p: amount.nullable(),
    verdict,
  })
  .readonly();
export type FigureVerdict = z.infer<typeof figureVerdict>;

const run = z
  .strictObject({ startedAt: text, commit: text.nullable(), changed: z.boolean(), node: text })
  .readonly();
export type ComparedRun = z.infer<typeof run>;

const comparison = z
  .strictObject({
    format: z.literal(COMPARE_FORMAT),
    answer: answerSchema.exactOptional(), // missing in older documents; readers compute it again
    suite: z.strictObject({ id: text, title: text, hash: text }).readonly(),
    base: run,
    head: run,
    minEffect: z.number().positive(),
    alpha: z.number().positive(),
    seed: count,
    /** What each case of a suite of parts measures; missing for gateways, and in older documents. */
    cases: z.record(text, text).exactOptional(),
    /** The worst verdict of all gates; unclear is worse than same. Without gates it is unclear. */
    word,
    gates: z.array(figureVerdict).readonly(),
    shown: z.array(figureVerdict).readonly(),
    warnings: z.array(text).readonly(),
    /** Controls that changed more than chance explains: either the machine changed, or only the control. */
    moved: z.array(z.strictObject({ control: text, metric, ratio: amount }).readonly()).readonly(),
    /** A document without a footer is incomplete. */
    footer: z.strictObject({ gates: count, shown: count }).readonly(),
  })
  .readonly();
export const comparisonSchema = (): unknown => z.toJSONSchema(comparison);

/** Without the answer, which follows from the rest. */
export type BenchComparison = Omit<z.infer<typeof comparison>, "answer">;

export const comparisonFooterOf = ({
  gates,
  shown,
}: Pick<BenchComparison, "gates" | "shown">): BenchComparison["footer"] => ({
  gates: gates.length,
  shown: shown.length,
});

const FROM_WORST: readonly CompareWord[] = ["regressed", "unclear", "improved", "same"];
export const worstWordOf = (gates: readonly FigureVerdict[]): CompareWord =>
  worstWord(gates.map(({ verdict }) => verdict.word));

export const worstWord = (words: readonly CompareWord[]): CompareWord =>
  FROM_WORST.find((word) => words.includes(word)) ?? "unclear";

export function readComparison(json: string): BenchComparison | Failure {
  const document = readDocument(json, COMPARE_FORMAT, comparison);
  if (isFailure(document)) return document;
  const { answer: _, ...read } = document;
  const worst = worstWordOf(read.gates);
  if (worst !== read.word)
    return new Failure(`word: it is ${read.word}, but the worst gate is ${worst}`);
  return footerFailure(read.footer, comparisonFooterOf(read)) ?? read;
}
