// Leaky bucket (ALG-C10): requests leave at even distances, and those that come sooner wait in a queue.
import type { AlgorithmTraits } from "../../core/traits.ts";

export const traits = {
  state: "queue",
  place: "store",
  sentAsCommands: "never",
  isWrittenInBackground: false,
  isBounded: false,
  delays: true,
  lookbackWindows: 1,
  options: ["queue"],
} as const satisfies AlgorithmTraits;
