import type { Driver, DriverName } from "./driver.ts";
import { embedded } from "./embedded.node.ts";

export type RealName = Exclude<DriverName, "virtual">;

export function driverOf(name: RealName): Driver {
  switch (name) {
    case "embedded":
      return embedded();
    case "redis":
      throw new Error("the driver redis is started with the address of its store");
  }
}
