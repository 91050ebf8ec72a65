// The file of a user as Varnish is started with it: the way of a request through vcl_recv stays as it is.
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import type {
  VclDeclaration,
  VclStatement,
  VclToken,
} from "../../lab/implementations/varnish/parse.ts";
import { expandVcl, VARNISH_READER } from "../../lab/implementations/varnish/read.ts";
import { statusOf } from "../../lab/implementations/varnish/read-flow.ts";
import { startVarnishAt, VARNISH_MARGIN_US } from "./draw-varnish.ts";
import type { OwnProgram } from "./own-file.ts";

export const OWN_VARNISH: OwnProgram = {
  reader: VARNISH_READER,
  main: "limits.vcl",
  marginOf: () => VARNISH_MARGIN_US,
  decisionsOf: ({ rules }) => ({ refusals: [...new Set(rules.map(({ status }) => status))] }),
  startAt: startVarnishAt,
  filesOf: ({ main, includes }) => {
    const all = expandVcl(main, includes, []);
    if (isFailure(all)) return all;
    const subs = new StartedSubs(all);
    const lines = [
      ...all.filter(({ kind, name }) => kind === "acl" && subs.acls.has(name)).map(writeAcl),
      ...subs.lines,
    ];
    const [foreign] = subs.foreign;
    if (foreign !== undefined)
      return new Failure(
        `${foreign.file}:${foreign.line}: a condition calls a module that Varnish is started without here; take it out: ${foreign.source}`,
      );
    const version = all.find(({ kind }) => kind === "vcl")?.words[0]?.text ?? "4.1";
    return ({ generation }) => ({
      "limits.vcl": `vcl ${version};
${[...subs.modules].map((name) => `import ${name};`).join("\n")}
backend default none;
sub vcl_recv { if (req.url == "/weir-ready") { return (synth(204)); } }
${lines.join("\n")}
sub vcl_recv { return (synth(200)); }
sub vcl_synth { set resp.http.weir-generation = "${generation}"; return (deliver); }
`,
    });
  },
};

/** Modules that are installed with Varnish and change what rules read. */
const MODULES: ReadonlySet<string> = new Set([
  "std",
  "vsthrottle",
  "cookie",
  "header",
  "str",
  "var",
]);

