// What an answer is made from.
import type { Book } from "./book.ts";
import type { Entry } from "./entries.ts";
import type { Followed } from "./follow.ts";
import { NO_WINDOW, type Possibility } from "./window.ts";
import type { OracleWorld } from "./world.ts";

export interface Asking {
  readonly book: Book;
  readonly world: OracleWorld;
  readonly epochUs: number;
  readonly entry: Entry;
  readonly inSteps: boolean;
}

/** What is carried along one ledger from request to request. */
export interface Running extends Followed {
  /** Windows as they stand after the first `upTo` attempts, so that they are not counted from the start each time. */
  windows: { readonly upTo: number; readonly possibilities: readonly Possibility[] };
}

export const startRunning = (): Running => ({
  wholes: new Map(),
  kept: null,
  isOpen: false,
  delayUs: 0,
  givenBackUs: Number.NEGATIVE_INFINITY,
  windows: { upTo: 0, possibilities: [NO_WINDOW] },
});
