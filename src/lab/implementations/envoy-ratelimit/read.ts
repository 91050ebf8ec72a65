// Reads the limits of Envoy's ratelimit service from its YAML. Which descriptors a request has is configured in Envoy,
// so the reader takes them by the names of their keys, and the others are questions.
import { micros, SECOND } from "../../../kit/units.ts";
import { Failure, isFailure } from "../../../kit/reading/failure.ts";
import { optionsFrom } from "../../../limiter/world/options.ts";
import type {
  ConfigurationFile,
  ConfigurationReader,
  Includes,
  ReadConfiguration,
  ReadRule,
  RequestFacts,
} from "../reading.ts";
import { parseYaml, textIn, YamlNotes, type YamlNode } from "../yaml-tree.ts";
import { Questions } from "../questions.ts";
import { UNKNOWN_FIELD } from "../roles.ts";
import { findOnce } from "../rule-parts.ts";
import { SOURCE_NAMES, sourceOf, type Source } from "../sources.ts";

export const ENVOY_RATELIMIT_READER: ConfigurationReader = {
  kind: "envoy-ratelimit",
  isProvedBy: "program",
  recognizes: ({ text }) =>
    /^[ \t\uFEFF]*["']?domain["']?\s*:/m.test(text) &&
    /["']?descriptors["']?\s*:/.test(text) &&
    !/static_resources|http_filters|typed_config/.test(text),
  read: (main: ConfigurationFile, _: Includes, values: ReadonlyMap<string, string>) => {
    const roots = parseYaml(main);
    return isFailure(roots) ? roots : new RatelimitReader(main.file, roots, values).read();
  },
};

const UNITS: Readonly<Record<string, number>> = {
  SECOND: 1,
  MINUTE: 60,
  HOUR: 3_600,
  DAY: 86_400,
  WEEK: 604_800,
  MONTH: 2_592_000,
  YEAR: 31_536_000,
};

const LARGEST = 4_294_967_295;

interface Descriptor {
  readonly node: YamlNode;
  readonly key: string;
  readonly value: string | null; // null: each value has a budget of its own
  readonly isPrefix: boolean; // the value ends with an asterisk
  readonly isShared: boolean; // one budget for all values with the prefix
  readonly source: Source;
  readonly limit: DescriptorLimit | null;
  readonly isShadow: boolean;
  readonly children: readonly Descriptor[];
}

interface DescriptorLimit {
  readonly name: string;
  readonly replaces: readonly string[];
  readonly rate: number;
  readonly perUs: number;
}

/** A descriptor with those above it, from the outermost one. */
type Chain = readonly Descriptor[];

class RatelimitReader {
  readonly #file: string;
  readonly #roots: readonly YamlNode[];
  readonly #notes = new YamlNotes();
  readonly #questions: Questions;
  readonly #headers = new Set<string>();
  readonly #problems: string[] = [];

  constructor(file: string, roots: readonly YamlNode[], values: ReadonlyMap<string, string>) {
    this.#file = file;
    this.#roots = roots;
    this.#questions = new Questions(values);
  }

  read(): ReadConfiguration | Failure {
    const domains = this.#roots.map((root) => ({
      name: textIn(root.fields?.get("domain")),
      top: this.#listOf(root),
    }));
    const rules = domains.flatMap(({ name, top }) =>
      this.#rulesOf(top, domains.length > 1 ? `domain ${name}, ` : ""),
    );
    const isStopping = rules.length > 1 && this.#isStopping();
    if (this.#problems.length > 0) return new Failure(...this.#problems);
    return {
      kind: ENVOY_RATELIMIT_READER.kind,
      order: isStopping ? "together" : "in turn",
      ...(isStopping ? { dryRunsStop: "all limits" } : {}),
      rules: isStopping ? rules.map((rule) => ({ ...rule, options: STOPPING })) : rules,
      headers: [...this.#headers],
      statements: this.#notes.statements(this.#file, this.#roots, () => UNKNOWN_FIELD),
      questions: this.#questions.all,
    };
  }

  /** An environment variable of the service: whether a descriptor above its limit stops the counts of the others. */
  #isStopping(): boolean {
    const name = "STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT";
    return this.#take(name, "false", this.#roots[0]!) === "true";
  }

  #take(name: string, otherwise: string, { line }: YamlNode): string {
    return this.#questions.takeValue(name, otherwise, { file: this.#file, line });
  }

  #fail({ line }: YamlNode, what: string): void {
    this.#problems.push(`${this.#file}:${line}: ${what}`);
  }

  #listOf(parent: YamlNode): readonly Descriptor[] {
    const domain = parent.fields?.get("domain");
    if (domain !== undefined) this.#notes.note(domain, "read");
    const name = domain === undefined ? undefined : parent.fields?.get("name"); // of a configuration by xDS
    if (name !== undefined) this.#notes.note(name, "irrelevant");
    const list = parent.fields?.get("descriptors");
    if (list === undefined) return [];
    this.#notes.note(list, "read");
    return (list.items ?? []).flatMap((item) => this.#descriptorOf(item) ?? []);
  }

  #descriptorOf(node: YamlNode): Descriptor | null {
    const { fields } = node;
    const key = textIn(fields?.get("key"));
    if (fields === null || key === "") {
      this.#fail(node, "a descriptor has no key; add one, such as key: remote_address");
      return null;
    }
    for (const name of ["key", "value"]) {
      const field = fields.get(name);
      if (field !== undefined) this.#notes.note(field, "read");
    }
    for (const name of ["detailed_metric", "value_to_metric", "metadata"]) {
      const field = fields.get(name);
      if (field !== undefined) this.#notes.noteAll(field, "irrelevant");
    }
    const quota = fields.get("quota_mode");
    if (quota?.value === false) this.#notes.note(quota, "irrelevant");
    const flag = (name: string): boolean => {
      const field = fields.get(name);
      if (field !== undefined) this.#notes.note(field, "read");
      return field?.value === true;
    };
    const written = textIn(fields.get("value"));
    const value = written === "" ? null : written;
    return {
      node,
      key,
      value,
      isPrefix: value?.endsWith("*") === true,
      isShared: flag("share_threshold"),
      source: this.#sourceOf(node, key, value),
      limit: this.#limitOf(fields.get("rate_limit")),
      isShadow: flag("shadow_mode"),
      children: this.#listOf(node),
    };
  }

  /** Where the value of a key comes from. Only the routes of Envoy have it, so most keys are a question. */
  #sourceOf(node: YamlNode, key: string, value: string | null): Source {
    const isKnown = sourceOf(key, this.#headers);
    if (isKnown !== null) return isKnown;
    const isFixed = isConstant(key);
    const name = (isFixed && value !== null ? `${key}_${value}` : key).replaceAll(/\W+/g, "_");
    const header = `header:${key.toLowerCase().replaceAll("_", "-")}`;
    const isNetwork = key === "masked_remote_address"; // with a length that only Envoy has
    const isHeader = sourceOf(header, new Set()) !== null;
    const otherwise = isNetwork ? "remote_address" : isFixed || !isHeader ? "all" : header;
    const taken = this.#take(name, otherwise, node);
    const source = sourceOf(taken, this.#headers);
    this.#notes.note(
      node.fields!.get("key")!,
      "question",
      `only the routes of Envoy have the descriptor ${key}; ${taken} is taken`,
    );
    if (source !== null) return source;
    this.#problems.push(`--set ${name}=${taken} is no source; write ${SOURCE_NAMES}`);
    return () => null;
  }

  #limitOf(node: YamlNode | undefined): DescriptorLimit | null {
    const fields = node?.fields;
    if (node?.value === null && node.items === null) this.#notes.note(node, "irrelevant");
    if (node === undefined || fields === null || fields === undefined) return null;
    this.#notes.note(node, "read");
    for (const name of ["unit", "requests_per_unit", "unlimited", "name", "replaces"]) {
      const field = fields.get(name);
      if (field !== undefined) this.#notes.noteAll(field, "read");
    }
    if (fields.get("unlimited")?.value === true) return null;
    const unit = textIn(fields.get("unit")).toUpperCase();
    const seconds = UNITS[unit];
    const rate = fields.get("requests_per_unit")?.value;
    if (seconds === undefined)
      this.#fail(node, `rate_limit has no unit of ${Object.keys(UNITS).join(", ").toLowerCase()}`);
    else if (typeof rate !== "number" || !Number.isInteger(rate) || rate < 0 || rate > LARGEST)
      this.#fail(node, `rate_limit has no requests_per_unit, an integer from 0 to ${LARGEST}`);
    else
      return {
        name: textIn(fields.get("name")),
        replaces: (fields.get("replaces")?.items ?? []).map((item) =>
          textIn(item.fields?.get("name")),
        ),
        rate,
        perUs: seconds * SECOND,
      };
    return null;
  }

  #rulesOf(top: readonly Descriptor[], domain: string): readonly ReadRule[] {
    const all = chainsOf(top, []).filter((chain) => chain.at(-1)!.limit !== null);
    const budgetsOf = findOnce((request) => {
      const met = new Map<Chain, string>();
      for (const chain of all) {
        const budget = budgetIn(chain, top, request);
        if (budget !== null) met.set(chain, budget);
      }
      const replaced = [...met.keys()].flatMap((chain) => chain.at(-1)!.limit!.replaces);
      for (const chain of met.keys())
        if (replaced.includes(chain.at(-1)!.limit!.name)) met.delete(chain);
      return met;
    });
    return all.map((chain) => {
      const { limit, node, isShadow } = chain.at(-1)!;
      return {
        id: domain + chain.map(nameOf).join(", "),
        file: this.#file,
        line: node.line,
        limit: { rate: limit!.rate, perUs: micros(limit!.perUs) },
        options: COUNTED_BY_ALL,
        countsRefusedFrom: 0,
        isDryRun: isShadow,
        status: 429,
        budgetOf: (request) => budgetsOf(request).get(chain) ?? null,
      };
    });
  }
}

