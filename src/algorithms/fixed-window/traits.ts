// Fixed window (ALG-8, ALG-C3): a count with a window, which starts with a request or by the clock.
import type { AlgorithmTraits } from "../../core/traits.ts";

export const traits = {
  state: "counter",
  place: "store",
  sentAsCommands: "never",
  isWrittenInBackground: false,
  isBounded: false,
  delays: false,
  lookbackWindows: 1,
  options: ["fixedWindowStart"],
} as const satisfies AlgorithmTraits;
