import type { Driver, DriverName, Offer } from "./driver.ts";
import { EMBEDDED, embedded } from "./embedded.node.ts";
import { REDIS, redis } from "./redis.node.ts";

export type RealName = Exclude<DriverName, "virtual">;

/** `store`: the address of the store, for a driver that has one. */
export function driverOf(name: RealName, store: string | undefined): Driver {
  switch (name) {
    case "embedded":
      return embedded();
    case "redis":
      if (store === undefined) throw new Error("the driver redis needs the address of its store");
      return redis(store);
  }
}

export const OFFERS: Readonly<Record<RealName, Offer>> = { embedded: EMBEDDED, redis: REDIS };
