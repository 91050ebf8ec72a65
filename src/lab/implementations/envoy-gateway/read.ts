// Reads the limits of Envoy Gateway: BackendTrafficPolicy with the routes of its files, by its documentation.
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
import { Questions } from "../questions.ts";
import { findOnce, nameApart } from "../rule-parts.ts";
import { textIn, YamlNotes, type YamlNode } from "../yaml-tree.ts";
import {
  fieldOf,
  itemsOf,
  readResources,
  type KubernetesFiles,
  type KubernetesResource,
} from "../kubernetes/resources.ts";
import type { RoutePlace } from "../kubernetes/routes.ts";
import { attach, closenessOf, targetsOf, type PolicyTarget } from "../kubernetes/targets.ts";
import { roleOfField } from "./read-roles.ts";
import { budgetBy, partsOf, type SelectorPart } from "./read-selectors.ts";

export const ENVOY_GATEWAY_READER: ConfigurationReader = {
  kind: "envoy-gateway",
  isProvedBy: "documentation",
  readsFolders: true,
  recognizes: ({ text }) =>
    /^[ \t\uFEFF]*(?:- )?["']?apiVersion["']?\s*:\s*["']?gateway\.envoyproxy\.io\//m.test(text) &&
    /["']?kind["']?\s*:\s*["']?BackendTrafficPolicy\b/.test(text),
  read: (main: ConfigurationFile, _: Includes, values: ReadonlyMap<string, string>) => {
    const files = readResources(main);
    return isFailure(files) ? files : new EnvoyGatewayReader(files, values).read();
  },
};

const UNITS: Readonly<Record<string, number>> = {
  Second: 1,
  Minute: 60,
  Hour: 3600,
  Day: 86_400,
  Week: 604_800,
  Month: 2_592_000,
  Year: 31_536_000,
};

const MOST_REQUESTS = 4_294_967_295;

const GLOBAL = optionsFrom({ profile: "envoy-ratelimit/all-descriptors" });
const LOCAL = optionsFrom({ profile: "envoy" });

interface Policy extends KubernetesResource {
  readonly targets: readonly PolicyTarget[];
  readonly createdAt: string;
}

interface PolicyRule {
  readonly policy: Policy;
  readonly isLocal: boolean;
  readonly node: YamlNode;
  readonly name: string;
  readonly rate: number;
  readonly seconds: number;
  readonly parts: readonly SelectorPart[];
  readonly isShared: boolean;
  readonly isDryRun: boolean;
}

class EnvoyGatewayReader {
  readonly #files: KubernetesFiles;
  readonly #notes = new YamlNotes();
  readonly #headers = new Set<string>();
  readonly #questions: Questions;
  readonly #problems: string[] = [];

  constructor(files: KubernetesFiles, values: ReadonlyMap<string, string>) {
    this.#files = files;
    this.#questions = new Questions(values);
  }

