// How many gateways of the fleet are active, as one gateway counts them: itself, and those whose last heartbeat is
// younger than `drl_expiry` (ALG-C4).
import type { Micros } from "../../kit/units.ts";

export interface ActiveGateways {
  readonly heartbeatUs: Map<string, number>; // last heartbeat of each other gateway, by id
  count: number;
  changesAtUs: number; // `count` is valid until this time, unless a gateway joins or leaves, or the clock goes back
  expiryUs: number; // the expiry with which `count` was computed: a reload may change it
}

export const fleetOfOne = (): ActiveGateways => ({
  heartbeatUs: new Map(),
  count: 1,
  changesAtUs: Number.POSITIVE_INFINITY,
  expiryUs: 0,
});

export function recordHeartbeat(
  fleet: ActiveGateways,
  other: string,
  atUs: Micros,
  expiryUs: Micros,
): void {
  const lastUs = fleet.heartbeatUs.get(other);
  fleet.heartbeatUs.set(other, atUs);
  // If the clock went back, recount: an older heartbeat must not count for longer than `expiryUs`.
  const isCounted = lastUs !== undefined && lastUs <= atUs;
  if (!isCounted || !isCurrent(fleet, atUs, expiryUs)) recount(fleet, atUs, expiryUs);
}

/** Removes a gateway that has announced its end, before its heartbeat expires. */
export function removeGateway(
  fleet: ActiveGateways,
  other: string,
  atUs: Micros,
  expiryUs: Micros,
): void {
  fleet.heartbeatUs.delete(other);
  recount(fleet, atUs, expiryUs);
}

/** The number n of active gateways at this time; gateways whose heartbeat has expired do not count. */
export function countActive(fleet: ActiveGateways, nowUs: Micros, expiryUs: Micros): number {
  if (!isCurrent(fleet, nowUs, expiryUs)) recount(fleet, nowUs, expiryUs);
  return fleet.count;
}

const isCurrent = (fleet: ActiveGateways, nowUs: number, expiryUs: number): boolean =>
  nowUs < fleet.changesAtUs && (fleet.expiryUs === expiryUs || fleet.heartbeatUs.size === 0);

function recount(fleet: ActiveGateways, nowUs: number, expiryUs: number): void {
  let oldest = Number.POSITIVE_INFINITY;
  for (const [other, lastUs] of fleet.heartbeatUs) {
    if (lastUs <= nowUs - expiryUs) fleet.heartbeatUs.delete(other);
    else oldest = Math.min(oldest, lastUs);
  }
  fleet.count = fleet.heartbeatUs.size + 1;
  fleet.changesAtUs = oldest + expiryUs;
  fleet.expiryUs = expiryUs;
}
