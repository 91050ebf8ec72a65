import { parentPort, workerData } from "node:worker_threads";
import { piecesOf, withoutKeys } from "./keys-in-pieces.ts";
import type { LoadOptions } from "./load-apart.node.ts";
import { loadSettings, type Loaded } from "./load.node.ts";

const { flags, file, withWorld } = workerData as LoadOptions;
const loaded = loadSettings(flags, file, withWorld);
const configuration = loaded.sound?.world?.configuration ?? null;
const pieces = configuration === null ? null : piecesOf(configuration);
const port = parentPort!;
// Sends a piece per request: several waiting pieces would be copied in one turn of the receiver.
port.on("message", () => {
  port.postMessage(pieces?.next().value ?? null, []);
});
port.postMessage(headOf(loaded), []);

/** Without the keys, and without what only an import reads: each may be as many. */
function headOf({ sound, ...rest }: Loaded): Loaded {
  if (sound === null || sound.world === null || configuration === null) return { sound, ...rest };
  const bare = withoutKeys(configuration);
  const credentials = new Map();
  const hashes = new Map();
  const world = { ...sound.world, configuration: bare, raw: null, credentials, hashes };
  return { ...rest, sound: { ...sound, world } };
}
