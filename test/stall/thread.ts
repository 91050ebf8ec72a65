// A second thread, for clients that must not wait for the serving one.
import { Worker } from "node:worker_threads";
import { onTestFinished } from "vitest";
import type { Order } from "./writers-worker.ts";

export interface Thread {
  readonly order: <Answer>(order: Order) => Promise<readonly Answer[]>;
  readonly stop: () => void;
}

export function startThread(): Thread {
  const worker = new Worker(new URL("./writers-worker.ts", import.meta.url));
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => {}); // `order` reports it
  worker.once("error", reject);
  onTestFinished(async () => void (await worker.terminate()));
  return {
    order: async (order) => {
      const { promise: answered, resolve } = Promise.withResolvers<readonly never[]>();
      worker.once("message", resolve);
      worker.postMessage(order, []);
      return Promise.race([answered, failed]);
    },
    stop: () => worker.postMessage("stop" satisfies Order, []),
  };
}
