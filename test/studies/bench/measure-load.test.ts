import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { buildLoadMeasurer, type LoadMeasurement } from "#src/studies/bench/measure-load.node.ts";
import { cellsOf } from "#src/studies/bench/cells.ts";
import { createEnding } from "#src/studies/bench/ending.node.ts";
import type { Load } from "#src/studies/bench/load/load.ts";
import { startLoad } from "#src/studies/bench/load/start-load.node.ts";
import { noPin } from "#src/studies/bench/pin.node.ts";
import { endless } from "#src/studies/bench/round-clock.ts";
import { runSuite } from "#src/studies/bench/run-suite.node.ts";
import { remoteServer } from "#src/studies/bench/stage.node.ts";
import { subjectsOf } from "#src/studies/bench/subjects.ts";
import type { LoadModel } from "#src/studies/bench/suite.ts";
import { CAPS } from "#src/studies/bench/target.ts";
import { secondsToMicros } from "#src/kit/units.ts";
import { suite } from "./bench-suite.ts";

let load: Load;
let server: Server;
let url: URL;
let count = 0;
let answer = (to: ServerResponse): unknown => to.end("{}");

beforeAll(async () => {
  load = startLoad();
  server = createServer((_, to) => {
    count++;
    answer(to);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/orders`);
});

beforeEach(() => {
  answer = (to) => to.end("{}");
});

afterAll(async () => {
  await load.stop();
  server.closeAllConnections();
  server.close();
});

interface Far {
  readonly loadModel?: LoadModel;
  readonly requests?: number;
  readonly capacity?: number;
  readonly of?: URL;
}

/** Repeats of a target gateway. */
function repeating({ loadModel = "closed", requests = 1_000_000, capacity = 100, of = url }: Far) {
  const measureLoad = buildLoadMeasurer(
    { load, redis: null },
    {
      suite: suite(),
      seed: 1,
      target: { url: of, key: null, caps: { requests, seconds: 600 } },
      ending: createEnding(),
      onProgress: () => {},
      onSample: () => {},
    },
  );
  const factors = { ...suite().base, connections: 8, load_model: loadModel };
  return (seconds: number): Promise<LoadMeasurement> =>
    measureLoad({
      subject: { name: "base", role: "cell", loadFactors: factors, factors, control: null },
      served: remoteServer(of),
      lastsUs: secondsToMicros(seconds),
      round: 0,
      capacity,
    });
}

test.each([
  ["a closed loop", { loadModel: "closed", requests: 300 }],
  ["an open loop", { loadModel: "poisson", requests: 300, capacity: 1e6 }],
] as const)(
  "%s sends a target at most the capped number of requests, in one long repeat and in several",
  async (_, far) => {
    count = 1; // the check whether it responds
    const repeat = repeating(far);
    await expect(repeat(60)).rejects.toThrow("the cap of 300 requests against a target is reached");
    expect(count).toBe(300);
    await expect(repeat(0.1)).rejects.toThrow("the cap of 300 requests");
    expect(count).toBe(300);
  },
);

test("the requests of earlier repeats count", async () => {
  count = 1;
  const repeat = repeating({ loadModel: "constant", requests: 100, capacity: 500 });
  await repeat(0.6);
  await expect(repeat(0.6)).rejects.toThrow("the cap of 100 requests against a target is reached");
  expect(count).toBe(100);
});

test("a slow target is distinguished from one that has ended", async () => {
  answer = (to) => setTimeout(() => to.end("{}"), 1_000);
  await expect(repeating({})(0.3)).rejects.toThrow("gave no answer within a repeat of 0.3 s");
  const unreachable = new URL("http://127.0.0.1:1/");
  await expect(repeating({ of: unreachable })(0.3)).rejects.toThrow(
    `${unreachable.href} no longer answers`,
  );
});

test("errors do not count as capacity", async () => {
  answer = (to) => to.writeHead(500).end();
  const ranFor = (seconds: number) => {
    const short = suite({ lastsUs: secondsToMicros(seconds), warmUpUs: secondsToMicros(seconds) });
    return runSuite(
      {
        suite: short,
        seed: 1,
        subjects: subjectsOf(short, cellsOf(short).slice(0, 1), []),
        pin: noPin,
        clock: endless,
        onDelay: () => {},
        weir: "none is started",
        capacity: null,
        target: { url, key: null, caps: CAPS },
        ending: createEnding(),
        onPhase: () => {},
        onProgress: () => {},
        onSample: () => {},
        onMissing: () => {},
        onMeasured: () => {},
      },
      (all) => all,
    );
  };
  // On a busy machine nothing at all may come back within a tenth of a second.
  let seconds = 0.1;
  let ran = await ranFor(seconds);
  while (ran.stopped?.why.endsWith("it needs longer ones") === true)
    ran = await ranFor((seconds *= 4));
  expect(ran).toMatchObject({ capacity: null, measured: [], stopped: { how: "gone" } });
  expect(ran.stopped?.why).toMatch(/of \d+ requests most failed .*: \d+ with 500$/);
});
