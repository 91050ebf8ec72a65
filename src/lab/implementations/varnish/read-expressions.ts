// Expressions of VCL: strings of a request, conditions, and calls of vsthrottle in them.
import { isFailure } from "../../../kit/reading/failure.ts";
import type { RequestFacts } from "../reading.ts";
import { regexOf, replacementOf } from "../regex.ts";
import type { VclToken } from "./parse.ts";

/** A request on its way through vcl_recv. */
export interface VclPassage {
  readonly request: RequestFacts;
  readonly variables: Map<string, string>; // that statements set or unset, in lower case
}

export type VclText = (passage: VclPassage) => string;

/** A call of vsthrottle.is_denied with constant numbers. */
export interface DenialCall {
  readonly key: VclText;
  readonly source: string; // of the key, by which equal calls share a bucket
  readonly isOptional: boolean; // a header alone, without which vsthrottle denies every request
  readonly limit: number;
  readonly periodUs: number;
  readonly blockUs: number;
}

/** Answers a call while a condition is evaluated: whether it denies the request. */
type Denies = (call: DenialCall, passage: VclPassage) => boolean;

export type VclCondition = (passage: VclPassage, denies: Denies) => boolean;

export interface ExpressionContext {
  readonly readHeader: (name: string) => void;
  readonly aclTest: (name: string) => ((address: string) => boolean) | null;
  /** Whether a statement before gives every request this variable. */
  readonly isSet: (name: string) => boolean;
  readonly addCall: (call: DenialCall) => void;
  /** What an unknown condition is. */
  readonly takeTruth: (source: string, isNegated: boolean) => boolean;
}

const MICROSECONDS: Readonly<Record<string, number>> = {
  ms: 1_000,
  s: 1_000_000,
  m: 60_000_000,
  h: 3_600_000_000,
  d: 86_400_000_000,
  w: 604_800_000_000,
  y: 31_536_000_000_000,
};

function durationUs(text: string): number | null {
  const [, value, unit] = /^(\d+(?:\.\d+)?)(ms|[smhdwy])$/.exec(text) ?? [];
  return value === undefined ? null : Math.round(Number(value) * MICROSECONDS[unit!]!);
}

const isSign = (token: VclToken | undefined, text: string): boolean =>
  token?.kind === "sign" && token.text === text;

/** Splits tokens at a sign outside of parentheses. */
function splitAt(tokens: readonly VclToken[], sign: string): readonly (readonly VclToken[])[] {
  const parts: VclToken[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (isSign(token, "(")) depth++;
    if (isSign(token, ")")) depth--;
    if (depth === 0 && isSign(token, sign)) parts.push([]);
    else parts.at(-1)!.push(token);
  }
  return parts;
}

/** The tokens inside of parentheses that enclose all others; null: there are none. */
function insideOf(tokens: readonly VclToken[]): readonly VclToken[] | null {
  if (!isSign(tokens[0], "(")) return null;
  let depth = 0;
  for (const [index, token] of tokens.entries()) {
    if (isSign(token, "(")) depth++;
    if (isSign(token, ")") && --depth === 0)
      return index === tokens.length - 1 ? tokens.slice(1, -1) : null;
  }
  return null;
}

/** A string: texts, variables and functions in a row, with or without plus signs. Null: it is unknown. */
export function textOf(tokens: readonly VclToken[], context: ExpressionContext): VclText | null {
  const parts: VclText[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (isSign(token, "+")) continue;
    let end = at + 1;
    if (isSign(tokens[end], "("))
      for (let depth = 0; end < tokens.length; end++) {
        if (isSign(tokens[end], "(")) depth++;
        if (isSign(tokens[end], ")") && --depth === 0) break;
      }
    const isCall = end > at + 1;
    const part = isCall
      ? functionOf(token.text, splitAt(tokens.slice(at + 2, end), ","), context)
      : atomOf(token, context);
    if (part === null) return null;
    parts.push(part);
    if (isCall) at = end;
  }
  return parts.length === 0 ? null : (passage) => parts.map((part) => part(passage)).join("");
}

function atomOf(token: VclToken, context: ExpressionContext): VclText | null {
  const { kind, text } = token;
  if (kind === "text" || kind === "number") return () => text;
  return kind === "name" ? variableOf(text, context) : null;
}

const FROM_REQUEST: Readonly<Record<string, (request: RequestFacts) => string>> = {
  "req.url": ({ target }) => target,
  "req.method": ({ method }) => method,
  "req.request": ({ method }) => method,
  "client.ip": ({ address }) => address,
  "client.identity": ({ address }) => address,
  "req.http.host": ({ host }) => host,
  "req.restarts": () => "0",
  "req.esi_level": () => "0",
  // Varnish adds the address before vcl_recv.
  "req.http.x-forwarded-for": ({ header, address }) => {
    const own = header("x-forwarded-for");
    return own === null ? address : `${own}, ${address}`;
  },
};

/** A variable as text; empty if the request has none. */
function variableOf(written: string, context: ExpressionContext): VclText | null {
  const name = written.toLowerCase();
  const [, header] = /^req\.http\.(.+)$/.exec(name) ?? [];
  if (header !== undefined) context.readHeader(header);
  const own =
    FROM_REQUEST[name] ??
    (header === undefined ? null : (request: RequestFacts) => request.header(header) ?? "");
  if (own === null) return null;
  return ({ request, variables }) => variables.get(name) ?? own(request);
}

