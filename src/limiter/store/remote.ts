// A store outside this process. It replies later, or fails (ALG-C8); each operation is called back once, in either case.
import type { StoreResult, StoreOp } from "../core/store.ts";
import { LOCAL_STORE_TRAITS, type StoreTraits } from "../core/limiter.ts";
import type { Micros } from "../../kit/units.ts";

export interface RemoteStore {
  /** Each operation is on one budget, because budgets may be on different servers. */
  readonly isSplit?: boolean;
  /** Has transactions: no other client's commands come between theirs (ALG-C7). */
  readonly hasTransactions?: boolean;
  /** `onReply` is called once, and never before this returns. Nothing throws. */
  readonly send: (op: StoreOp, timeoutUs: Micros, onReply: (answer: StoreResult) => void) => void;
  /** Waits for pending replies, each within its time, so that no background write is lost. */
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
