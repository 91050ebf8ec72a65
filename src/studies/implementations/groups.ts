// The groups in which readers look for an implementation: what it is, or the language that it is for.
import type { ImplementationRun } from "./result.ts";

const GROUPS = [
  "Gateways and servers",
  "Node",
  "Python",
  "Go",
  "Rust",
  "Java",
  "Others",
  "Weir itself",
] as const;
export type ImplementationGroup = (typeof GROUPS)[number];

const OF_LANGUAGES: Readonly<Record<string, ImplementationGroup>> = {
  javascript: "Node",
  typescript: "Node",
  python: "Python",
  go: "Go",
  rust: "Rust",
  java: "Java",
};

export function groupOf({
  id,
  kind,
  language,
}: Pick<ImplementationRun, "id" | "kind" | "language">): ImplementationGroup {
  if (id.startsWith("weir/")) return "Weir itself";
  if (kind === "http") return "Gateways and servers";
  return OF_LANGUAGES[language] ?? "Others";
}

/** In the order of the groups, and by name within each. */
export const inGroups = <Each extends Pick<ImplementationRun, "id" | "kind" | "language">>(
  all: readonly Each[],
): readonly Each[] =>
  all.toSorted(
    (a, b) => GROUPS.indexOf(groupOf(a)) - GROUPS.indexOf(groupOf(b)) || (a.id < b.id ? -1 : 1),
  );
