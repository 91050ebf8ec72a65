// Keeps a gateway up with what others write into the records that they share: told where somebody tells, and looked
// up in any case.
import type { LiveConfiguration } from "../management/in-force.ts";
import type { Records } from "../management/records/records.ts";

/** Well within the second in which every gateway has to obey (MGT-C5). */
const EVERY_MS = 400;

/** Returns how to end it. */
export function keepUp(
  { onRemoteChange }: Pick<Records, "onRemoteChange">,
  { applyChanges }: Pick<LiveConfiguration, "applyChanges">,
): () => void {
  let isOver = false;
  const look = (): void => {
    // An outage is told by the records, and shown at /ready.
    if (!isOver) applyChanges().catch(() => null);
  };
  onRemoteChange(look);
  const looking = setInterval(look, EVERY_MS).unref();
  return () => {
    isOver = true;
    clearInterval(looking);
  };
}
