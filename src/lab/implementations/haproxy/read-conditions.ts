// Conditions of HAProxy: ACLs, `if` and `unless`. A condition is a list of alternatives, each with terms that all hold.
import { Failure, isFailure } from "../../../kit/reading/failure.ts";
import { parseNetwork } from "../networks.ts";
import { regexOf } from "../regex.ts";
import { callOf, splitOutside, type Line, type Words } from "./parse.ts";
import { sampleOf, trim, type HaproxyPassage } from "./read-samples.ts";

/** The rate of a counter is above a number. */
export interface RateTerm {
  readonly counter: "http_req_rate" | "gpc0_rate";
  readonly slot: number | null; // null: src_http_req_rate, of the address
  readonly table: string | null; // null: that of the tracked entry, or of this section
  readonly above: number;
  readonly words: Words;
}

type Truth = (passage: HaproxyPassage) => boolean;

type Term =
  | { readonly kind: "holds"; readonly holds: Truth; readonly words: Words }
  | { readonly kind: "rate"; readonly rate: RateTerm }
  | { readonly kind: "counter"; readonly why: string } // another limit, which is not read
  | UnknownTerm;

interface UnknownTerm {
  readonly kind: "unknown";
  readonly name: string;
  readonly why: string;
  readonly isNegated: boolean;
}

export type Alternative = readonly Term[];

export interface ConditionParts {
  readonly acls: ReadonlyMap<string, readonly Line[]>;
  readonly headers: Set<string>;
  /** The patterns of a file (-f), or null if it is not here. */
  readonly patternsOf: (file: string) => Words | null;
  readonly noteAcl: (line: Line) => void; // it is part of a rule
}

const MOST_ALTERNATIVES = 1_000;

/** The alternatives of what follows `if` or `unless`. No condition: one alternative that always holds. */
export function conditionOf(words: Words, parts: ConditionParts): readonly Alternative[] {
  const start = words.findIndex((word) => word === "if" || word === "unless");
  if (start < 0) return [[]];
  const rest = words.slice(start + 1);
  const alternatives: Alternative[] = [];
  let current: readonly Alternative[] = [[]];
  let isNegated = false;
  for (let at = 0; at < rest.length; at++) {
    let word = rest[at]!;
    if (word === "or" || word === "||") {
      alternatives.push(...current);
      current = [[]];
      continue;
    }
    while (word.startsWith("!")) {
      isNegated = !isNegated;
      word = word.slice(1);
    }
    if (word === "") continue;
    let found: readonly Alternative[];
    if (word === "{") {
      const end = rest.indexOf("}", at);
      const inside = rest.slice(at + 1, end < 0 ? rest.length : end);
      found = [[termOf(inside, nameOf(inside[0] ?? ""), parts)]];
      at = end < 0 ? rest.length : end;
    } else found = findAcl(word, parts);
    if (isNegated) found = negate(found, word);
    isNegated = false;
    if (current.length * found.length > MOST_ALTERNATIVES)
      return [[{ kind: "counter", why: "its ACLs have too many combinations" }]];
    current = current.flatMap((each) => found.map((other) => [...each, ...other]));
  }
  alternatives.push(...current);
  return words[start] === "unless" ? negate(alternatives, "unless") : alternatives;
}

const nameOf = (text: string): string => text.replaceAll(/\W+/g, "_");

const holding = (holds: Truth, words: Words): Term => ({ kind: "holds", holds, words });

const PREDEFINED: Readonly<Record<string, Truth>> = {
  TRUE: () => true,
  FALSE: () => false,
  HTTP: () => true,
  REQ_CONTENT: () => true,
  WAIT_END: () => true,
  "HTTP_1.0": () => false,
  "HTTP_1.1": () => true,
  LOCALHOST: ({ request }) => request.address === "127.0.0.1" || request.address === "::1",
};

function findAcl(name: string, parts: ConditionParts): readonly Alternative[] {
  const lines = parts.acls.get(name);
  if (lines !== undefined) {
    const terms = lines.map((line) => {
      parts.noteAcl(line);
      return termOf(line.words.slice(2), nameOf(name), parts);
    });
    const plain = terms.filter((term) => term.kind === "holds");
    if (plain.length < terms.length) return terms.map((term) => [term]);
    const holds: Truth = (passage) => plain.some((term) => term.holds(passage));
    return [
      [
        holding(
          holds,
          plain.flatMap(({ words }) => words),
        ),
      ],
    ];
  }
  const [, method] = /^METH_(\w+)$/.exec(name) ?? [];
  const holds =
    method === undefined
      ? PREDEFINED[name]
      : ({ request }: HaproxyPassage) =>
          request.method === method || (method === "GET" && request.method === "HEAD");
  return [
    [
      holds === undefined
        ? { kind: "unknown", name: nameOf(name), why: `no acl defines ${name}`, isNegated: false }
        : holding(holds, [name]),
    ],
  ];
}

