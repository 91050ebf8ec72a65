// The management of a served fleet: the management APIs on a port of their own, and calls to them over HTTP. The first
// running gateway performs the calls; the others follow the changes.
import { Agent } from "node:http";
import { micros } from "../../kit/units.ts";
import type { LiveConfiguration } from "../../gateway/management/live-configuration.ts";
import { NO_GATEWAY, type HistoryCall } from "../scenario/history.ts";
import type { ManagementCall, Variant } from "../scenario/types.ts";
import { attempts } from "../../gateway/management/http/attempts.ts";
import { listener } from "../../gateway/management/http/listener.node.ts";
import { DEFAULT_WIRE } from "../../gateway/http/wire.ts";
import { EPOCH_US } from "../sim/engine.ts";
import { exchange } from "./exchange.node.ts";
import { recordsInMemory } from "../../gateway/management/records/sqlite.node.ts";
import { answerOf, CREDENTIALS, headersOf, openManagement } from "./managed.ts";
import { reportOnStderr } from "./managed.node.ts";
import type { ServedNode } from "./served-fleet.node.ts";
import {
  credentialsShown,
  learn,
  historyCallOf,
  type ManagementSurroundings,
  type Taker,
  NO_ANSWER,
} from "./virtual-calls.ts";

export interface ServedManagement {
  readonly newInForce: () => Promise<LiveConfiguration>;
  readonly call: (call: ManagementCall) => Promise<HistoryCall>;
  readonly close: () => Promise<void>;
}

export async function serveManagement(
  variant: Variant,
  nodes: () => readonly ServedNode[],
  nowUs: () => number, // time since the start of the run
): Promise<ServedManagement> {
  const { world } = variant;
  const credentials = credentialsShown(variant);
  const clock = () => micros(EPOCH_US + Math.round(nowUs()));
  const serving = (): readonly ServedNode[] => nodes().filter(({ server }) => server !== null);
  const surroundings: ManagementSurroundings = {
    nowUs: clock,
    taker: () => takerOf(serving()[0]),
    onChange: async () => {
      const [first, ...others] = serving();
      await follow(first?.inForce ?? null);
      for (const { inForce } of others) void follow(inForce);
    },
  };
  const { management, newInForce, close } = await openManagement(
    await recordsInMemory(),
    world,
    surroundings,
    reportOnStderr,
  );
  const { bases } = world.management;
  // Keys are looked up here: a lookup during a request would make the decision later than the gateway reports.
  const follow = async (inForce: LiveConfiguration | null): Promise<void> => {
    await inForce?.applyChanges();
    if (inForce !== null) await learn(inForce, credentials);
  };
  const { url, stop } = await listener({
    host: "127.0.0.1",
    port: 0,
    pages: new Map(),
    adminRoutes: null,
    interfaces: {
      management,
      credentials: () => CREDENTIALS,
      bases,
      attempts: attempts(clock),
      log: reportOnStderr,
    },
    wire: DEFAULT_WIRE,
  });
  const agent = new Agent({ keepAlive: true });
  return {
    newInForce: async () => {
      const inForce = await newInForce();
      await learn(inForce, credentials);
      return inForce;
    },
    call: async (call) => {
      const [taker] = serving();
      const { method, body } = call;
      const path = `${bases[call.on]}${call.path}`;
      const sent = { url, method, path, headers: headersOf(call), body };
      const response = taker === undefined ? null : await exchange(agent, sent, nowUs);
      const times = { sentUs: micros(response?.sentUs ?? nowUs()), answeredUs: micros(nowUs()) };
      if (taker === undefined || response === null || "lostUs" in response)
        return historyCallOf(call, taker?.index ?? NO_GATEWAY, NO_ANSWER, times);
      const answer = answerOf(response.status, response.headers, response.body);
      return historyCallOf(call, taker.index, answer, times);
    },
    close: async () => {
      agent.destroy();
      await stop();
      await close();
    },
  };
}

function takerOf(node: ServedNode | undefined): Taker {
  const { server = null, store = null, inForce = null } = node ?? {};
  if (server === null || inForce === null) throw new Error("no running gateway has records");
  return { gateway: server.gateway, store: store?.store ?? null, inForce };
}
