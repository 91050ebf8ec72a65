// Compares the decisions of an implementation, one by one, with those of its profile. In virtual time the profile decides
// the same requests at the same times. In real time a decision has a span of time, and the oracle reports whether that
// span allows it, by what the implementation claims: it does not evaluate what a profile does besides.
import { formatDuration, micros } from "../../core/units.ts";
import { playVirtual } from "../../drivers/virtual.ts";
import { checkHistories } from "../../run/pipeline.ts";
import { REASONS, type History, type Requests } from "../../scenario/history.ts";
import type { Plan, Scenario, Variant } from "../../scenario/types.ts";
import type { ProofWorld } from "./proof-world.ts";

export interface ComparedWorld {
  readonly decisions: number;
  readonly refused: number; // or delayed
  readonly open: number;
  readonly announced: number;
  readonly difference: { readonly row: number; readonly sentence: string } | null;
}

export function compareDecisions(
  history: History,
  { scenario, profile }: Pick<ProofWorld, "scenario" | "profile">, // with one variant each
  plan: Plan,
  resolutionUs: number,
): ComparedWorld {
  const { requests, header } = history;
  const compared = {
    decisions: requests.length,
    refused: requests.reason.filter(
      (_, row) => !isAdmitted(requests, row) || requests.delayUs[row]! > 0,
    ).length,
  };
  const difference =
    header.timing.kind === "exact"
      ? compareExact(history, profile.variants[0]!, plan, resolutionUs)
      : compareSpans(history, scenario, resolutionUs);
  return { ...compared, ...difference };
}

const NONE = REASONS.indexOf("none");

const isAdmitted = (requests: Requests, row: number): boolean => requests.reason[row] === NONE;

type FoundDifference = Pick<ComparedWorld, "open" | "announced" | "difference">;

/**
 * A limiter that counts in coarser units reads its clock in these: with a resolution, decisions may also be those at times
 * that are rounded down to it. They are open where the exact times give another result.
 */
function compareExact(
  history: History,
  variant: Variant,
  plan: Plan,
  resolutionUs: number,
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
  return {
    open: 0,
    announced,
    difference: { row: first, sentence: describe(requests, exact, first) },
  };
}

/** Requests of a plan without retries are decided in its order. */
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

/** Where both report it. A wait counts in seconds that were rounded up, as in a header. */
const countAnnounced = (real: Requests, profile: Requests): number =>
  real.reason.filter(
    (_, row) =>
      areSame(real, profile, row) &&
      (areApart(Math.ceil(real.retryAfterS[row]!), profile.retryAfterS[row]!) ||
        areApart(real.remaining[row]!, profile.remaining[row]!)),
  ).length;

const areApart = (a: number, b: number): boolean => !Number.isNaN(a) && !Number.isNaN(b) && a !== b;

/**
 * The oracle follows the recorded decisions, and leaves those open for which the spans allow both results. The only
 * expectation of the scenario is that it agrees.
 */
function compareSpans(history: History, scenario: Scenario, resolutionUs: number): FoundDifference {
  const { requests } = history;
  const wider: History = {
    ...history,
    requests: {
      ...requests,
      fromUs: requests.fromUs.map((us) => us - resolutionUs),
      toUs: requests.toUs.map((us) => us + resolutionUs),
    },
  };
  const { result } = checkHistories(scenario, [{ variant: scenario.variants[0]!, history: wider }])
    .runs[0]!;
  const [verdict] = result.verdicts;
  if (verdict === undefined || verdict.outcome === "error")
    throw new Error(verdict?.observed ?? "the scenario has no expectation");
  const isDifferent = verdict.outcome === "fail";
  return {
    open: result.undecided,
    announced: 0,
    difference: isDifferent ? { row: verdict.evidence[0] ?? 0, sentence: verdict.observed } : null,
  };
}
