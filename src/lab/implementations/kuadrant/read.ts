// Reads the limits of Kuadrant: RateLimitPolicy with the routes of its files, by its documentation.
import { micros, SECOND } from "../../../kit/units.ts";
import { Failure, isFailure } from "../../../kit/reading/failure.ts";
import { optionsFrom } from "../../../limiter/world/options.ts";
import type {
  ConfigurationFile,
  ConfigurationReader,
  Includes,
  ReadConfiguration,
  ReadRole,
  ReadRule,
  RequestFacts,
  RequestTest,
} from "../reading.ts";
import { Questions } from "../questions.ts";
import { IRRELEVANT, misunderstood, READ, UNKNOWN_FIELD } from "../roles.ts";
import { findOnce, nameApart } from "../rule-parts.ts";
import { textIn, YamlNotes } from "../yaml-tree.ts";
import {
  fieldOf,
  readResources,
  type KubernetesFiles,
  type KubernetesResource,
} from "../kubernetes/resources.ts";
import type { RoutePlace } from "../kubernetes/routes.ts";
import { attach, closenessOf, targetsOf, type PolicyTarget } from "../kubernetes/targets.ts";
import { limitOf, testsOf, type KuadrantLimit, type LimitContext } from "./read-limits.ts";

export const KUADRANT_READER: ConfigurationReader = {
  kind: "kuadrant",
  isProvedBy: "documentation",
  readsFolders: true,
  recognizes: ({ text }) =>
    /^[ \t\uFEFF]*(?:- )?["']?apiVersion["']?\s*:\s*["']?kuadrant\.io\//m.test(text) &&
    /["']?kind["']?\s*:\s*["']?RateLimitPolicy\b/.test(text),
  read: (main: ConfigurationFile, _: Includes, values: ReadonlyMap<string, string>) => {
    const files = readResources(main);
    return isFailure(files) ? files : new KuadrantReader(files, values).read();
  },
};

/** Limitador starts a window with the first request, and counts no refused one. */
const COUNTED = optionsFrom({ algorithm: "fixed_window", fixed_window_start: "first_request" });

interface Policy extends KubernetesResource {
  readonly targets: readonly PolicyTarget[];
  readonly isOverriding: boolean;
  readonly isMerging: boolean; // false: its limits are taken as a whole
  readonly tests: readonly RequestTest[]; // of `when` for all of its limits
  readonly limits: readonly KuadrantLimit[];
}

class KuadrantReader {
  readonly #files: KubernetesFiles;
  readonly #context: LimitContext;

