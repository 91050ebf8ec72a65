// Windows, rates and times in words: "minute", "49 per minute".
import { formatDuration, micros } from "../units.ts";
import { thousands } from "./legible.ts";

export const PERIODS: readonly (readonly [name: string, us: number])[] = [
  ["day", 86_400_000_000],
  ["hour", 3_600_000_000],
  ["minute", 60_000_000],
  ["second", 1_000_000],
];

/** "minute", "10 minutes", "500ms". */
export function perWords(perUs: number): string {
  const [name, us] = PERIODS.find(([, each]) => perUs % each === 0) ?? [];
  if (name === undefined || us === undefined) return formatDuration(micros(perUs));
  return perUs === us ? name : `${thousands(perUs / us)} ${name}s`;
}

/** "49 per minute". */
export const rateWords = (rate: number, perUs: number): string =>
  `${thousands(rate)} per ${perWords(perUs)}`;

/** "1.250 s". */
export const seconds = (us: number): string => `${(us / 1_000_000).toFixed(3)} s`;

/** A time since the start of a run, exact to the microsecond: "0.75 s". */
export const momentWords = (us: number): string =>
  `${(us / 1_000_000).toLocaleString("en-US", { maximumFractionDigits: 6 })} s`;

/** "2026-01-02 03:04:05". */
export const timeText = (iso: string): string => iso.slice(0, 19).replace("T", " ");
