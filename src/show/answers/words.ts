// Words that answers of all commands use for limits and limiters.
import { FREE_LOG, shortDuration } from "../../studies/replay/candidates.ts";
import { cut, thousands } from "../../studies/replay/table.ts";
import { oneLine } from "../../kit/reading/legible.ts";
import { micros } from "../../kit/units.ts";

const UNITS: readonly (readonly [name: string, us: number])[] = [
  ["day", 86_400_000_000],
  ["hour", 3_600_000_000],
  ["minute", 60_000_000],
  ["second", 1_000_000],
];

/** "minute", "10 minutes", "500ms". */
export function perWords(perUs: number): string {
  const [name, us] = UNITS.find(([, each]) => perUs % each === 0) ?? [];
  if (name === undefined || us === undefined) return shortDuration(micros(perUs));
  return perUs === us ? name : `${thousands(perUs / us)} ${name}s`;
}

/** "in one second", or "within 2 seconds". */
export const withinWords = (perUs: number): string => {
  const words = perWords(perUs);
  return /^\d/.test(words) ? `within ${words}` : `in one ${words}`;
};

/** "49 per minute". */
export const rateWords = (rate: number, perUs: number): string =>
  `${thousands(rate)} per ${perWords(perUs)}`;

/** How long something lasted, in its largest unit of which it has two: "10 minutes", "3 days", "90 seconds". */
export function spanWords(us: number): string {
  const [name, unit] = UNITS.find(([, each]) => us >= 2 * each) ?? UNITS.at(-1)!;
  const count = Math.round(us / unit);
  return `${thousands(count)} ${name}${count === 1 ? "" : "s"}`;
}

interface NamedLimiter {
  readonly algorithm: string | null;
  readonly profile: string | null;
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ["gcra", "GCRA"],
  ["drl", "DRL"],
  ["sentinel", "a log with a sentinel"],
  ["non_transactional", "a non-transactional log"],
  [FREE_LOG, "a log that does not count refusals"],
]);

/** "a sliding log", or "nginx" for its profile. */
export const limiterWords = ({ algorithm, profile }: NamedLimiter): string =>
  profile ?? NAMES.get(algorithm!) ?? `a ${algorithm!.replaceAll("_", " ")}`;

/** "a, b and c". */
export const listWords = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)!}`;

/** The name of a client, which a log may contain in any form. */
export const clientWords = (name: string): string => cut(oneLine(name.toWellFormed()));

/** The first letter in upper case, for a name that begins a sentence. */
export const sentenceCase = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** "5", or "5 to 8". */
export const rangeWords = (values: readonly number[], text: (value: number) => string): string => {
  const [least, most] = [text(Math.min(...values)), text(Math.max(...values))];
  return least === most ? least : `${least} to ${most}`;
};

/** "a, b and c", or "a, b, c and 4 others" where more are named than a sentence can have. */
export const namesWords = (names: readonly string[], most = 4): string =>
  names.length <= most
    ? listWords(names)
    : listWords([...names.slice(0, most - 1), `${names.length - most + 1} others`]);
