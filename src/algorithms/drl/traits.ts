// DRL (ALG-C4): each gateway counts its share in a fixed window of its own; the store gets no operation.
import type { AlgorithmTraits } from "../../core/traits.ts";

export const traits = {
  state: "counter",
  place: "gateway",
  sentAsCommands: "never",
  isWrittenInBackground: false,
  isBounded: false,
  delays: false,
  lookbackWindows: 1,
  options: [],
} as const satisfies AlgorithmTraits;
