// Sentinel (ALG-C5): a mark decides, and the log behind it is written after the decision.
import type { AlgorithmTraits } from "../../core/traits.ts";

export const traits = {
  state: "log",
  place: "store",
  sentAsCommands: "never",
  isWrittenInBackground: true,
  isBounded: false,
  delays: false,
  lookbackWindows: 1,
  options: ["sentinelMark"],
} as const satisfies AlgorithmTraits;
