// A remote store whose replies are timed for an observer.
import { hasFailed } from "../../core/store.ts";
import type { Micros } from "../../kit/units.ts";
import type { RemoteStore } from "../../store/remote.ts";
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
