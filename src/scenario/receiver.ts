import type { Micros } from "../core/units.ts";

/** What the receiver of a webhook does with each attempt; the last of a list stands for all that follow. */
export interface Receiver {
  readonly answers: readonly (number | "no response" | "connection reset")[];
  readonly afterUs: Micros;
  readonly addresses: readonly string[]; // where its name leads
}
