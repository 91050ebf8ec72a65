// Words that answers of all commands use for limits and limiters.
import type { Answer } from "../../lab/report/answer.ts";
import { FREE_LOG } from "../../studies/replay/choices.ts";
import { perWords, PERIODS } from "../../kit/reading/periods.ts";
import { cut, oneLine, percent, thousands } from "../../kit/reading/legible.ts";

/** "in one second", or "within 2 seconds". */
export const withinWords = (perUs: number): string => {
  const words = perWords(perUs);
  return /^\d/.test(words) ? `within ${words}` : `in one ${words}`;
};

/** How long something lasted, in its largest unit of which it has two: "10 minutes", "3 days", "90 seconds". */
export function spanWords(us: number): string {
  const [name, unit] = PERIODS.find(([, each]) => us >= 2 * each) ?? PERIODS.at(-1)!;
  const count = Math.round(us / unit);
  return `${thousands(count)} ${name}${count === 1 ? "" : "s"}`;
}

interface NamedLimiter {
  readonly algorithm: string | null;
  readonly profile: string | null;
  readonly file?: { readonly name: string } | null; // that has the limits; left out: none
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ["gcra", "GCRA"],
  ["drl", "DRL"],
  ["sentinel", "a log with a sentinel"],
  ["non_transactional", "a non-transactional log"],
  [FREE_LOG, "a log that does not count refusals"],
]);

/** "a sliding log", or "nginx" for its profile. */
export const limiterWords = ({ algorithm, profile, file = null }: NamedLimiter): string =>
  file !== null
    ? clientWords(file.name)
    : (profile ?? NAMES.get(algorithm!) ?? `a ${algorithm!.replaceAll("_", " ")}`);

/** What a name means that is not common, in half a sentence. */
const MEANINGS: ReadonlyMap<string, string> = new Map([
  ["DRL", "distributed rate limiter: each gateway counts its share"],
  ["a log with a sentinel", "one mark refuses until it expires"],
]);

/** Explains such names where they come first. */
export function explainNames(answer: Answer): Answer {
  const open = new Map(MEANINGS);
  return answer.map((sentence) => {
    let { text } = sentence;
    for (const [name, meaning] of open) {
      if (!new RegExp(`\\b${name}\\b`).test(text)) continue;
      text = text.replace(name, `${name} (${meaning})`);
      open.delete(name);
    }
    return { ...sentence, text };
  });
}

/** "a, b and c". */
export const listWords = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)!}`;

/** The name of a client, which a log may contain in any form. */
export const clientWords = (name: string): string => cut(oneLine(name.toWellFormed()));

/** "211 to 390", or "211" if all are equal. */
export function rangeWords(
  values: readonly number[],
  words: (value: number) => string = thousands,
): string {
  const [least, most] = [words(Math.min(...values)), words(Math.max(...values))];
  return least === most ? least : `${least} to ${most}`;
}

/** "10.0 % to 18.5 %". */
export const shareRange = (shares: readonly number[]): string => rangeWords(shares, percent);

/** The first letter in upper case, for a name that begins a sentence. */
export const sentenceCase = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** "a, b and c", or "a, b, c and 4 others" where more are named than a sentence can have. */
export const namesWords = (names: readonly string[], most = 4): string =>
  listWords(
    names.length <= most
      ? names
      : [...names.slice(0, most - 1), `${names.length - most + 1} others`],
  );

/** The most names of clients or candidates in a sentence. */
export const MOST_NAMED = 3;

/** "a, b and c", or "12 clients". */
export const namesOrCount = (names: readonly string[], what: string): string =>
  names.length <= MOST_NAMED ? listWords(names) : `${thousands(names.length)} ${what}`;

/** Whether a part of all has clearly more than its even share: a sentence about less than that has no news. */
export const isConcentrated = (share: number, part: number): boolean => share >= 2 * part;

/** "2,103", or "none". */
export const countWords = (count: number): string => (count === 0 ? "none" : thousands(count));
