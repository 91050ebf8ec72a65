// What readers of configurations in YAML share: roles of fields, questions, problems, and hosts that a log may lack.
import { plainHost } from "./request-parts.ts";
import { Failure } from "../../kit/reading/failure.ts";
import { Questions } from "./questions.ts";
import type {
  ReadConfiguration,
  ReadRole,
  ReadRule,
  RequestFacts,
  RequestTest,
} from "./reading.ts";
import { UNKNOWN_FIELD } from "./roles.ts";
import { nameApart } from "./rule-parts.ts";
import { SOURCE_NAMES, sourceOf, type Source } from "./sources.ts";
import { childrenOf, textIn, YamlNotes, type YamlNode } from "./yaml-tree.ts";

/** A file with its documents. */
export interface YamlFile {
  readonly file: string;
  readonly roots: readonly YamlNode[];
}

export class YamlReader {
  readonly file: string;
  readonly roots: readonly YamlNode[]; // of all files
  readonly #files: readonly YamlFile[];
  readonly #fileOf = new Map<YamlNode, string>(); // of nodes in other files than the first one
  readonly notes = new YamlNotes();
  readonly headers = new Set<string>();
  readonly questions: Questions;
  readonly #problems: string[] = [];
  /** Whether names that differ only by letter case are one name. */
  readonly isLoose: boolean = false;

  constructor(
    file: string,
    roots: readonly YamlNode[],
    values: ReadonlyMap<string, string>,
    others: readonly YamlFile[] = [],
  ) {
    this.file = file;
    this.#files = [{ file, roots }, ...others];
    this.roots = this.#files.flatMap((each) => each.roots);
    this.questions = new Questions(values);
    for (const other of others) for (const root of other.roots) this.#place(root, other.file);
  }

  get isFolder(): boolean {
    return this.#files.length > 1;
  }

  #place(node: YamlNode, file: string): void {
    if (this.#fileOf.has(node)) return; // an alias, which may be in itself
    this.#fileOf.set(node, file);
    for (const child of childrenOf(node)) this.#place(child, file);
  }