const nameOf = ({ key, value }: Descriptor): string => (value === null ? key : `${key}=${value}`);

const chainsOf = (list: readonly Descriptor[], above: Chain): readonly Chain[] =>
  list.flatMap((each) => [[...above, each], ...chainsOf(each.children, [...above, each])]);

/**
 * The budget of a request by the descriptor that a chain describes. Null: the request has no such descriptor, or the
 * service finds another limit for it, because an entry with a value comes before one without.
 */
function budgetIn(chain: Chain, top: readonly Descriptor[], request: RequestFacts): string | null {
  const parts: string[] = [];
  let siblings = top;
  for (const descriptor of chain) {
    const { key, source, value, isShared } = descriptor;
    const own = source(request);
    if (own === null) return null;
    const isFixed = isConstant(key);
    if (!isFixed && matchOf(siblings, key, own) !== descriptor) return null;
    parts.push(`${key}=${isFixed || isShared ? (value ?? "") : own}`);
    siblings = descriptor.children;
  }
  return parts.join(", ");
}

interface DescriptorsOfKey {
  readonly byValue: ReadonlyMap<string, Descriptor>;
  readonly prefixes: readonly Descriptor[];
  readonly other: Descriptor | undefined; // without a value
}

/** The entries of each list by their keys, because a service may have thousands. */
const known = new WeakMap<readonly Descriptor[], ReadonlyMap<string, DescriptorsOfKey>>();

