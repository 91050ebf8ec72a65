// What the readers of configurations have in common when they make rules.
import type { ReadRule, RequestFacts } from "./reading.ts";

/** Finds something once for each request, because all rules of a configuration need it. */
export function findOnce<T>(find: (request: RequestFacts) => T): (request: RequestFacts) => T {
  const found = new WeakMap<RequestFacts, { readonly it: T }>();
  return (request) => {
    const known = found.get(request) ?? { it: find(request) };
    found.set(request, known);
    return known.it;
  };
}

/** Rules with equal names get the number of their line. */
export const nameApart = (rules: readonly ReadRule[]): readonly ReadRule[] =>
  rules.map((rule) =>
    rules.filter(({ id }) => id === rule.id).length === 1
      ? rule
      : { ...rule, id: `${rule.id} at line ${rule.line}` },
  );