/** What needs backends, and what changes no decision. */
const DROPPED =
  /^(?:set req\.(?:backend|backend_hint|grace|ttl|storage|esi)\b|std\.(?:log|syslog|rollback|cache_req_body)\b|ban\b|C\{|hash_data\b|new\b)/;

const THROTTLES = /\bvsthrottle\./;

/** The subroutines that requests run before Varnish looks for an object, as they are written. */
class StartedSubs {
  readonly lines: string[] = [];
  readonly acls = new Set<string>();
  readonly modules = new Set<string>(["vsthrottle"]);
  readonly foreign: VclStatement[] = []; // whose conditions call other modules
  readonly #all: readonly VclDeclaration[];
  readonly #called = new Map<string, boolean>(); // whether a denied request may run it
  readonly #imported: ReadonlySet<string>;

  constructor(all: readonly VclDeclaration[]) {
    this.#all = all;
    this.#imported = new Set(all.flatMap(({ kind, name }) => (kind === "import" ? [name] : [])));
    this.#call("vcl_recv", false);
    for (const [name, mayBeDenied] of this.#called)
      this.lines.push(...this.#declare(name, mayBeDenied));
  }

  #subsOf(called: string): readonly VclDeclaration[] {
    return this.#all.filter(({ kind, name }) => kind === "sub" && name === called);
  }

  #call(name: string, mayBeDenied: boolean): void {
    const known = this.#called.get(name);
    if (known === true || known === mayBeDenied) return;
    this.#called.set(name, mayBeDenied);
    for (const { body } of this.#subsOf(name)) this.#callIn(body, mayBeDenied);
  }

  #callIn(statements: readonly VclStatement[], mayBeDenied: boolean): void {
    for (const each of statements)
      if (each.kind === "call") this.#call(each.name, mayBeDenied);
      else if (each.kind === "if")
        for (const [body, isDenied] of bodiesOf(each)) this.#callIn(body, mayBeDenied || isDenied);
  }

  #declare(name: string, mayBeDenied: boolean): readonly string[] {
    return this.#subsOf(name).flatMap(({ body }) => [
      `sub ${name} {`,
      ...body.flatMap((each) => this.#write(each, mayBeDenied)),
      "}",
    ]);
  }

  #write(statement: VclStatement, mayBeDenied: boolean): readonly string[] {
    if (statement.kind === "if") return this.#writeBranches(statement, mayBeDenied);
    if (statement.kind === "call")
      return this.#subsOf(statement.name).length === 0 ? [] : [`call ${statement.name};`];
    if (statement.kind === "return") return [writeReturn(statement.words, mayBeDenied)];
    const text =
      statement.kind === "unset"
        ? `unset ${statement.target}`
        : statement.kind === "set"
          ? `set ${statement.target} = ${this.#writeTokens(statement.value)}`
          : this.#writeTokens(statement.words);
    return DROPPED.test(text) || this.#isForeign(text) ? [] : [`${text};`];
  }

  #writeBranches(
    statement: VclStatement & { readonly kind: "if" },
    mayBeDenied: boolean,
  ): readonly string[] {
    const bodies = bodiesOf(statement);
    return statement.branches.flatMap(({ condition, body }, at) => {
      const text = condition === null ? "" : this.#writeTokens(condition);
      if (this.#isForeign(text)) this.foreign.push(statement);
      const head = condition === null ? "" : `if (${text}) `;
      const denied = mayBeDenied || bodies[at]![1];
      return [
        `${at === 0 ? "" : "else "}${head}{`,
        ...body.flatMap((each) => this.#write(each, denied)),
        "}",
      ];
    });
  }

  #writeTokens(tokens: readonly VclToken[]): string {
    for (const [at, { kind, text }] of tokens.entries()) {
      if (kind !== "name") continue;
      if (/^!?~$/.test(tokens[at - 1]?.text ?? "")) this.acls.add(text);
      const [module = ""] = text.split(".");
      if (text.includes(".") && MODULES.has(module)) this.modules.add(module);
    }
    return tokens.map(writeToken).join(" ");
  }

  /** Whether a text calls a module that is imported and not started. */
  #isForeign(text: string): boolean {
    return [...text.replaceAll(/"[^"]*"/g, "").matchAll(/\b([A-Za-z_]\w*)\.\w+ \(/g)].some(
      ([, module]) => !MODULES.has(module!) && this.#imported.has(module!),
    );
  }
}

/** The blocks of an `if`, and whether a denied request may run each. */
function bodiesOf({
  branches,
}: VclStatement & { readonly kind: "if" }): readonly (readonly [
  readonly VclStatement[],
  boolean,
])[] {
  const first = branches.findIndex(({ source }) => THROTTLES.test(source));
  return branches.map(({ body }, at) => [body, first >= 0 && at >= first]);
}

/** Only a denied request is refused, so that no other refusal is taken for one. */
function writeReturn(words: readonly VclToken[], mayBeDenied: boolean): string {
  if (words.length === 0) return "return;";
  if (words[0]!.text === "restart") return "return (restart);";
  const status = mayBeDenied ? statusOf(words) : null;
  return `return (synth(${status ?? 200}));`;
}

const writeToken = ({ kind, text }: VclToken): string =>
  kind !== "text" ? text : /["\n]/.test(text) ? `{"${text}"}` : `"${text}"`;

/** Names of hosts are left out: no client has them here. */
function writeAcl({ name, words }: VclDeclaration): string {
  const entries = words.map(writeToken).join(" ").split(";");
  const addresses = entries.filter((each) =>
    /"(?:[\d.]+|[\da-fA-F:]*:[\da-fA-F:.]*|localhost)"/.test(each),
  );
  return `acl ${name} { ${addresses.map((each) => `${each.trim()};`).join(" ")} }`;
}
