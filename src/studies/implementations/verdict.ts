// The possible verdicts on one behaviour of an implementation.
import type { LimiterLook } from "../../lab/report/limiters.ts";

/** The worst verdict first. */
export const VERDICTS = [
  "contradicts",
  "failed",
  "differs",
  "documented",
  "open",
  "unsupported",
  "holds",
] as const;
export type ImplementationVerdict = (typeof VERDICTS)[number];

export const MARKS: Readonly<Record<ImplementationVerdict, string>> = {
  contradicts: "X",
  failed: "!",
  differs: "d",
  documented: "~",
  open: "?",
  unsupported: "-",
  holds: "+",
};

export const LOOKS: Readonly<Record<ImplementationVerdict, LimiterLook>> = {
  contradicts: "bad",
  failed: "bad",
  differs: "doubtful",
  documented: "faint",
  open: "doubtful",
  unsupported: "faint",
  holds: "good",
};

export const MEANINGS: Readonly<Record<ImplementationVerdict, string>> = {
  contradicts: "contradicts its own documentation",
  failed: "could not be run",
  differs: "differs, and its documentation has nothing about it",
  documented: "differs as documented",
  open: "left open by real time",
  unsupported: "cannot be expressed",
  holds: "holds",
};
