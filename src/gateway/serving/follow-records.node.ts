// Applies what other gateways write to shared records: after a notification, if the database sends them, and by
// polling.
import type { LiveConfiguration } from "../management/live-configuration.ts";
import type { Records } from "../management/records/records.ts";

/** The polling interval. Every gateway must apply a change within one second (MGT-C5). */
const EVERY_MS = 400;

/** Begins to apply changes of other gateways. Returns a function that ends this. */
export function followRecords(
  { onRemoteChange }: Pick<Records, "onRemoteChange">,
  { applyChanges }: Pick<LiveConfiguration, "applyChanges">,
): () => void {
  let isOver = false;
  const applyAll = (): void => {
    // The records report an outage themselves, and /ready shows it.
    if (!isOver) applyChanges().catch(() => null);
  };
  onRemoteChange(applyAll);
  const timer = setInterval(applyAll, EVERY_MS).unref();
  return () => {
    isOver = true;
    clearInterval(timer);
  };
}
