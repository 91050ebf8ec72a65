// Replaces the history of a candidate by its digest: a history is too long to retain, or to send from a thread.
import { digest } from "../../lab/scenario/history/digest.node.ts";
import { writeHistory } from "../../lab/scenario/history/write.ts";
import type { TryFigures } from "./result.ts";
import type { TriedCandidate } from "./run-try.ts";

export interface DigestedCandidate {
  readonly seed: number;
  readonly variant: string;
  readonly figures: TryFigures;
  readonly history: string | null; // digest of the history; null: it was not requested
}

export const digestCandidate = (
  seed: number,
  { variant, figures, history }: TriedCandidate,
): DigestedCandidate => ({
  seed,
  variant,
  figures,
  history: history === null ? null : digest(writeHistory(history)),
});
