// The names, comments, messages and titles of a TypeScript file.
import { parseSync, Visitor } from "rolldown/utils";
import type { TextKind } from "./patterns.ts";

export interface ProjectText {
  readonly kind: TextKind;
  readonly text: string;
  readonly line: number;
}

export interface CodeTexts {
  readonly texts: readonly ProjectText[];
  readonly exportedTypes: readonly string[];
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

const FUNCTIONS: ReadonlySet<string> = new Set(["ArrowFunctionExpression", "FunctionExpression"]);
const TITLED = /^(test|it|describe)$/;

export function textsOfCode(path: string, text: string): CodeTexts {
  const { program, comments } = parseSync(path, text, { lang: "ts" });
  const lineOf = lineFinder(text);
  const texts: ProjectText[] = [];
  const exportedTypes: string[] = [];
  const isTest = path.startsWith("test/");

  const add = (kind: TextKind, node: Node, name: string): void => {
    texts.push({ kind, text: name, line: lineOf(node.start) });
  };
  const addName = (node: unknown, isFunction = false): void => {
    const found = nameOf(node as Node | null);
    if (found === null) return;
    for (const part of partsOf(found)) add("identifier", node as Node, part);
    if (isFunction) add("function", node as Node, found);
  };
  const addPattern = (node: Node | null | undefined, isFunction = false): void => {
    for (const bound of boundIn(node)) addName(bound, isFunction);
  };
  const addParameters = (node: Node): void => {
    for (const parameter of (node["params"] as readonly Node[] | undefined) ?? [])
      addPattern(parameter);
  };
  const addFunction = (node: Node): void => {
    addName(node["id"], true);
    addParameters(node);
  };
  const addMember = (node: Node): void => {
    const value = (node["value"] ?? null) as Node | null;
    const typed = (node["typeAnnotation"] as { readonly typeAnnotation?: Node } | null | undefined)
      ?.typeAnnotation;
    const isFunction =
      node.type.includes("Method") ||
      (value !== null && FUNCTIONS.has(value.type)) ||
      typed?.type === "TSFunctionType";
    if (node["computed"] !== true) addName(node["key"], isFunction);
  };
  const addType = (node: Node): void => addName(node["id"]);

  const visitor = new Visitor({
    FunctionDeclaration: (node) => addFunction(node as unknown as Node),
    FunctionExpression: (node) => addParameters(node as unknown as Node),
    ArrowFunctionExpression: (node) => addParameters(node as unknown as Node),
    VariableDeclarator: (node) => {
      const { id, init } = node as unknown as { readonly id: Node; readonly init: Node | null };
      addPattern(id, init !== null && FUNCTIONS.has(init.type));
    },
    ClassDeclaration: (node) => addType(node as unknown as Node),
    TSInterfaceDeclaration: (node) => addType(node as unknown as Node),
    TSTypeAliasDeclaration: (node) => addType(node as unknown as Node),
    TSPropertySignature: (node) => addMember(node as unknown as Node),
    TSMethodSignature: (node) => addMember(node as unknown as Node),
    PropertyDefinition: (node) => addMember(node as unknown as Node),
    MethodDefinition: (node) => addMember(node as unknown as Node),
    ExportNamedDeclaration: (node) => {
      const declaration = (node as unknown as Node)["declaration"] as Node | null;
      if (
        declaration === null ||
        !/^(TS(Interface|TypeAlias)|Class)Declaration$/.test(declaration.type)
      )
        return;
      const name = nameOf(declaration["id"] as Node);
      if (name === null) return;
      exportedTypes.push(name);
      add("type", declaration, name);
    },
    CallExpression: (node) => {
      const { callee, arguments: given } = node as unknown as {
        readonly callee: Node;
        readonly arguments: readonly Node[];
      };
      const first = given[0];
      if (!isTest || first === undefined || !TITLED.test(rootOf(callee))) return;
      const title = literalOf(first);
      if (title !== null) add("prose", first, title);
    },
    Literal: (node) => addMessage(node as unknown as Node),
    TemplateLiteral: (node) => addMessage(node as unknown as Node),
  });
  /** A string with a blank is for people; in tests it is data, and only titles are read. */
  function addMessage(node: Node): void {
    if (isTest) return;
    const message = literalOf(node);
    if (message !== null && /\S \S/.test(message) && /[a-z]{2}/i.test(message))
      add("message", node, message);
  }
  visitor.visit(program);
  for (const comment of joinedComments(comments, text))
    texts.push({ kind: "prose", text: comment.text, line: lineOf(comment.start) });
  return { texts, exportedTypes };
}

/** Where a name was split at its capitals, digits and underscores. */
const partsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .split(/[ _$#\d]+/)
    .filter((part) => part !== "");

function nameOf(node: Node | null): string | null {
  if (node === null) return null;
  return node.type === "Identifier" || node.type === "PrivateIdentifier"
    ? (node["name"] as string)
    : null;
}

/** The identifiers that a pattern binds, without those that only repeat the name of a field. */
function boundIn(node: Node | null | undefined): readonly Node[] {
  if (node === null || node === undefined) return [];
  switch (node.type) {
    case "Identifier":
      return [node];
    case "AssignmentPattern":
      return boundIn(node["left"] as Node);
    case "RestElement":
      return boundIn(node["argument"] as Node);
    case "TSParameterProperty":
      return boundIn(node["parameter"] as Node);
    case "ArrayPattern":
      return (node["elements"] as readonly (Node | null)[]).flatMap(boundIn);
    case "ObjectPattern":
      return (node["properties"] as readonly Node[]).flatMap((property) =>
        property["shorthand"] === true
          ? []
          : boundIn((property["value"] ?? property["argument"]) as Node),
      );
    default:
      return [];
  }
}

function rootOf(callee: Node): string {
  if (callee.type === "Identifier") return callee["name"] as string;
  if (callee.type === "MemberExpression") return rootOf(callee["object"] as Node);
  if (callee.type === "CallExpression" || callee.type === "TaggedTemplateExpression")
    return rootOf((callee["callee"] ?? callee["tag"]) as Node);
  return "";
}

/** The text of a string or a template, whose values become "…". */
function literalOf(node: Node): string | null {
  if (node.type === "Literal") return typeof node["value"] === "string" ? node["value"] : null;
  if (node.type !== "TemplateLiteral") return null;
  const pieces = node["quasis"] as readonly {
    readonly value: { readonly cooked: string | null };
  }[];
  return pieces.map(({ value }) => value.cooked ?? "").join("…");
}

interface Comment {
  readonly type: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** Lines of comments that follow one another are one text, because sentences go on from line to line. */
function joinedComments(
  comments: readonly Comment[],
  text: string,
): readonly { readonly text: string; readonly start: number }[] {
  const joined: { text: string; start: number; end: number }[] = [];
  for (const { type, value, start, end } of comments) {
    const last = joined.at(-1);
    const words = value.replaceAll(/^[ \t]*\*+ ?/gm, "").trimEnd();
    if (/^\s*(oxlint|eslint|oxfmt|@ts|prettier|Stryker)/i.test(words)) continue;
    if (
      type === "Line" &&
      last !== undefined &&
      /^[ \t]*\r?\n[ \t]*$/.test(text.slice(last.end, start))
    ) {
      last.text += `\n${words}`;
      last.end = end;
    } else joined.push({ text: words, start, end: type === "Line" ? end : -1 });
  }
  return joined;
}

function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
