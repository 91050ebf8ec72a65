// Unknown keys are looked up before a request is decided, and only if its outcome depends on the key.
import { expect, onTestFinished, test } from "vitest";
import { serveGateway } from "#src/gateway/http/gateway.node.ts";
import type { KeySource } from "#src/gateway/http/ways.node.ts";
import type { Observer } from "#src/gateway/http/observer.ts";
import { readWorld, WIRE_WORLD } from "./wire.ts";

async function over(
  lookUp: KeySource["lookUp"],
  observer: Observer = { onEvent: () => {}, onExchange: null },
): Promise<(path: string) => Promise<unknown>> {
  const server = await serveGateway({
    configuration: readWorld(WIRE_WORLD),
    upstream: null,
    host: "127.0.0.1",
    port: 0,
    store: null,
    observer,
    keys: {
      isKnown: () => false,
      lookUp,
      credentialOf: () => Promise.resolve(null),
      status: () => "answers",
    },
  });
  onTestFinished(() => server.stop());
  return async (path) => {
    const headers = { authorization: "somebody" };
    const { status, headers: responseHeaders } = await fetch(new URL(path, server.url), {
      headers,
    });
    return [status, responseHeaders.get("retry-after")];
  };
}

test("a request to a keyless API, or to none, looks up no key", async () => {
  const lookedUp: string[] = [];
  const get = await over((credential, done) => {
    lookedUp.push(credential);
    done(null);
  });
  expect(await get("/open")).toEqual([200, null]);
  expect(await get("/nowhere")).toEqual([404, null]);
  expect(lookedUp).toEqual([]);
  expect(await get("/orders")).toEqual([403, null]);
  expect(lookedUp).toEqual(["somebody"]);
});

test.each<[string, KeySource["lookUp"]]>([
  ["fails", (_, done) => done(new Error("away"))],
  ["fails later", (_, done) => void setImmediate(done, new Error("away"))],
  ["never ends", () => {}],
  ["ends twice", (_, done) => [done(new Error("away")), done(null)]],
])("if a lookup %s, the client gets 503 with Retry-After", async (_, lookUp) => {
  expect(await (await over(lookUp))("/orders")).toEqual([503, "1"]);
});

test("a lookup that fails is in the metrics and in the log", async () => {
  const answered: unknown[] = [];
  const logged: unknown[] = [];
  const get = await over((_, done) => done(new Error("away")), {
    onEvent: () => {},
    onResponse: ({ api }, status, upstreamUs) => void answered.push([api, status, upstreamUs]),
    onExchange: ({ outcome, status }) => void logged.push([outcome?.api, status]),
  });
  expect(await get("/orders")).toEqual([503, "1"]);
  expect(answered).toEqual([[null, 503, -1]]);
  await expect.poll(() => logged).toEqual([[null, 503]]);
});
