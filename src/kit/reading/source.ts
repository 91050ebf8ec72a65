// Parses a YAML file to plain values, and finds the line and column of a path. Values have no positions, because only
// problems need them.
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type ErrorCode,
  type Node,
  type Pair,
} from "yaml";
import { errorAt, type Path, type Problem, isVanishing, VANISHING } from "./problems.ts";
import type { ReadingCode } from "./codes.ts";
import { formatProblemAt } from "./problem-line.ts";
import type { Json } from "./shape.ts";

export interface PositionedProblem extends Problem {
  readonly file: string;
  readonly line: number; // from 1
  readonly column: number; // from 1
}

export interface YamlSource {
  /** Undefined if the text is not YAML, so that nothing can be decoded. */
  readonly value: Json | undefined;
  /** As `value`, but integers that a double cannot represent are bigints. */
  readonly exact: () => unknown;
  readonly problems: readonly PositionedProblem[];
  readonly place: (problem: Problem) => PositionedProblem;
  readonly lineOf: (path: Path) => number;
  /** Where the value at a path is in the text; null if it is not there as such. */
  readonly rangeOf: (path: Path) => TextRange | null;
}

/** Offsets in a text: from its first character to the one after its last. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

export const formatProblem = ({ file, line, column, ...problem }: PositionedProblem): string =>
  formatProblemAt(`${file}:${line}:${column}`, problem);

/** The deepest nesting that is read: deeper than people write, and shallow enough for recursive functions. */
const DEEPEST = 64;

/** How messages name a kind of file. */
export interface FileKind {
  readonly one: string;
  readonly many: string;
  readonly whenEmpty: string;
  readonly insteadOfAlias: string;
}

const readingProblem = (code: ReadingCode, path: Path, message: string, fix: string): Problem =>
  errorAt(code, path, message, fix);

