// A gateway that is served over records which the interfaces change, by a clock that stands still until it is moved.
import { onTestFinished } from "vitest";
import type { LimiterEvent } from "../../src/core/events.ts";
import { micros, SECOND } from "../../src/core/units.ts";
import { serveGateway, type GatewayServer } from "../../src/gateway/http/gateway.node.ts";
import { combineObservers, type Observer } from "../../src/gateway/http/observer.ts";
import { keyBudgets } from "../../src/management/http/key-budgets.node.ts";
import type { RemoteStore } from "../../src/store/remote.ts";
import type { JsonObject } from "../../src/management/json.ts";
import { caller } from "./app.ts";

export interface Options {
  readonly gateway?: JsonObject; // its options
  readonly store?: RemoteStore | null;
  readonly beside?: readonly Observer[]; // who watches too
}

export interface Answered {
  readonly status: number;
  readonly limit: string | null; // as its header tells it
  readonly retryAfter: string | null;
}

export type Served = Awaited<ReturnType<typeof served>>;

/** An API "a" at /a is there, and nobody has a key. */
export async function served({ gateway, store = null, beside = [] }: Options = {}) {
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
        ...beside,
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
  const ask = async (credential: string, path = "/a"): Promise<Answered> => {
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
    ask,
    /** The statuses of so many, one after the other. */
    burst: async (count: number, credential = "k", path = "/a"): Promise<readonly number[]> => {
      const statuses: number[] = [];
      for (let i = 0; i < count; i++) statuses.push((await ask(credential, path)).status);
      return statuses;
    },
    /** Its credential is its id. */
    key: async (id: string, document: JsonObject): Promise<void> => {
      await calls.keep("keys", id, document);
      await calls.management.applyChanges();
    },
  };
}
