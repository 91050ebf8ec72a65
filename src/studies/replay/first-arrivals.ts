// When names first arrive. With numbers in this order, a log that is sorted on disk has the result of the sorted log to
// the last digit: ties and random draws depend on the numbers of clients.
import { enlargeColumn } from "./arrivals.ts";
import type { NameTable } from "./names.ts";

const FIRST_NAMES = 1024;

export class FirstArrivals {
  #atUs = new Float64Array(FIRST_NAMES).fill(Number.MAX_VALUE);
  #places = new Float64Array(FIRST_NAMES);

  /** `place`: that of the line, which decides between equal times. */
  note(id: number, atUs: number, place: number): void {
    const room = this.#atUs.length;
    if (id >= room) {
      const larger = new Float64Array(2 * id).fill(Number.MAX_VALUE);
      this.#atUs = enlargeColumn(this.#atUs, larger);
      this.#places = enlargeColumn(this.#places, new Float64Array(2 * id));
    }
    if (atUs >= this.#atUs[id]!) return;
    this.#atUs[id] = atUs;
    this.#places[id] = place;
  }

  /** Renumbers the names. Returns the new number of each by its old one; names that never arrive are the last ones. */
  renumber(names: NameTable): Int32Array {
    const at = (id: number): number => this.#atUs[id] ?? Number.MAX_VALUE;
    const place = (id: number): number => this.#places[id] ?? 0;
    const order = Int32Array.from({ length: names.count }, (_, id) => id);
    order.sort((a, b) => at(a) - at(b) || place(a) - place(b) || a - b);
    const numbers = new Int32Array(order.length);
    for (const [number, id] of order.entries()) numbers[id] = number;
    names.renumber(order);
    return numbers;
  }
}
