// What policies are attached to: gateways, routes and their rules.
import type { RequestFacts } from "../reading.ts";
import type { Questions } from "../questions.ts";
import { findOnce } from "../rule-parts.ts";
import { textIn, type YamlNotes } from "../yaml-tree.ts";
import {
  fieldOf,
  itemsOf,
  readAll,
  type KubernetesFiles,
  type KubernetesResource,
} from "./resources.ts";
import {
  isBelow,
  isRoute,
  placeAt,
  routeOf,
  type RouteContext,
  type RoutePlace,
} from "./routes.ts";
import { pathOf } from "../request-parts.ts";

export interface PolicyTarget {
  readonly kind: string;
  readonly name: string;
  readonly section: string; // name of a rule or a listener; empty: all
}

export function targetsOf({ spec }: KubernetesResource, notes: YamlNotes): readonly PolicyTarget[] {
  const single = readAll(spec, "targetRef", notes);
  readAll(spec, "targetRefs", notes);
  const selectors = fieldOf(spec, "targetSelectors");
  if (selectors !== null)
    notes.note(
      selectors,
      "not understood",
      "this reader does not select targets by labels, and takes no request",
    );
  return [...itemsOf(spec, "targetRefs"), ...(single === null ? [] : [single])].map((node) => ({
    kind: textIn(fieldOf(node, "kind")),
    name: textIn(fieldOf(node, "name")),
    section: textIn(fieldOf(node, "sectionName")),
  }));
}

/** How closely a target fits a place: 0: not at all; a rule is closer than a route, and a route than a gateway. */
export function closenessOf(
  { kind, name, section }: PolicyTarget,
  { route, rule }: RoutePlace,
): number {
  if (kind === route.kind && name === route.name)
    return section === "" ? 3 : section === rule ? 4 : 0;
  if (kind === "Gateway" && route.parents.includes(name)) return section === "" ? 1 : 2;
  return 0;
}

/** Requests, as far as the files have the routes of the policies. */
export interface Attachment {
  readonly placeOf: (request: RequestFacts) => RoutePlace | null;
}

/**
 * Finds the place of requests. Without routes in the files, the requests of each target begin with a path that is a
 * question.
 */
export function attach(
  files: KubernetesFiles,
  policies: readonly (KubernetesResource & { readonly targets: readonly PolicyTarget[] })[],
  context: RouteContext & { readonly questions: Questions },
): Attachment {
  const routes = files.resources.filter(isRoute).map((resource) => routeOf(resource, context));
  if (routes.length > 0) return { placeOf: findOnce(placeAt(routes)) };
  const names = new Set(
    policies.flatMap(({ targets }) => targets.map(({ kind, name }) => `${kind} ${name}`)),
  );
  const taken: {
    readonly test: (path: string) => boolean;
    readonly length: number;
    readonly place: RoutePlace;
  }[] = [];
  for (const { spec, file, targets } of policies)
    for (const { kind, name, section } of targets) {
      const question = `path_of_${section || name}`.replaceAll(/\W+/g, "_");
      const node = fieldOf(spec, "targetRefs") ?? fieldOf(spec, "targetRef")!;
      const usual = names.size === 1 || kind === "Gateway" ? "/" : `/${section || name}`;
      const path = context.questions.takeValue(question, usual, { file, line: node.line });
      context.notes.note(
        node,
        "question",
        `no file has the ${kind} ${name}; its requests are taken to begin with ${path}, and --set ${question}=/PATH changes it`,
      );
      const parents = kind === "Gateway" ? [name] : [];
      const route = {
        kind: kind === "Gateway" ? "HTTPRoute" : kind,
        name,
        namespace: "",
        parents,
        hostnames: [],
        rules: [],
      };
      taken.push({
        test: isBelow(path),
        length: path.length,
        place: { route, rule: section, key: `${kind} ${name} ${section}` },
      });
    }
  const ordered = taken.toSorted((a, b) => b.length - a.length);
  return {
    placeOf: (request) => ordered.find(({ test }) => test(pathOf(request)))?.place ?? null,
  };
}
