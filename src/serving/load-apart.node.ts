// Reads settings and world in a thread of its own: ten thousand keys take a second to read, and meanwhile
// this thread serves requests.
import { once } from "node:events";
import { extname } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { gatherKeys, type Piece } from "./keys-in-pieces.ts";
import type { Loaded, WithWorld } from "./load.node.ts";

export interface LoadOptions {
  readonly flags: ReadonlyMap<string, string>;
  readonly file: string | null;
  readonly withWorld: WithWorld;
}

/** A failure of the thread, such as a world too large for its memory, leaves the gateway unchanged. */
export async function loadApart(options: LoadOptions): Promise<Loaded> {
  const name = `./load-worker.node${extname(import.meta.filename)}`;
  const worker = new Worker(new URL(name, import.meta.url), { workerData: options });
  const ended = once(worker, "exit").then(() =>
    Promise.reject(new Error("the thread that reads them ended")),
  );
  ended.catch(() => {}); // `receive` reports it
  const receive = async <Message>(): Promise<Message> => {
    const [message] = await Promise.race([once(worker, "message"), ended]);
    return message as Message;
  };
  try {
    const head = await receive<Loaded>();
    const keys = gatherKeys();
    for (;;) {
      const received = receive<Piece | null>();
      worker.postMessage("next", []);
      const piece = await received;
      if (piece === null) break;
      keys.add(piece);
      await nextTurn();
    }
    const { sound } = head;
    if (sound === null || sound.world === null || sound.world.configuration === null) return head;
    const world = { ...sound.world, configuration: keys.complete(sound.world.configuration) };
    return { ...head, sound: { ...sound, world } };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const problem = `weir: settings and world could not be read: ${why}; reload again, or start with more memory if they have grown`;
    return { sound: null, effective: null, file: options.file, errors: [problem], warnings: [] };
  } finally {
    void worker.terminate();
  }
}
