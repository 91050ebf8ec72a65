// Gateways of one fleet over one store, in this process: what breaks in these tests is the store.
import type { LimiterEvent } from "#src/limiter/core/events.ts";
import { gatewaysAt } from "#src/limiter/core/limiter.ts";
import { readConfiguration } from "#src/limiter/world/read.ts";
import { serveGateway, type GatewayServer } from "#src/gateway/http/gateway.node.ts";
import { joinFleet } from "#src/gateway/http/heartbeats.node.ts";
import { wallClock } from "#src/gateway/http/wall-clock.node.ts";
import { channelName, redisChannel } from "#src/limiter/store/redis-channel.node.ts";
import type { RedisTls } from "#src/limiter/store/redis-connection.node.ts";
import { DEFAULT_PREFIX, redisStore } from "#src/limiter/store/redis.node.ts";
import type { RemoteStore } from "#src/limiter/store/remote.ts";
import { until } from "./cluster.ts";

export interface StoreSettings {
  readonly url: string;
  readonly prefix?: string;
  readonly tls?: RedisTls;
}

export interface StoreEvent {
  readonly event: LimiterEvent["event"];
  readonly atMs: number;
}

export interface FleetGateway {
  readonly url: URL;
  readonly server: GatewayServer;
  readonly storeEvents: readonly StoreEvent[]; // its change-overs
  /** When its decisions for this key last changed between with and without the store; 0: never. */
  readonly lastChangeMs: (key: string) => number;
  readonly count: () => number; // gateways that it knows of
  readonly close: () => Promise<void>;
}

export async function startGateway(
  store: StoreSettings,
  world: Readonly<Record<string, unknown>>,
): Promise<FleetGateway> {
  const remote = redisStore(store);
  const unreached = await remote.connect(5_000);
  if (unreached !== null) {
    await remote.close();
    throw new Error(unreached);
  }
  const { server, ...seen } = await serve(remote, world);
  const name = channelName(store.prefix ?? DEFAULT_PREFIX, 0);
  const member = joinFleet(server.gateway, redisChannel(remote.connection, name));
  return {
    url: server.url,
    server,
    ...seen,
    count: () => gatewaysAt(server.gateway.limiter, wallClock()),
    close: async () => {
      await server.stop();
      await member.leave();
      await remote.close();
    },
  };
}

/** One without any store elsewhere, to compare with. */
export const startControl = async (
  world: Readonly<Record<string, unknown>>,
): Promise<GatewayServer> => (await serve(null, world)).server;

async function serve(
  store: RemoteStore | null,
  world: Readonly<Record<string, unknown>>,
): Promise<Pick<FleetGateway, "server" | "storeEvents" | "lastChangeMs">> {
  const { configuration, problems } = readConfiguration(world);
  if (configuration === null) throw new Error(JSON.stringify(problems));
  const storeEvents: StoreEvent[] = [];
  const decidedFor = new Map<string, { isAlone: boolean; sinceMs: number }>();
  const server = await serveGateway({
    configuration,
    upstream: null,
    isEcho: true,
    host: "127.0.0.1",
    port: 0,
    store,
    observer: {
      onEvent: ({ event }) => {
        if (event.startsWith("Store")) storeEvents.push({ event, atMs: performance.now() });
      },
      onDecision: ({ session, decision }) => {
        if (session === null || decision === null) return;
        const { id } = session.key;
        const isAlone = decision.fallback;
        const before = decidedFor.get(id);
        if (before?.isAlone !== isAlone)
          decidedFor.set(id, { isAlone, sinceMs: before === undefined ? 0 : performance.now() });
      },
      onExchange: null,
    },
  });
  return { server, storeEvents, lastChangeMs: (key) => decidedFor.get(key)?.sinceMs ?? 0 };
}

/** `count` of them, which know each other. */
export async function startFleet(
  store: StoreSettings,
  world: Readonly<Record<string, unknown>>,
  count = 2,
): Promise<readonly FleetGateway[]> {
  const all: FleetGateway[] = [];
  for (let index = 0; index < count; index++) all.push(await startGateway(store, world));
  await until(() => all.every((one) => one.count() === count));
  return all;
}
