import { describe, expect, test } from "vitest";
import type { StoreResult, StoreOp } from "#src/limiter/core/store.ts";
import { performNow } from "#src/limiter/core/sequence.ts";
import { updateHealth } from "#src/limiter/core/steps.ts";
import { begin, finish } from "#src/gateway/begin.ts";
import { reconfigure } from "#src/gateway/gateway.ts";
import { onBackgroundReply } from "#src/gateway/shadow.ts";
import { REMOTE_STORE_TRAITS } from "#src/limiter/core/limiter.ts";
import { atUs, resolverOf } from "../limiter/core/limiters.ts";
import { gatewayOf, request, send, type GatewayRig } from "./gateways.ts";

const world = (more: object = {}, gateway: object = {}) => ({
  apis: {
    orders: { listen: "/orders", rate: 4, per: 10, ...more },
    open: { listen: "/open", keyless: true, rate: 1, per: 10, shadow: true },
  },
  keys: {
    alice: { apis: ["orders"], rate: 1, per: 10, shadow: true },
    patient: {
      apis: ["orders"],
      rate: 1,
      per: 10,
      throttle_interval: 1,
      throttle_retry_limit: 2,
      shadow: true,
    },
  },
  gateway: { algorithm: "fixed_window", ...gateway },
});

const eventsOf = ({ events }: GatewayRig): readonly (string | null)[] =>
  events.map(({ event, budget }) => `${event} ${budget ?? ""}`);

describe("over a local store", () => {
  test("a request that a shadow limit would refuse passes, and the event has its budget", () => {
    const on = gatewayOf(world());
    const first = send(on, 0, request("alice"));
    const second = send(on, 1, request("alice"));
    expect([first.refused, second.refused]).toEqual([null, null]);
    expect(second.decision).toMatchObject({ limit: 4, remaining: 2 }); // of the API's, which alone is shown
    expect(eventsOf(on)).toEqual(["ShadowLimitExceeded shadow/key/10000000us|key:alice"]);
    expect(on.events[0]).toMatchObject({ key: "alice", api: "orders", stampUs: atUs(1) });
  });

  test("what an enforced limit refuses meets no shadow", () => {
    const on = gatewayOf(world({ rate: 1 }));
    send(on, 0, request("alice"));
    expect(send(on, 1, request("alice")).refused?.status).toBe(429);
    expect(eventsOf(on)).toEqual(["RatelimitExceeded api/orders/10000000us"]);
  });

  test("a keyless API has shadows of its own, and so does an API that nothing else limits", () => {
    const on = gatewayOf(world());
    for (let i = 0; i < 3; i++) expect(send(on, i, request(null, "/open")).refused).toBeNull();
    expect(eventsOf(on)).toEqual(
      Array.from({ length: 2 }, () => "ShadowLimitExceeded shadow/api/open/10000000us"),
    );
  });

  test("each shadow decision reaches the observer, admitted or not", () => {
    const on = gatewayOf(world());
    const counted: string[] = [];
    const gateway = {
      ...on.gateway,
      onShadowDecision: ({ budget }: { budget: { scope: string } }, isRefused: boolean) =>
        void counted.push(`${budget.scope} ${isRefused}`),
    };
    send({ ...on, gateway }, 0, request("alice"));
    send({ ...on, gateway }, 0, request("alice"));
    expect(counted).toEqual(["key false", "key true"]);
  });

  test("a reload brings shadows and takes them away, and keeps what was counted", () => {
    const on = gatewayOf(world());
    send(on, 0, request("alice"));
    reconfigure(on.gateway, resolverOf({ ...world(), keys: { alice: { apis: ["orders"] } } }));
    send(on, 1, request("alice"));
    expect(eventsOf(on)).toEqual([]);
    reconfigure(on.gateway, resolverOf(world()));
    send(on, 2, request("alice"));
    expect(eventsOf(on)).toHaveLength(1);
  });
});

describe("over a remote store", () => {
  /** One request and its outcome, with this reply of the store; null: that of a local one. */
  function decideOnce(
    on: GatewayRig,
    credential: string | null,
    path: string,
    answer: StoreResult | null,
  ) {
    const beginning = begin(on.gateway, request(credential, path));
    if (beginning.kind === "steps") throw new Error("one operation is not enough");
    const now = (op: StoreOp): StoreResult =>
      answer ?? performNow(on.gateway.limiter.localStore, op);
    return beginning.kind === "done" ? beginning : finish(on.gateway, beginning, now(beginning));
  }

  test("the shadow limit is a background operation of its own", () => {
    const on = gatewayOf(world(), REMOTE_STORE_TRAITS);
    for (let i = 0; i < 2; i++) {
      const outcome = decideOnce(on, "alice", "/orders", null);
      expect(outcome.background).toMatchObject([
        { op: "take", intent: "spend", levels: [{ budget: { space: "shadow/key/10000000us" } }] },
      ]);
      expect(eventsOf(on)).toEqual([]);
      for (const op of outcome.background)
        onBackgroundReply(on.gateway, outcome, op, performNow(on.gateway.limiter.localStore, op));
    }
    expect(eventsOf(on)).toEqual(["ShadowLimitExceeded shadow/key/10000000us|key:alice"]);
  });

  test("a request decided without the store meets no shadow limit (ALG-C8)", () => {
    const on = gatewayOf(world({}, { on_store_error: "allow" }), REMOTE_STORE_TRAITS);
    expect(decideOnce(on, "alice", "/orders", { failed: "error" }).background).toEqual([]);
  });

  test("if only a shadow limits, it probes the store once a second", () => {
    const on = gatewayOf(world(), REMOTE_STORE_TRAITS);
    for (let i = 0; i < 5; i++) updateHealth(on.gateway.limiter, true, atUs(0));
    const counts = [0, 0.5, 1, 1.5, 2].map((seconds) => {
      on.seconds = seconds;
      return decideOnce(on, null, "/open", null).background.length;
    });
    expect(counts).toEqual([0, 0, 1, 0, 1]);
  });

  test("DRL counts a shadow in this gateway, at once", () => {
    const on = gatewayOf(world({}, { algorithm: "drl" }), REMOTE_STORE_TRAITS);
    expect(decideOnce(on, "alice", "/orders", null).background).toEqual([]);
    expect(decideOnce(on, "alice", "/orders", null).background).toEqual([]);
    expect(eventsOf(on)).toEqual(["ShadowLimitExceeded shadow/key/10000000us|key:alice"]);
  });
});
