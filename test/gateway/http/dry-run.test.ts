import { expect, test } from "vitest";
import type { StoreResult, StoreOp } from "#src/limiter/core/store.ts";
import { REMOTE_STORE_TRAITS } from "#src/limiter/core/limiter.ts";
import { performNow } from "#src/limiter/core/sequence.ts";
import { runDry } from "#src/gateway/http/dry-run.node.ts";
import type { RemoteStore } from "#src/limiter/store/remote.ts";
import { gatewayOf, request, send } from "../gateways.ts";

const world = {
  apis: { orders: { listen: "/orders", rate: 5, per: 10 } },
  keys: { alice: { rate: 1, per: 10, apis: ["orders"] } },
  gateway: { algorithm: "fixed_window" },
};
const input = { method: "GET", path: "/orders", key: "alice", credential: null };

const storeThat = (answer: (op: StoreOp) => StoreResult): RemoteStore => ({
  send: (op, _, receive) => void setImmediate(() => receive(answer(op))),
  close: () => Promise.resolve(),
});

test("over a store in this process", async () => {
  const on = gatewayOf(world);
  expect(await runDry(on.gateway, null, input)).toMatchObject({ passes: true, store: "here" });
  send(on, 0, request("alice"));
  expect(await runDry(on.gateway, null, input)).toMatchObject({ status: 429, retryAfter: 10 });
});

test("over a remote store, without spending", async () => {
  const on = gatewayOf(world, REMOTE_STORE_TRAITS);
  const intents: string[] = [];
  const store = storeThat((op) => {
    if (op.op === "take") intents.push(op.intent);
    return performNow(on.gateway.limiter.localStore, op);
  });
  expect(await runDry(on.gateway, store, input)).toMatchObject({ passes: true, store: "answers" });
  expect(intents).toEqual(["evaluate", "evaluate"]);
});

test("a store that does not reply is reported, and counts as a failure (ALG-C8)", async () => {
  const on = gatewayOf(world, REMOTE_STORE_TRAITS);
  const store = storeThat(() => ({ failed: "timeout" }));
  expect(await runDry(on.gateway, store, input)).toMatchObject({ store: "away", status: 503 });
  expect(on.events.map(({ event }) => event)).toEqual(["StoreUnavailable"]);
});
