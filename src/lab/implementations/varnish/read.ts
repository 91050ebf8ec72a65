// Reads the limits of Varnish: calls of vsthrottle.is_denied in vcl_recv.
import { micros } from "../../../kit/units.ts";
import { Failure, isFailure } from "../../../kit/reading/failure.ts";
import { optionsFrom } from "../../../limiter/world/options.ts";
import { PROFILES } from "../../../limiter/spec/profiles.ts";
import { isSecret, MASK } from "../masked.ts";
import { parseNetwork } from "../networks.ts";
import type {
  ConfigurationFile,
  ConfigurationReader,
  Includes,
  ReadConfiguration,
  ReadRole,
  ReadRule,
  ReadStatement,
} from "../reading.ts";
import { Questions } from "../questions.ts";
import { misunderstood, READ } from "../roles.ts";
import { findOnce, nameApart } from "../rule-parts.ts";
import { parseVcl, type VclBranch, type VclDeclaration, type VclStatement } from "./parse.ts";
import type { DenialCall, ExpressionContext } from "./read-expressions.ts";
import { flowOf, runFlow, statusOf, type VclFlow } from "./read-flow.ts";
import { roleOf } from "./read-roles.ts";

export const VARNISH_READER: ConfigurationReader = {
  kind: "varnish",
  isProvedBy: "program",
  recognizes: ({ text }) =>
    /^[ \t\uFEFF]*(?:vcl\s+\d[\d.]*\s*;|sub\s+vcl_\w+\s*\{|import\s+vsthrottle\b)/m.test(text),
  read: (main: ConfigurationFile, includes: Includes, values: ReadonlyMap<string, string>) => {
    const declarations = expandVcl(main, includes, []);
    return isFailure(declarations) ? declarations : new VarnishReader(declarations, values).read();
  },
};

/** The declarations of a file, with those of included files in place of each `include`. */
export function expandVcl(
  file: ConfigurationFile,
  includes: Includes,
  within: readonly string[],
): readonly VclDeclaration[] | Failure {
  if (within.includes(file.file))
    return new Failure(`${file.file} includes itself, through ${within.join(", ")}`);
  const declarations = parseVcl(file);
  if (isFailure(declarations)) return declarations;
  const all: VclDeclaration[] = [];
  for (const declaration of declarations) {
    if (declaration.kind !== "include") {
      all.push(declaration);
      continue;
    }
    const files = includes(declaration.name);
    if (isFailure(files))
      return new Failure(
        ...files.problems.map((why) => `${declaration.file}:${declaration.line}: ${why}`),
      );
    for (const each of files) {
      const inner = expandVcl(each, includes, [...within, file.file]);
      if (isFailure(inner)) return inner;
      all.push(...inner);
    }
  }
  return all;
}

/** Each call is decided for each request, so that more would be compared for minutes. */
const MOST_CALLS = 1_000;

type Located = Pick<VclStatement, "file" | "line" | "source">;

class VarnishReader {
  readonly #declarations: readonly VclDeclaration[];
  readonly #headers = new Set<string>();
  readonly #set = new Set<string>(); // variables that every request has from the file
  readonly #roles = new Map<Located, ReadRole>();
  readonly #questions: Questions;
  readonly #calls: { readonly call: DenialCall; readonly at: VclBranch }[] = [];
  readonly #problems: string[] = [];
  readonly #read = new Set<string>(); // names of subroutines and ACLs that the flow has

  constructor(declarations: readonly VclDeclaration[], values: ReadonlyMap<string, string>) {
    this.#declarations = declarations;
    this.#questions = new Questions(values);
  }

  read(): ReadConfiguration | Failure {
    const flow = this.#flow();
    const [first] = this.#calls;
    if (this.#calls.length > MOST_CALLS)
      return new Failure(
        `${first!.at.file} has ${this.#calls.length} calls of vsthrottle, over ${MOST_CALLS}; split it`,
      );
    const rules = this.#rulesOf(flow);
    if (this.#problems.length > 0) return new Failure(...this.#problems);
    return {
      kind: VARNISH_READER.kind,
      order: "in turn",
      rules,
      headers: [...this.#headers],
      statements: this.#declarations.flatMap((each) => this.#statementsOf(each)),
      questions: this.#questions.all,
    };
  }

  #bodyOf(name: string): readonly VclStatement[] | null {
    const subs = this.#declarations.filter((each) => each.kind === "sub" && each.name === name);
    if (subs.length > 0) this.#read.add(name);
    return subs.length === 0 ? null : subs.flatMap(({ body }) => body);
  }

  #flow(): VclFlow {
    const expressions = this.#contextAt(null);
    return flowOf(
      this.#bodyOf("vcl_recv") ?? [],
      {
        expressions,
        contextAt: (branch) => this.#contextAt(branch),
        bodyOf: (name) => this.#bodyOf(name),
        noteCircle: ({ file, line, source }) =>
          void this.#problems.push(`${file}:${line}: ${source} calls itself; remove the circle`),
        noteUnknown: (statement, target) => {
          if (/^(?:req\.(?:url|method|http\..*)|client\.identity)$/.test(target))
            this.#note(
              statement,
              "not understood",
              `rules may read ${target}, and it keeps its value here`,
            );
        },
        noteSet: (target) => void this.#set.add(target),
      },
      ["vcl_recv"],
    );
  }

  /** `branch`: whose condition is read; null: it is the value of a variable. */
  #contextAt(branch: VclBranch | null): ExpressionContext {
    return {
      readHeader: (name) => {
        if (name !== "host" && !this.#set.has(`req.http.${name}`)) this.#headers.add(name);
      },
      aclTest: (name) => this.#aclTest(name),
      isSet: (name) => this.#set.has(name),
      addCall: (call) => void this.#calls.push({ call, at: branch! }),
      takeTruth: (source, isNegated) => {
        if (branch === null) return false;
        if (/throttle|ratelimit/i.test(source)) {
          this.#note(branch, "not understood", "its key or its numbers are not known here");
          return false;
        }
        const hasCall = branch.source.includes("vsthrottle.is_denied");
        return this.#takeTruth(branch, hasCall !== isNegated, source);
      },
    };
  }

  #takeTruth(at: VclBranch, isTaken: boolean, source: string): boolean {
    const value = this.#questions.takeValue(`condition_at_line_${at.line}`, `${isTaken}`, at);
    this.#note(at, "question", `this reader does not know ${source}; it is taken to be ${value}`);
    return value === "true";
  }

  #aclTest(name: string): ((address: string) => boolean) | null {
    const acl = this.#declarations.find((each) => each.kind === "acl" && each.name === name);
    if (acl === undefined) return null;
    this.#read.add(name);
    const entries = entriesOf(acl);
    const unknown = entries.find(({ isIn }) => isIn === null);
    if (unknown !== undefined)
      this.#note(
        acl,
        "not understood",
        `"${unknown.text}" is no address, and no client has it here`,
      );
    return (address) => {
      const found = entries.filter(({ isIn }) => isIn?.(address) === true);
      return found.length > 0 && found.every(({ isNegated }) => !isNegated);
    };
  }

  #note(at: Located, role: ReadRole["role"], consequence: string): void {
    const known = this.#roles.get(at);
    const both = known === undefined ? consequence : `${known.consequence}; ${consequence}`;
    const isGrave = known?.role === "not understood" || role === "not understood";
    this.#roles.set(at, { role: isGrave ? "not understood" : role, consequence: both });
  }

  /** Calls with an equal key and equal numbers have one bucket, whatever their expressions are. */
  #rulesOf(flow: VclFlow): readonly ReadRule[] {
    const outcomeOf = findOnce((request) => runFlow(flow, request, null));
    const rules = this.#calls.map(({ call, at }): ReadRule => {
      this.#noteCall(call, at);
      return {
        id: `${call.limit} of ${nameOfKey(call)} at line ${at.line}`,
        file: at.file,
        line: at.line,
        limit: { rate: call.limit, perUs: micros(call.periodUs) },
        counters: `${call.limit} in ${call.periodUs}, ${call.blockUs}`,
        options: optionsOf(call),
        isDryRun: false,
        status:
          at.body
            .map((each) => (each.kind === "return" ? statusOf(each.words) : null))
            .find((each) => each !== null) ?? 429,
        budgetOf: (request) => outcomeOf(request).met.get(call) ?? null,
        mayRefuse: (request) => {
          const { met, end } = outcomeOf(request);
          if (!met.has(call)) return false;
          const denied = runFlow(flow, request, call);
          return denied.status !== null && denied.end !== end;
        },
      };
    });
    return nameApart(rules);
  }

  #noteCall({ blockUs, isOptional }: DenialCall, at: VclBranch): void {
    if (isOptional)
      this.#note(
        at,
        "not understood",
        "vsthrottle denies every request without this header, and this reader does not count it",
      );
    if (blockUs > 0)
      this.#note(
        at,
        "not understood",
        "a client with requests while it is blocked stays blocked in vsthrottle 0.20, and not here",
      );
    if (!at.body.some(({ kind }) => kind === "return" || kind === "call"))
      this.#note(at, "not understood", "its block refuses nothing; a later subroutine may");
  }

  #statementsOf(declaration: VclDeclaration): readonly ReadStatement[] {
    const { kind, name, body } = declaration;
    const isRead = this.#read.has(name) && (kind === "sub" || kind === "acl");
    const head = this.#statementOf(declaration, isRead ? READ : roleOf(declaration.source, false));
    if (kind !== "sub") return [head];
    if (isRead) return [head, ...body.flatMap((each) => this.#statementsIn(each))];
    const inside = body.flatMap(listStatements).filter(({ source }) => /throttle/.test(source));
    return [
      { ...head, role: "irrelevant" },
      ...inside.map((each) => this.#statementOf(each, roleOf(each.source, false))),
    ];
  }

  #statementsIn(statement: VclStatement): readonly ReadStatement[] {
    if (statement.kind === "if")
      return statement.branches.flatMap((branch) => [
        this.#statementOf(branch, READ),
        ...branch.body.flatMap((each) => this.#statementsIn(each)),
      ]);
    if (statement.kind === "call" && this.#bodyOf(statement.name) === null)
      return [this.#statementOf(statement, UNKNOWN_SUB)];
    const isRead = statement.kind !== "other" && statement.kind !== "unset";
    return [this.#statementOf(statement, isRead ? READ : roleOf(statement.source, true))];
  }

  #statementOf(at: Located, otherwise: ReadRole): ReadStatement {
    const { file, line, source } = at;
    const text = isSecret(source) ? source.replaceAll(/"(?:[^"\\]|\\.)*"?/g, `"${MASK}"`) : source;
    return { file, line, text, ...(this.#roles.get(at) ?? otherwise) };
  }
}

const UNKNOWN_SUB = misunderstood("no file has this subroutine; it may limit or end requests");

const listStatements = (statement: VclStatement): readonly Located[] =>
  statement.kind === "if"
    ? statement.branches.flatMap((branch) => [branch, ...branch.body.flatMap(listStatements)])
    : [statement];

interface AclEntry {
  readonly text: string;
  readonly isNegated: boolean;
  readonly isIn: ((address: string) => boolean) | null;
}

/** Entries such as "10.0.0.0"/8; or ! "10.0.0.1"; */
function entriesOf({ words }: VclDeclaration): readonly AclEntry[] {
  const entries: AclEntry[] = [];
  for (const [at, word] of words.entries()) {
    if (word.kind !== "text") continue;
    const bits = words[at + 1]?.text === "/" ? `/${words[at + 2]?.text ?? ""}` : "";
    const text = word.text === "localhost" ? "127.0.0.1" : word.text;
    entries.push({
      text,
      isNegated: words[at - 1]?.text === "!",
      isIn: parseNetwork(text.includes("/") ? text : text + bits),
    });
  }
  return entries;
}

const nameOfKey = ({ source }: DenialCall): string =>
  source
    .split(/ (?=(?:name|text|number|sign) )/)
    .map((part) => part.replace(/^\w+ /, ""))
    .filter((part) => part !== "+")
    .join(" ");

/** How the profile varnish counts, with the time for which a refusal blocks the client. */
const optionsOf = ({ limit, blockUs }: DenialCall): ReadRule["options"] => {
  const { options, imitate } = PROFILES.varnish;
  const block = blockUs === 0 ? {} : { block: `${blockUs / 1_000}ms` };
  return optionsFrom({ ...options, burst: limit, imitate: { ...imitate, ...block } });
};
