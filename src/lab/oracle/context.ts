// The request, and the state of its budgets, from which the answer of a level is computed.
import type { Book } from "./book.ts";
import type { SettledDebt } from "./debt.ts";
import type { Entry } from "./entries.ts";
import type { Followed } from "./follow.ts";
import { NO_WINDOW, type Possibility, type WindowRule } from "./window.ts";
import type { OracleWorld } from "./world.ts";

export interface EvaluationContext {
  readonly book: Book;
  readonly world: OracleWorld;
  readonly epochUs: number;
  readonly entry: Entry;
  readonly inSteps: boolean;
}

/** The state of a ledger that is carried from request to request. */
export interface Running extends Followed {
  /** The possible windows after the first `upTo` attempts, so that no answer has to count these attempts again. */
  windows: { readonly upTo: number; readonly possibilities: readonly Possibility[] };
  /** As `windows`, but if times overlap: the possible windows after the first `upTo` attempts, which are settled. */
  settled: {
    readonly upTo: number;
    readonly possibilities: readonly Possibility[];
    readonly rule: WindowRule | null; // null if no attempt is settled yet
  };
  debt: SettledDebt | null; // null if no attempt is settled yet
}

export const startRunning = (): Running => ({
  wholes: new Map(),
  record: null,
  isOpen: false,
  delayUs: 0,
  lastWritten: null,
  lastRefunded: null,
  windows: { upTo: 0, possibilities: [NO_WINDOW] },
  settled: { upTo: 0, possibilities: [NO_WINDOW], rule: null },
  debt: null,
});
