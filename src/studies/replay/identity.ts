// What names a candidate in the document of a replay.
import { limitText, type Candidate, type ReplayLimit } from "./candidates.ts";

interface CandidateIdentity {
  readonly limit: string | null;
  readonly rate: number | null;
  readonly perUs: number | null;
  readonly algorithm: string | null;
  readonly profile: string | null;
  readonly burst: number | null;
  readonly world: string | null;
}

const NONE: CandidateIdentity = {
  limit: null,
  rate: null,
  perUs: null,
  algorithm: null,
  profile: null,
  burst: null,
  world: null,
};

export function identityOf(candidate: Candidate): CandidateIdentity {
  if (candidate.kind !== "limit") return { ...NONE, world: candidate.file };
  const { limit, by } = candidate;
  const burst = burstOf(candidate);
  return { ...NONE, limit: limitText(limit), ...limit, burst, [by.kind]: by.name };
}

/** The requests that GCRA admits at once; null: another algorithm, or a profile. */
const burstOf = ({ limit, by, options: { burst } }: ReplayLimit): number | null =>
  by.name !== "gcra" ? null : burst === "rate" ? limit.rate : burst;
