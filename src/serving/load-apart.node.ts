// Reads settings and world in a thread of its own: ten thousand keys take a second to read, and meanwhile
// requests go on.
import { once } from "node:events";
import { extname } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { gathering, type Piece } from "./keys-in-pieces.ts";
import type { Loaded, WithWorld } from "./load.node.ts";

export interface Reading {
  readonly flags: ReadonlyMap<string, string>;
  readonly file: string | null;
  readonly withWorld: WithWorld;
}

/** What ends the thread, such as a world that no memory holds, leaves the gateway as it is. */
export async function loadApart(reading: Reading): Promise<Loaded> {
  const name = `./load-worker.node${extname(import.meta.filename)}`;
  const worker = new Worker(new URL(name, import.meta.url), { workerData: reading });
  const ended = once(worker, "exit").then(() =>
    Promise.reject(new Error("the thread that reads them has ended")),
  );
  ended.catch(() => {}); // whoever waits is told
  const heard = async <Said>(): Promise<Said> => {
    const [said] = await Promise.race([once(worker, "message"), ended]);
    return said as Said;
  };
  try {
    const head = await heard<Loaded>();
    const keys = gathering();
    for (;;) {
      const answered = heard<Piece | null>();
      worker.postMessage("next", []);
      const piece = await answered;
      if (piece === null) break;
      keys.add(piece);
      await nextTurn();
    }
    const { sound } = head;
    if (sound === null || sound.world === null || sound.world.configuration === null) return head;
    const world = { ...sound.world, configuration: keys.into(sound.world.configuration) };
    return { ...head, sound: { ...sound, world } };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const fault = `weir: settings and world could not be read: ${why}; reload again, or start with more memory if they have grown`;
    return { sound: null, inForce: null, file: reading.file, faults: [fault], warnings: [] };
  } finally {
    void worker.terminate();
  }
}
