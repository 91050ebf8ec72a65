// Regular expressions of PCRE, RE2 and Java, as far as those of JavaScript mean the same.
import { Failure } from "../../kit/reading/failure.ts";

/** Escapes that JavaScript reads as a letter, or as something else. */
const OTHER_ESCAPES = /^[aeChEGHKNpPQRVX]$/;

/** Groups, verbs and possessive quantifiers that JavaScript does not have. */
const OTHER_SIGNS = /\(\?[>|&(#CR0-9+]|[*+?}]\+|\(\*[A-Z]/;

/** Named classes such as [:digit:], and a bracket at the start of a class. */
const OTHER_CLASSES = /\[:\^?\w+:\]|\[\^?\]/;

const ESCAPE = /\\([^])/g;
const CLASS = /\[[^\]]*\]?/g; // one that is not closed is an error in JavaScript too

interface RegexUse {
  readonly isLoose?: boolean;
  readonly isWhole?: boolean; // it has to match the whole text
  readonly isGlobal?: boolean;
}

export function regexOf(source: string, use: RegexUse = {}): RegExp | Failure {
  const [, given = "", rest = source] = /^\(\?([ims]+)\)(.*)$/s.exec(source) ?? [];
  const plain = rest.replaceAll(ESCAPE, "x");
  const escapes = [...rest.matchAll(ESCAPE)].map(([, letter]) => letter!);
  const isOther =
    OTHER_CLASSES.test(plain) ||
    OTHER_SIGNS.test(plain.replaceAll(CLASS, "x")) ||
    escapes.some((letter) => OTHER_ESCAPES.test(letter)) ||
    (use.isWhole && given.includes("m")); // `^` and `$` would match at every line
  if (isOther) return new Failure("it has signs that the patterns of JavaScript do not have");
  const form = rest.replaceAll("(?P<", "(?<").replaceAll(ESCAPE, (found, letter: string) => {
    if (letter === "A") return "(?<![^])";
    return letter === "z" || letter === "Z" ? "(?![^])" : found;
  });
  const flags = new Set(given + (use.isLoose ? "i" : "") + (use.isGlobal ? "g" : ""));
  try {
    return new RegExp(use.isWhole ? `^(?:${form})$` : form, [...flags].join(""));
  } catch (error) {
    if (error instanceof SyntaxError) return new Failure(error.message);
    throw error;
  }
}

/** A replacement with `\1` for the first group and `\0` for the whole match, in the form of JavaScript. */
export const replacementOf = (text: string): string =>
  text
    .replaceAll("$", "$$$$")
    .replaceAll(/\\(\d)/g, (_, digit: string) => (digit === "0" ? "$&" : `$${digit}`));

/** A pattern that matches this text alone. */
export const escapePattern = (text: string): string =>
  text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
