// Reads the limits of Tyk: API definitions (classic and OAS), policies, keys and gateway options, of a file or folder.
import { isFailure, Failure } from "../../../kit/reading/failure.ts";
import type {
  ConfigurationFile,
  ConfigurationReader,
  Includes,
  ReadConfiguration,
} from "../reading.ts";
import { Questions } from "../questions.ts";
import { SOURCE_NAMES, sourceOf, type Source } from "../sources.ts";
import { YamlNotes, type YamlNode } from "../yaml-tree.ts";
import { placeOfApi, readClassic, readOas, type TykApi } from "./read-apis.ts";
import { isTyk, readTykFile, type TykDocument, type TykFile } from "./read-documents.ts";
import { fieldOf, isTrue, type TykContext } from "./read-limits.ts";
import { readPattern } from "./read-pattern.ts";
import { filesOf, readOptions } from "./read-options.ts";
import { roleOfField } from "./read-roles.ts";
import { rulesOf } from "./read-rules.ts";
import {
  readAllotment,
  sessionOf,
  sessionOfKey,
  type TykAllotment,
  type TykSession,
} from "./read-sessions.ts";

export const TYK_READER: ConfigurationReader = {
  kind: "tyk",
  isProvedBy: "program",
  readsFolders: true,
  recognizes: isTyk,
  read: (main: ConfigurationFile, includes: Includes, values: ReadonlyMap<string, string>) =>
    new TykReader(main, values).read(includes),
};

const RATE_LIMIT_PATTERN = "rate_limit_pattern";

class TykReader {
  readonly #main: ConfigurationFile;
  readonly #notes = new YamlNotes();
  readonly #headers = new Set<string>();
  readonly #questions: Questions;
  readonly #problems: string[] = [];
  readonly #files: TykFile[] = [];
  readonly #context: TykContext;

