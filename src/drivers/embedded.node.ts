// Real time: the gateway served on loopback, everything counted in its own memory.
import type { Capability, Fault } from "../scenario/types.ts";
import type { Driver, Offer } from "./driver.ts";
import { applyWorld } from "./real-world.node.ts";

export const EMBEDDED: Offer = {
  name: "embedded",
  capabilities: new Set<Capability>(["events", "event-time", "faults", "calls"]),
  // What it counts it loses with its process, so that nothing can be asked of a gateway that comes back.
  faults: new Set<Fault["kind"]>(["configure", "clock_skew"]),
  isRealTime: true,
};

export const embedded = (): Driver => ({
  offer: EMBEDDED,
  apply: (variant) =>
    applyWorld({
      driver: EMBEDDED.name,
      variant,
      newStore: () => Promise.resolve(null),
      harmStore: null,
      closeStore: () => Promise.resolve(),
    }),
  close: () => Promise.resolve(),
});
