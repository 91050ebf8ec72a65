// Apart from what judges histories, which a run that only prints results would load.
import type { Result } from "../scenario/verdict.ts";

/** Above this share of open decisions a run in real time shows nothing. */
export const MOST_OPEN = 0.02;

export const isLeftOpen = ({ outcome, undecided, requests }: Result): boolean =>
  outcome === "inconclusive" || undecided > requests * MOST_OPEN;
