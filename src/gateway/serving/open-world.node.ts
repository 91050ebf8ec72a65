// A world file with credentials that other users can read: only a warning, because a gateway over a mounted file may have no choice.
import { formatWarning } from "../settings/read.ts";
import type { WorldRead } from "../settings/world.ts";
import { findPrivacyProblem } from "./file-privacy.node.ts";
import { many } from "../../kit/reading/legible.ts";

/** One line at most. `file` is null for a world without one: the demo. */
export function openWorldWarning(file: string | null, world: WorldRead | null): readonly string[] {
  if (file === null || world === null || world.configuration === null) return [];
  const { opened } = world;
  const why = opened === 0 ? null : findPrivacyProblem(file);
  if (why === null) return [];
  const [what, fix = ""] = why.replace(`${file} `, "").split("; ");
  const message = `holds ${many(opened, "credential")} and ${what}`;
  return [formatWarning(file, "SET-OPEN-WORLD", message, fix)];
}
