// In a module of its own, so that a run that only prints results does not load the checks.
import type { Result } from "../scenario/verdict.ts";

/** Above this share of open decisions, a run in real time proves nothing. */
export const MOST_OPEN = 0.02;

export const isLeftOpen = ({ outcome, undecided, requests }: Result): boolean =>
  outcome === "inconclusive" || undecided > requests * MOST_OPEN;
