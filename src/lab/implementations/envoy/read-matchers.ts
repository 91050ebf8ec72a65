// Matchers of Envoy: which requests a route or an action has.
import { isFailure } from "../../../kit/reading/failure.ts";
import type { RequestFacts, RequestTest } from "../reading.ts";
import { parametersOf } from "../request-parts.ts";
import { regexOf } from "../regex.ts";
import { textIn, type YamlNode, type YamlNotes } from "../yaml-tree.ts";

export interface EnvoyContext {
  readonly notes: YamlNotes;
  readonly headers: Set<string>; // that rules read, in lower case
  readonly fail: (node: YamlNode, what: string) => void;
}

/** A field, by its name in snake case or in camel case. */
export function fieldOf(node: YamlNode | null | undefined, name: string): YamlNode | null {
  const fields = node?.fields;
  return (
    fields?.get(name) ??
    fields?.get(name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())) ??
    null
  );
}

/** The same, and the field is noted as read. */
export function readField(
  node: YamlNode | null | undefined,
  name: string,
  { notes }: EnvoyContext,
): YamlNode | null {
  const field = fieldOf(node, name);
  if (field !== null) notes.note(field, "read");
  return field;
}

/** A header or pseudo-header; null: the request has none. */
export function headerIn(
  name: string,
  headers: Set<string>,
): (request: RequestFacts) => string | null {
  switch (name.toLowerCase()) {
    case ":path":
      return ({ target }) => target;
    case ":method":
      return ({ method }) => method;
    case ":authority":
    case "host":
      return ({ host }) => host || null;
    default: {
      const header = name.toLowerCase();
      headers.add(header);
      return (request) => request.header(header);
    }
  }
}

type TextTest = (text: string) => boolean;

/** A whole match by a regular expression of RE2. Null: JavaScript cannot have it. */
export function wholeMatch(node: YamlNode | null): TextTest | null {
  const regex = regexOf(textIn(fieldOf(node, "regex")), { isWhole: true });
  return isFailure(regex) ? null : (text) => regex.test(text);
}

const STRING_TESTS: Readonly<Record<string, (pattern: string) => TextTest>> = {
  exact: (pattern) => (text) => text === pattern,
  prefix: (pattern) => (text) => text.startsWith(pattern),
  suffix: (pattern) => (text) => text.endsWith(pattern),
  contains: (pattern) => (text) => text.includes(pattern),
};

/** A StringMatcher, or null if it is none that this reader knows. */
function stringTest(node: YamlNode | null, context: EnvoyContext): TextTest | null {
  const isLoose = readField(node, "ignore_case", context)?.value === true;
  const fold = (text: string): string => (isLoose ? text.toLowerCase() : text);
  for (const [name, testOf] of Object.entries(STRING_TESTS)) {
    const field = readField(node, name, context);
    if (field === null) continue;
    const test = testOf(fold(textIn(field)));
    return (text) => test(fold(text));
  }
  const regex = fieldOf(node, "safe_regex");
  if (regex === null) return null;
  context.notes.noteAll(regex, "read");
  return wholeMatch(regex);
}

/** Forms of a header match before StringMatcher. */
const OLD_FORMS = ["exact", "prefix", "suffix", "contains"];

/** A HeaderMatcher. Null: this reader does not know it, which is noted. */
export function headerTest(node: YamlNode, context: EnvoyContext): RequestTest | null {
  const name = textIn(readField(node, "name", context));
  const isInverted = readField(node, "invert_match", context)?.value === true;
  const treatsMissing = readField(node, "treat_missing_header_as_empty", context)?.value === true;
  const present = readField(node, "present_match", context);
  const value = headerIn(name, context.headers);
  const isPresent =
    (isWanted: boolean): RequestTest =>
    (request) =>
      ((value(request) !== null) === isWanted) !== isInverted;
  if (present !== null) return isPresent(present.value !== false);
  const test = valueTest(node, context);
  if (test === "none") return isPresent(true);
  if (test === null) {
    context.notes.note(node, "not understood", "this reader does not know this match");
    return null;
  }
  return (request) => {
    const own = value(request) ?? (treatsMissing ? "" : null);
    return own !== null && test(own) !== isInverted;
  };
}

function valueTest(node: YamlNode, context: EnvoyContext): TextTest | "none" | null {
  const matcher = readField(node, "string_match", context);
  if (matcher !== null) return stringTest(matcher, context);
  for (const form of OLD_FORMS) {
    const field = readField(node, `${form}_match`, context);
    if (field !== null) return STRING_TESTS[form]!(textIn(field));
  }
  const regex = fieldOf(node, "safe_regex_match");
  if (regex !== null) {
    context.notes.noteAll(regex, "read");
    return wholeMatch(regex);
  }
  return fieldOf(node, "range_match") === null ? "none" : null;
}

/** A QueryParameterMatcher. Null: this reader does not know it, which is noted. */
export function queryTest(node: YamlNode, context: EnvoyContext): RequestTest | null {
  const name = textIn(readField(node, "name", context));
  const matcher = readField(node, "string_match", context);
  readField(node, "present_match", context);
  if (matcher === null) return (request) => parametersOf(request).has(name);
  const test = stringTest(matcher, context);
  if (test === null) {
    context.notes.note(node, "not understood", "this reader does not know this match");
    return null;
  }
  return (request) => {
    const value = parametersOf(request).get(name);
    return value !== null && test(value);
  };
}
