// The capabilities of each driver, and which events of a scenario it can cause (docs/drivers.md).
import { CAPABILITIES } from "../scenario/read/needs.ts";
import type { DriverName, Offer } from "./driver.ts";
import { FAULT_KINDS } from "./support.ts";

export const OFFERS: Readonly<Record<Exclude<DriverName, "remote">, Offer>> = {
  virtual: {
    name: "virtual",
    capabilities: new Set(CAPABILITIES),
    faults: new Set(FAULT_KINDS),
    isRealTime: false,
  },
  embedded: {
    name: "embedded",
    capabilities: new Set(["events", "event-time", "faults", "calls"]),
    // Its counters end with its process: a restarted gateway would count from 0.
    faults: new Set(["configure", "clock_skew"]),
    isRealTime: true,
  },
  redis: {
    name: "redis",
    capabilities: new Set(["events", "event-time", "faults", "fleet", "calls"]),
    faults: new Set([
      "configure",
      "clock_skew",
      "gateway_restart",
      "gateway_crash",
      "gateway_leave",
      "gateway_join",
      "store_down",
      "store_restart",
    ]),
    isRealTime: true,
  },
};
