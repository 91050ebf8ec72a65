import type { Candidate } from "../replay/candidates.ts";

/** The two configurations. */
export interface DiffPair {
  readonly before: Candidate;
  readonly after: Candidate;
}
