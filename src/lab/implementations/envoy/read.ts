// Reads the limits of Envoy (envoy.filters.http.local_ratelimit) from a bootstrap, a listener or routes.
import { isOfKubernetes } from "../kubernetes/resources.ts";
import { micros } from "../../../kit/units.ts";
import { Failure, isFailure } from "../../../kit/reading/failure.ts";
import { optionsFrom } from "../../../limiter/world/options.ts";
import { PROFILES } from "../../../limiter/spec/profiles.ts";
import type {
  ConfigurationFile,
  ConfigurationReader,
  Includes,
  OpenQuestion,
  ReadConfiguration,
  ReadRule,
  RequestFacts,
} from "../reading.ts";
import { findOnce, nameApart } from "../rule-parts.ts";
import { childrenOf, parseYaml, textIn, YamlNotes, type YamlNode } from "../yaml-tree.ts";
import { descriptorsOf, type DescriptorOf, type EnvoyEntry } from "./read-actions.ts";
import {
  budgetIn,
  limiterOf,
  nameOfDescriptor,
  type EnvoyBucket,
  type LocalLimiter,
} from "./read-limiter.ts";
import { fieldOf, readField, type EnvoyContext } from "./read-matchers.ts";
import { roleOfField, roleOfFilter } from "./read-roles.ts";
import {
  hostAt,
  hostsOf,
  nodesWith,
  routeAt,
  appendAddress,
  textOfMatch,
  type EnvoyHost,
  type EnvoyRoute,
} from "./read-routes.ts";

