// The requests that wait for an upstream: a list that each entry can leave by its index. A Set would do the same, but
// its entries survive in its old tables after it grows, and a gateway spends a third of its time collecting them.
import type { Micros } from "../../kit/units.ts";

export interface ListEntry {
  place: number; // in the list; -1: in none
}

export interface AtUpstream extends ListEntry {
  readonly turnUs: Micros; // since when it may be at its upstream
  timeOut(): void;
}

export function enter<T extends ListEntry>(list: T[], entry: T): void {
  entry.place = list.length;
  list.push(entry);
}

/** The last entry moves to its index. */
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
