// Implementations that are started for a world. Some need seconds to start, so one that keeps all its state in Redis is
// reused for worlds with the same configuration, after its Redis has been emptied.
import { once } from "node:events";
import { connect } from "node:net";
import { identify } from "../implementations/translation.ts";
import type { Implementation } from "../implementations/catalogue.node.ts";
import { serveImplementation, type ServedImplementation } from "../implementations/serve.node.ts";
import type { WantedWorld } from "../implementations/wanted.ts";
import { isFailure } from "../../kit/reading/failure.ts";
import { isRedisThere, NO_REDIS } from "./own-redis.node.ts";
import { startOwnStore, type OwnStore } from "./own-store.node.ts";

interface StartedWorld extends ServedImplementation {
  /** Null if the implementation has no store. */
  readonly loseStoreUntil: OwnStore["loseUntil"] | null;
}

export interface WorldStarter {
  readonly start: (wanted: WantedWorld, upstream: URL) => Promise<StartedWorld>;
  readonly close: () => Promise<void>;
}

interface Started extends ServedImplementation {
  readonly store: OwnStore | null;
}

/** How many programs may be idle, each with maybe hundreds of megabytes. Above this, the longest idle one is ended. */
const MOST_IDLE = 8;

export function createStarter(implementation: Implementation): WorldStarter {
  const idle: { readonly name: string; readonly started: Started }[] = [];
  const hasStore = implementation.manifest.capabilities.store === "redis";
  const start = async (wanted: WantedWorld, upstream: URL): Promise<Started> => {
    if (hasStore && !isRedisThere()) throw new Error(NO_REDIS);
    const store = hasStore ? await startOwnStore() : null;
    try {
      const served = await serveImplementation({
        implementation,
        wanted,
        upstream,
        redis: store === null ? null : placeOf(store.url),
      });
      if (isFailure(served)) throw new Error(served.message);
      return { ...served, store };
    } catch (error) {
      await store?.stop();
      throw error;
    }
  };
  const end = async ({ stop, store }: Started): Promise<void> => {
    await stop();
    await store?.stop();
  };
  return {
    start: async (wanted, upstream) => {
      const name = identify(implementation, wanted);
      const at = idle.findIndex((each) => each.name === name);
      const again = at < 0 ? undefined : idle.splice(at, 1)[0]!.started;
      const started = again ?? (await start(wanted, upstream));
      const { store } = started;
      if (again !== undefined && store !== null) await empty(store);
      let isUsable = hasStore && !started.hasSetup;
      void started.exited.then(() => (isUsable = false));
      return {
        ...started,
        change: (next) => {
          isUsable = false;
          return started.change(next);
        },
        loseStoreUntil:
          store === null
            ? null
            : (back) => {
                isUsable = false; // after an outage, state of this world may leak into another
                return store.loseUntil(back);
              },
        stop: async () => {
          if (isUsable) idle.push({ name, started });
          else await end(started);
          if (idle.length > MOST_IDLE) await end(idle.shift()!.started);
        },
      };
    },
    close: async () => {
      await Promise.all(idle.splice(0).map(({ started }) => end(started)));
    },
  };
}

function placeOf(url: string): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}

async function empty({ directUrl }: OwnStore): Promise<void> {
  const { host, port } = placeOf(directUrl);
  const socket = connect(port, host);
  try {
    socket.end("FLUSHALL\r\n");
    const [reply] = (await once(socket, "data")) as [Buffer];
    if (reply.toString().trim() !== "+OK") throw new Error(`FLUSHALL failed: ${reply.toString()}`);
  } finally {
    socket.destroy();
  }
}
