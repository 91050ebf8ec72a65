import { expect, onTestFinished, test } from "vitest";
import { serveGateway } from "#src/gateway/http/gateway.node.ts";
import { readWorld, WIRE_WORLD } from "./wire.ts";

test.each([
  [true, 502, '{"error":"This API has no upstream"}'],
  [false, 200, '{"method":"GET","target":"/open"}'],
])(
  "without an upstream and without an echo: %j, an API answers %d",
  async (...[withoutEcho, status, text]) => {
    const server = await serveGateway({
      configuration: readWorld(WIRE_WORLD),
      upstream: null,
      withoutEcho,
      host: "127.0.0.1",
      port: 0,
      store: null,
      observer: { onEvent: () => {}, onExchange: null },
    });
    onTestFinished(() => server.stop());
    const answer = await fetch(new URL("/open", server.url));
    expect([answer.status, await answer.text()]).toEqual([status, text]);
  },
);
