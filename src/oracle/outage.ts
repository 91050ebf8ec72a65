// While the store does not answer, `on_store_error` rules (ALG-C8). When exactly each gateway noticed is
// known only as far as the history says it.
import { SECOND } from "../core/units.ts";
import type { GatewayOptions } from "./configured.ts";
import type { History } from "../scenario/history.ts";
import type { Expected } from "./expected.ts";
import type { Moment } from "./ledger.ts";
import type { OracleWorld } from "./world.ts";

/** `maybe`: near the beginning or the end, or until a gateway has found out that the store is back. */
export type Outage = "none" | "maybe" | "certain";

interface Silence {
  readonly isCertain: boolean;
  readonly gateway: number | null; // null: all of them
  readonly fromUs: number;
  readonly toUs: number;
  readonly noticedUs: (gateway: number) => number;
}

/** Asks once what the history says of silences, and then places each request. */
export function outagesOf(
  history: History,
  world: OracleWorld,
  asksStore: (row: number) => boolean,
): (moment: Moment) => Outage {
  const timeoutUs = Math.max(
    ...world.epochs.map((epoch) => epoch.configuration.options.storeTimeoutUs),
  );
  const silences = history.spans
    .filter(({ what }) => what !== "fault")
    .map((span): Silence => {
      const { gateway, fromUs, toUs } = span;
      // While a gateway goes by itself, an answer to what it asked before may still come in time.
      const isCertain = span.what === "store_down";
      const searchUs = isCertain ? toUs + SECOND : toUs;
      return {
        isCertain,
        gateway,
        fromUs,
        toUs,
        noticedUs: noticing(history, world, searchUs, asksStore),
      };
    });
  return (moment) => {
    let outage: Outage = "none";
    for (const { isCertain, gateway, fromUs, toUs, noticedUs } of silences) {
      if (gateway !== null && gateway !== moment.gateway) continue;
      if (isCertain && moment.fromUs >= fromUs && moment.toUs < toUs) return "certain";
      if (moment.toUs < fromUs - timeoutUs) continue;
      if (moment.fromUs <= noticedUs(moment.gateway) + timeoutUs) outage = "maybe";
    }
    return outage;
  };
}

/**
 * A gateway probes at most once a second, and on behalf of a request: the first one after that second
 * finds the store, but is itself judged without it.
 */
function noticing(
  { requests }: History,
  world: OracleWorld,
  searchUs: number,
  asksStore: (row: number) => boolean,
): (gateway: number) => number {
  const known = new Map<number, number>();
  return (gateway) => {
    const noticed = known.get(gateway);
    if (noticed !== undefined) return noticed;
    const row = requests.fromUs.findIndex(
      (fromUs, index) =>
        fromUs >= searchUs && requests.gateway[index] === gateway && asksStore(index),
    );
    const us = row < 0 ? Number.POSITIVE_INFINITY : requests.answeredUs[row]! + world.storeFlightUs;
    known.set(gateway, us);
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
