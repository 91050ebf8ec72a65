// Decides whether a proof ends before all wanted worlds were compared.
import type { ProofCut } from "./proof.ts";
import type { ProofWork } from "./trial.ts";

/** Returns a function that gives null until no further world may begin, and then always the same reason. */
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
