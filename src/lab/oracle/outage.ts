// While the store does not reply, `on_store_error` applies (ALG-C8). The history does not determine exactly when each
// gateway notices that the store is unreachable or reachable again.
import { SECOND } from "../../kit/units.ts";
import type { OracleOptions } from "./configured.ts";
import type { History } from "../scenario/history.ts";
import type { Expected } from "./expected.ts";
import type { Moment } from "./ledger.ts";
import type { OracleWorld } from "./world.ts";

/** `maybe`: near the start or end of an outage, or until a gateway has noticed that the store is back. */
export type Outage = "none" | "maybe" | "certain";

interface Silence {
  readonly isCertain: boolean;
  readonly gateway: number | null; // null: all gateways
  readonly fromUs: number;
  readonly toUs: number;
  readonly returnUs: (gateway: number) => number;
}

/** Collects the outages of the history and returns a function that classifies the time of one request. */
export function outagesOf(
  history: History,
  world: OracleWorld,
  needsStore: (row: number) => boolean,
): (moment: Moment) => Outage {
  const timeoutUs = Math.max(
    ...world.epochs.map((epoch) => epoch.configuration.options.storeTimeoutUs),
  );
  const silences = history.spans
    .filter(({ what }) => what !== "fault")
    .map((span): Silence => {
      const { gateway, fromUs, toUs } = span;
      // In a span other than `store_down`, replies to earlier operations may still have arrived in time.
      const isCertain = span.what === "store_down";
      // A gateway probes at most once a second. Its fallback ends when it has found the store again.
      const searchUs = isCertain ? toUs + SECOND : toUs;
      return {
        isCertain,
        gateway,
        fromUs,
        toUs,
        returnUs: returnFinder(history, world, searchUs, needsStore),
      };
    });
  return (moment) => {
    let outage: Outage = "none";
    for (const { isCertain, gateway, fromUs, toUs, returnUs } of silences) {
      if (gateway !== null && gateway !== moment.gateway) continue;
      if (isCertain && moment.fromUs >= fromUs && moment.toUs < toUs) return "certain";
      if (moment.toUs < fromUs - timeoutUs) continue;
      if (moment.fromUs <= returnUs(moment.gateway) + timeoutUs) outage = "maybe";
    }
    return outage;
  };
}

/**
 * Returns a function that finds from when on a gateway uses the store again: after the first request from `searchUs` on
 * that needs the store. Only a request makes it probe the store, and that request is itself decided without the store.
 */
function returnFinder(
  { requests }: History,
  world: OracleWorld,
  searchUs: number,
  needsStore: (row: number) => boolean,
): (gateway: number) => number {
  const returnUsByGateway = new Map<number, number>();
  return (gateway) => {
    const noticed = returnUsByGateway.get(gateway);
    if (noticed !== undefined) return noticed;
    const row = requests.fromUs.findIndex(
      (fromUs, index) =>
        fromUs >= searchUs && requests.gateway[index] === gateway && needsStore(index),
    );
    const us = row < 0 ? Number.POSITIVE_INFINITY : requests.answeredUs[row]! + world.storeFlightUs;
    returnUsByGateway.set(gateway, us);
    return us;
  };
}

const ANYTHING: Expected = {
  admit: true,
  refuse: true,
  refusalStatus: null,
  refusalScope: null,
  retryAfter: null,
  headers: null,
  delayUs: null,
  why: "the store was not reached, and each gateway decided from its own state (ALG-C8)",
};

/** The allowed decisions in an outage, for a request whose levels are all in the store. */
export function computeWithoutStore(outage: Outage, { onStoreError }: OracleOptions): Expected {
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
