import type { CompareWord } from "../bench/compare/verdict.ts";
import type { Tone } from "../report/result-text.ts";

export const TONES: Readonly<Record<CompareWord, Tone>> = {
  improved: "good",
  regressed: "bad",
  same: "faint",
  unclear: "doubtful",
};
