// A world file that gives away credentials: a warning and no more, because a gateway over a mounted file may have no choice.
import { line } from "../settings/read.ts";
import type { WorldRead } from "../settings/world.ts";
import { whyNotPrivate } from "./whether-private.node.ts";
import { amount } from "./sizes.ts";

/** One line at most. `file` is null for a world without one: the demo. */
export function openWorldWarning(file: string | null, world: WorldRead | null): readonly string[] {
  if (file === null || world === null || world.configuration === null) return [];
  const { opened } = world;
  const why = opened === 0 ? null : whyNotPrivate(file);
  if (why === null) return [];
  const [what, fix = ""] = why.replace(`${file} `, "").split("; ");
  const message = `holds ${amount(opened, "credential", "credentials")} and ${what}`;
  return [line(file, "SET-OPEN-WORLD", message, fix)];
}