function byKey(list: readonly Descriptor[]): ReadonlyMap<string, DescriptorsOfKey> {
  const found = known.get(list);
  if (found !== undefined) return found;
  const all = [...Map.groupBy(list, ({ key }) => key)].map(([key, ofKey]) => {
    const valued = ofKey.filter(({ value }) => value !== null).toReversed(); // the first one stays
    return [
      key,
      {
        byValue: new Map(valued.map((each) => [each.value!, each])),
        prefixes: ofKey.filter(({ isPrefix }) => isPrefix),
        other: ofKey.find(({ value }) => value === null),
      },
    ] as const;
  });
  const map = new Map(all);
  known.set(list, map);
  return map;
}

/** The entry that the service finds for a key and its value. */
function matchOf(list: readonly Descriptor[], key: string, own: string): Descriptor | undefined {
  const ofKey = byKey(list).get(key);
  return (
    ofKey?.byValue.get(own) ??
    ofKey?.prefixes.find(({ value }) => own.startsWith(value!.slice(0, -1))) ??
    ofKey?.other
  );
}

/** Whether routes of Envoy give the key a fixed value, so that each value is a question of its own. */
const isConstant = (key: string): boolean =>
  /^(?:generic_key|header_match|query_match|query_parameter_value_match|(?:source|destination)_cluster)$/.test(
    key,
  );

const COUNTED_BY_ALL = optionsFrom({ profile: "envoy-ratelimit/all-descriptors" });
const STOPPING = optionsFrom({ profile: "envoy-ratelimit/stop-over-limit" });
