// Warns if other users can read a world file with credentials. No error: a mounted file may allow no other mode.
import { formatWarning } from "../settings/read.ts";
import type { WorldRead } from "../settings/world.ts";
import { findPrivacyProblem } from "./file-privacy.node.ts";
import { many } from "../../kit/reading/legible.ts";

/** At most one warning. `file` is null for the demo, whose world is in no file. */
export function openWorldWarning(file: string | null, world: WorldRead | null): readonly string[] {
  if (file === null || world === null || world.configuration === null) return [];
  const { opened } = world;
  const why = opened === 0 ? null : findPrivacyProblem(file);
  if (why === null) return [];
  const [what, fix = ""] = why.replace(`${file} `, "").split("; ");
  const message = `holds ${many(opened, "credential")} and ${what}`;
  return [formatWarning(file, "SET-OPEN-WORLD", message, fix)];
}
