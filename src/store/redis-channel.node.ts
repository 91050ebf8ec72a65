// Publish and subscribe of Redis. It speaks over the store's own connection, so that who is heard can also
// count, and listens over another, because one that listens can do nothing else in the older protocol.
import type { Cluster, Redis } from "ioredis";
import type { Channel } from "./channel.ts";

/** Neither may keep anything for later (`enableOfflineQueue: false`): an old heartbeat is a lie. */
export function redisChannel(
  speaker: Redis | Cluster,
  listener: Redis | Cluster,
  name: string,
): Channel {
  if (listener.status === "wait") listener.connect().catch(nobodyHears);
  const subscribe = async (): Promise<void> => void (await listener.subscribe(name));
  return {
    listen: async (hear) => {
      listener.on("message", (_name: string, text: string) => hear(text));
      const { promise: subscribed, resolve } = Promise.withResolvers<void>();
      whenReady(listener, () => void subscribe().then(resolve, nobodyHears));
      await new Promise<void>((isReady) => whenReady(speaker, isReady));
      await subscribed;
    },
    say: (text) => {
      if (speaker.status !== "ready") return false;
      void speaker.publish(name, text).catch(nobodyHears);
      return true;
    },
    renew: () => {
      if (listener.status === "ready") listener.disconnect(true);
    },
    close: async () => listener.disconnect(),
  };
}

/** Each time: after a reconnection too. */
function whenReady(client: Redis | Cluster, then: () => void): void {
  client.on("ready", then);
  if (client.status === "ready") then();
}

/** A connection, a message or a subscription that failed: the own voice does not come back, and that is noticed. */
const nobodyHears = (): void => {};
