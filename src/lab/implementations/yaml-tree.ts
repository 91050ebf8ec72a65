// YAML of other programs as a tree with lines: anchors, aliases and merge keys are resolved, because people use them.
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  type Document,
} from "yaml";
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import { isSecret, MASK, maskText, maskValue } from "./masked.ts";
import { graver, READ } from "./roles.ts";
import type { ConfigurationFile, ReadRole, ReadStatement } from "./reading.ts";

type Scalar = string | number | boolean | null;

export interface YamlNode {
  readonly name: string; // of its field; empty for items of a list
  readonly line: number;
  readonly value: Scalar; // null for maps and lists
  readonly fields: ReadonlyMap<string, YamlNode> | null;
  readonly items: readonly YamlNode[] | null;
}

const DEEPEST = 64;
const MOST_NODES = 500_000; // aliases of aliases grow without bounds

/** The documents of a file. JSON is YAML too. */
export function parseYaml({ file, text }: ConfigurationFile): readonly YamlNode[] | Failure {
  const lineCounter = new LineCounter();
  const documents = parseAllDocuments(text.replace(/^\uFEFF/, ""), {
    lineCounter,
    prettyErrors: false,
    uniqueKeys: false,
    merge: false,
    version: "1.2",
    schema: "core",
  });
  const roots: YamlNode[] = [];
  for (const document of documents as readonly Document.Parsed[]) {
    const [error] = document.errors;
    if (error !== undefined)
      return new Failure(
        `${file}:${lineCounter.linePos(error.pos[0]).line}: this is not YAML: ${error.message}`,
      );
    const root = new TreeBuilder(document, lineCounter).build(file);
    if (isFailure(root)) return root;
    if (root.fields !== null || root.items !== null) roots.push(root);
  }
  return roots.length === 0
    ? new Failure(`${file} has no map or list; it is no configuration in YAML`)
    : roots;
}

class TreeBuilder {
  readonly #document: Document.Parsed;
  readonly #lines: LineCounter;
  #nodes = 0;
  #problem: string | null = null;

  constructor(document: Document.Parsed, lines: LineCounter) {
    this.#document = document;
    this.#lines = lines;
  }

  build(file: string): YamlNode | Failure {
    const root = this.#nodeOf(this.#document.contents, "", 1, 0);
    return this.#problem === null ? root : new Failure(`${file}:${this.#problem}`);
  }

  #nodeOf(written: unknown, name: string, line: number, depth: number): YamlNode {
    const node = isAlias(written) ? written.resolve(this.#document) : written;
    const empty = { name, line, value: null, fields: null, items: null };
    if (++this.#nodes > MOST_NODES || depth > DEEPEST)
      this.#problem ??= `${line}: values are nested more than ${DEEPEST} deep, or repeated by too many aliases`;
    if (this.#problem !== null) return empty;
    if (isScalar(node)) return { ...empty, value: scalarOf(node.value) };
    if (isSeq(node))
      return {
        ...empty,
        items: node.items.map((item) =>
          this.#nodeOf(item, "", this.#lineOf(item, line), depth + 1),
        ),
      };
    if (!isMap(node)) return empty;
    const fields = new Map<string, YamlNode>();
    const merged: YamlNode[] = [];
    for (const { key, value } of node.items) {
      const field = isScalar(key) ? String(key.value) : "";
      const at = this.#lineOf(key, line);
      const child = this.#nodeOf(value, field, at, depth + 1);
      if (field === "<<") merged.push(...(child.items ?? [child]));
      else if (fields.has(field)) this.#problem ??= `${at}: "${field}" is given twice; keep one`;
      else fields.set(field, child);
    }
    for (const each of merged)
      for (const [field, child] of each.fields ?? [])
        if (!fields.has(field)) fields.set(field, child);
    return { ...empty, fields };
  }

  #lineOf(node: unknown, otherwise: number): number {
    const range = isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range : null;
    return range === null || range === undefined ? otherwise : this.#lines.linePos(range[0]).line;
  }
}

const scalarOf = (value: unknown): Scalar =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? value
    : null;

export const childrenOf = ({ fields, items }: YamlNode): readonly YamlNode[] =>
  items ?? [...(fields?.values() ?? [])];

/** A scalar as text; empty for null, maps and lists. */
export const textIn = (node: YamlNode | null | undefined): string =>
  node?.value === null || node === null || node === undefined ? "" : String(node.value);

/** The roles of the fields of a file. */
export class YamlNotes {
  readonly #notes = new Map<YamlNode, ReadRole>();

