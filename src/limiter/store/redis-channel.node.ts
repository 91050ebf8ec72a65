// Publish and subscribe of Redis. Messages are published over the store's own connection, so that a gateway whose
// heartbeats arrive also reaches its counters. The subscription has another connection, because in the older protocol a
// subscribed connection can do nothing else.
import type { Channel } from "./channel.ts";
import { connectionLike, dropConnection, type RedisConnection } from "./redis-connection.node.ts";

/** Gateways that share counters share a channel. Redis channels span all databases, so the name has the database. */
export const channelName = (prefix: string, db: number): string => `${prefix}gateways/${db}`;

/** The connection must not queue messages for later (`enableOfflineQueue: false`): a late heartbeat would be wrong. */
export function redisChannel(publisher: RedisConnection, name: string): Channel {
  const subscriber = connectionLike(publisher, ignoreFailure);
  let isRenewing = false;
  subscriber.on("close", () => {
    isRenewing = false;
  });
  // When the publisher is ready again, the subscriber connects immediately, without waiting for its next attempt.
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

/** Calls `then` each time the connection is ready, also after a reconnection. */
function whenReady(client: RedisConnection, then: () => void): void {
  client.on("ready", then);
  if (client.status === "ready") then();
}

/** Needs no report: the gateway notices a failure, because its own message does not arrive. */
const ignoreFailure = (): void => {};
