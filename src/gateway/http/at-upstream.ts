// The requests that wait for an upstream, as a list from which an entry is removed by its index. A Set would do the
// same, but garbage collection of its old tables would take a third of a gateway's time.
import type { Micros } from "../../kit/units.ts";

export interface ListEntry {
  place: number; // index in the list; -1: in no list
}

export interface AtUpstream extends ListEntry {
  readonly turnUs: Micros; // the earliest time to send the request to its upstream
  timeOut(): void;
}

export function enter<T extends ListEntry>(list: T[], entry: T): void {
  entry.place = list.length;
  list.push(entry);
}

/** Removes an entry; the last entry takes its index. */
export function leave<T extends ListEntry>(list: T[], entry: T): void {
  const { place } = entry;
  if (place < 0) return;
  const last = list.pop()!;
  if (last !== entry) {
    list[place] = last;
    last.place = place;
  }
  entry.place = -1;
}
