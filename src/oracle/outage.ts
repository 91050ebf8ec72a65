// While the store does not answer, `on_store_error` rules (ALG-C8). When exactly each gateway noticed is
// known only as far as the history says it.
import { SECOND } from "../core/units.ts";
import type { GatewayOptions } from "../core/config.ts";
import type { History } from "../scenario/history.ts";
import type { Expected } from "./expected.ts";
import type { Moment } from "./ledger.ts";

/** `maybe`: near the beginning or the end, or while the gateway probes the store again. */
export type Outage = "none" | "maybe" | "certain";

export function outageAt({ spans }: History, moment: Moment, storeTimeoutUs: number): Outage {
  let outage: Outage = "none";
  for (const { what, gateway, fromUs, toUs } of spans) {
    if (what === "fault" || (gateway !== null && gateway !== moment.gateway)) continue;
    if (moment.fromUs >= fromUs && moment.toUs < toUs) return "certain";
    const probingUs = what === "store_down" ? SECOND : 0;
    if (
      moment.toUs >= fromUs - storeTimeoutUs &&
      moment.fromUs <= toUs + storeTimeoutUs + probingUs
    )
      outage = "maybe";
  }
  return outage;
}

const ANYTHING: Expected = {
  admit: true,
  refuse: true,
  refusalStatus: null,
  refusalScope: null,
  retryAfter: null,
  why: "the store was not reached, and each gateway judged by what it knew (ALG-C8)",
};

/** What a request may be told whose levels all lie in the store. */
export function expectedWithoutStore(outage: Outage, { onStoreError }: GatewayOptions): Expected {
  if (outage === "maybe") return ANYTHING;
  switch (onStoreError) {
    case "local":
      return ANYTHING;
    case "allow":
      return {
        ...ANYTHING,
        refuse: false,
        why: "the store is down and on_store_error allows (ALG-C8)",
      };
    case "deny":
      return {
        ...ANYTHING,
        admit: false,
        refusalStatus: 503,
        retryAfter: { fromS: 1, toS: 1 },
        why: "the store is down and on_store_error denies (ALG-C8)",
      };
  }
}
