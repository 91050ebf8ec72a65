// Sliding log (ALG-3, ALG-C2): every attempt of the last window, one script per decision.
import type { AlgorithmTraits } from "../../core/traits.ts";

export const traits = {
  state: "log",
  place: "store",
  sentAsCommands: "in_transactions",
  isWrittenInBackground: false,
  isBounded: false,
  delays: false,
  lookbackWindows: 1,
  options: [],
} as const satisfies AlgorithmTraits;
