// Reads limit-count and limit-req of APISIX 3: apisix.yaml of standalone mode, objects of the Admin API, files of ADC,
// and ApisixRoute, ApisixPluginConfig and ApisixGlobalRule of Kubernetes.
import { isFailure, type Failure } from "../../../kit/reading/failure.ts";
import type { ConfigurationReader, ReadConfiguration, ReadRule, RequestFacts } from "../reading.ts";
import { IRRELEVANT } from "../roles.ts";
import { findOnce } from "../rule-parts.ts";
import type { Source } from "../sources.ts";
import { resourcesIn, YamlReader } from "../yaml-reader.ts";
import { parseYaml, textIn, type YamlNode } from "../yaml-tree.ts";
import { readCount, readReq, type ApisixLimit } from "./limits.ts";
import { AUTHENTICATION, roleOfPlugin } from "./plugin-roles.ts";
import { readMatch, type RankOf } from "./routes.ts";

const LIMIT =
  /(?<![\w-])limit-(?:count|req)["']?\s*:|["']?name["']?\s*:\s*["']?limit-(?:count|req)\b/;

export const APISIX_READER: ConfigurationReader = {
  kind: "apisix",
  isProvedBy: "documentation",
  recognizes: ({ text }) =>
    /^[ -]*apiVersion:\s*["']?apisix\.apache\.org\//m.test(text) ||
    /^#END\b/m.test(text) ||
    (LIMIT.test(text) && /["']?plugins["']?\s*:/.test(text)),
  read: (main, _, values) => {
    const roots = parseYaml(main);
    return isFailure(roots) ? roots : new ApisixFile(main.file, resourcesIn(roots), values).read();
  },
};

type Plugins = ReadonlyMap<string, YamlNode>;

/** An entity with plugins. Those of a consumer come before those of a route, and these before those of a service. */
interface Holder {
  readonly name: string;
  readonly plugins: Plugins;
}

interface Route extends Holder {
  readonly below: readonly Holder[]; // plugin configuration and service
  readonly rankOf: RankOf;
}

const LISTS =
  /^(?:routes|services|upstreams|consumers|consumer_groups|global_rules|plugin_configs|plugin_metadata|stream_routes|ssls|secrets|protos|credentials|ssl|list|total|key|value|version|modifiedIndex|createdIndex|apiVersion|kind|metadata|spec|status)$/;

const OTHER_FIELDS =
  /^(?:id|name|desc|description|labels|upstream|upstream_id|enable_websocket|timeout|script|script_id|create_time|update_time|create_date|update_date|strip_path_prefix|path_prefix|backends|websocket|authentication|upstreams|annotations|tls|group_id|username)$/;

const READ_FIELDS = [
  ..."uri uris host hosts methods remote_addr remote_addrs priority vars filter_func".split(" "),
  ..."status plugins service_id plugin_config_id plugin_config_name match routes credentials".split(
    " ",
  ),
];

class ApisixFile extends YamlReader {
  readonly #routes: Route[] = [];
  readonly #global: Holder[] = [];
  readonly #consumers = new Map<string, Holder>(); // by name and by credential
  readonly #shared = new Map<string, Holder>(); // services and plugin configurations, by kind and id
  readonly #limits = new Map<YamlNode, readonly ApisixLimit[]>();

  read(): ReadConfiguration | Failure {
    const resources = this.roots.filter((root) => root.fields?.has("kind"));
    for (const root of this.roots) this.#readShared(root);
    for (const root of this.roots)
      if (resources.includes(root)) this.#readResource(root);
      else this.#readEntities(root);
    const consumerOf = this.#consumerSource();
    const rules = [
      ...this.#rulesOf(this.#global, consumerOf, () => true),
      ...this.#rulesOfRoutes(consumerOf),
    ];
    return this.finish(APISIX_READER.kind, "in turn", rules, () => IRRELEVANT);
  }

  #rulesOfRoutes(consumerOf: Source): readonly ReadRule[] {
    const holders = new Set<Holder>(this.#consumers.values());
    for (const route of this.#routes) for (const each of [route, ...route.below]) holders.add(each);
    const routeAt = findOnce((request) => routeOf(this.#routes, request));
    /** The one that has the plugin for a request. */
    const holderAt = (request: RequestFacts, plugin: string): Holder | null => {
      const route = routeAt(request);
      if (route === null) return null;
      const consumer = this.#consumers.get(consumerOf(request) ?? "");
      const all = [consumer, route, ...route.below];
      // The plugin cors comes before limits, and answers OPTIONS itself.
      if (request.method === "OPTIONS" && all.some((each) => each?.plugins.has("cors")))
        return null;
      return all.find((each) => each?.plugins.has(plugin)) ?? null;
    };
    return this.#rulesOf(
      [...holders],
      consumerOf,
      (request, plugin, holder) => holderAt(request, plugin) === holder,
    );
  }

  /** Rules of a plugin come before those of the next one. */
  #rulesOf(
    holders: readonly Holder[],
    consumerOf: Source,
    isCounted: (request: RequestFacts, plugin: string, holder: Holder) => boolean,
  ): readonly ReadRule[] {
    return [...READERS].flatMap(([plugin, readLimits]) =>
      holders.flatMap((holder) => {
        const node = holder.plugins.get(plugin);
        if (node === undefined) return [];
        const known = this.#limits.get(node) ?? readLimits(this, node, consumerOf);
        this.#limits.set(node, known);
        return known.map(({ name, group, clientOf, ...rest }) => ({
          ...rest,
          id: `${name} of ${holder.name}`,
          ...(group === "" ? {} : { counters: `group ${group}` }),
          file: this.file,
          isDryRun: false,
          budgetOf: (request) => (isCounted(request, plugin, holder) ? clientOf(request) : null),
        }));
      }),
    );
  }

  #readShared(root: YamlNode): void {
    for (const kind of ["services", "plugin_configs", "consumer_groups"])
      for (const node of this.list(root, kind)) {
        this.noteOthers(node, READ_FIELDS, OTHER_FIELDS);
        const id = textIn(node.fields?.get("id")) || textIn(node.fields?.get("name"));
        const what = kind.slice(0, -1).replace("_", " ");
        this.#shared.set(`${kind} ${id}`, this.#holderOf(`${what} ${id}`, node));
      }
    if (textIn(root.fields?.get("kind")) !== "ApisixPluginConfig") return;
    const id = textIn(root.fields?.get("metadata")?.fields?.get("name"));
    const spec = this.field(root, "spec");
    if (spec !== undefined)
      this.#shared.set(`plugin_configs ${id}`, this.#holderOf(`plugin config ${id}`, spec));
  }

  #readEntities(root: YamlNode): void {
    const isList = [...(root.fields?.keys() ?? [])].some((name) =>
      /^(?:routes|services|consumers|global_rules|plugin_configs|upstreams|list)$/.test(name),
    );
    if (isList) this.noteOthers(root, [], LISTS);
    for (const node of this.list(root, "global_rules"))
      this.#global.push(this.#holderOf(`global rule ${idOf(node)}`, node));
    for (const node of this.list(root, "consumers")) this.#readConsumer(node);
    for (const node of this.list(root, "routes")) this.#readRoute(node, null);
    for (const service of this.list(root, "services"))
      for (const node of this.list(service, "routes"))
        this.#readRoute(node, this.#shared.get(`services ${idOf(service)}`) ?? null);
    for (const each of this.list(root, "list")) {
      const value = this.field(each, "value");
      if (value !== undefined) this.#readRoute(value, null);
    }
    const value = this.field(root, "value");
    if (value?.fields?.has("plugins")) this.#readRoute(value, null);
    else if (!isList && root.fields?.has("plugins")) this.#readRoute(root, null);
  }

  #readResource(root: YamlNode): void {
    const kind = textIn(root.fields?.get("kind"));
    const name = textIn(root.fields?.get("metadata")?.fields?.get("name"));
    const spec = this.field(root, "spec");
    if (spec === undefined || kind === "ApisixPluginConfig") return;
    if (kind === "ApisixGlobalRule") this.#global.push(this.#holderOf(`global rule ${name}`, spec));
    else if (kind === "ApisixRoute")
      for (const node of this.list(spec, "http")) this.#readRoute(node, null);
    else if (spec.fields?.has("plugins")) this.#readExtension(kind, name, spec);
  }

  /** PluginConfig, Consumer and others: resources elsewhere refer to them. */
  #readExtension(kind: string, name: string, spec: YamlNode): void {
    const holder = this.#holderOf(`${kind} ${name}`, spec);
    const limit = [...READERS.keys()].map((plugin) => holder.plugins.get(plugin)).find(Boolean);
    if (limit === undefined) return;
    const isIn = this.takeRequests(name, limit, `other resources select the requests of ${kind}`);
    this.#routes.push({
      ...holder,
      below: [],
      rankOf: (request) => (isIn(request) ? [0, 0] : null),
    });
  }

  #readRoute(node: YamlNode, service: Holder | null): void {
    this.notes.note(node, "read");
    if (textIn(this.field(node, "status")) === "0") {
      this.notes.noteAll(node, "irrelevant");
      return;
    }
    this.noteOthers(node, READ_FIELDS, OTHER_FIELDS);
    const name = idOf(node);
    const below = [
      ["plugin_config_id", "plugin_configs"],
      ["plugin_config_name", "plugin_configs"],
      ["service_id", "services"],
    ].flatMap(([field, kind]) => {
      const id = this.text(node, field!);
      if (id === "") return [];
      const found = this.#shared.get(`${kind} ${id}`);
      if (found !== undefined) return [found];
      this.misunderstand(
        node.fields!.get(field!)!,
        "it is not in this file; if it limits requests, this limit is missing",
      );
      return [];
    });
    const match = this.field(node, "match") ?? node;
    this.#routes.push({
      ...this.#holderOf(`route ${name}`, node),
      below: service === null ? below : [...below, service],
      rankOf: readMatch(this, match, name),
    });
  }

  #readConsumer(node: YamlNode): void {
    this.noteOthers(node, READ_FIELDS, OTHER_FIELDS);
    const name = textIn(node.fields?.get("username"));
    const own = this.#holderOf(`consumer ${name}`, node);
    const group = this.#shared.get(`consumer_groups ${textIn(node.fields?.get("group_id"))}`);
    const consumer = { ...own, plugins: new Map([...(group?.plugins ?? []), ...own.plugins]) };
    this.#consumers.set(name, consumer);
    for (const each of this.list(node, "credentials")) {
      this.notes.noteAll(each, "irrelevant");
      const config = each.fields?.get("config")?.fields;
      const credential = textIn(config?.get("key") ?? config?.get("username"));
      if (credential !== "") this.#consumers.set(credential, consumer);
    }
    for (const [plugin, config] of own.plugins) {
      const credential = textIn(config.fields?.get("key") ?? config.fields?.get("username"));
      if (AUTHENTICATION.test(plugin) && credential !== "")
        this.#consumers.set(credential, consumer);
    }
  }

  /** Plugins are a map, or a list with names in Kubernetes. */
  #holderOf(name: string, node: YamlNode): Holder {
    const field = this.field(node, "plugins");
    const plugins = new Map<string, YamlNode>();
    const written = (field?.items ?? []).map((item): readonly [string, YamlNode, YamlNode] => [
      this.text(item, "name"),
      item.fields?.get("config") ?? item,
      item,
    ]);
    for (const [plugin, own] of field?.fields ?? []) written.push([plugin, own, own]);
    for (const [plugin, config, item] of written) {
      const isOff =
        item.fields?.get("enable")?.value === false ||
        textIn(config.fields?.get("_meta")?.fields?.get("disable")) === "true" ||
        config.fields?.get("disable")?.value === true;
      const { role, consequence } = isOff ? IRRELEVANT : roleOfPlugin(plugin);
      if (isOff || !READERS.has(plugin)) {
        this.notes.noteAll(item, "irrelevant");
        this.notes.note(item, role, consequence);
      } else this.notes.note(config, "read");
      const meta = config.fields?.get("_meta");
      for (const each of ["filter", "priority"]) {
        const changed = READERS.has(plugin) ? meta?.fields?.get(each) : undefined;
        if (changed !== undefined)
          this.misunderstand(
            changed,
            "it selects or orders requests of a limit, which is not read",
          );
      }
      if (!isOff) plugins.set(plugin, config);
    }
    return { name, plugins };
  }

  /** The name of the consumer; null without authentication. */
  #consumerSource(): Source {
    const holders = [
      ...this.#routes,
      ...this.#routes.flatMap(({ below }) => below),
      ...this.#global,
    ];
    const all = holders.flatMap(({ plugins }) => [...plugins]);
    const found = all.find(([name]) => AUTHENTICATION.test(name));
    if (found === undefined) return () => null;
    const [name, config] = found;
    const header = textIn(config.fields?.get("header"));
    const usual = name === "key-auth" ? "apikey" : "authorization";
    const source = this.takeSource(
      "consumer",
      `header:${(header || usual).toLowerCase()}`,
      config,
      `${name} finds the consumer of a request`,
    );
    return (request) => {
      const value = source(request);
      if (value === null) return null;
      const consumer = this.#consumers.get(value);
      return consumer === undefined ? value : consumer.name.replace("consumer ", "");
    };
  }
}

/** By priority: limit-count comes first. */
const READERS = new Map([
  ["limit-count", readCount],
  ["limit-req", readReq],
]);

const idOf = ({ fields, line }: YamlNode): string =>
  textIn(fields?.get("id")) || textIn(fields?.get("name")) || `at line ${line}`;

function routeOf(routes: readonly Route[], request: RequestFacts): Route | null {
  let found: { readonly route: Route; readonly rank: readonly number[] } | null = null;
  for (const route of routes) {
    const rank = route.rankOf(request);
    if (rank === null) continue;
    const at = rank.findIndex((value, index) => value !== found?.rank[index]);
    if (found === null || (at >= 0 && rank[at]! > found.rank[at]!)) found = { route, rank };
  }
  return found?.route ?? null;
}
