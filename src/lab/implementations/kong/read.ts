// Reads the plugins rate-limiting and rate-limiting-advanced of Kong 3 from its declarative configuration, and from
// KongPlugin of Kubernetes.
import { isFailure, type Failure } from "../../../kit/reading/failure.ts";
import type { ConfigurationReader, ReadConfiguration, ReadRule, RequestTest } from "../reading.ts";
import { IRRELEVANT } from "../roles.ts";
import { findOnce } from "../rule-parts.ts";
import type { Source } from "../sources.ts";
import { resourcesIn, YamlReader } from "../yaml-reader.ts";
import { parseYaml, textIn, type YamlNode } from "../yaml-tree.ts";
import { LIMITING, readPeriods, readWindows, type KongLimit } from "./limits.ts";
import { AUTHENTICATION, roleOfField, roleOfPlugin } from "./plugin-roles.ts";
import { readRoute, routeOf, type KongRoute } from "./routes.ts";

const OF_KUBERNETES = /^[ -]*apiVersion:\s*["']?configuration\.konghq\.com\//m;

export const KONG_READER: ConfigurationReader = {
  kind: "kong",
  isProvedBy: "documentation",
  recognizes: ({ text }) =>
    /^[ \t\uFEFF]*["']?_format_version["']?\s*:/m.test(text) || OF_KUBERNETES.test(text),
  read: (main, _, values) => {
    const roots = parseYaml(main);
    return isFailure(roots) ? roots : new KongFile(main.file, resourcesIn(roots), values).read();
  },
};

/** c: consumer, g: consumer group, r: route, s: service. Only the first plugin that a request has applies. */
const PRECEDENCE = ["crs", "grs", "cr", "cs", "gr", "gs", "rs", "c", "g", "r", "s", ""];

interface KongScope {
  readonly service: string | null;
  readonly route: string | null;
  readonly consumer: string | null;
  readonly group: string | null;
}

const GLOBAL: KongScope = { service: null, route: null, consumer: null, group: null };

interface KongPlugin extends KongScope {
  readonly name: string;
  readonly node: YamlNode;
  readonly config: YamlNode | undefined;
  readonly isIn: RequestTest; // for plugins whose requests the file does not have
}

interface KongConsumer {
  readonly name: string;
  readonly groups: readonly string[];
}

class KongFile extends YamlReader {
  readonly #plugins: KongPlugin[] = [];
  readonly #routes: KongRoute[] = [];
  readonly #consumers = new Map<string, KongConsumer>(); // by name and by credential
  readonly #isOldFormat = this.roots.some((root) =>
    /^[12]\./.test(textIn(root.fields?.get("_format_version"))),
  );

  read(): ReadConfiguration | Failure {
    for (const root of this.roots)
      if (root.fields?.has("kind")) this.#readResource(root);
      else this.#readEntities(root);
    const hasRoutes = this.roots.some((root) => root.fields?.has("_format_version"));
    if (!hasRoutes && this.#plugins.length === 0)
      this.fail(
        this.roots[0]!,
        textIn(this.roots[0]!.fields?.get("kind")) === "ConfigMap"
          ? "this is a ConfigMap; save the text in its data as a file of its own, and name that"
          : "this is no declarative file and has no KongPlugin; name the file with _format_version at its top",
      );
    const limiting = this.#plugins.filter(({ name }) => LIMITING.test(name));
    const consumerOf = findOnce(this.#consumerSource());
    const routeAt = findOnce((request) => routeOf(this.#routes, request));
    const pluginsAt = findOnce((request): readonly KongPlugin[] => {
      const route = hasRoutes ? routeAt(request) : null;
      if (hasRoutes && route === null) return [];
      if (request.method === "OPTIONS" && this.#answersPreflight(route)) return [];
      const met = limiting
        .filter(
          (plugin) =>
            plugin.isIn(request) && isAt(plugin, route, this.#consumerCalled(consumerOf(request))),
        )
        .toSorted((a, b) => precedenceOf(a) - precedenceOf(b));
      return met.filter(({ name }, at) => met.findIndex((each) => each.name === name) === at);
    });
    const limits = limiting.map((plugin) => this.#limitsOf(plugin, consumerOf));
    const order = limits.flat().every(({ countsAll }) => countsAll) ? "in turn" : "together";
    const rules = limiting.flatMap((plugin, at) =>
      this.#rulesOf(
        plugin,
        limits[at]!,
        (request) => (hasRoutes ? pluginsAt(request).includes(plugin) : plugin.isIn(request)),
        order,
      ),
    );
    return this.finish(KONG_READER.kind, order, rules, (path) =>
      hasRoutes ? roleOfField(path) : IRRELEVANT,
    );
  }

  /** The plugin cors comes first, and answers OPTIONS itself: a log does not have which of them are preflights. */
  #answersPreflight(route: KongRoute | null): boolean {
    const [found] = this.#plugins
      .filter((plugin) => plugin.name === "cors" && isAt(plugin, route, null))
      .toSorted((a, b) => precedenceOf(a) - precedenceOf(b));
    return (
      found !== undefined && textIn(found.config?.fields?.get("preflight_continue")) !== "true"
    );
  }

  #consumerCalled(name: string | null): KongConsumer | null {
    return name === null ? null : (this.#consumers.get(name) ?? { name, groups: [] });
  }

  #readEntities(root: YamlNode): void {
    for (const name of ["consumers", "consumer_groups", "services", "routes", "plugins"]) {
      const field = root.fields?.get(name);
      if (field !== undefined && field.items === null && field.value !== null)
        this.fail(field, `${name} is no list; write one, with a hyphen before each entry`);
    }
    for (const consumer of this.list(root, "consumers")) this.#readConsumer(consumer);
    for (const group of this.list(root, "consumer_groups")) {
      const name = textIn(group.fields?.get("name"));
      this.#readPlugins(group, { ...GLOBAL, group: name });
    }
    for (const [index, service] of this.list(root, "services").entries()) {
      const name = nameIn(service) || `number ${index + 1}`;
      this.#readPlugins(service, { ...GLOBAL, service: name });
      for (const route of this.list(service, "routes")) this.#readRoute(route, name);
    }
    for (const route of this.list(root, "routes"))
      this.#readRoute(route, this.#reference(route, "service"));
    this.#readPlugins(root, GLOBAL);
  }

  #readRoute(node: YamlNode, service: string | null): void {
    const name = this.text(node, "name") || `number ${this.#routes.length + 1}`;
    this.#routes.push(readRoute(this, node, { name, service }, this.#isOldFormat));
    this.#readPlugins(node, { ...GLOBAL, route: name });
  }

  #readConsumer(node: YamlNode): void {
    const name = nameIn(node) || `number ${this.#consumers.size + 1}`;
    const groups = this.list(node, "groups").map((each) => textIn(each) || nameIn(each));
    const consumer = { name, groups };
    this.#consumers.set(name, consumer);
    for (const [field, list] of node.fields ?? [])
      if (/_(?:credentials|secrets)$/.test(field))
        for (const each of list.items ?? []) {
          const credential = textIn(each.fields?.get("key") ?? each.fields?.get("username"));
          if (credential !== "") this.#consumers.set(credential, consumer);
        }
    this.#readPlugins(node, { ...GLOBAL, consumer: name });
  }

  /** An entity is named by its name, or by a map with its name or id. */
  #reference(node: YamlNode, name: string): string | null {
    const field = this.field(node, name);
    if (field === undefined) return null;
    return field.fields === null ? textIn(field) || null : nameIn(field);
  }

  #readPlugins(parent: YamlNode, scope: KongScope): void {
    for (const node of this.list(parent, "plugins")) {
      this.notes.note(node, "read");
      const own = {
        service: this.#reference(node, "service") ?? scope.service,
        route: this.#reference(node, "route") ?? scope.route,
        consumer: this.#reference(node, "consumer") ?? scope.consumer,
        group: this.#reference(node, "consumer_group") ?? scope.group,
      };
      const shared = textIn(this.field(node, "_config"));
      const config =
        this.roots.map((root) => root.fields?.get("_plugin_configs")?.fields?.get(shared))[0] ??
        node.fields?.get("config");
      const name = textIn(node.fields?.get("name"));
      if (this.#notePlugin(node, name, "name"))
        this.#plugins.push({ ...own, name, node, config, isIn: () => true });
    }
  }

  /** Whether it is on. */
  #notePlugin(node: YamlNode, name: string, field: "name" | "plugin"): boolean {
    if (
      node.fields?.get("enabled")?.value === false ||
      node.fields?.get("disabled")?.value === true
    ) {
      this.notes.noteAll(node, "irrelevant");
      return false;
    }
    if (LIMITING.test(name)) {
      this.field(node, field);
      return true;
    }
    const { role, consequence } = roleOfPlugin(name);
    this.notes.noteAll(node, "irrelevant");
    this.notes.note(node.fields?.get(field) ?? node, role, consequence);
    return true;
  }

  /** KongPlugin and KongClusterPlugin: annotations of other resources have the requests of a plugin. */
  #readResource(root: YamlNode): void {
    const name = textIn(root.fields?.get("plugin"));
    if (!/^Kong(?:Cluster)?Plugin$/.test(textIn(root.fields?.get("kind")))) return;
    if (!this.#notePlugin(root, name, "plugin")) return;
    const labels = root.fields?.get("metadata")?.fields?.get("labels")?.fields;
    const own = textIn(root.fields?.get("metadata")?.fields?.get("name")) || "plugin";
    const isGlobal = textIn(labels?.get("global")) === "true";
    const isIn =
      isGlobal || !LIMITING.test(name)
        ? (): boolean => true
        : this.takeRequests(
            own,
            root.fields!.get("plugin")!,
            "annotations of other resources select its requests",
          );
    this.#plugins.push({ ...GLOBAL, name, node: root, config: root.fields?.get("config"), isIn });
  }

  /** Without authentication there are no consumers, and addresses are counted. */
  #consumerSource(): Source {
    const found = this.#plugins.find(({ name }) => AUTHENTICATION.test(name));
    if (found === undefined) return () => null;
    const key = textIn(found.config?.fields?.get("key_names")?.items?.[0]) || "apikey";
    const header = found.name === "key-auth" ? key : "authorization";
    const source = this.takeSource(
      "consumer",
      `header:${header.toLowerCase()}`,
      found.node.fields?.get("name") ?? found.node,
      `${found.name} finds the consumer of a request`,
    );
    return (request) => {
      const value = source(request);
      return value === null ? null : (this.#consumers.get(value)?.name ?? value);
    };
  }

  #limitsOf({ name, node, config, service }: KongPlugin, consumer: Source): readonly KongLimit[] {
    if (config !== undefined) this.notes.note(config, "read");
    this.noteOthers(
      node,
      ["name", "plugin", "config", "_config", "service", "route", "consumer", "consumer_group"],
      /^(?:id|tags|enabled|disabled|protocols|instance_name|created_at|updated_at|kind|apiVersion|metadata|run_on)$/,
    );
    const readLimits = name === "rate-limiting" ? readPeriods : readWindows;
    return readLimits(this, node, config, {
      consumer,
      group: (request) => this.#consumerCalled(consumer(request))?.groups[0] ?? null,
      service: (request) => routeOf(this.#routes, request)?.service ?? service,
    });
  }

  #rulesOf(
    plugin: KongPlugin,
    limits: readonly KongLimit[],
    isCounted: RequestTest,
    order: ReadConfiguration["order"],
  ): readonly ReadRule[] {
    return limits.map(({ name, clientOf, namespace, countsAll, ...rest }) => {
      if (countsAll && limits.length > 1 && order === "together")
        this.misunderstand(
          plugin.config!.fields!.get("limit")!,
          "a window counts requests that another one refuses, and not here, because this file has plugins that do not",
        );
      return {
        ...rest,
        id: `${placeOf(plugin)}, ${name}`,
        file: this.file,
        ...(namespace === "" ? {} : { counters: `namespace ${namespace}, ${name}` }),
        ...(order === "in turn" ? { countsRefusedFrom: 0 } : {}),
        isDryRun: false,
        budgetOf: (request) => (isCounted(request) ? clientOf(request) : null),
      };
    });
  }
}

