// Reads the middleware rateLimit of Traefik 2 and 3: dynamic configurations in YAML and TOML, labels of containers, and
// Middleware and IngressRoute of Kubernetes.
import { isFailure, type Failure } from "../../../kit/reading/failure.ts";
import type {
  ConfigurationFile,
  ConfigurationReader,
  ReadConfiguration,
  ReadRule,
  RequestTest,
} from "../reading.ts";
import { IRRELEVANT, UNKNOWN_STEP } from "../roles.ts";
import { findOnce } from "../rule-parts.ts";
import { parseToml } from "../toml-tree.ts";
import { resourcesIn, YamlReader, type YamlFile } from "../yaml-reader.ts";
import { parseYaml, textIn, type YamlNode } from "../yaml-tree.ts";
import { treeOfLabels } from "./labels.ts";
import { readLimit, type TraefikLimit } from "./limits.ts";
import { parseRule } from "./rules.ts";

const OF_KUBERNETES = /^[ -]*apiVersion:\s*["']?traefik\.(?:io|containo\.us)\//m;
const IN_TOML = /^[ \t\uFEFF]*\[+\s*http\.(?:routers|middlewares)\b/im;
const HTTP = /^["']?http["']?:[ \t]*(?:#.*)?$/m;
const ROUTERS = /^[ \t]+["']?(?:routers|middlewares)["']?:/m;
const IN_LABELS = /traefik\.http\.(?:routers|middlewares)\./i;

export const TRAEFIK_READER: ConfigurationReader = {
  kind: "traefik",
  isProvedBy: "documentation",
  readsFolders: true,
  recognizes: ({ text }) =>
    OF_KUBERNETES.test(text) ||
    IN_TOML.test(text) ||
    ROUTERS.test(text.slice(HTTP.exec(text)?.index ?? text.length)) ||
    (IN_LABELS.test(text) && /^services:/m.test(text)),
  read: (main, _, values) => {
    const roots = rootsOf(main);
    if (isFailure(roots)) return roots;
    const others: YamlFile[] = [];
    for (const other of main.others ?? []) {
      if (!isOfTraefik(other)) continue;
      const own = rootsOf(other);
      if (isFailure(own)) return own;
      others.push({ file: other.file, roots: own });
    }
    return new TraefikFile(main.file, roots, values, others).read();
  },
};

const HAS_ENTRY_POINTS = /^\uFEFF?(?:["']?entryPoints["']?[ \t]*:|\[entryPoints\b)/im;

/** Whether another file of a folder may limit requests: Traefik's own options may, at their entry points. */
const isOfTraefik = (file: ConfigurationFile): boolean =>
  TRAEFIK_READER.recognizes(file) || HAS_ENTRY_POINTS.test(file.text);

function rootsOf(main: ConfigurationFile): readonly YamlNode[] | Failure {
  if (main.file.endsWith(".toml") || IN_TOML.test(main.text)) return parseToml(main);
  const roots = parseYaml(main);
  if (isFailure(roots)) return roots;
  const labels = IN_LABELS.test(main.text) ? treeOfLabels(roots) : null;
  return labels === null ? resourcesIn(roots) : [labels];
}

interface Middleware {
  readonly name: string;
  readonly node: YamlNode;
  readonly limit: TraefikLimit | null;
  readonly chain: readonly string[]; // middlewares in it
  readonly ends: boolean; // whether it may answer a request itself
}

interface Router {
  readonly name: string;
  readonly priority: number;
  readonly isIn: RequestTest;
  readonly middlewares: readonly Middleware[]; // without chains
  readonly entryPoints: readonly string[]; // empty: all
}

const ENDS =
  /^(?:ipwhitelist|ipallowlist|basicauth|digestauth|forwardauth|redirectregex|redirectscheme|inflightreq|circuitbreaker|plugin|errors|apikey|jwt|oidc|oauthintrospection|ldap|hmac|opa|waf|acp)$/;

const HARMLESS =
  /^(?:addprefix|stripprefix|stripprefixregex|replacepath|replacepathregex|headers|buffering|compress|contenttype|passtlsclientcert|retry|grpcweb|errors|encodedcharacters|snicert)$/;

const OTHER_ROUTER_FIELDS = /^(?:service|services|tls|observability|kind|syntax|rulesyntax)$/i;
const OTHER_HTTP_FIELDS = /^(?:services|serversTransports|models)$/i;
const OTHER_FIELDS =
  /^(?:tcp|udp|tls|providers|log|accessLog|api|global|serversTransport|metrics|tracing|ping|certificatesResolvers|experimental|core|spiffe|x-.*|services|networks|volumes|version|name|configs|secrets)$/i;

class TraefikFile extends YamlReader {
  override readonly isLoose = true;
  readonly #middlewares = new Map<string, Middleware>();
  readonly #routers: Router[] = [];
  readonly #names = new Set<string>(); // of routers

  readonly #words = this.isFolder ? "these files" : "this file";

  read(): ReadConfiguration | Failure {
    for (const root of this.roots) this.#readMiddlewares(root);
    for (const root of this.roots) this.#readRouters(root);
    const used = new Set(this.#routers.flatMap(({ middlewares }) => middlewares));
    for (const middleware of this.#middlewares.values())
      if (middleware.limit !== null && !used.has(middleware)) this.#addUnused(middleware);
    const entryPoint = this.#takeEntryPoint();
    const routers = this.#routers.filter(
      ({ entryPoints }) =>
        entryPoint === "" || entryPoints.length === 0 || entryPoints.includes(entryPoint),
    );
    const ordered = routers.toSorted((a, b) => b.priority - a.priority);
    const routerAt = findOnce((request) => ordered.find(({ isIn }) => isIn(request)) ?? null);
    const rules = routers.flatMap((router) =>
      router.middlewares.flatMap(({ name, limit }, index): readonly ReadRule[] => {
        if (limit === null) return [];
        const { clientOf, node, ...rest } = limit;
        return [
          {
            ...rest,
            id:
              router.name === ""
                ? `middleware ${name}`
                : `middleware ${name} of router ${router.name}`,
            ...this.placeOf(node),
            // In Redis all routers with the middleware count together, as all instances do.
            counters: rest.sharesCounters
              ? `middleware ${name}`
              : `${router.name} ${index} ${name}`,
            isDryRun: false,
            status: 429,
            budgetOf: (request) =>
              router.name === "" && router.isIn(request)
                ? clientOf(request)
                : routerAt(request) === router
                  ? clientOf(request)
                  : null,
          },
        ];
      }),
    );
    return this.finish(TRAEFIK_READER.kind, "in turn", rules, () => IRRELEVANT);
  }

  #readMiddlewares(root: YamlNode): void {
    const kind = textIn(this.find(root, "kind"));
    if (kind === "Middleware") {
      const spec = this.field(root, "spec");
      if (spec !== undefined) this.#readMiddleware(resourceName(root), spec);
    }
    if (kind !== "") return;
    this.noteOthers(root, ["http", "entryPoints"], OTHER_FIELDS);
    const points = this.field(root, "entryPoints");
    for (const point of points?.fields?.values() ?? []) {
      const list = this.find(this.find(point, "http"), "middlewares");
      if (list !== undefined)
        this.misunderstand(
          list,
          "middlewares of an entry point come before those of routers, and are not read",
        );
    }
    const http = this.field(root, "http");
    this.noteOthers(http, ["routers", "middlewares"], OTHER_HTTP_FIELDS);
    for (const node of this.field(http, "middlewares")?.fields?.values() ?? [])
      this.#readMiddleware(node.name, node);
  }

  #readMiddleware(name: string, node: YamlNode): void {
    this.notes.note(node, "read");
    if (this.#middlewares.has(name)) {
      this.misunderstand(node, `the first middleware ${name} is taken, and this one is not read`);
      return;
    }
    let [limit, chain, ends]: [TraefikLimit | null, readonly string[], boolean] = [null, [], false];
    for (const config of node.fields?.values() ?? []) {
      const type = config.name.toLowerCase();
      if (/^(?:ratelimit|chain)$/.test(type)) this.notes.note(config, "read");
      if (type === "ratelimit") limit = readLimit(this, config, name.replace(/^default\//, ""));
      else if (type === "chain")
        chain = this.list(config, "middlewares").map((each) => this.#nameOf(each, name));
      else {
        ends = ENDS.test(type);
        this.notes.noteAll(config, "irrelevant");
        if (type === "inflightreq")
          this.misunderstand(
            config,
            "it limits requests at the same time, which this reader does not read",
          );
        else if (!ends && !HARMLESS.test(type))
          this.misunderstand(config, UNKNOWN_STEP.consequence);
        else if (type === "plugin")
          this.misunderstand(
            config,
            "it is code; if it limits or ends requests, the result is wrong",
          );
      }
    }
    this.#middlewares.set(name, { name, node, limit, chain, ends });
  }

  /** The name of a middleware that a router or a chain refers to. A provider after `@` is left out. */
  #nameOf(node: YamlNode, from: string): string {
    if (node.fields === null) return textIn(node).replace(/@.*$/, "");
    const [namespace = "default"] = from.split("/");
    return `${this.text(node, "namespace") || namespace}/${this.text(node, "name")}`;
  }

  #readRouters(root: YamlNode): void {
    const kind = textIn(this.find(root, "kind"));
    if (kind === "IngressRoute") {
      const spec = this.field(root, "spec");
      const points = this.texts(spec, "entryPoints");
      for (const [index, node] of this.list(spec, "routes").entries())
        this.#readRouter(
          `${resourceName(root)}${index === 0 ? "" : ` ${index + 1}`}`,
          node,
          "match",
          points,
        );
    }
    if (kind !== "") return;
    for (const node of this.find(this.find(root, "http"), "routers")?.fields?.values() ?? [])
      this.#readRouter(node.name, node, "rule", this.texts(node, "entryPoints"));
    const routers = this.find(this.find(root, "http"), "routers");
    if (routers !== undefined) this.notes.note(routers, "read");
  }

  #readRouter(
    name: string,
    node: YamlNode,
    field: "rule" | "match",
    entryPoints: readonly string[],
  ): void {
    this.notes.note(node, "read");
    if (this.#names.has(name)) {
      this.misunderstand(node, `the first router ${name} is taken, and this one is not read`);
      return;
    }
    this.#names.add(name);
    this.noteOthers(node, [field, "priority", "middlewares", "entryPoints"], OTHER_ROUTER_FIELDS);
    const rule = this.field(node, field);
    const parsed = parseRule(textIn(rule), {
      headers: this.headers,
      hostOf: (request) => this.hostOf(request, rule ?? node),
    });
    const isIn = isFailure(parsed)
      ? this.takeRequests(
          `router_${name}`,
          rule ?? node,
          `this reader does not know the rule (${parsed.message})`,
        )
      : parsed;
    const middlewares = this.list(node, "middlewares").flatMap((each) =>
      this.#flatten(this.#nameOf(each, name), each, []),
    );
    const priority = Number(this.text(node, "priority")) || textIn(rule).length;
    this.#routers.push({ name, priority, isIn, middlewares, entryPoints });
    for (const [index, each] of middlewares.entries())
      if (each.ends && middlewares.slice(index + 1).some(({ limit }) => limit !== null))
        this.misunderstand(
          each.node,
          "it may answer requests before they are counted, and here they count",
        );
  }

  #flatten(name: string, node: YamlNode, above: readonly string[]): readonly Middleware[] {
    const found = this.#middlewares.get(name);
    if (found === undefined || above.includes(name)) {
      const why = found === undefined ? `is not in ${this.#words}` : "has itself in its chain";
      this.misunderstand(
        node,
        `the middleware ${name} ${why}; if it limits requests, this limit is missing`,
      );
      return [];
    }
    if (found.chain.length === 0) return [found];
    return found.chain.flatMap((each) => this.#flatten(each, found.node, [...above, name]));
  }

  /** A limit that no router of the file has: routers elsewhere may have it. */
  #addUnused(middleware: Middleware): void {
    const name = middleware.name.replace(/^default\//, "");
    const isIn = this.takeRequests(
      name,
      middleware.limit!.node,
      `no router of ${this.#words} has it`,
    );
    this.#routers.push({
      name: "",
      priority: 0,
      isIn,
      middlewares: [middleware],
      entryPoints: [],
    });
  }

  /** A log does not have the entry point, so routers of several ones are a question. Empty: of all. */
  #takeEntryPoint(): string {
    const named = this.#routers.map(({ entryPoints }) => entryPoints.toSorted().join());
    if (new Set(named.filter((each) => each !== "")).size < 2) return "";
    const otherwise = named.some((each) => each.split(",").includes("websecure"))
      ? "websecure"
      : "";
    return this.take("entry_point", otherwise, this.roots[0]!);
  }
}

function resourceName(root: YamlNode): string {
  const metadata = root.fields?.get("metadata")?.fields;
  return `${textIn(metadata?.get("namespace")) || "default"}/${textIn(metadata?.get("name"))}`;
}
