// Whether the store answers, as one gateway sees it (ALG-C8): a failure switches over at once, five in a
// row stop requests from waiting at all, and then one probe a second looks for its return.
import { SECOND, type Micros } from "./units.ts";

export const FAILURES_UNTIL_OPEN = 5;
export const PROBE_EVERY_US = SECOND;

export interface Health {
  failures: number; // in a row
  nextProbeUs: number;
  frozenCount: number | null; // n before the failure, until heartbeats can be trusted again
  thawAtUs: number;
  everReached: boolean;
}

export const healthy = (): Health => ({
  failures: 0,
  nextProbeUs: 0,
  frozenCount: null,
  thawAtUs: Number.POSITIVE_INFINITY,
  everReached: false,
});

/** True when requests no longer wait for the store. */
export const isOpen = (health: Health): boolean => health.failures >= FAILURES_UNTIL_OPEN;

/** While open: is this request the one that also looks whether the store is back? */
export function isProbeDue(health: Health, nowUs: Micros): boolean {
  if (!isOpen(health) || nowUs < health.nextProbeUs) return false;
  health.nextProbeUs = nowUs + PROBE_EVERY_US;
  return true;
}

/** True when this failure is the change-over. */
export function noteFailure(health: Health, gateways: number, nowUs: Micros): boolean {
  health.failures++;
  if (health.failures === FAILURES_UNTIL_OPEN) health.nextProbeUs = nowUs + PROBE_EVERY_US;
  health.frozenCount ??= gateways;
  health.thawAtUs = Number.POSITIVE_INFINITY;
  return health.failures === 1;
}

/** True when this answer is the change-over back. The count thaws once heartbeats came for `drl_expiry`. */
export function noteSuccess(health: Health, nowUs: Micros, expiryUs: Micros): boolean {
  const back = health.failures > 0;
  health.everReached = true;
  health.failures = 0;
  if (back) health.thawAtUs = nowUs + expiryUs;
  return back;
}

/** n for every rule that needs it: frozen from a failure until after the recovery (ALG-C8). */
export function gatewaysKnown(health: Health, heard: number, nowUs: Micros): number {
  if (health.frozenCount === null) return heard;
  if (nowUs < health.thawAtUs) return health.frozenCount;
  health.frozenCount = null;
  return heard;
}
