// Reads settings and world in another process: reading 10,000 keys takes a second, and meanwhile this process serves
// requests. Reading needs several times the memory of the world, which is freed when the other process ends.
import { fork } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { extname } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { gatherKeys, type Piece } from "./keys-in-pieces.ts";
import { whyUnreadable } from "../../kit/reading/text-file.node.ts";
import { loadSettings, type Loaded, type WithWorld } from "./load.node.ts";

export interface LoadOptions {
  readonly flags: ReadonlyMap<string, string>;
  readonly file: string | null;
  readonly withWorld: WithWorld;
}

/** Bytes of a world with about 1,000 keys. To read a larger one takes longer than to start a process. */
const LARGE_BYTES = 65_536;

/** Reads the settings at the start, and the world if it is served without records. */
export async function loadAtStart(flags: ReadonlyMap<string, string>): Promise<Loaded> {
  const early = loadSettings(flags, undefined, "never");
  if (early.sound !== null && early.sound.settings.records !== "off") return early;
  const world = early.sound?.settings.world ?? null;
  return world === null || sizeOf(world) < LARGE_BYTES
    ? loadSettings(flags)
    : loadApart({ flags, file: early.file, withWorld: "where it is served" });
}

/** The size of a file in bytes; 0 if the file is unreadable. The code that reads it later reports the reason. */
function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch (error) {
    whyUnreadable(error);
    return 0;
  }
}

/** A message of the reading process: first the settings, then for each "next" a piece of keys, or null at the end. */
export type LoadMessage = Loaded | Piece | null | { readonly failed: string };

/** Loads in another process. Rejects if that process fails, for example if the world is too large for its memory. */
export async function loadApart(options: LoadOptions): Promise<Loaded> {
  const name = `./load-process.node${extname(import.meta.filename)}`;
  const reader = fork(new URL(name, import.meta.url), {
    serialization: "advanced",
    // With this flag the new process would wait for a debugger at the port of this one.
    execArgv: process.execArgv.filter((argument) => !argument.startsWith("--inspect")),
    // The process sends its failure as a message. It is detached, so Ctrl-C reaches only this process.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    detached: true,
  });
  const ended = once(reader, "exit").then(([code, signal]) =>
    Promise.reject(new Error(`the reading process ended with ${signal ?? `code ${code}`}`)),
  );
  ended.catch(() => {}); // `receive` handles the error
  const receive = async <Message extends LoadMessage>(): Promise<Message> => {
    const [message] = (await Promise.race([once(reader, "message"), ended])) as [LoadMessage];
    if (message !== null && "failed" in message) throw new Error(message.failed);
    return message as Message;
  };
  try {
    const head = receive<Loaded>();
    reader.send(options);
    const loaded = await head;
    const keys = gatherKeys();
    for (;;) {
      const received = receive<Piece | null>();
      reader.send("next");
      const piece = await received;
      if (piece === null) break;
      keys.add(piece);
      await nextTurn();
    }
    const { sound } = loaded;
    if (sound === null || sound.world === null || sound.world.configuration === null) return loaded;
    const world = { ...sound.world, configuration: keys.complete(sound.world.configuration) };
    return { ...loaded, sound: { ...sound, world } };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const problem = `weir: settings and world could not be read: ${why}; reload again, or start with more memory if they have grown`;
    return {
      sound: null,
      effective: null,
      file: options.file,
      errors: [problem],
      warnings: [],
    };
  } finally {
    reader.kill("SIGKILL");
  }
}
