// What a `configure` names. A patch makes what is not there yet, so a slip of the pen would make a key
// that nobody uses and leave the one that was meant as it is.
import { nearest, type Path, type Problem } from "../../reading/problems.ts";
import { isMembers, reportName, type Members, type Json } from "../../reading/shape.ts";
import type { Flow } from "../types.ts";

const PARTS = [
  ["apis", "API"],
  ["policies", "policy"],
  ["keys", "key"],
] as const;
type Part = (typeof PARTS)[number][0];

/** False after a fault: what the patch makes is then not what was meant. */
export function checkPatch(
  patch: Members,
  before: Members,
  flows: readonly Flow[] | null,
  at: Path,
  problems: Problem[],
): boolean {
  let holds = true;
  for (const [part, called] of PARTS) {
    const known = Object.keys(membersOf(before[part]));
    for (const [name, value] of Object.entries(membersOf(patch[part]))) {
      if (known.includes(name)) continue;
      const isMeant = value === null ? false : nearest(name, known) === null;
      if (isMeant || (value !== null && isUsed(part, name, value, patch, before, flows))) continue;
      holds = false;
      reportName(
        problems,
        "SCN-NAME",
        [...at, part, name],
        `no ${called} is called "${name}" at that time`,
        name,
        known,
      );
    }
  }
  return holds;
}

/** Whoever is sent as, listed or listened to is new and no slip, however much it looks like another. */
function isUsed(
  part: Part,
  name: string,
  value: Json,
  patch: Members,
  before: Members,
  flows: readonly Flow[] | null,
): boolean {
  switch (part) {
    case "keys":
      return flows === null || flows.some(({ as }) => as === name);
    case "policies":
      return [before, patch].some(({ keys }) =>
        Object.values(membersOf(keys)).some((key) => {
          const { apply_policies: many, apply_policy_id: one } = membersOf(key);
          return one === name || (Array.isArray(many) && many.includes(name));
        }),
      );
    case "apis":
      return ["listen", "definition", "openapi"].some((word) =>
        Object.hasOwn(membersOf(value), word),
      );
  }
}

const membersOf = (value: Json | undefined): Members =>
  value !== undefined && isMembers(value) ? value : {};
