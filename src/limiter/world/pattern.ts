// Reads path patterns (EPT-C1). A pattern is split at its wildcards when it is read, so that matching needs no regular
// expression, and no input can cause backtracking.
import type { PathPattern } from "../core/config.ts";
import { withCapitalDigits } from "../core/resolve/endpoint.ts";
import type { Code } from "./codes.ts";

interface PatternProblem {
  readonly code: Code;
  readonly message: string;
  readonly fix: string;
}

type Compiled =
  | { readonly pattern: PathPattern; readonly fault: null; readonly warning: PatternProblem | null }
  | { readonly pattern: null; readonly fault: PatternProblem };

const LITERAL = /^[A-Za-z0-9/.\-_~!&',;=:@%+]$/;
const NAME = /^[A-Za-z0-9_.~-]+$/;
const ANYTHING = "(.*)";

export const isLiteralPathCharacter = (character: string): boolean => LITERAL.test(character);

export function compilePattern(text: string): Compiled {
  const pieces: string[] = [];
  let piece = "";
  let warning: PatternProblem | null = null;
  const wildcard = (): void => {
    // Several wildcards in a row match what one wildcard matches.
    if (piece !== "" || pieces.length === 0) pieces.push(piece);
    piece = "";
  };
  for (let i = 0; i < text.length;) {
    const character = text.charAt(i);
    if (character === "{") {
      const end = text.indexOf("}", i);
      const name = end < 0 ? "" : text.slice(i + 1, end);
      if (!NAME.test(name)) return rejectPattern(bracesOrCharacter(text, name));
      wildcard();
      i = end + 1;
    } else if (character === "*") {
      if (piece.endsWith("/.")) warning = dotStar(text);
      wildcard();
      i += 1;
    } else if (text.startsWith(ANYTHING, i)) {
      wildcard();
      i += ANYTHING.length;
    } else if (isLiteralPathCharacter(character)) {
      piece += character;
      i += 1;
    } else {
      return rejectPattern(
        character === "}" ? braces(text) : badCharacter(text, text.codePointAt(i) ?? 0),
      );
    }
  }
  pieces.push(piece);
  const first = pieces[0] ?? "";
  if (!(first.startsWith("/") || (first === "" && pieces.length > 1)))
    return rejectPattern(slash(text));
  const unnormal = notNormal(withCapitalDigits(pieces.join("*")));
  if (unnormal !== null) warning = never(text, unnormal);
  return { pattern: { text, pieces }, fault: null, warning };
}

export const isExact = (pattern: PathPattern): boolean => pattern.pieces.length === 1;

const UNRESERVED = /[A-Za-z0-9\-._~]/;

/** A part that a normalized path cannot contain (EPT-C7), in a text with `*` for wildcards; null: there is none. */
export function notNormal(text: string): string | null {
  if (text.includes("//")) return '"//"';
  const dots = /\/(\.\.?)(?:\/|$)/.exec(text)?.[1];
  if (dots !== undefined) return `the segment "${dots}"`;
  for (const [escape, digits = ""] of text.matchAll(/%(.{0,2})/g)) {
    if (digits.includes("*")) continue; // the wildcard may be a digit of the escape
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    const stays = /^[0-9A-F]{2}$/.test(digits) && !UNRESERVED.test(character);
    if (!stays || "/\\\0".includes(character)) return `the escape "${escape}"`;
  }
  return null;
}

const rejectPattern = (fault: PatternProblem): Compiled => ({ pattern: null, fault });

/** Why braces are rejected: `id:[0-9]+` for its first character without a meaning, and `{a` for its brace. */
function bracesOrCharacter(text: string, name: string): PatternProblem {
  for (const character of name) {
    if (!isLiteralPathCharacter(character) && character !== "{")
      return badCharacter(text, character.codePointAt(0) ?? 0);
  }
  return braces(text);
}

const quote = (text: string): string =>
  JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}...` : text);

function badCharacter(text: string, codePoint: number): PatternProblem {
  const character = String.fromCodePoint(codePoint);
  const inPath = /^[\^$\\[\]?|()*]$/.test(character);
  const fix = inPath
    ? "use {name}, * or (.*) for what may vary"
    : "percent-encode it, as it is in a request path";
  return {
    code: "CFG-PATTERN-CHARACTER",
    message: `path ${quote(text)} holds ${JSON.stringify(character)}, which a pattern cannot`,
    fix,
  };
}

const braces = (text: string): PatternProblem => ({
  code: "CFG-PATTERN-BRACES",
  message: `the braces of path ${quote(text)} do not pair up around a name`,
  fix: "write {name}",
});

const slash = (text: string): PatternProblem => ({
  code: "CFG-PATTERN-SLASH",
  message: `path ${quote(text)} starts neither with "/" nor with a wildcard, so it could never match`,
  fix: `write ${quote(`/${text}`)}`,
});

const never = (text: string, what: string): PatternProblem => ({
  code: "CFG-PATTERN-NEVER",
  message: `path ${quote(text)} has ${what}, which normalisation removes from every request`,
  fix: "write the path as it is after normalisation",
});

const dotStar = (text: string): PatternProblem => ({
  code: "CFG-PATTERN-DOT-STAR",
  message: `in path ${quote(text)} the dot of ".*" is a literal dot`,
  fix: "write * or (.*) for any text",
});
