import type { Micros } from "../core/units.ts";

/** What the receiver of a webhook does with each attempt; the last item of a list applies to all later ones. */
export interface Receiver {
  readonly answers: readonly (number | "no response" | "connection reset")[];
  readonly afterUs: Micros;
  readonly addresses: readonly string[]; // of its name, at each attempt
}
