// How many gateways there are, as one of them knows it: those heard from within `drl_expiry`, itself
// always included (ALG-C4).
import type { Micros } from "./units.ts";

export interface Fleet {
  readonly heardUs: Map<string, number>; // others, by id
  count: number;
  changesAtUs: number; // until then the count holds unless somebody is heard
}

export const fleetOfOne = (): Fleet => ({
  heardUs: new Map(),
  count: 1,
  changesAtUs: Number.POSITIVE_INFINITY,
});

export function hear(fleet: Fleet, other: string, atUs: Micros, expiryUs: Micros): void {
  fleet.heardUs.set(other, atUs);
  recount(fleet, atUs, expiryUs);
}

/** It said goodbye, and is not waited for. */
export function forget(fleet: Fleet, other: string, atUs: Micros, expiryUs: Micros): void {
  fleet.heardUs.delete(other);
  recount(fleet, atUs, expiryUs);
}

/** n at this time; drops whoever has not been heard for `expiryUs`. */
export function countAt(fleet: Fleet, nowUs: Micros, expiryUs: Micros): number {
  if (nowUs >= fleet.changesAtUs) recount(fleet, nowUs, expiryUs);
  return fleet.count;
}

function recount(fleet: Fleet, nowUs: number, expiryUs: number): void {
  let oldest = Number.POSITIVE_INFINITY;
  for (const [other, heardUs] of fleet.heardUs) {
    if (heardUs <= nowUs - expiryUs) fleet.heardUs.delete(other);
    else oldest = Math.min(oldest, heardUs);
  }
  fleet.count = fleet.heardUs.size + 1;
  fleet.changesAtUs = oldest + expiryUs;
}