/** Terms of a rate cannot be negated, because a rule refuses above a rate and not below it. */
function negate(alternatives: readonly Alternative[], name: string): readonly Alternative[] {
  const terms = alternatives.flat();
  const odd = terms.find(({ kind }) => kind !== "holds");
  if (odd?.kind === "unknown") return [[{ ...odd, isNegated: !odd.isNegated }]];
  if (odd !== undefined)
    return [[{ kind: "counter", why: `it holds below a rate (${name}), not above it` }]];
  const holds: Truth = (passage) =>
    !alternatives.some((each) => each.every((term) => (term as { holds: Truth }).holds(passage)));
  const words = terms.flatMap((term) => (term as { words: Words }).words);
  return [[holding(holds, ["!", ...words])]];
}

/** The rates that a rule can refuse by, and other counters, which are named and not read. */
const COUNTER = /^(?:sc(\d)?_|src_)(\w+)$/;

function termOf(words: Words, name: string, parts: ConditionParts): Term {
  const [fetch = "", ...others] = words;
  const call = callOf(splitOutside(fetch)[0]!);
  const [, glued, counter] = COUNTER.exec(call?.name ?? "") ?? [];
  if (counter !== undefined && counter !== "port") {
    const slot = call!.name.startsWith("src_") ? null : Number(glued ?? call!.args[0] ?? 0);
    const isSlotGiven = slot !== null && glued === undefined;
    const table = (isSlotGiven ? call!.args[1] : call!.args[0]) ?? null;
    return rateOf(fetch, counter, others, { slot, table, words });
  }
  if (/^table_\w+/.test(splitOutside(fetch)[1] ?? "") || /,table_/.test(fetch))
    return { kind: "counter", why: `it looks up a counter by ${fetch}` };
  if (/^(?:fe|be|srv)_(?:conn|req_rate|sess_rate)|^(?:conn|sess)_rate/.test(fetch))
    return { kind: "counter", why: `it counts ${fetch} of all clients` };
  const holds = matchOf(words, parts);
  if (!isFailure(holds)) return holding(holds, words);
  return fetch.startsWith("var(")
    ? { kind: "counter", why: `it compares a variable, and ${holds.message}` }
    : { kind: "unknown", name, why: holds.message, isNegated: false };
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^conn_/, "it counts connections, and a log has requests"],
  [/^http_req_cnt$/, "it counts without a period, for as long as the table has the client"],
  [/^http_(?:err|fail)_/, "it counts errors, which depend on responses"],
  [/^(?:k?bytes)_/, "it counts bytes"],
  [/^sess_/, "it counts sessions, and a log has requests"],
  [
    /^(?:get|inc|clr)_gp[ct]\d?$/,
    "it bans clients by a mark of the table, for as long as the table has them, and here none is banned",
  ],
];

function rateOf(
  fetch: string,
  counter: string,
  others: Words,
  term: Pick<RateTerm, "slot" | "table" | "words">,
): Term {
  const known = counter === "http_req_rate" || counter === "gpc0_rate";
  if (!known) {
    const [, why] = REASONS.find(([pattern]) => pattern.test(counter)) ?? [];
    return { kind: "counter", why: why ?? `this reader does not know the counter ${counter}` };
  }
  const plain = others.filter((word, at) => !(word === "-m" || others[at - 1] === "-m"));
  const [operator, number, ...rest] = plain;
  const isPlain = !fetch.includes("),") && rest.length === 0 && /^\d+$/.test(number ?? "");
  if (!isPlain || (operator !== "gt" && operator !== "ge"))
    return {
      kind: "counter",
      why: `this reader compares a rate by gt or ge and a number, and not by "${others.join(" ")}"`,
    };
  return {
    kind: "rate",
    rate: { ...term, counter, above: operator === "gt" ? Number(number) : Number(number) - 1 },
  };
}

