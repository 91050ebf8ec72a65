import type { Word } from "../bench/compare/verdict.ts";
import type { Tone } from "../report/result-text.ts";

export const TONES: Readonly<Record<Word, Tone>> = {
  improved: "good",
  regressed: "bad",
  same: "faint",
  unclear: "doubtful",
};
