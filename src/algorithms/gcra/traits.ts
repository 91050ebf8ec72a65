// GCRA (ALG-C9): the debt of the token bucket with a burst that is configured, which spaces requests.
import type { AlgorithmTraits } from "../../core/traits.ts";

export const traits = {
  state: "debt",
  place: "store",
  sentAsCommands: "never",
  isWrittenInBackground: false,
  isBounded: false,
  delays: false,
  lookbackWindows: 1,
  options: ["burst"],
} as const satisfies AlgorithmTraits;
