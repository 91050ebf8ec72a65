// A store elsewhere whose answers somebody times.
import { hasFailed } from "../../core/store.ts";
import type { Micros } from "../../core/units.ts";
import type { RemoteStore } from "../../store/remote.ts";
import type { Observer } from "./observer.ts";

export function watchedStore(
  store: RemoteStore | null,
  storeAsked: Observer["storeAsked"],
  clock: () => Micros,
): RemoteStore | null {
  if (store === null || storeAsked === undefined) return store;
  return {
    ...store,
    send: (op, timeoutUs, hear) => {
      const askedUs = clock();
      store.send(op, timeoutUs, (answer) => {
        storeAsked(clock() - askedUs, hasFailed(answer) ? answer.failed : null);
        hear(answer);
      });
    },
  };
}
