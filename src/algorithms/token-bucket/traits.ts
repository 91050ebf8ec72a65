// Token bucket (ALG-C9): a debt that is paid off at the rate, and a burst of a whole window.
import type { AlgorithmTraits } from "../../core/traits.ts";

export const traits = {
  state: "debt",
  place: "store",
  sentAsCommands: "never",
  isWrittenInBackground: false,
  isBounded: false,
  delays: false,
  lookbackWindows: 1,
  options: [],
} as const satisfies AlgorithmTraits;
