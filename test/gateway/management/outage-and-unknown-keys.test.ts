// The limit of unknown keys (wire.unknownKeys) while the records of a gateway cannot be read.
import { expect, onTestFinished, test } from "vitest";
import { serveGateway } from "#src/gateway/http/gateway.node.ts";
import { keyOf, put, rig } from "./governed.ts";

test("an address whose keys cannot be looked up has shown no unknown key", async () => {
  let isAway = true;
  const { records, force } = await rig({}, (real) => ({
    ...real,
    find: (...of) =>
      isAway ? Promise.reject(new Error("the database is away")) : real.find(...of),
  }));
  for (const id of ["k", "l"]) await put(records, "keys", id, keyOf(100));
  const gateway = await serveGateway({
    configuration: force.configuration(),
    upstream: null,
    host: "127.0.0.1",
    port: 0,
    store: null,
    observer: { onEvent: () => {}, onExchange: null },
    keys: force,
    wire: { unknownKeys: 2 },
  });
  onTestFinished(() => gateway.stop());
  const statusOf = async (credential: string): Promise<number> => {
    const headers = { authorization: credential };
    const response = await fetch(new URL("/a", gateway.url), { headers });
    await response.arrayBuffer();
    return response.status;
  };
  const during: number[] = [];
  for (const credential of ["k", "l", "k", "l", "k"]) during.push(await statusOf(credential));
  expect(during).toEqual(Array(5).fill(503));
  isAway = false;
  const after: number[] = [];
  for (const credential of ["k", "a", "l", "b", "c"]) after.push(await statusOf(credential));
  expect(after).toEqual([200, 403, 200, 403, 429]);
});