  /** The file and line of a node. */
  placeOf(node: YamlNode): Pick<ReadRule, "file" | "line"> {
    return { file: this.#fileOf.get(node) ?? this.file, line: node.line };
  }

  /** A field, which is noted as read. */
  field(node: YamlNode | undefined, name: string): YamlNode | undefined {
    const field = this.find(node, name);
    if (field !== undefined) this.notes.note(field, "read");
    return field;
  }

  /** A field, which gets no role. */
  find(node: YamlNode | undefined, name: string): YamlNode | undefined {
    const field = node?.fields?.get(name);
    if (field !== undefined || !this.isLoose) return field;
    const wanted = name.toLowerCase();
    return [...(node?.fields?.values() ?? [])].find((each) => each.name.toLowerCase() === wanted);
  }

  text(node: YamlNode | undefined, name: string): string {
    return textIn(this.field(node, name));
  }

  /** The items of a field; a single value is a list of one. */
  list(node: YamlNode | undefined, name: string): readonly YamlNode[] {
    const field = this.field(node, name);
    if (field === undefined || (field.value === null && field.items === null)) return [];
    return field.items ?? [field];
  }

  texts(node: YamlNode | undefined, name: string): readonly string[] {
    return this.list(node, name).map(textIn);
  }

  /** Notes fields that are not read yet, if their names match, as irrelevant, and the others as unknown. */
  noteOthers(node: YamlNode | undefined, read: readonly string[], irrelevant: RegExp): void {
    for (const [name, field] of node?.fields ?? []) {
      if (read.some((each) => this.find(node, each) === field)) continue;
      if (irrelevant.test(name)) this.notes.noteAll(field, "irrelevant");
      else this.notes.note(field, UNKNOWN_FIELD.role, UNKNOWN_FIELD.consequence);
    }
  }

  misunderstand(node: YamlNode, consequence: string): void {
    this.notes.note(node, "not understood", consequence);
  }

  fail(node: YamlNode, what: string): void {
    const { file, line } = this.placeOf(node);
    this.#problems.push(`${file}:${line}: ${what}`);
  }

  /** A number of a field. Null: it has none, or a problem was noted. */
  number(node: YamlNode | undefined, name: string, isValid: NumberTest): number | null {
    const field = this.field(node, name);
    if (field === undefined || field.value === null) return null;
    const text = textIn(field).trim();
    const value = Number(text);
    if (text !== "" && Number.isFinite(value) && isValid.test(value)) return value;
    this.fail(field, `${name} is "${text}"; write ${isValid.words}`);
    return null;
  }

  /** A number of a variable, which is a question. Null: a problem was noted. */
  variableNumber(
    field: YamlNode,
    variable: { readonly name: string; readonly usual: string },
    isValid: NumberTest,
  ): number | null {
    const name = variable.name.replaceAll(/\W+/g, "_");
    const taken = this.take(name, variable.usual, field);
    this.notes.note(
      field,
      "question",
      `it is the variable ${name}; ${taken || "nothing"} is taken`,
    );
    if (taken !== "" && isValid.test(Number(taken))) return Number(taken);
    const what = taken === "" ? "has no default" : `is "${taken}"`;
    this.fail(
      field,
      `${field.name} is the variable ${name}, which ${what}; write --set ${name}=NUMBER`,
    );
    return null;
  }

  take(name: string, otherwise: string, node: YamlNode): string {
    const plain = name.replaceAll(/\W+/g, "_");
    return this.questions.takeValue(plain, otherwise, this.placeOf(node));
  }

  /** A source of requests that only production has. `why` begins the sentence of its consequence. */
  takeSource(name: string, otherwise: string, node: YamlNode, why: string): Source {
    const taken = this.take(name, otherwise, node);
    this.notes.note(leafOf(node), "question", `${why}; ${taken} is taken`);
    const source = sourceOf(taken, this.headers);
    if (source !== null) return source;
    const plain = name.replaceAll(/\W+/g, "_");
    this.fail(node, `--set ${plain}=${taken} is no source; write ${SOURCE_NAMES}`);
    return () => null;
  }

  /** Which requests a limit counts, if the file does not have it. */
  takeRequests(name: string, node: YamlNode, why: string): RequestTest {
    const source = this.takeSource(`requests_of_${name}`, "all", node, why);
    return (request) => source(request) !== null;
  }

  /** The value of a header, which the log has to have. */
  headerSource(name: string): Source {
    const header = name.toLowerCase();
    this.headers.add(header);
    return (request) => request.header(header) || null;
  }

  /** The host in lower case, without its port. Empty: the log does not have it, and every host fits. */
  hostOf({ host }: RequestFacts, node: YamlNode): string {
    const own = host || this.questions.takeValue("host", "", this.placeOf(node));
    return plainHost(own);
  }

  finish(
    kind: string,
    order: ReadConfiguration["order"],
    rules: readonly ReadRule[],
    usual: (path: string) => ReadRole,
  ): ReadConfiguration | Failure {
    if (this.#problems.length > 0) return new Failure(...this.#problems);
    const { questions } = this;
    return {
      kind,
      order,
      rules: nameApart(rules),
      headers: [...this.headers],
      statements: this.#files.flatMap((each) =>
        this.notes.statements(each.file, each.roots, usual),
      ),
      get questions() {
        return questions.all;
      },
    };
  }
}

/** The resources of Kubernetes in documents, some of which are lists of them. */
export const resourcesIn = (roots: readonly YamlNode[]): readonly YamlNode[] =>
  roots.flatMap((root) =>
    textIn(root.fields?.get("kind")) === "List" ? (root.fields?.get("items")?.items ?? []) : [root],
  );

/** The first field in a map: a question about the map itself would close it, with all that is open in it. */
function leafOf(node: YamlNode): YamlNode {
  const [first] = node.fields?.values() ?? [];
  return first === undefined ? node : leafOf(first);
}

export interface NumberTest {
  readonly test: (value: number) => boolean;
  readonly words: string;
}

export const WHOLE_FROM_1: NumberTest = {
  test: (value) => Number.isSafeInteger(value) && value >= 1,
  words: "an integer of at least 1",
};

export const WHOLE_FROM_0: NumberTest = {
  test: (value) => Number.isSafeInteger(value) && value >= 0,
  words: "an integer of at least 0",
};
