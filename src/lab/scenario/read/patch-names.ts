// Checks the names in a `configure`. A patch creates what is missing, so a misspelt name would create a key that no
// client uses, and leave the intended key unchanged.
import { nearest, type Path, type Problem } from "../../../kit/reading/problems.ts";
import { isJsonMap, reportName, type JsonMap, type Json } from "../../../kit/reading/shape.ts";
import type { NameList } from "./name-lists.ts";

const PARTS = [
  ["apis", "API"],
  ["policies", "policy"],
  ["keys", "key"],
] as const;
type Part = (typeof PARTS)[number][0];

interface CheckedPatch {
  /** The patch with misspelt names corrected, so that it changes the intended records. */
  readonly patch: JsonMap;
  /** Converts a path in the corrected patch to the names in the file. */
  readonly pathInFile: (path: Path) => Path;
}

/** Reports names of the patch that are probably misspelt names of existing records. */
export function checkPatch(
  patch: JsonMap,
  before: JsonMap,
  clients: NameList,
  at: Path,
  problems: Problem[],
): CheckedPatch {
  const corrected: Record<string, Json> = { ...patch };
  const written = new Map<string, string>();
  for (const [part, called] of PARTS) {
    const known = Object.keys(membersOf(before[part]));
    for (const [name, value] of Object.entries(membersOf(patch[part]))) {
      if (known.includes(name)) continue;
      const isNew = value === null ? false : nearest(name, known) === null;
      if (isNew || (value !== null && isUsed(part, name, value, patch, before, clients))) continue;
      const { [name]: _misspelt, ...others } = membersOf(corrected[part]);
      const intended = nearest(name, known);
      const isFree = intended !== null && !Object.hasOwn(others, intended);
      corrected[part] = isFree ? { ...others, [intended]: value } : others;
      if (isFree) written.set(`${part} ${intended}`, name);
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
  return {
    patch: corrected,
    pathInFile: (path) => {
      const [part, name, ...rest] = path;
      return part === undefined || name === undefined
        ? path
        : [part, written.get(`${part} ${name}`) ?? name, ...rest];
    },
  };
}

/** Whether a name is new on purpose: a flow uses this key, a key applies this policy, or the patch defines this API. */
function isUsed(
  part: Part,
  name: string,
  value: Json,
  patch: JsonMap,
  before: JsonMap,
  clients: NameList,
): boolean {
  switch (part) {
    case "keys":
      return !clients.isComplete || clients.names.includes(name);
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

const membersOf = (value: Json | undefined): JsonMap =>
  value !== undefined && isJsonMap(value) ? value : {};
