// The document of `weir implementations prove`: whether an implementation decides as its profile.
import type { JsonMap } from "../../reading/shape.ts";

export const IMPLEMENTATIONS_PROOF_FORMAT = "weir-implementations-proof/1";

/** `vacuous`: nothing was refused or delayed, so a wrong profile would have looked the same. */
export const PROOF_VERDICTS = ["proved", "differs", "vacuous", "failed"] as const;
export type ProofVerdict = (typeof PROOF_VERDICTS)[number];

export interface ImplementationsProof {
  readonly format: typeof IMPLEMENTATIONS_PROOF_FORMAT;
  readonly weir: string; // its version
  readonly commit: string | null;
  readonly date: string; // ISO 8601
  readonly seed: number; // of the first world
  readonly worlds: number; // wanted
  readonly implementations: readonly ImplementationProof[];
  readonly footer: ProofFooter;
}

export interface ImplementationProof {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly clock: string;
  readonly model: JsonMap;
  /** Why nothing was run; null: it was. */
  readonly missing: string | null;
  readonly verdict: ProofVerdict | null; // null: nothing was run
  readonly counts: ProofCounts;
  /** The smallest world in which both differ. */
  readonly difference: ProofDifference | null;
  /** Why a world could not be run, the first. */
  readonly failure: string | null;
}

export interface ProofCounts {
  readonly worlds: number; // compared
  readonly differing: number; // of these
  readonly inexpressible: number; // left out
  readonly failed: number; // that could not be run
  readonly decisions: number;
  readonly refused: number; // or delayed, by the implementation
  readonly open: number; // decisions for which the times allow both results
  readonly unconfirmed: number; // worlds in real time that differed once and not again
  readonly announced: number; // decisions with another wait, or other remaining requests, than the profile's
}

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

export interface ProofDifference {
  readonly seed: number; // of the world that it was reduced from
  readonly request: number; // from 1, in the reduced world
  readonly requests: number; // of the reduced world
  readonly sentence: string; // what the implementation did, and what its profile
  readonly scenario: string; // its file
  readonly again: string; // a command for the world before it was reduced
}

export interface ProofFooter extends Readonly<Record<ProofVerdict, number>> {
  readonly notRun: number;
}

export function proofFooterOf(implementations: readonly ImplementationProof[]): ProofFooter {
  const count = (verdict: ProofVerdict | null): number =>
    implementations.filter((each) => each.verdict === verdict).length;
  return {
    proved: count("proved"),
    differs: count("differs"),
    vacuous: count("vacuous"),
    failed: count("failed"),
    notRun: count(null),
  };
}

export function proofVerdictOf({ differing, failed, refused, worlds }: ProofCounts): ProofVerdict {
  if (differing > 0) return "differs";
  if (failed > 0) return "failed";
  return worlds === 0 || refused === 0 ? "vacuous" : "proved";
}

/** The same for one implementation alone, as it is saved. */
export function proofDocumentOf(
  proof: ImplementationsProof,
  implementation: ImplementationProof,
): ImplementationsProof {
  const implementations = [implementation];
  return { ...proof, implementations, footer: proofFooterOf(implementations) };
}
