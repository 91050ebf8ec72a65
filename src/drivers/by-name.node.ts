import type { Driver, DriverName } from "./driver.ts";

export type RealName = Exclude<DriverName, "virtual">;

/** Loads that driver alone. `store`: the address of the store, for a driver that has one. */
export async function driverOf(name: DriverName, store?: string): Promise<Driver> {
  switch (name) {
    case "virtual":
      return (await import("./virtual.node.ts")).virtual();
    case "embedded":
      return (await import("./embedded.node.ts")).createEmbeddedDriver();
    case "redis":
      if (store === undefined) throw new Error("the driver redis needs the address of its store");
      return (await import("./redis.node.ts")).redis(store);
  }
}
