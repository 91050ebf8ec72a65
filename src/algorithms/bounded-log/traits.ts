// Bounded log (ALG-C9): a sliding log that drops attempts which decide nothing any more.
import type { AlgorithmTraits } from "../../core/traits.ts";

export const traits = {
  state: "log",
  place: "store",
  sentAsCommands: "never",
  isWrittenInBackground: false,
  isBounded: true,
  delays: false,
  lookbackWindows: 1,
  options: [],
} as const satisfies AlgorithmTraits;
