// Sliding window counter (ALG-C9): two windows by the clock, the older one weighted by its overlap.
import type { AlgorithmTraits } from "../../core/traits.ts";

export const traits = {
  state: "two_windows",
  place: "store",
  sentAsCommands: "never",
  isWrittenInBackground: false,
  isBounded: false,
  delays: false,
  lookbackWindows: 2,
  options: [],
} as const satisfies AlgorithmTraits;
