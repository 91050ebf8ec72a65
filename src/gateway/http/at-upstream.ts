// Who waits for an upstream: a list that each can leave from its place in it. A Set would do as well, but what
// it held when it last grew lives on in its old tables, and a gateway spends a third of its time collecting that.
import type { Micros } from "../../core/units.ts";

export interface Placed {
  place: number; // in the list; -1: in none
}

export interface AtUpstream extends Placed {
  readonly startUs: Micros;
  tooLate(): void;
}

export function enter<T extends Placed>(list: T[], one: T): void {
  one.place = list.length;
  list.push(one);
}

/** The last one takes its place. */
export function leave<T extends Placed>(list: T[], one: T): void {
  const { place } = one;
  if (place < 0) return;
  const last = list.pop()!;
  if (last !== one) {
    list[place] = last;
    last.place = place;
  }
  one.place = -1;
}
