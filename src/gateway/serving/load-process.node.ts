// The program of the process that reads settings and world (load-apart.node.ts). It ends with its parent.
import { piecesOf, withoutKeys, type Piece } from "./keys-in-pieces.ts";
import type { LoadMessage, LoadOptions } from "./load-apart.node.ts";
import { loadSettings, type Loaded } from "./load.node.ts";

const send = (message: LoadMessage): void => void process.send!(message);

process.channel?.ref(); // a module that was loaded before may have released the channel
process.once("message", (options) => {
  try {
    const { flags, file, withWorld } = options as LoadOptions;
    const loaded = loadSettings(flags, file, withWorld);
    const configuration = loaded.sound?.world?.configuration ?? null;
    serve(configuration === null ? null : piecesOf(configuration));
    send(headOf(loaded));
  } catch (error) {
    send({ failed: error instanceof Error ? error.message : String(error) });
  }
});

/** Sends one piece for each message: several pieces would be copied in one turn of the receiver's event loop. */
const serve = (pieces: Generator<Piece, undefined> | null): void =>
  void process.on("message", () => send(pieces?.next().value ?? null));

/** Returns the result without keys and without data that only an import reads, because both can be large. */
function headOf({ sound, ...rest }: Loaded): Loaded {
  if (sound === null || sound.world === null || sound.world.configuration === null)
    return { sound, ...rest };
  const bare = withoutKeys(sound.world.configuration);
  const credentials = new Map();
  const hashes = new Map();
  const world = { ...sound.world, configuration: bare, raw: null, credentials, hashes };
  return { ...rest, sound: { ...sound, world } };
}
