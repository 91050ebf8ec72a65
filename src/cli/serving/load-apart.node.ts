// Reads settings and world in a thread of its own: ten thousand keys take a second to read, and meanwhile
// requests go on.
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { Loaded, WithWorld } from "./load.node.ts";

export interface Reading {
  readonly flags: ReadonlyMap<string, string>;
  readonly file: string | null;
  readonly withWorld: WithWorld;
}

/** What ends the thread, such as a world that no memory holds, leaves the gateway as it is. */
export function loadApart(reading: Reading): Promise<Loaded> {
  const name = `./load-worker.node${extname(import.meta.filename)}`;
  const worker = new Worker(new URL(name, import.meta.url), { workerData: reading });
  return new Promise((resolve) => {
    const { file } = reading;
    worker.once("message", resolve);
    worker.once("error", (error) => {
      const fault = `weir: settings and world could not be read: ${error.message}`;
      resolve({ sound: null, inForce: null, file, faults: [fault], warnings: [] });
    });
  });
}
