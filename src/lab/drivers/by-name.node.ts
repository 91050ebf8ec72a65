import type { Against, Driver, DriverName } from "./driver.ts";

export type RealName = Exclude<DriverName, "virtual">;

export interface DriverPlace {
  readonly store?: string | undefined; // address of the store, for drivers that use one
  readonly against?: Against | undefined;
  /** Receives lines about a run that seems to hang. */
  readonly notice?: (line: string) => void;
}

/** Loads only the module of the named driver. */
export async function driverOf(
  name: DriverName,
  { store, against, notice }: DriverPlace = {},
): Promise<Driver> {
  switch (name) {
    case "virtual":
      return (await import("./virtual.node.ts")).virtual();
    case "embedded":
      return (await import("./embedded.node.ts")).createEmbeddedDriver();
    case "redis":
      if (store === undefined) throw new Error("the driver redis needs the address of its store");
      return (await import("./redis.node.ts")).redis(store);
    case "remote":
      if (against === undefined) throw new Error("the driver remote needs a gateway");
      return (await import("./remote.node.ts")).remote(against, notice);
  }
}
