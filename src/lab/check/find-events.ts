// Finds events of a history by a glob and a key, as expectations name them.
import type { History, HistoryEvent } from "../scenario/history.ts";
import { globMatches } from "../scenario/read/names.ts";
import type { Filter } from "../scenario/types.ts";
import type { CheckSubject } from "./subject.ts";

/** Sorted by time. The history has a different order if falls of an allowance were computed later (SMO-C6). */
export const listEvents = (
  history: History,
  glob: string,
  key: string | null,
  during: Filter["during"] = null,
): HistoryEvent[] =>
  history.events
    .filter(
      ({ event, key: about, stampUs }) =>
        globMatches(glob, event) &&
        (key === null || about === key) &&
        (during === null || (stampUs >= during.fromUs && stampUs < during.toUs)),
    )
    .toSorted((a, b) => a.stampUs - b.stampUs);

/** The row of the request that caused an event; -1 if no request came before the event. */
export function rowOf({ requests, header }: History, event: HistoryEvent): number {
  let latest = -1;
  for (let row = 0; row < requests.length; row++) {
    if (event.key !== null && header.keys[requests.key[row]!] !== event.key) continue;
    if (requests.fromUs[row]! <= event.atUs) latest = row;
  }
  return latest;
}

export function unknownKey({ history, variant }: CheckSubject, key: string | null): string | null {
  if (key === null || history.header.keys.includes(key)) return null;
  const configured = [...(variant.world.configuration?.keys.values() ?? [])];
  return configured.some(({ id }) => id === key) ? null : `the run has no key "${key}"`;
}
