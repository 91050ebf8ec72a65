// The document of `weir implementations prove`: whether an implementation decides as its profile.
import { z } from "zod";
import { CLOCKS } from "../../lab/implementations/manifest.ts";
import { answerSchema } from "../../lab/report/answer.ts";
import { Failure } from "../../kit/reading/failure.ts";
import type { JsonMap } from "../../kit/reading/shape.ts";

export const IMPLEMENTATIONS_PROOF_FORMAT = "weir-implementations-proof/1";

/**
 * `partial`: no decision differed, but fewer worlds were compared than were wanted. `vacuous`: no request was refused
 * or delayed, so a wrong profile would have given the same result.
 */
const PROOF_VERDICTS = ["proved", "partial", "differs", "vacuous", "failed"] as const;
export type ProofVerdict = (typeof PROOF_VERDICTS)[number];

const PROOF_CUTS = ["max-duration", "interruption"] as const;
export type ProofCut = (typeof PROOF_CUTS)[number];

const count = z.int().min(0);

const proofCounts = z
  .strictObject({
    worlds: count, // compared worlds
    differing: count, // compared worlds with a difference
    inexpressible: count, // left out, because the implementation cannot express them
    failed: count, // worlds that could not be run
    decisions: count,
    refused: count, // decisions by which the implementation refused or delayed
    open: count, // decisions for which the times allow both results
    unconfirmed: count, // worlds that differed once and not again
    announced: count, // decisions with another wait, or other remaining requests, than the profile's
  })
  .readonly();
export type ProofCounts = z.infer<typeof proofCounts>;

export const NOTHING_COMPARED: ProofCounts = {
  worlds: 0,
  differing: 0,
  inexpressible: 0,
  failed: 0,
  decisions: 0,
  refused: 0,
  open: 0,
  unconfirmed: 0,
  announced: 0,
};

const difference = z
  .strictObject({
    seed: z.int(), // seed of the world before it was reduced
    request: count, // the differing request, from 1, in the reduced world
    requests: count, // requests in the reduced world
    sentence: z.string(), // the decision of the implementation, and that of its profile
    scenario: z.string(), // file of the reduced world
    again: z.string(), // a command for the world before it was reduced
  })
  .readonly();
export type ProofDifference = z.infer<typeof difference>;

/** A cast, because Zod's type of JSON has mutable lists. */
const model = z.record(z.string(), z.json()) as unknown as z.ZodType<JsonMap>;

const proofOfOne = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    version: z.string(),
    clock: z.enum(CLOCKS),
    model,
    /** Decisions nearer to an edge than this are open, due to the clock or to rounding of numbers; null: none are. */
    resolutionUs: count.nullable(),
    roundingUs: count.nullable(),
    /** Why the implementation was not run; null: it was run. */
    missing: z.string().nullable(),
    verdict: z.enum(PROOF_VERDICTS).nullable(), // null: nothing was run
    /** What ended the proof before all wanted worlds were compared; null: nothing ended it early. */
    cutBy: z.enum(PROOF_CUTS).nullable(),
    seconds: count,
    counts: proofCounts,
    /** Whether more than half of the decisions are open: the measured times allow to admit and to refuse. */
    isMostlyOpen: z.boolean(),
    /** The smallest world in which the implementation and its profile differ. */
    difference: difference.nullable(),
    /** Why the first world that failed could not be run. */
    failure: z.string().nullable(),
    again: z.string(), // a command for the whole proof
  })
  .readonly();
export type ImplementationProof = z.infer<typeof proofOfOne>;

const footer = z
  .strictObject({
    proved: count,
    partial: count,
    differs: count,
    vacuous: count,
    failed: count,
    notRun: count,
  })
  .readonly();
type ProofFooter = z.infer<typeof footer>;

const implementationsProof = z
  .strictObject({
    format: z.literal(IMPLEMENTATIONS_PROOF_FORMAT),
    answer: answerSchema.exactOptional(), // missing in older documents; readers compute it again
    weir: z.string(), // version of Weir
    commit: z.string().nullable(),
    date: z.iso.datetime(),
    /**
     * `configurations`: of the program's own language, compared with the rules of their reader; `file`: one of a user.
     * Left out: worlds.
     */
    of: z.enum(["configurations", "file"]).optional(),
    file: z.string().optional(), // its name
    seed: z.int(), // seed of the first world
    worlds: z.int().min(1), // wanted for each implementation
    implementations: z.array(proofOfOne).readonly(),
    footer,
  })
  .readonly();
/** Without the answer, which follows from the rest. */
export type ImplementationsProof = Omit<z.infer<typeof implementationsProof>, "answer">;

export const implementationsProofSchema = (): unknown => z.toJSONSchema(implementationsProof);

export function proofFooterOf(implementations: readonly ImplementationProof[]): ProofFooter {
  const ofVerdict = (verdict: ProofVerdict | null): number =>
    implementations.filter((each) => each.verdict === verdict).length;
  return {
    proved: ofVerdict("proved"),
    partial: ofVerdict("partial"),
    differs: ofVerdict("differs"),
    vacuous: ofVerdict("vacuous"),
    failed: ofVerdict("failed"),
    notRun: ofVerdict(null),
  };
}

export function proofVerdictOf(
  { differing, failed, refused, worlds }: ProofCounts,
  wanted: number,
): ProofVerdict {
  if (differing > 0) return "differs";
  if (failed > 0) return "failed";
  if (worlds === 0 || refused === 0) return "vacuous";
  return worlds < wanted ? "partial" : "proved";
}

/** Whether more than half of the decisions are open, so that the proof is weak whatever its verdict. */
export const isMostlyOpen = ({ open, decisions }: ProofCounts): boolean => 2 * open > decisions;

/** The document of one implementation alone, as it is saved. */
export function proofDocumentOf(
  proof: ImplementationsProof,
  implementation: ImplementationProof,
): ImplementationsProof {
  const implementations = [implementation];
  return { ...proof, implementations, footer: proofFooterOf(implementations) };
}

/** Reads a file, and checks that it is complete and that verdicts and footer follow from its counts. */
export function readImplementationsProof(text: string): ImplementationsProof | Failure {
  const read = implementationsProof.safeParse(JSON.parse(text));
  if (!read.success) {
    const [{ path, message }] = read.error.issues as [z.core.$ZodIssue];
    return new Failure(`${path.join(".") || "at its top"}: ${message}`);
  }
  const { answer: _, ...proof } = read.data;
  const { implementations, worlds } = proof;
  const wrong = implementations.find(
    ({ verdict, counts, isMostlyOpen: isWeak }) =>
      isWeak !== isMostlyOpen(counts) ||
      (verdict !== null && verdict !== proofVerdictOf(counts, worlds)),
  );
  if (wrong !== undefined)
    return new Failure(
      `${wrong.id}: its verdict does not follow from its counts; the file was changed`,
    );
  return JSON.stringify(proofFooterOf(implementations)) === JSON.stringify(proof.footer)
    ? proof
    : new Failure("footer: its counts are not those of the document; the file was changed");
}
