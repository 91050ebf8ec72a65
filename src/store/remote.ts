// A store that is elsewhere. It answers later, or it fails (ALG-C8); whoever asks is told once, in either case.
import type { StoreResult, StoreOp } from "../core/store.ts";
import { LOCAL_STORE_TRAITS, type StoreTraits } from "../core/limiter.ts";
import type { Micros } from "../core/units.ts";

export interface RemoteStore {
  /** Every budget has a place of its own: a question speaks to one of them only. */
  readonly isSplit?: boolean;
  /** Commands that nobody falls between (ALG-C7). */
  readonly hasTransactions?: boolean;
  /** `hear` is called once, and never before this returns. Nothing is thrown. */
  readonly ask: (op: StoreOp, timeoutUs: Micros, hear: (answer: StoreResult) => void) => void;
  /** Waits for the answers to what was asked, each within its time: a background write is not lost. */
  readonly close: () => Promise<void>;
}

export const traitsOf = (store: RemoteStore | null): StoreTraits =>
  store === null
    ? LOCAL_STORE_TRAITS
    : {
        isRemote: true,
        hasTransactions: store.hasTransactions === true,
        isSplit: store.isSplit === true,
      };