  note(node: YamlNode, role: ReadStatement["role"], consequence = ""): void {
    const known = this.#notes.get(node);
    const both = [known?.consequence ?? "", consequence].filter((each) => each !== "");
    this.#notes.set(node, {
      role: known === undefined ? role : graver(known.role, role),
      consequence: [...new Set(both)].join("; "),
    });
  }

  /** Notes a field and everything in it. */
  noteAll(node: YamlNode, role: ReadStatement["role"]): void {
    this.note(node, role);
    for (const child of childrenOf(node)) this.noteAll(child, role);
  }

  /** Whether it has a note that the result may be wrong because of it. */
  #isOpen(node: YamlNode): boolean {
    return /^(?:question|not understood)$/.test(this.#notes.get(node)?.role ?? "");
  }

  /** A statement for each field. Fields without a note have the role of `usual` by their path. */
  statements(
    file: string,
    roots: readonly YamlNode[],
    usual: (path: string) => ReadRole,
  ): readonly ReadStatement[] {
    const pathTo = (node: YamlNode, path: string): string =>
      node.name === "" ? path : path === "" ? node.name : `${path}.${node.name}`;
    const opened = new Map<YamlNode, boolean>();
    const isIrrelevant = (path: string): boolean => usual(path).role === "irrelevant";
    /** Whether a field in it has a note, or may change a limit although it does not itself. */
    const isOpen = (node: YamlNode, path: string): boolean => {
      const known = opened.get(node);
      if (known !== undefined) return known;
      const found = childrenOf(node).some((child) => {
        const inner = pathTo(child, path);
        const isHidden = isIrrelevant(path) && !isIrrelevant(inner);
        return this.#notes.has(child) || isHidden || isOpen(child, inner);
      });
      opened.set(node, found);
      return found;
    };
    const statements: ReadStatement[] = [];
    /** `isHidden`: another field of its map has the name of a secret. */
    const visit = (node: YamlNode, path: string, isHidden = false): void => {
      const noted = this.#notes.get(node);
      const isField = node.name !== "";
      const hasOpen = isOpen(node, path);
      const role = noted ?? (hasOpen ? READ : usual(path));
      if (isField || noted !== undefined)
        statements.push({ file, line: node.line, text: statementText(node, isHidden), ...role });
      const isClosed = isField && (!hasOpen || /^(?:irrelevant|question)$/.test(noted?.role ?? ""));
      if (isClosed) return;
      const hides = isHidden || namesSecret(node);
      for (const child of childrenOf(node))
        if (!isListOfScalars(node) || this.#isOpen(child)) visit(child, pathTo(child, path), hides);
    };
    for (const root of roots) visit(root, "");
    return statements;
  }
}

const isListOfScalars = ({ items }: YamlNode): boolean =>
  items !== null && items.every((item) => item.fields === null && item.items === null);

/** Whether a map has the name of a secret, such as `name: x-api-key`, and its value in another field. */
const namesSecret = ({ fields }: YamlNode): boolean =>
  ["name", "key", "header"].some((name) => isSecret(textIn(fields?.get(name))));

const VALUE = /^(?:value|exact|prefix|suffix|contains|regex|\w+_?[mM]atch)$/;

/** A field with its value, or the first field of an item of a list. */
function statementText(node: YamlNode, isHidden: boolean): string {
  const { name, value, fields, items } = node;
  if (name === "") {
    const [first] = fields?.values() ?? [];
    return first === undefined
      ? `- ${textIn(node)}`
      : `- ${statementText(first, isHidden || namesSecret(node))}`;
  }
  if (isHidden && VALUE.test(name) && typeof value === "string") return `${name}: ${MASK}`;
  if (fields === null && items === null)
    return `${name}: ${value === null ? "null" : maskValue(name, String(value))}`;
  if (!isListOfScalars(node)) return `${name}:`;
  const inside = items!.map((item) => maskValue(name, textIn(item))).join(", ");
  return `${name}: [${isSecret(name) ? inside : maskText(inside)}]`;
}