const OWN_FIELD =
  /^[ \t\uFEFF{-]*["']?(?:static_resources|http_filters|httpFilters|virtual_hosts|virtualHosts|filter_chains|filterChains)["']?\s*:/m;

/** Other programs have such a field too. */
const RESOURCES = /^[ \t\uFEFF{-]*["']?resources["']?\s*:/m;

export const ENVOY_READER: ConfigurationReader = {
  kind: "envoy",
  isProvedBy: "program",
  recognizes: ({ text }) =>
    (OWN_FIELD.test(text) ||
      (RESOURCES.test(text) && text.includes("type.googleapis.com/envoy."))) &&
    !isOfKubernetes(text),
  read: (main: ConfigurationFile, _: Includes, values: ReadonlyMap<string, string>) => {
    const roots = parseYaml(main);
    return isFailure(roots) ? roots : new EnvoyReader(main.file, roots, values).read();
  },
};

const TYPE = /local_?ratelimit/i;

/** A filter, and the configurations of routes and hosts in place of its own. Null: it is disabled there. */
interface LocalFilter {
  readonly name: string;
  readonly own: LocalLimiter | null;
  readonly places: ReadonlyMap<YamlNode, LocalLimiter | null>;
}

interface Place {
  readonly host: EnvoyHost | null;
  readonly route: EnvoyRoute | null;
}

class EnvoyReader implements EnvoyContext {
  readonly notes = new YamlNotes();
  readonly headers = new Set<string>();
  readonly #file: string;
  readonly #roots: readonly YamlNode[];
  readonly #values: ReadonlyMap<string, string>;
  readonly #questions: OpenQuestion[] = [];
  readonly #problems: string[] = [];
  readonly #descriptors = new Map<YamlNode, readonly DescriptorOf[]>(); // of hosts and routes
  #hosts: readonly EnvoyHost[] = [];
  #shared = 0; // buckets of which a request may take several tokens
  #routes: YamlNode | null = null;
  #append = (request: RequestFacts): RequestFacts => request;

  constructor(file: string, roots: readonly YamlNode[], values: ReadonlyMap<string, string>) {
    this.#file = file;
    this.#roots = roots;
    this.#values = values;
  }

  fail = ({ line }: YamlNode, what: string): void =>
    void this.#problems.push(`${this.#file}:${line}: ${what}`);

  read(): ReadConfiguration | Failure {
    for (const node of this.#roots.flatMap(({ fields }) => fields?.get("static_resources") ?? []))
      if (node.value !== null)
        this.fail(node, `${node.name} is no map; write its listeners and clusters in it`);
    const manager = this.#manager();
    this.#append = appendAddress(manager, this);
    this.#routes = this.#routesOf(manager);
    this.#hosts = hostsOf(this.#routes, this);
    const filters = this.#filtersOf(manager);
    const stripsPort = ["strip_any_host_port", "strip_matching_host_port"].some(
      (name) => readField(manager, name, this)?.value === true,
    );
    const placeOf = findOnce((request): Place => {
      const host = hostAt(this.#hosts, request, stripsPort);
      return { host, route: routeAt(host, request) };
    });
    const rules = filters.flatMap((filter) => this.#rulesOf(filter, placeOf));
    if (this.#problems.length > 0) return new Failure(...this.#problems);
    for (const node of this.#roots.flatMap((root) => nodesWith(root, "rate_limits"))) {
      const list = fieldOf(node, "rate_limits")!;
      if (list.items?.length === 0) this.notes.note(list, "irrelevant");
    }
    return {
      kind: ENVOY_READER.kind,
      order: "in turn",
      rules: nameApart(rules),
      headers: [...this.headers],
      statements: this.notes.statements(this.#file, this.#roots, roleOfField),
      questions: this.#questions,
    };
  }

  /** The connection manager that requests are taken to come by: a log has no names of listeners. */
  #manager(): YamlNode | null {
    const all = this.#roots.flatMap((root) => nodesWith(root, "http_filters"));
    const limiting = all.filter((each) => nodesWith(each, "token_bucket").length > 0);
    const nameOf = (node: YamlNode): string => textIn(fieldOf(node, "stat_prefix"));
    const usual = limiting[0] ?? all[0];
    if (usual === undefined) return null;
    const set = this.#values.get("stat_prefix");
    if (limiting.length < 2 && set === undefined) return usual;
    const taken = all.find((each) => nameOf(each) === set) ?? usual;
    const [value, isSet] = [nameOf(taken), set !== undefined];
    this.#questions.push({ name: "stat_prefix", file: this.#file, line: taken.line, value, isSet });
    if (isSet && value !== set)
      this.#problems.push(
        `--set stat_prefix=${set}: there is no such connection manager; there are ${all.map(nameOf).join(", ")}`,
      );
    for (const other of limiting)
      if (other !== taken)
        this.notes.note(
          fieldOf(other, "http_filters")!,
          "question",
          `requests are taken to come by ${value}; --set stat_prefix=NAME names another`,
        );
    return taken;
  }

  #routesOf(manager: YamlNode | null): YamlNode | null {
    const own = fieldOf(manager, "route_config");
    if (own !== null) return own;
    const all = this.#roots.flatMap((root) => nodesWith(root, "virtual_hosts"));
    const rds = fieldOf(manager, "rds");
    const name = textIn(fieldOf(rds, "route_config_name"));
    const found =
      all.find((each) => rds === null || textIn(fieldOf(each, "name")) === name) ?? null;
    if (rds !== null && found !== null) this.notes.noteAll(rds, "read");
    return found;
  }

  #filtersOf(manager: YamlNode | null): readonly LocalFilter[] {
    if (manager === null) {
      const name = "envoy.filters.http.local_ratelimit";
      return [{ name, own: null, places: this.#placesOf(name) }];
    }
    const list = fieldOf(manager, "http_filters")?.items ?? [];
    const isLocal = (each: YamlNode): boolean =>
      TYPE.test(textIn(fieldOf(each, "name"))) ||
      TYPE.test(textIn(fieldOf(configOf(each), "@type")));
    const last = list.findLastIndex(isLocal);
    return list.flatMap((each, index): readonly LocalFilter[] => {
      const label = fieldOf(each, "name") ?? each;
      const name = textIn(fieldOf(each, "name"));
      if (!isLocal(each)) {
        const { role, consequence } = roleOfFilter(kindOf(each) ?? name, index > last);
        for (const child of childrenOf(each)) this.notes.note(child, "irrelevant");
        this.notes.note(label, role, consequence);
        return [];
      }
      this.notes.note(label, "read");
      const config = configOf(each);
      const isDisabled = readField(each, "disabled", this)?.value === true;
      const own = config === null || isDisabled ? null : limiterOf(config, "all routes", this);
      return [{ name, own, places: this.#placesOf(name) }];
    });
  }

  /** The configurations of one filter at hosts and routes. */
  #placesOf(name: string): ReadonlyMap<YamlNode, LocalLimiter | null> {
    const places = new Map<YamlNode, LocalLimiter | null>();
    const add = (node: YamlNode | null, place: string): void => {
      const all = fieldOf(node, "typed_per_filter_config");
      for (const each of all?.fields?.values() ?? []) {
        if (each.name === name) {
          this.notes.note(each, "read");
          const inner = readField(each, "config", this);
          const isDisabled = readField(each, "disabled", this)?.value === true;
          places.set(node!, isDisabled ? null : limiterOf(inner ?? each, place, this));
        } else if (!TYPE.test(each.name) && !TYPE.test(textIn(fieldOf(each, "@type")))) {
          const { role, consequence } = roleOfFilter(each.name, false);
          this.notes.note(each, role, consequence);
        }
      }
    };
    add(this.#routes, "all routes");
    for (const host of this.#hosts) {
      add(host.node, `virtual host ${textIn(fieldOf(host.node, "name"))}`);
      for (const { node } of host.routes) add(node, `route ${textOfMatch(fieldOf(node, "match"))}`);
    }
    return places;
  }

  #descriptorsAt(node: YamlNode | null): readonly DescriptorOf[] {
    if (node === null) return [];
    const known = this.#descriptors.get(node);
    if (known !== undefined) return known;
    const read = descriptorsOf(fieldOf(node, "rate_limits"), this);
    this.#descriptors.set(node, read);
    return read;
  }

  /** The descriptors of the requests of a place for a limiter. */
  #actionsOf(limiter: LocalLimiter, { host, route }: Place): readonly DescriptorOf[] {
    if (limiter.ownDescriptors !== null) return limiter.ownDescriptors;
    const action = fieldOf(route?.node, "route");
    if (route !== null && action === null) return []; // it answers by itself, and Envoy builds no descriptors
    const ofRoute = this.#descriptorsAt(action);
    const ofHost = this.#descriptorsAt(host?.node ?? null);
    const isIncluded =
      limiter.hostLimits === "INCLUDE" ||
      readField(action, "include_vh_rate_limits", this)?.value === true;
    if (isIncluded) return [...ofRoute, ...ofHost];
    return ofRoute.length > 0 || limiter.hostLimits === "IGNORE" ? ofRoute : ofHost;
  }

  #rulesOf(
    { own, places }: LocalFilter,
    placeOf: (request: RequestFacts) => Place,
  ): readonly ReadRule[] {
    const limiterAt = ({ host, route }: Place): LocalLimiter | null => {
      // Envoy takes no configuration of a host none of whose routes has the request.
      const node = [route?.node, ...(route === null ? [] : [host?.node, this.#routes])].find(
        (each) => each !== undefined && each !== null && places.has(each),
      );
      return node === undefined || node === null ? own : places.get(node)!;
    };
    const limiters = [own, ...places.values()].filter((each) => each !== null);
    return limiters.flatMap((limiter) => {
      const entriesOf = (request: RequestFacts): readonly (readonly EnvoyEntry[])[] | null => {
        const place = placeOf(request);
        if (limiterAt(place) !== limiter) return null;
        if (place.route === null && limiter.ownDescriptors === null) return [];
        const cluster = place.route?.cluster ?? "";
        return this.#actionsOf(limiter, place).flatMap((each) => {
          const entries = each.of(request, cluster);
          return entries === null ? [] : [entries];
        });
      };
      const times = Array.from({ length: this.#mostEqual(limiter) }, (_, time) => time);
      const rules = limiter.descriptors.flatMap((descriptor) => {
        const counters = `bucket ${++this.#shared}`;
        return times.map((time) => ({
          ...this.#ruleOf(
            limiter,
            descriptor.bucket,
            nameOfDescriptor(descriptor, time),
            (request) => {
              const budgets = (entriesOf(request) ?? []).map((each) =>
                budgetIn(limiter, descriptor, each),
              );
              return budgets.filter((each) => each !== null)[time] ?? null;
            },
          ),
          ...(times.length === 1 ? {} : { counters }),
        }));
      });
      if (limiter.bucket === null) return rules;
      const ofAll = this.#ruleOf(limiter, limiter.bucket, "", (request) => {
        const all = entriesOf(request);
        if (all === null) return null;
        const isMatched = limiter.descriptors.some((descriptor) =>
          all.some((entries) => budgetIn(limiter, descriptor, entries) !== null),
        );
        return isMatched && !limiter.alwaysSpendsBucket ? null : "all";
      });
      return [...rules, ofAll];
    });
  }

  /** The descriptors of every place, which get roles by this. */
  #actionsOfPlaces(limiter: LocalLimiter): readonly (readonly DescriptorOf[])[] {
    return this.#hosts.flatMap((host) =>
      [null, ...host.routes].map((route) => this.#actionsOf(limiter, { host, route })),
    );
  }

  /** How often a request may have one descriptor: it takes a token for each. */
  #mostEqual(limiter: LocalLimiter): number {
    const places =
      limiter.descriptors.length === 0
        ? []
        : limiter.ownDescriptors === null
          ? this.#actionsOfPlaces(limiter)
          : [limiter.ownDescriptors];
    const counts = places.flatMap((place) =>
      [...Map.groupBy(place, ({ text }) => text).values()].map(({ length }) => length),
    );
    return Math.max(1, ...counts);
  }

  #ruleOf(
    { place, keys, isDryRun, status, sendsRemaining }: LocalLimiter,
    { node, size, rate, perUs }: EnvoyBucket,
    name: string,
    budgetFor: ReadRule["budgetOf"],
  ): ReadRule {
    return {
      id: name === "" ? place : `${place}, ${name}`,
      file: this.#file,
      line: node.line,
      limit: { rate, perUs: micros(perUs) },
      options: optionsOf(size, keys),
      isDryRun,
      status,
      sendsRemaining,
      budgetOf: (request) => budgetFor(this.#append(request)),
    };
  }
}

/** The configuration of a filter, also as a TypedStruct. */
function configOf(filter: YamlNode): YamlNode | null {
  const config = fieldOf(filter, "typed_config");
  return fieldOf(config, "value") ?? config;
}

/** The kind of a filter, such as ext_authz, by the type of its configuration. */
const kindOf = (filter: YamlNode): string | undefined =>
  /filters\.http\.(\w+)\./.exec(textIn(fieldOf(configOf(filter), "@type")))?.[1];

/** How the profile envoy counts, with the size of the bucket and of the table of values. */
const optionsOf = (burst: number, keys: number): ReadRule["options"] => {
  const { options, imitate } = PROFILES.envoy;
  return optionsFrom({ ...options, burst, imitate: { ...imitate, keys } });
};