  read(): ReadConfiguration | Failure {
    const policies = this.#files.resources
      .filter(({ kind }) => kind === "BackendTrafficPolicy")
      .map((resource) => ({
        ...resource,
        targets: targetsOf(resource, this.#notes),
        createdAt: textIn(fieldOf(resource.node, "metadata.creationTimestamp")),
      }));
    const context = { notes: this.#notes, headers: this.#headers, questions: this.#questions };
    const limiting = policies.filter(({ spec }) => fieldOf(spec, "rateLimit") !== null);
    const { placeOf } = attach(this.#files, limiting, context);
    const rules = this.#rulesOf(policies, placeOf);
    if (this.#problems.length > 0) return new Failure(...this.#problems);
    return {
      kind: ENVOY_GATEWAY_READER.kind,
      order: "in turn",
      rules: nameApart(rules),
      headers: [...this.#headers],
      statements: this.#files.statements(this.#notes, roleOfField),
      questions: this.#questions.all,
    };
  }

  #rulesOf(
    policies: readonly Policy[],
    placeOf: (request: RequestFacts) => RoutePlace | null,
  ): readonly ReadRule[] {
    const all = policies.flatMap((policy) => this.#rulesIn(policy));
    const local = all
      .filter(({ isLocal }) => isLocal)
      .toSorted((a, b) => a.rate / a.seconds - b.rate / b.seconds); // the strictest decides
    const ordered = [...local, ...all.filter(({ isLocal }) => !isLocal)];
    const budgetsAt = findOnce((request: RequestFacts) =>
      budgetsOf(ordered, policies, placeOf, request),
    );
    return ordered.map((rule) => ({
      id: rule.name,
      counters: `${rule.policy.namespace} ${rule.name}`,
      file: rule.policy.file,
      line: rule.node.line,
      limit: { rate: rule.rate, perUs: micros(rule.seconds * SECOND) },
      options: rule.isLocal ? LOCAL : GLOBAL,
      sharesCounters: !rule.isLocal,
      // The service counts all descriptors of a request, and gets none that a local limit refuses.
      ...(rule.isLocal ? {} : { countsRefusedFrom: local.length }),
      isDryRun: rule.isDryRun,
      status: 429,
      budgetOf: (request) => budgetsAt(request).get(rule) ?? null,
    }));
  }

  #rulesIn(policy: Policy): readonly PolicyRule[] {
    const written = fieldOf(policy.spec, "rateLimit");
    if (written === null) return [];
    const type = fieldOf(written, "type");
    if (type !== null) this.#notes.note(type, "read");
    const kinds = (["local", "global"] as const).filter(
      (kind) => fieldOf(written, kind) !== null && !isOther(textIn(type), kind),
    );
    const merge = fieldOf(policy.spec, "mergeType");
    if (merge !== null)
      this.#notes.note(
        merge,
        "not understood",
        "the policy of the gateway is not merged here, and is left out",
      );
    return kinds.flatMap((kind) => {
      const rules = itemsOf(written, `${kind}.rules`);
      const usual = rules.filter((rule) => itemsOf(rule, "clientSelectors").length === 0);
      if (kind === "local" && usual.length > 1)
        this.#fail(
          policy,
          usual[1]!,
          "a local limit has one rule without clientSelectors; remove one",
        );
      return rules.flatMap(
        (rule, index) => this.#ruleOf(policy, rule, index, kind === "local") ?? [],
      );
    });
  }

  #fail({ file }: KubernetesResource, { line }: YamlNode, what: string): null {
    this.#problems.push(`${file}:${line}: ${what}`);
    return null;
  }

  #ruleOf(policy: Policy, node: YamlNode, index: number, isLocal: boolean): PolicyRule | null {
    for (const name of ["clientSelectors", "limit", "shared", "shadowMode", "cost"]) {
      const field = fieldOf(node, name);
      if (field !== null) this.#notes.noteAll(field, "read");
    }
    const limit = fieldOf(node, "limit");
    const rate = fieldOf(limit, "requests")?.value;
    const unit = textIn(fieldOf(limit, "unit"));
    const seconds = UNITS[unit];
    const least = isLocal ? 1 : 0;
    if (typeof rate !== "number" || !Number.isInteger(rate) || rate < least || rate > MOST_REQUESTS)
      return this.#fail(
        policy,
        limit ?? node,
        `limit needs requests, an integer of at least ${least}`,
      );
    if (seconds === undefined)
      return this.#fail(
        policy,
        limit!,
        `limit needs a unit of ${Object.keys(UNITS).join(", ")}; got ${JSON.stringify(unit)}`,
      );
    const from = fieldOf(limit, "fromMetadata");
    if (from !== null)
      this.#notes.note(
        from,
        "not understood",
        "the limit of a request is in its metadata, and requests is taken",
      );
    const parts = partsOf(node, {
      notes: this.#notes,
      headers: this.#headers,
      fail: (at, what) => void this.#fail(policy, at, what),
    });
    const cost = this.#costOf(node);
    if (cost === 0) return null;
    return {
      policy,
      isLocal,
      node,
      name: `policy ${policy.name}, ${isLocal ? "local" : "global"} rule ${index + 1}`,
      rate: Math.floor(rate / cost),
      seconds,
      parts,
      isShared: fieldOf(node, "shared")?.value === true,
      isDryRun: fieldOf(node, "shadowMode")?.value === true,
    };
  }

  /** What a request counts; 0: only responses count. A cost of the response, or of metadata, is not known here. */
  #costOf(node: YamlNode): number {
    const cost = fieldOf(node, "cost");
    const request = fieldOf(cost, "request");
    const response = fieldOf(cost, "response");
    if (response !== null)
      this.#notes.note(response, "not understood", "what a response costs is not counted here");
    if (request === null) return 1;
    const number = fieldOf(request, "number")?.value;
    if (typeof number === "number" && number >= 1) return number;
    const consequence =
      number === 0
        ? "requests count nothing, so this limit is missing"
        : "what a request costs is in its metadata, and each counts 1 here";
    this.#notes.note(request, "not understood", consequence);
    return number === 0 ? 0 : 1;
  }
}

const isOther = (type: string, kind: "local" | "global"): boolean =>
  type !== "" && type.toLowerCase() !== kind;

/** The budgets of a request: of the one policy that is closest to its route. */
function budgetsOf(
  rules: readonly PolicyRule[],
  policies: readonly Policy[],
  placeOf: (request: RequestFacts) => RoutePlace | null,
  request: RequestFacts,
): ReadonlyMap<PolicyRule, string> {
  const budgets = new Map<PolicyRule, string>();
  const place = placeOf(request);
  if (place === null) return budgets;
  const closest = policyAt(policies, place);
  for (const rule of rules) {
    if (rule.policy !== closest) continue;
    const budget = budgetBy(rule.parts, request);
    if (budget !== null) budgets.set(rule, rule.isShared ? budget : `${place.key} ${budget}`);
  }
  // The rule without selectors is for requests that no other local rule counts.
  const selected = [...budgets.keys()].some(({ isLocal, parts }) => isLocal && parts.length > 0);
  if (selected)
    for (const rule of budgets.keys())
      if (rule.isLocal && rule.parts.length === 0) budgets.delete(rule);
  return budgets;
}

/** The policy with the closest target; of equally close ones the oldest, or the first by name. */
function policyAt(policies: readonly Policy[], place: RoutePlace): Policy | null {
  const close = policies.flatMap((policy) => {
    const closeness = Math.max(0, ...policy.targets.map((target) => closenessOf(target, place)));
    return closeness === 0 ? [] : [{ policy, closeness }];
  });
  const [first] = close.toSorted(
    (a, b) =>
      b.closeness - a.closeness ||
      compareText(a.policy.createdAt, b.policy.createdAt) ||
      compareText(a.policy.name, b.policy.name),
  );
  return first?.policy ?? null;
}

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
