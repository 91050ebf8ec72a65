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

/** Rules with equal names get the number of their line, and if that is equal too, one of their own. */
export function nameApart(rules: readonly ReadRule[]): readonly ReadRule[] {
  const withLines = rules.map((rule) =>
    countOf(rules, rule) === 1 ? rule : { ...rule, id: `${rule.id} at line ${rule.line}` },
  );
  return withLines.map((rule, at) =>
    countOf(withLines, rule) === 1
      ? rule
      : { ...rule, id: `${rule.id}, number ${countOf(withLines.slice(0, at + 1), rule)}` },
  );
}

const countOf = (rules: readonly ReadRule[], { id }: ReadRule): number =>
  rules.filter((each) => each.id === id).length;