/** Endings of fetches that choose how they match, as in path_beg. */
const ENDING = /^(path|url|base|hdr|urlp|url_param|cook)_(beg|dir|dom|end|len|reg|sub)(\(.*)?$/s;

function matchOf(words: Words, parts: ConditionParts): Truth | Failure {
  const [first = "", ...others] = words;
  const [, base, ending, args = ""] = ENDING.exec(first) ?? [];
  const fetch = base === undefined ? first : `${base}${args}`;
  const options = optionsOf(others);
  if (isFailure(options)) return options;
  const patterns = [...options.values];
  for (const file of options.files) {
    const found = parts.patternsOf(file);
    if (found === null) return new Failure(`the file ${file} is not here`);
    patterns.push(...found);
  }
  const sample = sampleOf(fetch, parts.headers);
  if (isFailure(sample)) return sample;
  const method = ending ?? options.method ?? usualMethod(fetch);
  const match = matcherOf(method, patterns, options.isLoose);
  if (isFailure(match)) return match;
  return (passage) => match(sample(passage));
}

function usualMethod(fetch: string): string {
  if (fetch === "src" || /(?:^|\.)hdr_ip\(/.test(fetch) || /,ipmask\([^)]*\)$/.test(fetch))
    return "ip";
  return /^(?:always_|bool\()/.test(fetch) ? "bool" : "str";
}

interface MatchOptions {
  readonly method: string | null;
  readonly isLoose: boolean;
  readonly files: Words;
  readonly values: Words;
}

function optionsOf(words: Words): MatchOptions | Failure {
  const files: string[] = [];
  let [method, isLoose, at]: [string | null, boolean, number] = [null, false, 0];
  for (; at < words.length; at++) {
    const word = words[at]!;
    if (word === "-i") isLoose = true;
    else if (word === "-m") method = words[++at] ?? null;
    else if (word === "-f") files.push(words[++at] ?? "");
    else if (word === "-n") continue;
    else if (word === "--") {
      at++;
      break;
    } else if (/^-[a-zA-Z]$/.test(word))
      return new Failure(`this reader does not know the option ${word}`);
    else break;
  }
  return { method, isLoose, files, values: words.slice(at) };
}

type Matcher = (values: readonly string[]) => boolean;

function matcherOf(method: string, patterns: Words, isLoose: boolean): Matcher | Failure {
  const fold = (text: string): string => (isLoose ? text.toLowerCase() : text);
  const wanted = patterns.map(fold);
  const any =
    (isMatch: (value: string, pattern: string) => boolean): Matcher =>
    (values) =>
      values.some((value) => wanted.some((pattern) => isMatch(fold(value), pattern)));
  switch (method) {
    case "str":
      return any((value, pattern) => value === pattern);
    case "beg":
      return any((value, pattern) => value.startsWith(pattern));
    case "end":
      return any((value, pattern) => value.endsWith(pattern));
    case "sub":
      return any((value, pattern) => value.includes(pattern));
    case "dir":
      return any((value, pattern) => within(value, pattern, "/?"));
    case "dom":
      return any((value, pattern) => within(value, pattern, "/?.:"));
    case "found":
      return (values) => values.length > 0;
    case "bool":
      return (values) => values.some((value) => value !== "0");
    case "ip": {
      const networks = patterns.map(parseNetwork);
      if (networks.includes(null)) return new Failure(`"${patterns.join(" ")}" are no addresses`);
      return (values) => values.some((value) => networks.some((isIn) => isIn!(value)));
    }
    case "reg": {
      const all = patterns.map((pattern) => regexOf(pattern, { isLoose }));
      const bad = all.find(isFailure);
      if (bad !== undefined) return bad;
      return (values) => values.some((value) => all.some((regex) => (regex as RegExp).test(value)));
    }
    default:
      return new Failure(`this reader does not know how to match by ${method}`);
  }
}

/** Whether the value has the pattern as a whole part between any of the signs. */
function within(value: string, pattern: string, signs: string): boolean {
  const wanted = trim(trim(pattern, signs, true), signs, false);
  if (wanted === "") return false;
  for (let at = value.indexOf(wanted); at >= 0; at = value.indexOf(wanted, at + 1)) {
    const [before = "", after = ""] = [value[at - 1], value[at + wanted.length]];
    if (signs.includes(before) && signs.includes(after)) return true;
  }
  return false;
}

/** The only rate of an alternative, null if it has none, or why it cannot be read. */
export function rateIn(alternative: Alternative): RateTerm | null | Failure {
  const other = alternative.find(({ kind }) => kind === "counter");
  if (other?.kind === "counter") return new Failure(other.why);
  const rates = alternative.flatMap((term) => (term.kind === "rate" ? [term.rate] : []));
  if (rates.length > 1)
    return new Failure("it refuses by two rates at once, which this reader does not read");
  return rates[0] ?? null;
}

/** Answers whether an unknown term holds. */
export type AnswerOfCondition = (term: UnknownTerm) => boolean;

/** Whether the terms without a rate hold. */
export function truthOf(alternative: Alternative, answer: AnswerOfCondition): Truth {
  const truths = alternative.flatMap((term): readonly Truth[] => {
    if (term.kind === "holds") return [term.holds];
    if (term.kind !== "unknown") return [];
    const value = answer(term);
    return [() => value];
  });
  return (passage) => truths.every((holds) => holds(passage));
}

/** The words of the terms without a rate, by which conditions are compared. */
export const wordsOf = (alternative: Alternative): string =>
  alternative.flatMap((term) => (term.kind === "holds" ? term.words : [])).join(" ");