  constructor(main: ConfigurationFile, values: ReadonlyMap<string, string>) {
    this.#main = main;
    this.#questions = new Questions(values);
    this.#context = {
      notes: this.#notes,
      questions: this.#questions,
      problems: this.#problems,
      isOn: (path) => this.#isOn(path),
    };
  }

  read(includes: Includes): ReadConfiguration | Failure {
    const failed = this.#readFiles(includes);
    if (failed !== null) return failed;
    const options = this.#documents("options")[0] ?? null;
    const allotments = [...this.#documents("policy"), ...this.#documents("key")].map((document) =>
      readAllotment(document, this.#context),
    );
    const written = [
      ...this.#documents("classic").map((document) => readClassic(document, this.#context)),
      ...this.#documents("oas").map((document) => readOas(document, this.#context)),
    ];
    for (const { id, file, node } of written)
      if (written.filter((api) => api.id === id).length > 1)
        this.#problems.push(`${file}:${node.line}: two APIs have the id ${id}; keep one`);
    const apis = written.length > 0 ? written : this.#apisOf(allotments);
    if (written.length > 0) this.#noteMissing(allotments, written);
    const world = {
      apis,
      ...this.#sessionsOf(allotments, apis),
      clientOf: this.#clientOf(allotments),
      options: readOptions(options, this.#context, { file: this.#main.file, line: 1 }),
    };
    const rules = rulesOf(world, this.#context);
    if (this.#problems.length > 0) return new Failure(...new Set(this.#problems));
    return {
      kind: TYK_READER.kind,
      order: "in turn",
      rules,
      headers: [...this.#headers],
      statements: this.#files.flatMap(({ file, roots }) =>
        this.#notes.statements(file, roots, roleOfField),
      ),
      questions: this.#questions.all,
    };
  }

  #documents(type: TykDocument["type"]): readonly TykDocument[] {
    return this.#files.flatMap(({ documents }) => documents.filter((each) => each.type === type));
  }

  /** Reads the main file, the other files of its folder, and those that the gateway options name. */
  #readFiles(includes: Includes): Failure | null {
    const add = (written: ConfigurationFile): Failure | null => {
      if (this.#files.some(({ file }) => file === written.file)) return null;
      const read = readTykFile(written);
      if (isFailure(read)) return read;
      if (read.documents.length > 0 || written === this.#main) this.#files.push(read);
      return null;
    };
    for (const file of [this.#main, ...(this.#main.others ?? [])]) {
      if (file !== this.#main && !isTyk(file)) continue;
      const failed = add(file);
      if (failed !== null) return failed;
    }
    const [options, second] = this.#documents("options");
    if (second !== undefined)
      return new Failure(
        `${second.file}:${second.node.line}: ${options!.file} has gateway options too; keep one of both`,
      );
    if (options === undefined || this.#main.others !== undefined) return null;
    for (const file of filesOf(options, includes, this.#context)) {
      const failed = add(file);
      if (failed !== null) return failed;
    }
    return null;
  }

  /** Whether an option of the gateway is on; without a file of options, Tyk's own default is a question. */
  #isOn(path: string): boolean {
    const options = this.#documents("options")[0];
    const name = path.split(".").at(-1)!;
    if (options === undefined) {
      const place = { file: this.#main.file, line: 1 };
      return this.#questions.takeValue(name, "false", place) === "true";
    }
    let found: YamlNode | null = options.node;
    for (const part of path.split(".")) {
      found = fieldOf(found, part);
      if (found !== null) this.#notes.note(found, "read");
    }
    return isTrue(found);
  }

  /** Without API definitions, each API of the policies and keys has a listen path that is a question. */
  #apisOf(allotments: readonly TykAllotment[]): readonly TykApi[] {
    const apis = new Map<string, TykApi>();
    const ids = new Set(allotments.flatMap(({ access }) => [...access.keys()]));
    for (const { access, node, file } of allotments)
      for (const id of access.keys()) {
        if (apis.has(id)) continue;
        const name = `listen_path_of_${id}`.replaceAll(/\W+/g, "_");
        const line = (fieldOf(node, "access_rights") ?? node).line;
        const taken = this.#questions.takeValue(name, ids.size === 1 ? "/" : `/${id}/`, {
          file,
          line,
        });
        this.#notes.note(
          fieldOf(node, "access_rights") ?? node,
          "question",
          `no file has the API ${id}; its requests are taken to begin with ${taken}, and --set ${name}=/PATH/ changes it`,
        );
        apis.set(id, {
          id,
          name: id,
          file,
          node,
          isActive: true,
          isKeyless: false,
          hasContext: true,
          hasLimits: true,
          hasQuotas: true,
          whole: null,
          endpoints: [],
          isRejected: () => false,
          isIgnored: () => false,
          ...placeOfApi({ listenPath: taken, domain: "", id, node, file }, this.#context),
        });
      }
    return [...apis.values()];
  }

  /** Notes APIs that policies and keys limit, and that no file has. */
  #noteMissing(allotments: readonly TykAllotment[], apis: readonly TykApi[]): void {
    const known = new Set(apis.flatMap(({ id, name }) => [id, name]));
    for (const { access } of allotments)
      for (const [id, { node }] of access)
        if (!known.has(id))
          this.#notes.note(
            node,
            "not understood",
            `no file has the API ${id}, so its requests are not limited here`,
          );
  }

  /** Which policies or key a client has: known of keys with their credential, and a question for all others. */
  #sessionsOf(
    allotments: readonly TykAllotment[],
    apis: readonly TykApi[],
  ): {
    readonly sessionAt: (client: string) => TykSession | null;
    readonly sessions: TykSession[];
  } {
    const policies = allotments.filter(({ type }) => type === "policy");
    const policyOf = (name: string): TykAllotment | null =>
      policies.find(({ id }) => id === name) ?? policies.find((each) => each.name === name) ?? null;
    const sessionOfAllotment = (each: TykAllotment): TykSession => {
      if (each.type === "policy") return { ...sessionOf([each], null), ...this.#patternOf([each]) };
      const own = each.policies.flatMap((name) => policyOf(name) ?? []);
      for (const name of each.policies)
        if (policyOf(name) === null)
          this.#notes.note(
            each.node,
            "not understood",
            `no file has its policy ${name}, so what the policy limits is missing`,
          );
      return each.policies.length === 0
        ? { ...sessionOfKey(each), ...this.#patternOf([each]) }
        : {
            ...sessionOf(own, each.root),
            ...this.#patternOf([each, ...own]),
            name: `key ${each.name}`,
          };
    };
    const byCredential = new Map(
      allotments
        .filter(({ credential }) => credential !== "")
        .map((key) => [key.credential, sessionOfAllotment(key)]),
    );
    const usual = this.#usualSession(allotments, apis, policyOf, sessionOfAllotment);
    return {
      sessionAt: (client) => byCredential.get(client) ?? usual,
      sessions: [...byCredential.values(), ...(usual === null ? [] : [usual])],
    };
  }

  #usualSession(
    allotments: readonly TykAllotment[],
    apis: readonly TykApi[],
    policyOf: (name: string) => TykAllotment | null,
    sessionOfAllotment: (each: TykAllotment) => TykSession,
  ): TykSession | null {
    const keyed = apis.filter(({ isKeyless, isActive }) => !isKeyless && isActive);
    if (keyed.length === 0) return null;
    const choices = allotments.filter(({ isActive }) => isActive);
    const [first] = choices.toSorted((a, b) => Number(b.type === "key") - Number(a.type === "key"));
    if (first === undefined) {
      for (const { node, file } of keyed) {
        this.#questions.takeValue("policy", "none", { file, line: node.line });
        this.#notes.note(
          node,
          "question",
          "no file has policies or keys, so keys are taken to have no limits; name a folder that has them",
        );
      }
      return null;
    }
    const { file, node } = first;
    const taken = this.#questions.takeValue("policy", first.id, { file, line: node.line });
    if (taken === "none") return null;
    const named = taken.split(",").map((name) => name.trim());
    const found = named.map(
      (name) => policyOf(name) ?? choices.find(({ id }) => id === name) ?? null,
    );
    for (const [index, each] of found.entries())
      if (each === null)
        this.#problems.push(
          `--set policy=${named[index]!} names no policy or key of the files; they are ${choices.map(({ id }) => id).join(", ")}, or none`,
        );
    const all = found.flatMap((each) => each ?? []);
    for (const each of allotments)
      if (!all.includes(each) && each.credential === "")
        this.#notes.note(
          each.node,
          "question",
          `no client is taken to have it; --set policy=${each.id} changes it`,
        );
    const [only] = all;
    if (only === undefined) return null;
    this.#notes.note(
      only.node,
      "question",
      `each client is taken to have a key of ${taken}; --set policy=NAME,NAME or none changes it`,
    );
    return all.length === 1
      ? sessionOfAllotment(only)
      : { ...sessionOf(all, null), ...this.#patternOf(all) };
  }

  /** The pattern in the metadata of a key and its policies, of which the last one wins. */
  #patternOf(allotments: readonly TykAllotment[]): Pick<TykSession, "pattern"> {
    const metadata = new Map(allotments.flatMap((each) => [...each.metadata]));
    const text = metadata.get(RATE_LIMIT_PATTERN) ?? "";
    if (text === "") return {};
    const pattern = readPattern(text, metadata, this.#headers);
    if (pattern !== null) return { pattern };
    const { node } = allotments.findLast((each) => each.metadata.get(RATE_LIMIT_PATTERN) === text)!;
    this.#notes.note(
      fieldOf(fieldOf(node, "meta_data"), RATE_LIMIT_PATTERN)!,
      "not understood",
      "it names what counts as a client by a variable that this reader does not know; --set client=header:NAME counts by a header",
    );
    return {};
  }

  /** Logs seldom have keys, so what a client is is a question. */
  #clientOf(allotments: readonly TykAllotment[]): Source {
    const [first] = allotments;
    if (first === undefined) return () => "";
    const { file, node } = first;
    const taken = this.#questions.takeValue("client", "remote_address", { file, line: node.line });
    const source = sourceOf(taken, this.#headers);
    if (source !== null) return source;
    this.#problems.push(`--set client=${taken} is no source; write ${SOURCE_NAMES}`);
    return () => null;
  }
}
