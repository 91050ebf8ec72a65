// Structured fields (RFC 9651), as far as headers about limits use them: lists and dictionaries of items. Each part
// retains its column, and integers differ from decimals; packages for structured fields lose both.

export type BareValue =
  | { readonly kind: "integer" | "decimal" | "date"; readonly value: number }
  | { readonly kind: "string" | "token" | "display string" | "bytes"; readonly value: string }
  | { readonly kind: "boolean"; readonly value: boolean };

export type BareItem = BareValue & { readonly column: number };

interface Parameter {
  readonly name: string;
  readonly column: number;
  readonly item: BareItem;
}

/** A member of a list, or a named member of a dictionary. All duplicates are retained; the last one applies. */
export interface FieldMember {
  readonly name: string | null;
  readonly column: number;
  readonly item: BareItem;
  readonly parameters: readonly Parameter[];
}

export interface SyntaxProblem {
  readonly column: number; // from 1
  readonly message: string;
}

export const parseList = (text: string): readonly FieldMember[] | SyntaxProblem =>
  parseMembers(text, (cursor) => parseMember(cursor, null, cursor.at + 1));

export const parseDictionary = (text: string): readonly FieldMember[] | SyntaxProblem =>
  parseMembers(text, (cursor) => {
    const column = cursor.at + 1;
    const name = parseName(cursor);
    if (name === null) return null;
    if (cursor.take("=")) return parseMember(cursor, name, column);
    const parameters = parseParameters(cursor);
    return parameters && { name, column, item: yes(column), parameters };
  });

/** A position in the text. After the first problem, which is retained, every function returns null. */
class Cursor {
  at = 0;
  problem: SyntaxProblem | null = null;
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  get next(): string {
    return this.text.charAt(this.at);
  }
  isAtEnd(): boolean {
    return this.at >= this.text.length;
  }
  take(character: string): boolean {
    if (this.next !== character) return false;
    this.at++;
    return true;
  }
  /** Takes the text that a sticky pattern matches here, which may be empty. */
  takeAll(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const [found = ""] = pattern.exec(this.text) ?? [];
    this.at += found.length;
    return found;
  }
  fail(message: string, at = this.at): null {
    this.problem ??= { column: at + 1, message };
    return null;
  }
  get nextText(): string {
    return this.isAtEnd() ? "the end" : `"${this.next}"`;
  }
}

const SPACES = / */y;
const BLANKS = /[ \t]*/y;

function parseMembers(
  text: string,
  parseOne: (cursor: Cursor) => FieldMember | null,
): readonly FieldMember[] | SyntaxProblem {
  const cursor = new Cursor(text);
  const members: FieldMember[] = [];
  cursor.takeAll(SPACES);
  while (!cursor.isAtEnd()) {
    const member = parseOne(cursor);
    if (member === null) return cursor.problem!;
    members.push(member);
    const afterMember = cursor.at;
    cursor.takeAll(BLANKS);
    if (cursor.isAtEnd()) {
      // Spaces at the end of a field are no part of it, but a tab is an error.
      return text.slice(afterMember).includes("\t")
        ? { column: afterMember + 1, message: "a tab ends the value" }
        : members;
    }
    if (!cursor.take(",")) {
      cursor.fail(`"," or ";" belongs here, and ${cursor.nextText} follows`);
      return cursor.problem!;
    }
    cursor.takeAll(BLANKS);
    if (cursor.isAtEnd()) return { column: cursor.at, message: "a comma ends the value" };
  }
  return members;
}

function parseMember(cursor: Cursor, name: string | null, column: number): FieldMember | null {
  if (cursor.next === "(") return cursor.fail("a list in brackets is no item");
  const item = parseBareItem(cursor);
  const parameters = item && parseParameters(cursor);
  return parameters && { name, column, item, parameters };
}

const yes = (column: number): BareItem => ({ kind: "boolean", value: true, column });

function parseParameters(cursor: Cursor): readonly Parameter[] | null {
  const parameters: Parameter[] = [];
  while (cursor.take(";")) {
    cursor.takeAll(SPACES);
    const column = cursor.at + 1;
    const name = parseName(cursor);
    if (name === null) return null;
    const item = cursor.take("=") ? parseBareItem(cursor) : yes(column);
    if (item === null) return null;
    parameters.push({ name, column, item });
  }
  return parameters;
}

const NAME = /[a-z*][a-z0-9_\-.*]*/y;

