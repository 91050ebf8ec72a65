// Publish and subscribe of Redis. It publishes over the store's own connection, so that a gateway whose heartbeats arrive
// can also count, and subscribes over another, because a subscribed connection can do nothing else in the older protocol.
import type { Channel } from "./channel.ts";
import { connectionLike, dropConnection, type RedisConnection } from "./redis-connection.node.ts";

/** Gateways that share counters share a channel; Redis sends messages to all databases, so the name has the number. */
export const channelName = (prefix: string, db: number): string => `${prefix}gateways/${db}`;

/** The connection queues nothing for later (`enableOfflineQueue: false`): an old heartbeat would be false. */
export function redisChannel(publisher: RedisConnection, name: string): Channel {
  const subscriber = connectionLike(publisher, ignoreFailure);
  let isRenewing = false;
  subscriber.on("close", () => {
    isRenewing = false;
  });
  // If one connection is back, the other need not wait for its next attempt.
  whenReady(publisher, () => {
    if (subscriber.status === "wait" || subscriber.status === "reconnecting")
      void subscriber.connect().catch(ignoreFailure);
  });
  const subscribe = async (): Promise<string | null> => {
    try {
      await subscriber.subscribe(name);
      return null;
    } catch (error) {
      if (error instanceof Error && error.name === "ReplyError") return error.message;
      throw error;
    }
  };
  return {
    listen: async (onMessage) => {
      subscriber.on("message", (_name: string, text: string) => onMessage(text));
      const { promise: subscribed, resolve } = Promise.withResolvers<string | null>();
      whenReady(subscriber, () => void subscribe().then(resolve, ignoreFailure));
      await new Promise<void>((isReady) => whenReady(publisher, isReady));
      return subscribed;
    },
    publish: (text) => {
      if (publisher.status !== "ready") return false;
      void publisher.publish(name, text).catch(ignoreFailure);
      return true;
    },
    renew: () => {
      if (subscriber.status !== "ready" || isRenewing) return;
      isRenewing = true;
      subscriber.disconnect(true);
    },
    close: async () => dropConnection(subscriber),
  };
}

/** Each time: after a reconnection too. */
function whenReady(client: RedisConnection, then: () => void): void {
  client.on("ready", then);
  if (client.status === "ready") then();
}

/** A failed connection, message or subscription: the gateway's own message does not arrive, and it notices that. */
const ignoreFailure = (): void => {};
