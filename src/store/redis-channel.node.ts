// Publish and subscribe of Redis. The connection is its own: a store that is busy delays nobody's heartbeat.
import type { Cluster, Redis } from "ioredis";
import type { Channel } from "./channel.ts";

export const CHANNEL_OPTIONS = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  autoResubscribe: false, // `listen` does it, and says when
} as const;

const LONGEST_GOODBYE_MS = 200;

/** Its client sends nothing later than it was said (CHANNEL_OPTIONS): an old heartbeat is a lie. */
export function redisChannel(client: Redis | Cluster, name: string): Channel {
  const subscribe = async (): Promise<void> => void (await client.subscribe(name));
  return {
    listen: (hear) => {
      client.on("message", (_name: string, text: string) => hear(text));
      return new Promise((resolve) => {
        const start = (): void => void subscribe().then(resolve, nobodyHears);
        client.on("ready", start);
        if (client.status === "ready") start();
      });
    },
    say: (text) => {
      if (client.status !== "ready") return false;
      void client.publish(name, text).catch(nobodyHears);
      return true;
    },
    renew: () => client.disconnect(true),
    close: async () => {
      const gone = client.quit().then(nobodyHears, nobodyHears);
      const waited = new Promise((resolve) => setTimeout(resolve, LONGEST_GOODBYE_MS).unref());
      await Promise.race([gone, waited]);
      client.disconnect();
    },
  };
}

/** A message or a subscription that failed: whoever spoke notices, because the own voice does not come back. */
const nobodyHears = (): void => {};
