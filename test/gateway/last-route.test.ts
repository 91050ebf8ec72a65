// A caller that sends one object many times may leave it where it was routed.
import { describe, expect, test } from "vitest";
import { forgetKeys, reconfigure } from "#src/gateway/gateway.ts";
import { noRoute, type GatewayRequest } from "#src/gateway/outcome.ts";
import { atUs, resolverOf } from "../limiter/core/limiters.ts";
import { gatewayOf, request, send } from "./gateways.ts";

const world = (rate: number, extra: object = {}): object => ({
  apis: {
    orders: { listen: "/orders" },
    open: { listen: "/open", keyless: true, rate: 2, per: 10 },
  },
  keys: { alice: { rate, per: 10, apis: ["orders"], ...extra } },
  gateway: { algorithm: "fixed_window" },
});

const again = (sent: GatewayRequest): GatewayRequest => ({ ...sent, last: noRoute() });

describe("a request that is sent many times", () => {
  test.each([
    ["with a key", request("alice")],
    ["without one", request(null, "/open/a")],
  ])("%s has the outcomes of requests that are sent once", (_, sent) => {
    const on = gatewayOf(world(2));
    const known = gatewayOf(world(2));
    const same = again(sent);
    for (const seconds of [0, 1, 2, 10, 11, 12]) {
      const outcome = send(known, seconds, same);
      expect(outcome).toEqual(send(on, seconds, { ...sent }));
      expect(outcome.refused?.status).toBe(seconds % 10 === 2 ? 429 : undefined);
    }
    expect(same.last!.resolver).toBe(known.gateway.limiter.resolver);
  });

  test("is read once: its path, its client and its cost are the same each time", () => {
    const byAddress = { cost_header: "x-cost", key_by: "ip", algorithm: "fixed_window" };
    const read: string[] = [];
    const header = (name: string): string => {
      read.push(name);
      return "3";
    };
    const sent = again({
      ...request("alice", "/orders/a?b"),
      sender: { address: "10.1.2.3", header },
    });
    const on = gatewayOf({ ...world(10), gateway: byAddress });
    const first = { ...send(on, 0, sent) };
    expect([first.path, first.client.identity, first.cost]).toEqual([
      "/orders/a",
      "ip:10.1.2.3",
      3,
    ]);
    const second = send(on, 1, sent);
    expect(read).toEqual(["x-cost"]);
    expect({ ...second, decision: null }).toEqual({ ...first, decision: null });
    expect(second.decision!.remaining).toBe(4);
  });

  test("has the limits of the gateway that it is sent to", () => {
    const [strict, wide] = [gatewayOf(world(1)), gatewayOf(world(3))];
    const sent = again(request("alice"));
    const statuses = [0, 1, 2].map((seconds) =>
      [strict, wide].map((on) => send(on, seconds, sent).refused?.status ?? 200),
    );
    expect(statuses).toEqual([
      [200, 200],
      [429, 200],
      [429, 200],
    ]);
  });

  test("is routed anew by another configuration", () => {
    const on = gatewayOf(world(1));
    const same = again(request("alice"));
    expect(send(on, 0, same).refused).toBe(null);
    expect(send(on, 1, same).refused?.status).toBe(429);
    reconfigure(on.gateway, resolverOf(world(2)));
    expect(send(on, 2, same).refused).toBe(null);
    const elsewhere = { orders: { listen: "/elsewhere" } };
    reconfigure(on.gateway, resolverOf({ ...world(2), apis: elsewhere }));
    expect(send(on, 3, same).refused?.status).toBe(404);
  });

  test("is routed anew after its key has changed", () => {
    const on = gatewayOf(world(5));
    const same = again(request("alice"));
    const { session } = send(on, 0, same);
    expect(send(on, 1, same).session).toBe(session);
    forgetKeys(on.gateway, ["alice"]);
    expect(send(on, 2, same).session).not.toBe(session);
  });

  test("meets the end of its key", () => {
    const on = gatewayOf(world(5, { expires: Math.ceil(atUs(10) / 1_000_000) }));
    const same = again(request("alice"));
    expect(send(on, 0, same).refused).toBe(null);
    expect(send(on, 20, same).refused?.reason).toBe("state");
    expect(same.last!.resolver).toBe(null);
  });
});