function functionOf(
  name: string,
  args: readonly (readonly VclToken[])[],
  context: ExpressionContext,
): VclText | null {
  const [first, second, third] = args.map((arg) => textOf(arg, context));
  if (first === null || first === undefined) return null;
  if (name === "std.tolower") return (passage) => first(passage).toLowerCase();
  if (name === "std.toupper") return (passage) => first(passage).toUpperCase();
  if (name === "std.querysort") return (passage) => sortQuery(first(passage));
  const pattern = args[1]?.[0];
  if (!/^regsub(?:all)?$/.test(name) || pattern?.kind !== "text" || !third || !second) return null;
  const regex = regexOf(pattern.text, { isGlobal: name === "regsuball" });
  if (isFailure(regex)) return null;
  return (passage) => first(passage).replace(regex, replacementOf(third(passage)));
}

function sortQuery(url: string): string {
  const [path = "", ...rest] = url.split("?");
  return rest.length === 0 ? url : `${path}?${rest.join("?").split("&").toSorted().join("&")}`;
}

export function conditionOf(
  tokens: readonly VclToken[],
  context: ExpressionContext,
  isNegated = false,
): VclCondition {
  const either = splitAt(tokens, "||");
  if (either.length > 1) {
    const all = either.map((part) => conditionOf(part, context, isNegated));
    return (passage, denies) => all.some((holds) => holds(passage, denies));
  }
  const both = splitAt(tokens, "&&");
  if (both.length > 1) {
    const all = both.map((part) => conditionOf(part, context, isNegated));
    return (passage, denies) => all.every((holds) => holds(passage, denies));
  }
  if (isSign(tokens[0], "!")) {
    const inner = conditionOf(tokens.slice(1), context, !isNegated);
    return (passage, denies) => !inner(passage, denies);
  }
  const inside = insideOf(tokens);
  if (inside !== null) return conditionOf(inside, context, isNegated);
  const call = denialOf(tokens, context);
  if (call !== null) {
    context.addCall(call);
    return (passage, denies) => denies(call, passage);
  }
  const compare = comparisonOf(tokens, context);
  if (compare !== null) return compare;
  const isTaken = context.takeTruth(tokens.map(({ text }) => text).join(" "), isNegated);
  return () => isTaken;
}

const COMPARES = ["==", "!=", "~", "!~", "<", ">", "<=", ">="];

/** Null: it is unknown. */
function comparisonOf(
  tokens: readonly VclToken[],
  context: ExpressionContext,
): VclCondition | null {
  const at = tokens.findIndex(({ kind, text }) => kind === "sign" && COMPARES.includes(text));
  if (at < 0) {
    const [only, ...rest] = tokens;
    if (only === undefined || rest.length > 0) return null;
    if (only.text === "true" || only.text === "false") return () => only.text === "true";
    const value = /^req\.http\./i.test(only.text) ? variableOf(only.text, context) : null;
    return value === null ? null : (passage) => value(passage) !== "";
  }
  const left = textOf(tokens.slice(0, at), context);
  const right = tokens.slice(at + 1);
  const operator = tokens[at]!.text;
  const isEqual = !operator.startsWith("!");
  if (left === null) return null;
  if (operator === "==" || operator === "!=") {
    const value = textOf(right, context);
    return value === null ? null : (passage) => (left(passage) === value(passage)) === isEqual;
  }
  if (/[<>]/.test(operator)) {
    const value = textOf(right, context);
    return value === null
      ? null
      : (passage) => isOrdered(Number(left(passage)), operator, Number(value(passage)));
  }
  const [pattern] = right;
  if (right.length !== 1 || pattern === undefined) return null;
  if (pattern.kind === "name") {
    const isIn = context.aclTest(pattern.text);
    return isIn === null ? null : (passage) => isIn(left(passage)) === isEqual;
  }
  const regex = pattern.kind === "text" ? regexOf(pattern.text) : null;
  return regex === null || isFailure(regex)
    ? null
    : (passage) => regex.test(left(passage)) === isEqual;
}

function isOrdered(left: number, operator: string, right: number): boolean {
  if (left === right) return operator.endsWith("=");
  return operator.startsWith("<") ? left < right : left > right;
}

/** A call with constant numbers; null: it is another expression. */
function denialOf(tokens: readonly VclToken[], context: ExpressionContext): DenialCall | null {
  if (tokens[0]?.text !== "vsthrottle.is_denied") return null;
  const inside = insideOf(tokens.slice(1));
  if (inside === null) return null;
  const [keyTokens = [], limitTokens = [], period, block] = splitAt(inside, ",");
  const key = textOf(keyTokens, context);
  const limit = Number(limitTokens[0]?.text);
  const periodUs = durationUs(period?.[0]?.text ?? "");
  const blockUs = block === undefined ? 0 : durationUs(block[0]?.text ?? "");
  const isConstant = [limitTokens, period ?? [], block ?? [null]].every(
    ({ length }) => length === 1,
  );
  if (key === null || !isConstant || !Number.isSafeInteger(limit) || limit < 1) return null;
  if (periodUs === null || periodUs <= 0 || blockUs === null) return null;
  const source = keyTokens.map(({ kind, text }) => `${kind} ${text}`).join(" ");
  const name = keyTokens[0]!.text.toLowerCase();
  const isOptional =
    keyTokens.length === 1 &&
    /^req\.http\.(?!host$|x-forwarded-for$)/.test(name) &&
    !context.isSet(name);
  return { key, source, isOptional, limit, periodUs, blockUs };
}
