// How many gateways of the fleet are active, as one of them counts: itself, and those whose last heartbeat is younger
// than `drl_expiry` (ALG-C4).
import type { Micros } from "./units.ts";

export interface ActiveGateways {
  readonly heartbeatUs: Map<string, number>; // last heartbeat of each other gateway, by id
  count: number;
  changesAtUs: number; // until then only a heartbeat changes the count
}

export const fleetOfOne = (): ActiveGateways => ({
  heartbeatUs: new Map(),
  count: 1,
  changesAtUs: Number.POSITIVE_INFINITY,
});

export function recordHeartbeat(
  fleet: ActiveGateways,
  other: string,
  atUs: Micros,
  expiryUs: Micros,
): void {
  fleet.heartbeatUs.set(other, atUs);
  recount(fleet, atUs, expiryUs);
}

/** The gateway has announced its end, so its heartbeat need not expire. */
export function removeGateway(
  fleet: ActiveGateways,
  other: string,
  atUs: Micros,
  expiryUs: Micros,
): void {
  fleet.heartbeatUs.delete(other);
  recount(fleet, atUs, expiryUs);
}

/** n at this time, without gateways whose heartbeat has expired. */
export function countActive(fleet: ActiveGateways, nowUs: Micros, expiryUs: Micros): number {
  if (nowUs >= fleet.changesAtUs) recount(fleet, nowUs, expiryUs);
  return fleet.count;
}

function recount(fleet: ActiveGateways, nowUs: number, expiryUs: number): void {
  let oldest = Number.POSITIVE_INFINITY;
  for (const [other, lastUs] of fleet.heartbeatUs) {
    if (lastUs <= nowUs - expiryUs) fleet.heartbeatUs.delete(other);
    else oldest = Math.min(oldest, lastUs);
  }
  fleet.count = fleet.heartbeatUs.size + 1;
  fleet.changesAtUs = oldest + expiryUs;
}
