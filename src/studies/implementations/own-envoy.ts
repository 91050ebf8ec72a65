// The file of a user as Envoy is started with it: local rate limits and routes stay as they are.
import type { Json, JsonMap } from "../../kit/reading/shape.ts";
import { isFailure } from "../../kit/reading/failure.ts";
import { HTTP } from "../../lab/implementations/envoy-config.ts";
import { ENVOY_READER } from "../../lab/implementations/envoy/read.ts";
import { fieldOf } from "../../lab/implementations/envoy/read-matchers.ts";
import { nodesWith } from "../../lab/implementations/envoy/read-routes.ts";
import type { ReadConfiguration } from "../../lab/implementations/reading.ts";
import { parseYaml, textIn, type YamlNode } from "../../lab/implementations/yaml-tree.ts";
import { ENVOY_MARGIN_US } from "./draw-envoy.ts";
import { bootstrap, DECISIONS_OF_LOG, DISABLED, LOCAL, LOG_ARGS, READY } from "./envoy-words.ts";
import type { OwnProgram } from "./own-file.ts";

export const OWN_ENVOY: OwnProgram = {
  reader: ENVOY_READER,
  main: "envoy.json",
  marginOf: () => ENVOY_MARGIN_US,
  decisionsOf: () => DECISIONS_OF_LOG,
  startAt: () => ({ args: LOG_ARGS }),
  filesOf: ({ main, configuration }) => {
    const roots = parseYaml(main);
    if (isFailure(roots)) return roots;
    const manager = managerIn(roots, configuration);
    const filters = filtersOf(manager);
    const names = filters.map(({ name }) => name as string);
    const routes = routesFor(manager, roots);
    const { virtual_hosts: hosts = [], ...others } =
      routes === null ? {} : (write(routes, names) as JsonMap & { readonly virtual_hosts?: [] });
    const disabled = Object.fromEntries(names.map((name) => [name, DISABLED]));
    return (site) => {
      // Requests have no address as their host, so that only the check of readiness meets this one.
      const ready = {
        name: "weir-ready",
        domains: [`127.0.0.1:${site.port}`],
        routes: [{ ...READY, typed_per_filter_config: disabled }],
      };
      const own = {
        use_remote_address: false,
        ...fieldsOf(manager, IDENTIFYING),
        http_filters: [...filters, ROUTER],
        route_config: { ...others, virtual_hosts: [ready, ...hosts] },
      };
      return { "envoy.json": JSON.stringify(bootstrap(site, own, clustersIn(routes)), null, 1) };
    };
  },
};

const ROUTER: JsonMap = {
  name: "envoy.filters.http.router",
  typed_config: { "@type": `${HTTP}.router.v3.Router` },
};

/** What changes the address, the host or the path by which a request is counted. */
const IDENTIFYING: ReadonlySet<string> = new Set([
  "use_remote_address",
  "xff_num_trusted_hops",
  "skip_xff_append",
  "strip_any_host_port",
  "strip_matching_host_port",
  "strip_trailing_host_dot",
  "normalize_path",
  "merge_slashes",
  "path_with_escaped_slashes_action",
]);

/** What needs certificates, files or servers of the production. Of a direct response, the status decides. */
const DROPPED: ReadonlySet<string> = new Set([
  "require_tls",
  "request_mirror_policies",
  "body",

  "vhds",
  "validate_clusters",
  "tracing",
]);

const PER_FILTER = "typed_per_filter_config";

/** Envoy takes names of fields in two forms. */
const usualName = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The connection manager that the reader took. */
function managerIn(roots: readonly YamlNode[], { questions }: ReadConfiguration): YamlNode | null {
  const all = roots.flatMap((root) => nodesWith(root, "http_filters"));
  const prefix = questions.find(({ name }) => name === "stat_prefix")?.value;
  return (
    (prefix === undefined
      ? all.find((each) => nodesWith(each, "token_bucket").length > 0)
      : all.find((each) => textIn(fieldOf(each, "stat_prefix")) === prefix)) ??
    all[0] ??
    null
  );
}

function routesFor(manager: YamlNode | null, roots: readonly YamlNode[]): YamlNode | null {
  const own = fieldOf(manager, "route_config");
  if (own !== null) return own;
  const all = roots.flatMap((root) => nodesWith(root, "virtual_hosts"));
  const rds = fieldOf(manager, "rds");
  const name = textIn(fieldOf(rds, "route_config_name"));
  return all.find((each) => rds === null || textIn(fieldOf(each, "name")) === name) ?? null;
}

/** The local rate limits: other filters need services. */
function filtersOf(manager: YamlNode | null): readonly JsonMap[] {
  // Routes alone have limits for a filter that limits nothing itself.
  if (manager === null)
    return [
      {
        name: LOCAL,
        typed_config: { "@type": `${HTTP}.local_ratelimit.v3.LocalRateLimit`, stat_prefix: "own" },
      },
    ];
  return (fieldOf(manager, "http_filters")?.items ?? [])
    .filter((each) =>
      /local_?ratelimit/i.test(
        `${textIn(fieldOf(each, "name"))} ${textIn(fieldOf(fieldOf(each, "typed_config"), "@type"))}`,
      ),
    )
    .map((each) => write(each, null) as JsonMap);
}

const fieldsOf = (node: YamlNode | null, names: ReadonlySet<string>): JsonMap =>
  Object.fromEntries(
    [...(node?.fields?.values() ?? [])]
      .filter(({ name }) => names.has(usualName(name)))
      .map((each) => [usualName(each.name), write(each, null)]),
  );

/** A node as JSON. `filters`: of routes, which have configurations of these filters only; null: it is no route. */
function write(node: YamlNode, filters: readonly string[] | null): Json {
  if (node.items !== null) return node.items.map((each) => write(each, filters));
  if (node.fields === null) return node.value;
  const fields = [...node.fields.values()].filter(
    ({ name }) => filters === null || !DROPPED.has(usualName(name)),
  );
  return Object.fromEntries(
    fields.map((each) => {
      const name = usualName(each.name);
      if (filters === null) return [each.name, write(each, null)];
      if (name !== PER_FILTER) return [WRITTEN.has(name) ? name : each.name, write(each, filters)];
      return [name, fieldsOfFilters(each, filters)];
    }),
  );
}

/** Fields that are read again here. */
const WRITTEN: ReadonlySet<string> = new Set(["virtual_hosts"]);

const fieldsOfFilters = (node: YamlNode, filters: readonly string[]): JsonMap =>
  Object.fromEntries(
    [...(node.fields?.values() ?? [])]
      .filter(({ name }) => filters.includes(name))
      .map((each) => [each.name, write(each, null)]),
  );

/** The names of all clusters, which an action of a limit may read. */
function clustersIn(routes: YamlNode | null): readonly string[] {
  const names = new Set<string>();
  const add = (node: YamlNode): void => {
    const { name, value, fields, items } = node;
    if (name === "cluster" && typeof value === "string") names.add(value);
    if (usualName(name) === "weighted_clusters")
      for (const each of fieldOf(node, "clusters")?.items ?? [])
        names.add(textIn(fieldOf(each, "name")));
    for (const each of [...(fields?.values() ?? []), ...(items ?? [])]) add(each);
  };
  if (routes !== null) add(routes);
  return [...names];
}
