// Client selectors of Envoy Gateway: which requests a rule counts, and which of them have a budget of their own.
import { isFailure } from "../../../kit/reading/failure.ts";
import { parseNetwork } from "../networks.ts";
import { parametersOf } from "../request-parts.ts";
import type { RequestFacts } from "../reading.ts";
import { regexOf } from "../regex.ts";
import { textIn, type YamlNode, type YamlNotes } from "../yaml-tree.ts";
import { fieldOf, itemsOf } from "../kubernetes/resources.ts";

/** The part of a budget's name that a selector gives; null: the selector does not have the request. */
export type SelectorPart = (request: RequestFacts) => string | null;

export interface SelectorContext {
  readonly notes: YamlNotes;
  readonly headers: Set<string>;
  readonly fail: (node: YamlNode, what: string) => void;
}

const ONE = "";

const isInverted = (node: YamlNode): boolean => fieldOf(node, "invert")?.value === true;

/** All conditions of a rule have to hold, also those of different selectors. */
export function partsOf(rule: YamlNode, context: SelectorContext): readonly SelectorPart[] {
  const selectors = itemsOf(rule, "clientSelectors");
  const methods = selectors.flatMap((each) => itemsOf(each, "methods"));
  const ofMethods: readonly SelectorPart[] =
    methods.length === 0
      ? []
      : [
          ({ method }) =>
            methods.some((each) => (textIn(fieldOf(each, "value")) === method) !== isInverted(each))
              ? ONE
              : null,
        ];
  return [...ofMethods, ...selectors.flatMap((selector) => partsOfSelector(selector, context))];
}

function partsOfSelector(selector: YamlNode, context: SelectorContext): readonly SelectorPart[] {
  const known = ["headers", "methods", "path", "sourceCIDR", "queryParams"];
  if (!known.some((name) => fieldOf(selector, name) !== null))
    context.fail(selector, `a client selector needs one of ${known.join(", ")}`);
  for (const each of selector.fields?.values() ?? [])
    if (!known.includes(each.name))
      context.notes.note(
        each,
        "not understood",
        "this reader does not know it, and takes it to hold",
      );
  const path = fieldOf(selector, "path");
  const source = fieldOf(selector, "sourceCIDR");
  return [
    ...itemsOf(selector, "headers").flatMap((each) => {
      const name = textIn(fieldOf(each, "name")).toLowerCase();
      context.headers.add(name);
      return valuePart(
        each,
        (request) => (name === "host" ? request.host : request.header(name)),
        context,
      );
    }),
    ...(path === null ? [] : pathPart(path, context)),
    ...(source === null ? [] : sourcePart(source, context)),
    ...itemsOf(selector, "queryParams").flatMap((each) => {
      const name = textIn(fieldOf(each, "name"));
      return valuePart(each, (request) => parametersOf(request).get(name), context);
    }),
  ];
}

/** A header or a parameter: Exact, RegularExpression, or Distinct, which gives each value a budget. */
function valuePart(
  node: YamlNode,
  valueOf: (request: RequestFacts) => string | null,
  context: SelectorContext,
): readonly SelectorPart[] {
  const type = textIn(fieldOf(node, "type")) || "Exact";
  if (type === "Distinct") {
    if (isInverted(node)) context.fail(node, "a Distinct match cannot be inverted");
    return [valueOf];
  }
  const test = textTest(node, type, textIn(fieldOf(node, "value")), context);
  if (test === null) return [];
  return [
    (request) => {
      const value = valueOf(request);
      return (value !== null && test(value)) === isInverted(node) ? null : ONE;
    },
  ];
}

function textTest(
  node: YamlNode,
  type: string,
  value: string,
  { notes, fail }: SelectorContext,
): ((text: string) => boolean) | null {
  if (type === "Exact") return (text) => text === value;
  if (type !== "RegularExpression") {
    fail(node, `there is no match of the type ${type}; write Exact, RegularExpression or Distinct`);
    return null;
  }
  const regex = regexOf(value, { isWhole: true });
  if (!isFailure(regex)) return (text) => regex.test(text);
  notes.note(node, "not understood", "this reader cannot read its pattern, and takes it to match");
  return null;
}

/** Envoy compares the whole target, so that an exact path has no query. */
function pathPart(node: YamlNode, context: SelectorContext): readonly SelectorPart[] {
  const type = textIn(fieldOf(node, "type")) || "PathPrefix";
  const value = textIn(fieldOf(node, "value"));
  const part = (test: (target: string) => boolean): readonly SelectorPart[] => [
    ({ target }) => (test(target) === isInverted(node) ? null : ONE),
  ];
  if (type !== "PathPrefix") {
    const test = textTest(node, type, value, context);
    return test === null ? [] : part(test);
  }
  if (value === "/") return part((target) => target.startsWith("/"));
  const start = value.replace(/\/$/, "");
  const isEnd = /^(?:$|[/?#;])/;
  return part((target) => target.startsWith(start) && isEnd.test(target.slice(start.length)));
}

function sourcePart(node: YamlNode, { fail }: SelectorContext): readonly SelectorPart[] {
  const value = textIn(fieldOf(node, "value"));
  const isIn = parseNetwork(value);
  if (isIn === null) {
    fail(node, `sourceCIDR needs a network such as 10.0.0.0/8; got ${JSON.stringify(value)}`);
    return [];
  }
  const isDistinct = textIn(fieldOf(node, "type")) === "Distinct";
  return [
    ({ address }) => {
      if (address === "" || isIn(address) === isInverted(node)) return null;
      return isDistinct ? address : ONE;
    },
  ];
}

/** The budget of a request by all parts of a rule; null: the rule does not count it. */
export function budgetBy(parts: readonly SelectorPart[], request: RequestFacts): string | null {
  const values: string[] = [];
  for (const part of parts) {
    const value = part(request);
    if (value === null) return null;
    values.push(value);
  }
  return values.filter((value) => value !== ONE).join(", ");
}