function parseName(cursor: Cursor): string | null {
  const name = cursor.takeAll(NAME);
  return name === ""
    ? cursor.fail(`a name in lower case belongs here, not ${cursor.nextText}`)
    : name;
}

function parseBareItem(cursor: Cursor): BareItem | null {
  const column = cursor.at + 1;
  const value = parseBareValue(cursor);
  return value && { ...value, column };
}

function parseBareValue(cursor: Cursor): BareValue | null {
  const { next } = cursor;
  if (/[-0-9]/.test(next)) return parseNumber(cursor);
  if (next === '"') return parseString(cursor);
  if (/[A-Za-z*]/.test(next)) return { kind: "token", value: cursor.takeAll(TOKEN) };
  if (cursor.take(":")) return parseBytes(cursor);
  if (cursor.take("?")) {
    const digit = cursor.takeAll(/[01]/y);
    return digit === ""
      ? cursor.fail("a boolean is ?0 or ?1")
      : { kind: "boolean", value: digit === "1" };
  }
  if (cursor.take("@")) {
    const number = parseNumber(cursor);
    if (number === null) return null;
    return number.kind === "integer"
      ? { kind: "date", value: number.value }
      : cursor.fail("a date has no fraction");
  }
  if (cursor.take("%")) return parseDisplayString(cursor);
  return cursor.fail(`a value belongs here, not ${cursor.nextText}`);
}

const TOKEN = /[A-Za-z*][\w:/!#$%&'*+\-.^`|~]*/y;

function parseNumber(cursor: Cursor): BareValue | null {
  const start = cursor.at;
  const sign = cursor.takeAll(/-?/y);
  const whole = cursor.takeAll(/[0-9]*/y);
  if (whole === "") return cursor.fail(`a digit belongs here, not ${cursor.nextText}`);
  if (!cursor.take("."))
    return whole.length > 15
      ? cursor.fail("an integer has at most 15 digits", start)
      : { kind: "integer", value: Number(sign + whole) + 0 };
  const fraction = cursor.takeAll(/[0-9]*/y);
  if (fraction === "") return cursor.fail("a digit belongs after the point");
  if (whole.length > 12 || fraction.length > 3)
    return cursor.fail("a decimal has at most 12 digits and 3 after the point", start);
  return { kind: "decimal", value: Number(`${sign}${whole}.${fraction}`) + 0 };
}

function parseString(cursor: Cursor): BareValue | null {
  const start = cursor.at++;
  let value = "";
  while (!cursor.take('"')) {
    value += cursor.takeAll(/[ !#-[\]-~]*/y);
    if (cursor.isAtEnd()) return cursor.fail("this string has no end", start);
    if (cursor.take("\\")) {
      const escaped = cursor.takeAll(/["\\]/y);
      if (escaped === "") return cursor.fail('only " and \\ have a backslash before them');
      value += escaped;
    } else if (cursor.next !== '"')
      return cursor.fail("a string has only printable ASCII characters");
  }
  return { kind: "string", value };
}

function parseBytes(cursor: Cursor): BareValue | null {
  const start = cursor.at - 1;
  const value = cursor.takeAll(/[A-Za-z0-9+/=]*/y);
  if (!cursor.take(":")) return cursor.fail("these bytes have no : at their end", start);
  return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/.test(value)
    ? { kind: "bytes", value }
    : cursor.fail("these bytes are no base64", start);
}

function parseDisplayString(cursor: Cursor): BareValue | null {
  const start = cursor.at - 1;
  if (!cursor.take('"')) return cursor.fail('a display string begins with %"');
  const encoded = cursor.takeAll(/(?:[ !#$&-~]|%[0-9a-f]{2})*/y);
  if (!cursor.take('"'))
    return cursor.fail(
      cursor.isAtEnd()
        ? "this string has no end"
        : `${cursor.nextText} cannot be in a display string`,
      cursor.isAtEnd() ? start : cursor.at,
    );
  try {
    return { kind: "display string", value: decodeURIComponent(encoded) };
  } catch {
    return cursor.fail("this display string is no UTF-8", start);
  }
}

export const isSyntaxProblem = (
  parsed: readonly FieldMember[] | SyntaxProblem,
): parsed is SyntaxProblem => !Array.isArray(parsed);

/** The last parameter with that name, which applies instead of earlier ones. */
export const findParameter = (
  parameters: readonly Parameter[],
  name: string,
): Parameter | undefined => parameters.findLast((each) => each.name === name);
