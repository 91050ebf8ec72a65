// The past of one budget, as the history recorded it: every request that met the budget, what it left
// there, and when. Nothing is thrown away; each judgement looks through all of it again.
import type { OracleWorld } from "./world.ts";

/** When a request was decided. Exact runs know the instant and the gateway's own stamp; others a span. */
export interface Moment {
  readonly row: number;
  readonly fromUs: number; // true time of the decision
  readonly toUs: number;
  readonly loUs: number; // the stamp it carries
  readonly hiUs: number;
  readonly flightFromUs: number; // from its first store operation to its last
  readonly flightToUs: number;
  readonly gateway: number;
}

/**
 * `admitted` was spent, `refused` was written to the log that refused it (ALG-3), `visited` only looked,
 * `passing` was taken and given back because a later level refused (LIM-C1).
 */
export type Trace = "admitted" | "refused" | "visited" | "passing";

export interface Attempt extends Moment {
  readonly trace: Trace;
  readonly certain: boolean; // false: perhaps it never reached the store
  readonly algorithm: string;
  readonly capacity: number; // floor(rate) of the limit it was held against
}

export type Certainty = "yes" | "maybe" | "no";

export interface Past {
  readonly attempt: Attempt;
  readonly counts: "yes" | "maybe";
}

/** `inSteps`: the operations of one request are not one step, so requests in flight see each other in part. */
export function pastOf(
  attempts: readonly Attempt[],
  now: Moment,
  world: OracleWorld,
  inSteps: boolean,
): Past[] {
  const past: Past[] = [];
  for (const attempt of attempts) {
    if (attempt.row === now.row) continue;
    const before = inSteps && overlaps(attempt, now, world) ? "maybe" : order(attempt, now);
    if (before === "no") continue;
    const kept = survives(attempt, now, world);
    if (kept === "no") continue;
    const sure =
      before === "yes" && kept === "yes" && attempt.certain && attempt.trace !== "passing";
    if (attempt.trace === "passing" && before === "yes") continue; // given back long ago
    past.push({ attempt, counts: sure ? "yes" : "maybe" });
  }
  return past;
}

const isInstant = (moment: Moment): boolean => moment.fromUs === moment.toUs;

/** Was `a` decided before `b`? Instants are ordered by time and line (architecture.md 5). */
function order(a: Moment, b: Moment): Certainty {
  if (isInstant(a) && isInstant(b)) return a.row < b.row ? "yes" : "no";
  if (a.toUs < b.fromUs) return "yes";
  return a.fromUs > b.toUs ? "no" : "maybe";
}

const overlaps = (a: Moment, b: Moment, world: OracleWorld): boolean =>
  (world.storeFlightUs > 0 || !isInstant(a) || !isInstant(b)) &&
  a.flightFromUs <= b.flightToUs &&
  a.flightToUs >= b.flightFromUs;

/** A store that restarts comes back empty; a gateway that restarts has perhaps lost what it counted itself. */
function survives(attempt: Attempt, now: Moment, world: OracleWorld): Certainty {
  const lost = (atUs: number): Certainty =>
    attempt.toUs < atUs && now.fromUs > atUs
      ? "yes"
      : attempt.fromUs <= atUs && now.toUs >= atUs
        ? "maybe"
        : "no";
  if (attempt.algorithm === "drl") {
    const restarts = world.gatewayRestarts.filter(({ gateway }) => gateway === attempt.gateway);
    return restarts.some(({ atUs }) => lost(atUs) !== "no") ? "maybe" : "yes";
  }
  const losses = world.storeRestartsUs.map(lost);
  if (losses.includes("yes")) return "no";
  return losses.includes("maybe") ? "maybe" : "yes";
}

/** What one level says of a request; both where it is open. */
export interface Answer {
  readonly pass: boolean;
  readonly refuse: boolean;
  /** How long until it would pass, if nobody else calls; null where that is open. */
  readonly waitUs: { readonly fromUs: number; readonly toUs: number } | null;
  readonly why: string;
}

export const open = (why: string): Answer => ({ pass: true, refuse: true, waitUs: null, why });

export const never = (why: string): Answer => ({
  pass: false,
  refuse: true,
  waitUs: { fromUs: Number.POSITIVE_INFINITY, toUs: Number.POSITIVE_INFINITY },
  why,
});

/** "5" where sure, "4 to 6" where not. */
export const span = (least: number, most: number): string =>
  least === most ? String(least) : `${least} to ${most}`;
