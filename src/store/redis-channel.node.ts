// Publish and subscribe of Redis. The connections are its own, one to speak and one to listen: a store that is
// busy delays nobody's heartbeat.
import type { Cluster, Redis } from "ioredis";
import type { Channel } from "./channel.ts";

const LONGEST_GOODBYE_MS = 200;

/** What it connects by must keep nothing for later (`enableOfflineQueue: false`): an old heartbeat is a lie. */
export function redisChannel(connect: () => Redis | Cluster, name: string): Channel {
  const speaker = connect();
  const listener = connect();
  const both = [speaker, listener];
  for (const each of both) if (each.status === "wait") each.connect().catch(nobodyHears);
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
      for (const each of both) if (each.status === "ready") each.disconnect(true);
    },
    close: async () => {
      listener.disconnect();
      const gone = speaker.quit().then(nobodyHears, nobodyHears);
      const waited = new Promise((resolve) => setTimeout(resolve, LONGEST_GOODBYE_MS).unref());
      await Promise.race([gone, waited]);
      speaker.disconnect();
    },
  };
}

/** Each time: after a reconnection too. */
function whenReady(client: Redis | Cluster, then: () => void): void {
  client.on("ready", then);
  if (client.status === "ready") then();
}

/** A connection, a message or a subscription that failed: the own voice does not come back, and that is noticed. */
const nobodyHears = (): void => {};
