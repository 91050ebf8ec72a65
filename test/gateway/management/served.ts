// A gateway over records that the management APIs change, with a clock that only tests move.
import { onTestFinished } from "vitest";
import type { LimiterEvent } from "#src/limiter/core/events.ts";
import { micros, SECOND } from "#src/kit/units.ts";
import { serveGateway, type GatewayServer } from "#src/gateway/http/gateway.node.ts";
import { combineObservers, type Observer } from "#src/gateway/http/observer.ts";
import { keyBudgets } from "#src/gateway/management/http/key-budgets.ts";
import type { RemoteStore } from "#src/limiter/store/remote.ts";
import type { JsonObject } from "#src/gateway/management/json.ts";
import { caller } from "./app.ts";

export interface Options {
  readonly gateway?: JsonObject; // its options
  readonly store?: RemoteStore | null;
  readonly furtherObservers?: readonly Observer[]; // further observers
}

export interface GatewayResponse {
  readonly status: number;
  readonly limit: string | null; // from the header
  readonly retryAfter: string | null;
}

/** Serves an API "a" at /a, without keys. */
export async function serveRecords({ gateway, store = null, furtherObservers = [] }: Options = {}) {
  const time = { us: 1_700_000_000 * SECOND };
  const events: LimiterEvent[] = [];
  let server: GatewayServer | null = null;
  const calls = await caller({}, async (force) => {
    const started = await serveGateway({
      configuration: force.configuration(),
      upstream: null,
      host: "127.0.0.1",
      port: 0,
      store,
      observer: combineObservers([
        { onEvent: (event) => void events.push(event), onExchange: null },
        ...furtherObservers,
      ]),
      clock: () => micros(time.us),
      keys: force,
    });
    server = started;
    force.onChange(({ configuration, forgotten }) => {
      if (configuration !== null) started.reload(configuration);
      started.forget(forgotten);
    });
    onTestFinished(() => started.stop());
    return keyBudgets(started.gateway, store, force);
  });
  const there = server as unknown as GatewayServer;
  if (gateway !== undefined) await calls.keep("gateway", "gateway", gateway);
  await calls.keep("apis", "a", { listen: "/a" });
  await calls.management.applyChanges();
  const send = async (credential: string, path = "/a"): Promise<GatewayResponse> => {
    const answer = await fetch(new URL(path, there.url), {
      headers: { authorization: credential },
    });
    await answer.arrayBuffer();
    const { headers, status } = answer;
    return {
      status,
      limit: headers.get("x-ratelimit-limit"),
      retryAfter: headers.get("retry-after"),
    };
  };
  return {
    ...calls,
    server: there,
    events,
    pass: (seconds: number): void => {
      time.us += seconds * SECOND;
    },
    send,
    /** The statuses of `count` requests, one after the other. */
    burst: async (count: number, credential = "k", path = "/a"): Promise<readonly number[]> => {
      const statuses: number[] = [];
      for (let i = 0; i < count; i++) statuses.push((await send(credential, path)).status);
      return statuses;
    },
    /** Its credential is its id. */
    key: async (id: string, document: JsonObject): Promise<void> => {
      await calls.keep("keys", id, document);
      await calls.management.applyChanges();
    },
  };
}
