// What a table of verdicts has of a proof: whether the profile of the implementation decides as it does.
import type { LimiterLook } from "../../lab/report/limiters.ts";
import type { ProofVerdict } from "./proof.ts";

export interface SavedProof {
  readonly verdict: ProofVerdict;
  readonly sentence: string;
  readonly file: string;
  readonly again: string; // a command
}

/** By the id of the implementation. */
export type SavedProofs = ReadonlyMap<string, SavedProof>;

export const NO_PROOFS: SavedProofs = new Map();

export const PROOF_LOOKS: Readonly<Record<ProofVerdict, LimiterLook>> = {
  proved: "good",
  partial: "doubtful",
  differs: "bad",
  vacuous: "doubtful",
  failed: "bad",
};
