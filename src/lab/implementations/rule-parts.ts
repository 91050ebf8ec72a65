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

/** Whether instances count together, by the name of the store of counters; empty: the file has none. */
export const sharingOfStore = (store: string): Pick<ReadRule, "sharesCounters"> =>
  store === "" ? {} : { sharesCounters: store !== "local" };

/** Rules with equal names get the number of their line, and if that is equal too, one of their own. */
export function nameApart(rules: readonly ReadRule[]): readonly ReadRule[] {
  const counts = Map.groupBy(rules, ({ id }) => id);
  const withLines = rules.map((rule) =>
    counts.get(rule.id)!.length === 1 ? rule : { ...rule, id: `${rule.id} at line ${rule.line}` },
  );
  const seen = new Map<string, number>();
  return withLines.map((rule) => {
    const number = (seen.get(rule.id) ?? 0) + 1;
    seen.set(rule.id, number);
    return number === 1 ? rule : { ...rule, id: `${rule.id}, number ${number}` };
  });
}
