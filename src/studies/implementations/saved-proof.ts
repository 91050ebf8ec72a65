// The part of a proof that a table of verdicts shows: whether the implementation decides as its profile.
import type { LimiterLook } from "../../lab/report/limiters.ts";
import type { ProofVerdict } from "./proof.ts";

export interface SavedProof {
  readonly verdict: ProofVerdict;
  readonly sentence: string;
  readonly file: string;
  readonly again: string; // a command that runs the proof again
}

/** Proofs by the id of the implementation. */
export type SavedProofs = ReadonlyMap<string, SavedProof>;

export const NO_PROOFS: SavedProofs = new Map();

export const PROOF_LOOKS: Readonly<Record<ProofVerdict, LimiterLook>> = {
  proved: "good",
  partial: "doubtful",
  differs: "bad",
  vacuous: "doubtful",
  failed: "bad",
};
