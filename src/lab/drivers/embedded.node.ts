// Real time: serves the gateway on loopback, and counts everything in memory.
import type { Driver } from "./driver.ts";
import { OFFERS } from "./offers.ts";
import { applyWorld } from "./real-world.node.ts";

export const createEmbeddedDriver = (): Driver => ({
  offer: OFFERS.embedded,
  apply: (variant) =>
    applyWorld({
      driver: "embedded",
      variant,
      newStore: () => Promise.resolve(null),
      harmStore: null,
      closeStore: () => Promise.resolve(),
    }),
  close: () => Promise.resolve(),
});
