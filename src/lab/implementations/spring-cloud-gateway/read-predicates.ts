// Predicates of Spring Cloud Gateway: which requests a route has.
import { isFailure } from "../../../kit/reading/failure.ts";
import { parseNetwork } from "../networks.ts";
import type { RequestFacts, RequestTest } from "../reading.ts";
import { parametersOf, pathOf } from "../request-parts.ts";
import { regexOf } from "../regex.ts";
import { textIn, type YamlNode } from "../yaml-tree.ts";
import { hostTest, pathTest, valuesOf } from "./read-patterns.ts";

/** A predicate or filter, in its short form `Name=a,b` or its long form with `name` and `args`. */
export interface SpringCall {
  readonly name: string;
  readonly values: readonly string[]; // of the short form, or of all args in their order
  readonly args: ReadonlyMap<string, string>; // by name, without hyphens and in lower case
  readonly isShort: boolean;
}

export function callOf(node: YamlNode, resolve: (text: string) => string): SpringCall {
  if (node.fields === null) {
    const [, name = "", rest = ""] = /^([^=]*)(?:=(.*))?$/s.exec(textIn(node)) ?? [];
    return {
      name: name.trim(),
      values: valuesOf(resolve(rest)),
      args: new Map(),
      isShort: true,
    };
  }
  const args = new Map<string, string>();
  const values: string[] = [];
  const add = (each: YamlNode, path: string): void => {
    const children = each.items ?? [...(each.fields?.values() ?? [])];
    if (each.fields === null && each.items === null) {
      args.set(plainName(path), resolve(textIn(each)));
      values.push(resolve(textIn(each)));
    }
    for (const child of children)
      add(child, child.name === "" || path === "" ? path + child.name : `${path}.${child.name}`);
  };
  const written = node.fields.get("args");
  if (written !== undefined) add({ ...written, name: "" }, "");
  return { name: textIn(node.fields.get("name")), values, args, isShort: false };
}

/** Spring takes `burst-capacity` and `burstCapacity` as one name. */
const plainName = (name: string): string => name.replaceAll(/[-_]/g, "").toLowerCase();

type ReadPredicate = (call: SpringCall, headers: Set<string>) => RequestTest | null;

function valueTest(
  call: SpringCall,
  valuesIn: (request: RequestFacts, name: string) => readonly string[],
): RequestTest | null {
  const { values, args } = call;
  const name = args.get("header") ?? args.get("name") ?? args.get("param") ?? values[0] ?? "";
  const written = args.get("regexp") ?? (call.isShort ? values[1] : undefined);
  const regex = regexOf(written ?? "(?s).*", { isWhole: true });
  return isFailure(regex)
    ? null
    : (request) => valuesIn(request, name).some((value) => regex.test(value));
}

const PREDICATES: Readonly<Record<string, ReadPredicate>> = {
  Path: ({ values, args }) => {
    const isExact = args.get("matchtrailingslash") === "false" || values.includes("false");
    const tests = values
      .filter((each) => each.startsWith("/"))
      .map((pattern) => pathTest(pattern, isExact));
    return tests.includes(null) ? null : (request) => tests.some((test) => test!(pathOf(request)));
  },
  Method:
    ({ values }) =>
    ({ method }) =>
      values.some((each) => each.toUpperCase() === method),
  Host: ({ values }) => {
    const tests = values.filter((each) => !/^(?:true|false)$/.test(each)).map(hostTest);
    return tests.includes(null) ? null : ({ host }) => tests.some((test) => test!(host));
  },
  Header: (call, headers) => {
    const header = (call.args.get("header") ?? call.values[0] ?? "").toLowerCase();
    headers.add(header);
    return valueTest(call, (request) => {
      const value = request.header(header);
      return value === null ? [] : [value];
    });
  },
  Query: (call) => valueTest(call, (request, name) => parametersOf(request).getAll(name)),
  Cookie: (call, headers) => {
    headers.add("cookie");
    return valueTest(call, (request, name) =>
      (request.header("cookie") ?? "")
        .split(/;\s*/)
        .flatMap((each) => (each.startsWith(`${name}=`) ? [each.slice(name.length + 1)] : [])),
    );
  },
  RemoteAddr: ({ values }) => {
    const networks = values.map(parseNetwork);
    return networks.includes(null)
      ? null
      : ({ address }) => networks.some((isIn) => isIn!(address));
  },
};

/** The test of a predicate. Null: this reader does not know it. */
export const predicateTest = (call: SpringCall, headers: Set<string>): RequestTest | null =>
  PREDICATES[call.name]?.(call, headers) ?? null;
