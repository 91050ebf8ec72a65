// Records whether the store replies to one gateway (ALG-C8). From the first failure on, the gateway decides without the
// store. After five failures in a row no request waits for the store, and one probe a second tests it.
import { SECOND, type Micros } from "../../kit/units.ts";

export const FAILURES_UNTIL_OPEN = 5;
export const PROBE_EVERY_US = SECOND;

export interface Health {
  failures: number; // in a row
  nextProbeUs: number;
  frozenCount: number | null; // the number of gateways before the failure, used until heartbeats are complete again
  thawAtUs: number;
  hasReplied: boolean;
}

export const initialHealth = (): Health => ({
  failures: 0,
  nextProbeUs: 0,
  frozenCount: null,
  thawAtUs: Number.POSITIVE_INFINITY,
  hasReplied: false,
});

/** True if requests no longer wait for the store. */
export const isOpen = (health: Health): boolean => health.failures >= FAILURES_UNTIL_OPEN;

/** Whether this request also probes an unreachable store. */
export function isProbeDue(health: Health, nowUs: Micros): boolean {
  if (!isOpen(health) || nowUs < health.nextProbeUs) return false;
  health.nextProbeUs = nowUs + PROBE_EVERY_US;
  return true;
}

/** True for the first failure: from now on the gateway decides without the store. */
export function recordFailure(health: Health, gateways: number, nowUs: Micros): boolean {
  health.failures++;
  if (health.failures === FAILURES_UNTIL_OPEN) health.nextProbeUs = nowUs + PROBE_EVERY_US;
  health.frozenCount ??= gateways;
  health.thawAtUs = Number.POSITIVE_INFINITY;
  return health.failures === 1;
}

/** True for the first reply after a failure. The number of gateways stays frozen for `drl_expiry`. */
export function recordSuccess(health: Health, nowUs: Micros, expiryUs: Micros): boolean {
  const hasRecovered = health.failures > 0;
  health.hasReplied = true;
  health.failures = 0;
  if (hasRecovered) health.thawAtUs = nowUs + expiryUs;
  return hasRecovered;
}

/** The number n of gateways in every rule: frozen from a failure until heartbeats are complete again (ALG-C8). */
export function gatewayCount(health: Health, active: number, nowUs: Micros): number {
  if (health.frozenCount === null) return active;
  if (nowUs < health.thawAtUs) return health.frozenCount;
  health.frozenCount = null;
  return active;
}
