// A store outside this process: it replies later or fails (ALG-C8). The callback is called once, in either case.
import type { StoreResult, StoreOp } from "../core/store.ts";
import { LOCAL_STORE_TRAITS, type StoreTraits } from "../core/limiter.ts";
import type { Micros } from "../../kit/units.ts";

export interface RemoteStore {
  /** Each operation is on one budget only, because budgets may be on different servers. */
  readonly isSplit?: boolean;
  /** The store has transactions, in which no command of another client runs (ALG-C7). */
  readonly hasTransactions?: boolean;
  /** Calls `onReply` once, and only after `send` has returned. Never throws. */
  readonly send: (op: StoreOp, timeoutUs: Micros, onReply: (answer: StoreResult) => void) => void;
  /** Waits for pending replies until their time-outs, so that no background write is lost. */
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
