// When a proof ends before all wanted worlds were compared.
import type { ProofCut } from "./proof.ts";
import type { ProofWork } from "./trial.ts";

/** Why no further world may begin, and from then on the same; null: one may. */
export function createCut({ maxMs, isInterrupted }: ProofWork): () => ProofCut | null {
  const untilMs = performance.now() + maxMs;
  let cutBy: ProofCut | null = null;
  return () =>
    (cutBy ??= isInterrupted()
      ? "interruption"
      : performance.now() > untilMs
        ? "max-duration"
        : null);
}
