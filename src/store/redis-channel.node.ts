// Publish and subscribe of Redis. It speaks over the store's own connection, so that who is heard can also
// count, and listens over another, because one that listens can do nothing else in the older protocol.
import type { Channel } from "./channel.ts";
import { connectionLike, dropConnection, type RedisConnection } from "./redis-connection.node.ts";

/** Whoever counts together speaks together; a database of its own does not part what is said. */
export const channelName = (prefix: string, db: number): string => `${prefix}gateways/${db}`;

/** The connection keeps nothing for later (`enableOfflineQueue: false`): an old heartbeat is a lie. */
export function redisChannel(speaker: RedisConnection, name: string): Channel {
  const listener = connectionLike(speaker, nobodyHears);
  let isRenewing = false;
  const connect = (): void => void listener.connect().catch(nobodyHears);
  if (listener.status === "wait") connect();
  listener.on("close", () => {
    isRenewing = false;
  });
  // Where one is back, the other need not wait for its turn to try.
  speaker.on("ready", () => {
    if (listener.status === "reconnecting") connect();
  });
  const subscribe = async (): Promise<string | null> => {
    try {
      await listener.subscribe(name);
      return null;
    } catch (error) {
      if (error instanceof Error && error.name === "ReplyError") return error.message;
      throw error;
    }
  };
  return {
    listen: async (hear) => {
      listener.on("message", (_name: string, text: string) => hear(text));
      const { promise: subscribed, resolve } = Promise.withResolvers<string | null>();
      whenReady(listener, () => void subscribe().then(resolve, nobodyHears));
      await new Promise<void>((isReady) => whenReady(speaker, isReady));
      return subscribed;
    },
    say: (text) => {
      if (speaker.status !== "ready") return false;
      void speaker.publish(name, text).catch(nobodyHears);
      return true;
    },
    renew: () => {
      if (listener.status !== "ready" || isRenewing) return;
      isRenewing = true;
      listener.disconnect(true);
    },
    close: async () => dropConnection(listener),
  };
}

/** Each time: after a reconnection too. */
function whenReady(client: RedisConnection, then: () => void): void {
  client.on("ready", then);
  if (client.status === "ready") then();
}

/** A connection, a message or a subscription that failed: the own voice does not come back, and that is noticed. */
const nobodyHears = (): void => {};
