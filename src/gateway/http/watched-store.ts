// A remote store whose replies are timed for an observer.
import { hasFailed } from "../../limiter/core/store.ts";
import type { Micros } from "../../kit/units.ts";
import type { RemoteStore } from "../../limiter/store/remote.ts";
import type { Observer } from "./observer.ts";

export function timeStore(
  store: RemoteStore | null,
  onStoreReply: Observer["onStoreReply"],
  clock: () => Micros,
): RemoteStore | null {
  if (store === null || onStoreReply === undefined) return store;
  return {
    ...store,
    send: (op, timeoutUs, receive) => {
      const sentUs = clock();
      store.send(op, timeoutUs, (answer) => {
        onStoreReply(clock() - sentUs, hasFailed(answer) ? answer.failed : null);
        receive(answer);
      });
    },
  };
}