const nameIn = ({ fields }: YamlNode): string =>
  textIn(fields?.get("name")) ||
  textIn(fields?.get("username")) ||
  textIn(fields?.get("custom_id")) ||
  textIn(fields?.get("id"));

const isAt = (scope: KongScope, route: KongRoute | null, consumer: KongConsumer | null): boolean =>
  (scope.route === null || scope.route === route?.name) &&
  (scope.service === null || scope.service === route?.service) &&
  (scope.consumer === null || scope.consumer === consumer?.name) &&
  (scope.group === null || consumer?.groups.includes(scope.group) === true);

const precedenceOf = ({ consumer, group, route, service }: KongScope): number =>
  PRECEDENCE.indexOf(
    [consumer && "c", group && "g", route && "r", service && "s"].filter(Boolean).join(""),
  );

function placeOf({ consumer, group, route, service, node }: KongPlugin): string {
  const name = textIn(node.fields?.get("metadata")?.fields?.get("name"));
  if (name !== "") return `plugin ${name}`;
  const parts = [
    ["consumer", consumer],
    ["consumer group", group],
    ["route", route],
    ["service", service],
  ].flatMap(([what, of]) => (of === null ? [] : [`${what} ${of}`]));
  return parts.length === 0 ? "every request" : parts.join(" of ");
}