  constructor(files: KubernetesFiles, values: ReadonlyMap<string, string>) {
    this.#files = files;
    this.#context = {
      notes: new YamlNotes(),
      headers: new Set(),
      questions: new Questions(values),
      problems: [],
    };
  }

  read(): ReadConfiguration | Failure {
    const { notes, headers, questions, problems } = this.#context;
    const policies = this.#files.resources
      .filter(({ kind, group }) => kind === "RateLimitPolicy" && group === "kuadrant.io")
      .map((resource) => this.#policyOf(resource));
    const { placeOf } = attach(this.#files, policies, this.#context);
    const limits = policies.flatMap((policy) => policy.limits);
    const budgetsAt = findOnce((request) => budgetsOf(policies, placeOf, request));
    const rules = limits.flatMap((limit) =>
      limit.rates.map(({ node, limit: rate, seconds }, index): ReadRule => ({
        id: `policy ${limit.policy.name}, limit ${limit.name}`,
        counters: `${limit.policy.namespace}/${limit.policy.name} ${limit.name} ${index}`,
        file: limit.policy.file,
        line: node.line,
        limit: { rate, perUs: micros(seconds * SECOND) },
        options: COUNTED,
        isDryRun: false,
        status: 429,
        budgetOf: (request) => budgetsAt(request).get(limit) ?? null,
      })),
    );
    if (problems.length > 0) return new Failure(...problems);
    return {
      kind: KUADRANT_READER.kind,
      order: "together",
      rules: nameApart(rules),
      headers: [...headers],
      statements: this.#files.statements(notes, roleOfField),
      questions: questions.all,
    };
  }

  #policyOf(resource: KubernetesResource): Policy {
    const { notes } = this.#context;
    const { spec, file, name } = resource;
    const [defaults, overrides] = ["defaults", "overrides"].map((field) => fieldOf(spec, field));
    const block = overrides ?? defaults ?? spec;
    const both = [defaults, overrides, fieldOf(spec, "limits")].filter((each) => each !== null);
    if (both.length > 1)
      this.#context.problems.push(
        `${file}:${both[1]!.line}: the policy ${name} has two of limits, defaults and overrides; keep one`,
      );
    const limits = fieldOf(block, "limits");
    const strategy = fieldOf(block, "strategy");
    for (const field of [block, limits, strategy]) if (field !== null) notes.note(field, "read");
    const selectors = fieldOf(block, "routeSelectors");
    if (selectors !== null)
      notes.note(
        selectors,
        "not understood",
        "this reader takes the limits for all requests of the route",
      );
    return {
      ...resource,
      targets: targetsOf(resource, notes),
      isOverriding: overrides !== null && overrides !== undefined,
      isMerging: textIn(strategy) === "merge",
      tests: testsOf(resource, block, name, this.#context),
      limits: [...(limits?.fields?.values() ?? [])].map((node) =>
        limitOf(resource, node, this.#context),
      ),
    };
  }
}

/** The budgets of a request: each route has its own counters. */
function budgetsOf(
  policies: readonly Policy[],
  placeOf: (request: RequestFacts) => RoutePlace | null,
  request: RequestFacts,
): ReadonlyMap<KuadrantLimit, string> {
  const budgets = new Map<KuadrantLimit, string>();
  const place = placeOf(request);
  if (place === null) return budgets;
  const { limits, tests } = effectiveAt(policies, place);
  if (!tests.every((test) => test(request))) return budgets;
  for (const limit of limits) {
    const budget = limit.budgetOf(request);
    if (budget !== null)
      budgets.set(limit, `${place.route.namespace}/${place.route.name} ${budget}`);
  }
  return budgets;
}

type Effective = Pick<Policy, "limits" | "tests">;

/**
 * The limits of a place: defaults of a gateway are for routes that have no policy, and overrides are in place of those
 * of a route. Policies that merge do so limit by limit.
 */
function effectiveAt(policies: readonly Policy[], place: RoutePlace): Effective {
  const close = policies
    .map((policy) => ({
      policy,
      closeness: Math.max(0, ...policy.targets.map((target) => closenessOf(target, place))),
    }))
    .filter(({ closeness }) => closeness > 0)
    .toSorted((a, b) => b.closeness - a.closeness);
  let effective: Effective | null = null;
  for (const { policy } of close)
    effective = effective === null ? policy : merge(effective, policy);
  return effective ?? { limits: [], tests: [] };
}

/** Merges what is effective with a policy of a wider target. */
function merge(narrow: Effective, wide: Policy): Effective {
  if (!wide.isMerging) return wide.isOverriding || narrow.limits.length === 0 ? wide : narrow;
  const [first, second] = wide.isOverriding ? [wide, narrow] : [narrow, wide];
  const names = new Set(first.limits.map(({ name }) => name));
  return {
    limits: [...first.limits, ...second.limits.filter(({ name }) => !names.has(name))],
    tests: first.tests.length > 0 ? first.tests : second.tests,
  };
}

function roleOfField(kind: string, path: string): ReadRole {
  if (kind === "TokenRateLimitPolicy" && path === "spec")
    return misunderstood("it limits tokens of language models, which this reader does not read");
  if (kind === "PlanPolicy" && path === "spec")
    return misunderstood("it limits by plans, which this reader does not read");
  if (kind !== "RateLimitPolicy" || !path.startsWith("spec")) return IRRELEVANT;
  if (/^spec(?:\.(?:limits|defaults|overrides))?$/.test(path)) return READ;
  return UNKNOWN_FIELD;
}
