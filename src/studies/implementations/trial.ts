// The result of each world of a proof.
import type { ComparedWorld } from "./compare-decisions.ts";
import type { ProofCounts, ProofCut } from "./proof.ts";

export interface ProofWork {
  readonly seed: number;
  readonly worlds: number;
  readonly maxMs: number; // time for each implementation
  readonly progress: (line: string) => void;
  readonly isInterrupted: () => boolean;
}

/** At most this many worlds are drawn for each wanted world, because some worlds cannot be expressed. */
export const MOST_TRIED = 20;

export interface WorldTrials {
  readonly trials: readonly WorldTrial[];
  readonly cutBy: ProofCut | null; // what ended the trials early; null: nothing did
}

export type WorldTrial = { readonly seed: number } & (
  | { readonly kind: "compared"; readonly compared: ComparedWorld }
  | { readonly kind: "unconfirmed"; readonly compared: ComparedWorld }
  | { readonly kind: "inexpressible" }
  | { readonly kind: "failed"; readonly why: string }
);

export const failureTrial = (seed: number, error: unknown): WorldTrial => ({
  kind: "failed",
  seed,
  why: error instanceof Error ? error.message : String(error),
});

export const countDiffering = (trials: readonly WorldTrial[]): number =>
  trials.filter((trial) => trial.kind === "compared" && trial.compared.difference !== null).length;

export function addTrial(counts: ProofCounts, trial: WorldTrial): ProofCounts {
  if (trial.kind === "inexpressible") return { ...counts, inexpressible: counts.inexpressible + 1 };
  if (trial.kind === "failed") return { ...counts, failed: counts.failed + 1 };
  const { decisions, refused, open, announced, difference } = trial.compared;
  const isDifferent = trial.kind === "compared" && difference !== null;
  return {
    ...counts,
    worlds: counts.worlds + 1,
    differing: counts.differing + (isDifferent ? 1 : 0),
    unconfirmed: counts.unconfirmed + (trial.kind === "unconfirmed" ? 1 : 0),
    decisions: counts.decisions + decisions,
    refused: counts.refused + refused,
    open: counts.open + open,
    announced: counts.announced + announced,
  };
}
