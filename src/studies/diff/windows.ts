// The most requests that both configurations admit in any window of their limits: of one client, and of all.
import { SECOND, type Micros } from "../../kit/units.ts";
import type { Candidate } from "../replay/candidates.ts";
import { ChargeMeter } from "../replay/charges.ts";
import { limitInRequests } from "../replay/rules.ts";
import type { DiffPair } from "./pair.ts";

const MOST_WINDOWS = 4;

/** The requests of one window are kept, which are too many of a longer one. */
const LONGEST_US = 3600 * SECOND;

/** The windows of the limits, the shortest first. */
function windowsOf({ before, after }: DiffPair): readonly Micros[] {
  const all = [before, after].flatMap(limitsOf).map(({ perUs }) => perUs);
  return [...new Set(all)]
    .filter((perUs) => perUs <= LONGEST_US)
    .toSorted((a, b) => a - b)
    .slice(0, MOST_WINDOWS);
}

const limitsOf = (
  candidate: Candidate,
): readonly { readonly rate: number; readonly perUs: Micros }[] => {
  if (candidate.kind === "limit") return [candidate.limit];
  return candidate.kind === "rules" ? candidate.configuration.rules.map(limitInRequests) : [];
};

interface SideMeters {
  readonly ofClient: ChargeMeter;
  readonly ofAll: ChargeMeter;
}

export interface WindowMeters {
  readonly perUs: Micros;
  readonly before: SideMeters;
  readonly after: SideMeters;
}

const startMeters = (perUs: Micros): SideMeters => ({
  ofClient: new ChargeMeter(perUs),
  ofAll: new ChargeMeter(perUs),
});

export const startWindows = (pair: DiffPair): readonly WindowMeters[] =>
  windowsOf(pair).map((perUs) => ({
    perUs,
    before: startMeters(perUs),
    after: startMeters(perUs),
  }));

export function noteAdmitted(
  windows: readonly WindowMeters[],
  side: "before" | "after",
  client: number,
  atUs: number,
): void {
  for (const window of windows) {
    window[side].ofClient.note(client, atUs, 1);
    window[side].ofAll.note(0, atUs, 1);
  }
}