export function readSource(file: string, text: string, kind: FileKind): YamlSource {
  const lineCounter = new LineCounter();
  const problems: PositionedProblem[] = [];
  const at = (offset: number, problem: Problem): PositionedProblem => {
    const { line, col } = lineCounter.linePos(offset);
    return { ...problem, file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const report = (offset: number, code: ReadingCode, message: string, fix = ""): void =>
    void problems.push(at(offset, readingProblem(code, [], message, fix)));
  const nothing = {
    value: undefined,
    exact: () => undefined,
    problems: problems,
    place: (problem: Problem) => at(0, problem),
    lineOf: () => 1,
    rangeOf: () => null,
  };

  // A byte order mark is no part of the text, and takes no column.
  const document = parseDocument(text.replace(/^\uFEFF/, ""), {
    lineCounter,
    prettyErrors: false,
    uniqueKeys: false,
    merge: false,
    version: "1.2",
    schema: "core",
    strict: true,
  });
  const tooDeep = document.errors.some(({ code }) => code === "RESOURCE_EXHAUSTION");
  // The parser fails at a depth that depends on the machine, so none of its other errors are reported.
  if (tooDeep) report(0, "SCN-YAML", "this is not YAML 1.2: collections are nested too deep");
  if (tooDeep) return nothing;
  // After a tab the parser misreads the rest of the file, so none of its other errors are reported.
  const isTabbed = document.errors.some(({ code }) => code === "TAB_AS_INDENT");
  for (const { code, pos, message } of document.errors)
    if (!isTabbed || code === "TAB_AS_INDENT") reportSyntax(code, pos[0], message, report, kind);
  if (document.directives.yaml.explicit === true)
    report(
      0,
      "SCN-YAML-FEATURE",
      "the file begins with a %YAML directive",
      `leave it out; ${kind.many} are YAML 1.2`,
    );
  if (document.errors.length > 0) return nothing;
  if (document.contents === null) {
    report(0, "SCN-VALUE", "the file is empty", kind.whenEmpty);
    return nothing;
  }

  const value = plainValue(document.contents, report, kind);
  return {
    value,
    exact: () => exactValue(document.contents),
    problems: problems,
    place: (problem) => at(offsetOf(document.contents, problem), problem),
    lineOf: (path) => lineCounter.linePos(startOf(walk(document.contents, path).node)).line,
    rangeOf: (path) => rangeIn(document.contents, path, text.startsWith("\uFEFF") ? 1 : 0),
  };
}

/** A value that a program has built, in the form of a parsed file. There is no text: positions are line 1, column 1. */
export const sourceOf = (file: string, value: Json): YamlSource => ({
  value,
  exact: () => value,
  problems: [],
  place: (problem) => ({ ...problem, file, line: 1, column: 1 }),
  lineOf: () => 1,
  rangeOf: () => null,
});

type Report = (offset: number, code: ReadingCode, message: string, fix?: string) => void;

function reportSyntax(
  code: ErrorCode,
  offset: number,
  message: string,
  report: Report,
  { one }: FileKind,
): void {
  if (code === "MULTIPLE_DOCS")
    report(
      offset,
      "SCN-YAML-FEATURE",
      "a second document begins here",
      `one file holds one ${one}`,
    );
  else report(offset, "SCN-YAML", `this is not YAML 1.2: ${message}`, syntaxFix(code, message));
}

/** The fix for the most frequent mistakes, for which the parser only names the broken rule. */
function syntaxFix(code: ErrorCode, message: string): string {
  if (code === "TAB_AS_INDENT") return "indent with spaces";
  return message.startsWith("Nested mappings") ? 'quote a string that has ": " in it' : "";
}

function rangeIn(top: Node | null, path: Path, offset: number): TextRange | null {
  const { node, isComplete } = walk(top, path);
  const range = isComplete ? node?.range : null;
  return range ? { from: range[0] + offset, to: range[1] + offset } : null;
}

const startOf = (node: Node | null): number => node?.range?.[0] ?? 0;

function plainValue(node: unknown, report: Report, kind: FileKind, depth = 0): Json {
  if (depth > DEEPEST) {
    report(
      isScalar(node) || isMap(node) || isSeq(node) ? startOf(node) : 0,
      "SCN-YAML",
      `collections are nested more than ${DEEPEST} deep here`,
    );
    return null;
  }
  if (isAlias(node)) {
    report(startOf(node), "SCN-YAML-FEATURE", `*${node.source} is an alias`, kind.insteadOfAlias);
    return null;
  }
  if (isScalar(node) || isMap(node) || isSeq(node)) {
    if (node.anchor !== undefined)
      report(
        startOf(node),
        "SCN-YAML-FEATURE",
        `&${node.anchor} is an anchor`,
        "write the value out where it is needed",
      );
    if (node.tag !== undefined)
      report(
        startOf(node),
        "SCN-YAML-FEATURE",
        `${node.tag.replace("tag:yaml.org,2002:", "!!")} is a tag`,
        "leave it out; quote a string that looks like a number",
      );
  }
  if (isScalar(node)) {
    if (typeof node.value === "number" && TOO_LONG.test(node.source ?? ""))
      report(startOf(node), "SCN-VALUE", "an integer has at most 40 digits");
    if (node.value === 0 && isVanishing(node.source ?? ""))
      report(startOf(node), "SCN-VALUE", `${node.source!.slice(0, 40)} ${VANISHING}`, "write 0");
    return scalarValue(node.value);
  }
  if (isSeq(node)) return node.items.map((item) => plainValue(item, report, kind, depth + 1));
  if (isMap(node)) {
    const entries = new Map<string, Json>();
    for (const pair of node.items) {
      const name = nameOf(pair);
      const offset =
        isScalar(pair.key) || isMap(pair.key) || isSeq(pair.key)
          ? startOf(pair.key)
          : startOf(node);
      if (name === null) report(offset, "SCN-YAML", "the name of a field must be a string");
      else if (name === "<<")
        report(offset, "SCN-YAML-FEATURE", '"<<" is a merge key', "write the fields out");
      else if (entries.has(name))
        report(offset, "SCN-DUPLICATE-FIELD", `"${name}" is given twice`, "keep one of them");
      else entries.set(name, plainValue(pair.value, report, kind, depth + 1));
      if (isScalar(pair.key)) plainValue(pair.key, report, kind, depth + 1);
    }
    // `fromEntries` defines own fields, so that `__proto__` is a field like any other.
    return Object.fromEntries(entries);
  }
  return null;
}

/** An integer of more than 40 digits, which no record accepts. */
const TOO_LONG = /^[-+]?\d{41,}$/;

function scalarValue(value: unknown): Json {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? value
    : null;
}

/** The text of a field's name. A pasted document may have names such as 200, which YAML reads as numbers. */
function nameOf({ key }: Pair): string | null {
  if (!isScalar(key)) return null;
  if (typeof key.value === "string") return key.value;
  return typeof key.value === "number" || typeof key.value === "boolean"
    ? (key.source ?? `${key.value}`)
    : null;
}

function exactValue(node: unknown): unknown {
  if (isSeq(node)) return node.items.map(exactValue);
  if (isMap(node))
    return Object.fromEntries(
      node.items.map((pair) => [nameOf(pair) ?? "", exactValue(pair.value)]),
    );
  if (!isScalar(node)) return null;
  const { value, source = "" } = node;
  const isLarge = typeof value === "number" && !Number.isSafeInteger(value);
  return isLarge && /^-?\d+$/.test(source) ? BigInt(source) : scalarValue(value);
}

interface NodeAtPath {
  readonly node: Node | null;
  readonly name: Node | null; // the field's name, if the node is a field's value
  readonly isComplete: boolean; // false: the path continues below this node, but the file does not
}

/** The node at a path, or the nearest parent that the file has: a value from a matrix variable has no node. */
function walk(top: Node | null, path: Path): NodeAtPath {
  let found: NodeAtPath = { node: top, name: null, isComplete: true };
  for (const step of path) {
    const { node } = found;
    if (isMap(node)) {
      const pair = node.items.find((item) => nameOf(item) === String(step));
      if (pair === undefined) return { ...found, isComplete: false };
      found = {
        node: (pair.value as Node | null) ?? (pair.key as Node),
        name: pair.key as Node,
        isComplete: true,
      };
    } else if (isSeq(node)) {
      const item = node.items[Number(step)];
      if (item === undefined) return { ...found, isComplete: false };
      found = { node: item as Node, name: null, isComplete: true };
    } else return { ...found, isComplete: false };
  }
  return found;
}

const ABOUT_A_NAME = /-(?:UNKNOWN-FIELD|ONE-OF|UNUSED-AXIS)$/;

function offsetOf(top: Node | null, problem: Problem): number {
  const { node, name, isComplete } = walk(top, problem.path);
  return startOf(isComplete && name !== null && ABOUT_A_NAME.test(problem.code) ? name : node);
}

export interface ProblemLines {
  /** If there is an error, nothing may run. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

export function problemLinesOf(problems: readonly PositionedProblem[]): ProblemLines {
  const of = (wanted: PositionedProblem["severity"]): readonly string[] =>
    problems.filter(({ severity }) => severity === wanted).map(formatProblem);
  return { errors: of("error"), warnings: of("warning") };
}
