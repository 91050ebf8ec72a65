import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asking, type Answered } from "../../src/bench/asking.node.ts";
import { ending } from "../../src/bench/ending.node.ts";
import type { Load } from "../../src/bench/load/load.ts";
import { startLoad } from "../../src/bench/load/start-load.node.ts";
import { servedElsewhere } from "../../src/bench/stage.node.ts";
import type { Instrument } from "../../src/bench/suite.ts";
import { secondsToMicros } from "../../src/core/units.ts";
import { suite } from "./made-suite.ts";

let load: Load;
let server: Server;
let url: URL;
let count = 0;
const answer = (to: ServerResponse): unknown => to.end("{}");

beforeAll(async () => {
  load = startLoad();
  server = createServer((_, to) => {
    count++;
    answer(to);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/orders`);
});

afterAll(async () => {
  await load.stop();
  server.closeAllConnections();
  server.close();
});

interface Far {
  readonly instrument?: Instrument;
  readonly requests?: number;
  readonly capacity?: number;
}

/** Repeats of somebody's gateway. */
function repeating({ instrument = "closed", requests = 1_000_000, capacity = 100 }: Far) {
  const ask = asking(
    { load, redis: null },
    {
      suite: suite(),
      seed: 1,
      target: { url, key: null, caps: { requests, seconds: 600 } },
      ending: ending(),
      onProgress: () => {},
      onSample: () => {},
    },
  );
  const factors = { ...suite().base, connections: 8, instrument };
  return (seconds: number): Promise<Answered> =>
    ask({
      subject: { name: "base", role: "cell", asked: factors, factors, control: null },
      served: servedElsewhere(url),
      lastsUs: secondsToMicros(seconds),
      round: 0,
      capacity,
    });
}

test.each([
  ["a closed loop", { instrument: "closed", requests: 300 }],
  ["an open loop", { instrument: "poisson", requests: 300, capacity: 1e6 }],
] as const)(
  "%s does not ask a target more often than it may, in one long repeat and in several",
  async (_, far) => {
    count = 1; // whether it is there at all
    const repeat = repeating(far);
    await expect(repeat(60)).rejects.toThrow("the cap of 300 requests against a target is reached");
    expect(count).toBe(300);
    await expect(repeat(0.1)).rejects.toThrow("the cap of 300 requests");
    expect(count).toBe(300);
  },
);

test("what earlier repeats have asked counts", async () => {
  count = 1;
  const repeat = repeating({ instrument: "constant", requests: 100, capacity: 200 });
  await repeat(0.6);
  await expect(repeat(0.6)).rejects.toThrow("the cap of 100 requests against a target is reached");
  expect(count).toBe(100);
});
