// Compares the decisions of an implementation, one by one, with those of its profile. In virtual time the profile
// decides the same requests at the same times. In real time a decision has a span of time, and the profile may decide
// at any time within it.
import { formatDuration, micros } from "../../kit/units.ts";
import { playVirtual } from "../../lab/drivers/virtual.ts";
import { isLost, REASONS, type History, type Requests } from "../../lab/scenario/history.ts";
import type { Plan, Variant } from "../../lab/scenario/types.ts";
import { followHistory } from "./follow.ts";

export interface ComparedWorld {
  readonly decisions: number;
  readonly refused: number; // refused or delayed
  readonly open: number;
  readonly announced: number;
  readonly difference: { readonly row: number; readonly sentence: string } | null;
}

export function compareDecisions(
  history: History,
  profile: Variant,
  plan: Plan,
  timing: ComparedTiming,
): ComparedWorld {
  if (history.header.timing.kind !== "exact")
    return compareMerged(history, profile, plan, timing, 1, () => 0)[0]!;
  requireDecisions(history);
  const { requests } = history;
  return { ...countDecisions(requests), ...compareExact(history, profile, plan, timing) };
}

/** Compares a history in real time that has several worlds without common budgets. Returns a result for each world. */
export function compareMerged(
  history: History,
  variant: Variant,
  plan: Plan,
  { resolutionUs, isOrdered }: ComparedTiming,
  worlds: number,
  worldOf: (row: number) => number,
): readonly ComparedWorld[] {
  requireDecisions(history);
  const { requests } = history;
  const setting = { variant, plan, marginUs: resolutionUs, isOrdered };
  const { open, impossible } = followHistory(history, setting);
  const rows = [...requests.reason.keys()];
  const first = impossible.toSorted((a, b) => a - b);
  return Array.from({ length: worlds }, (_, world) => {
    const isHere = (row: number): boolean => worldOf(row) === world;
    const own = rows.filter(isHere);
    const row = first.find(isHere);
    return {
      decisions: own.length,
      refused: own.filter((each) => isRefused(requests, each)).length,
      open: open.filter(isHere).length,
      announced: 0,
      difference: row === undefined ? null : { row, sentence: describeImpossible(requests, row) },
    };
  });
}

const countDecisions = (requests: Requests): Pick<ComparedWorld, "decisions" | "refused"> => ({
  decisions: requests.length,
  refused: requests.reason.filter((_, row) => isRefused(requests, row)).length,
});

const NONE = REASONS.indexOf("none");

const isAdmitted = (requests: Requests, row: number): boolean => requests.reason[row] === NONE;

const isRefused = (requests: Requests, row: number): boolean =>
  !isAdmitted(requests, row) || requests.delayUs[row]! > 0;

type FoundDifference = Pick<ComparedWorld, "open" | "announced" | "difference">;

/**
 * Compares decisions at exact times. A limiter with a coarse clock may decide by times rounded down to the clock's
 * resolution; its decision is open if the profile decides otherwise at the exact time. If a limiter rounds numbers, its
 * edges move, so the profile may decide by `roundingUs` earlier or later.
 */
function compareExact(
  history: History,
  variant: Variant,
  plan: Plan,
  { resolutionUs, roundingUs }: ComparedTiming,
): FoundDifference {
  const { requests } = history;
  const exact = playAt(variant, plan, requests.fromUs);
  const first = findDifference(requests, exact);
  const announced = countAnnounced(requests, exact);
  if (first === null) return { open: 0, announced, difference: null };
  if (resolutionUs > 0) {
    const rounded = requests.fromUs.map((us) => Math.floor(us / resolutionUs) * resolutionUs);
    const coarse = playAt(variant, plan, rounded);
    const open = requests.reason.filter((_, row) => !areSame(requests, exact, row)).length;
    if (findDifference(requests, coarse) === null)
      return { open, announced: countAnnounced(requests, coarse), difference: null };
  }
  if (roundingUs > 0) {
    const span = { variant, plan, marginUs: roundingUs, isOrdered: true };
    const { open, impossible } = followHistory(history, span);
    if (impossible.length === 0) return { open: open.length, announced, difference: null };
  }
  return {
    open: 0,
    announced,
    difference: { row: first, sentence: describe(requests, exact, first) },
  };
}

/** Runs the profile with the planned requests at other times. Without retries, rows keep the order of the plan. */
function playAt(variant: Variant, plan: Plan, atUs: Float64Array): Requests {
  const { requests } = playVirtual(variant, { ...plan, atUs });
  if (requests.length !== atUs.length)
    throw new Error(`the profile decided ${requests.length} of ${atUs.length} requests`);
  return requests;
}

const areSame = (a: Requests, b: Requests, row: number): boolean =>
  isAdmitted(a, row) === isAdmitted(b, row) && Math.abs(a.delayUs[row]! - b.delayUs[row]!) <= 1; // a microsecond of rounding

function findDifference(real: Requests, profile: Requests): number | null {
  const row = real.reason.findIndex((_, at) => !areSame(real, profile, at));
  return row < 0 ? null : row;
}

function describe(real: Requests, profile: Requests, row: number): string {
  const at = formatDuration(micros(Math.round(real.fromUs[row]!)));
  return `request ${row + 1} at ${at}: it ${decisionIn(real, row)}, its profile ${decisionIn(profile, row)}`;
}

function decisionIn(requests: Requests, row: number): string {
  if (!isAdmitted(requests, row)) return "refuses";
  const delayUs = requests.delayUs[row]!;
  return delayUs === 0 ? "admits" : `delays by ${formatDuration(micros(Math.round(delayUs)))}`;
}

/** Counts equal decisions with other waits or remaining requests. Waits are rounded up to seconds, as in headers. */
const countAnnounced = (real: Requests, profile: Requests): number =>
  real.reason.filter(
    (_, row) =>
      areSame(real, profile, row) &&
      (areApart(Math.ceil(real.retryAfterS[row]!), profile.retryAfterS[row]!) ||
        areApart(real.remaining[row]!, profile.remaining[row]!)),
  ).length;

const areApart = (a: number, b: number): boolean => !Number.isNaN(a) && !Number.isNaN(b) && a !== b;

/** How exactly an implementation decides: by how much its edges may differ from the profile's. */
export interface ComparedTiming {
  readonly resolutionUs: number; // resolution of its clock
  readonly roundingUs: number; // by which rounding moves its edges, in virtual time
  readonly isOrdered: boolean; // requests are decided one at a time
}

function describeImpossible(real: Requests, row: number): string {
  const format = (us: number): string => formatDuration(micros(Math.max(0, Math.round(us))));
  const from = format(Math.min(real.sentUs[row]!, real.fromUs[row]!));
  const at = `request ${row + 1} between ${from} and ${format(real.toUs[row]!)}`;
  return `${at}: it ${decisionIn(real, row)}, its profile at none of the times that were tried`;
}

const COMPARED = ["none", "rate", "quota"] as const;

/** Throws if a request has no response, or a response that is not a limiter's decision. */
function requireDecisions({ requests }: History): void {
  const lost = requests.status.filter((status) => isLost(status)).length;
  if (lost > 0) throw new Error(`${lost} of ${requests.length} requests got no response`);
  const row = requests.reason.findIndex(
    (reason) => !COMPARED.some((each) => each === REASONS[reason]),
  );
  if (row >= 0) throw new Error(`request ${row + 1} got the status ${requests.status[row]}`);
}
