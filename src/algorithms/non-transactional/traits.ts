// Non-transactional log (ALG-7, ALG-C6): the sliding log as a pipeline of commands, between which others can act.
import type { AlgorithmTraits } from "../../core/traits.ts";

export const traits = {
  state: "log",
  place: "store",
  sentAsCommands: "always",
  isWrittenInBackground: false,
  isBounded: false,
  delays: false,
  lookbackWindows: 1,
  options: [],
} as const satisfies AlgorithmTraits;
