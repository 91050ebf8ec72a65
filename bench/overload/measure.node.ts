// npm run bench:overload [-- --seconds 10]: what a gateway serves when it gets two and five times what it can, with
// `limits.requests_in_flight` and without. First behind a slow upstream, whose capacity is its slots by its time; then where
// the gateway itself is the bottleneck, in front of an upstream that answers at once.
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startChild } from "../../src/bench/child.node.ts";
import { isAdmitted, type LoadFigures, type Order } from "../../src/bench/load/load.ts";
import { startLoad } from "../../src/bench/load/start-load.node.ts";
import { startControl, startGateway, type Served } from "../../src/bench/served.node.ts";
import { KEY_PREFIX, worldOf } from "../../src/bench/world-of.ts";
import { micros, SECOND } from "../../src/core/units.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "10" },
    slots: { type: "string", default: "10" },
    service: { type: "string", default: "100" }, // milliseconds
    only: { type: "string", default: "" }, // slow or cpu
  },
});
const lastsUs = micros(Number(values.seconds) * SECOND);
const slots = Number(values.slots);
const serviceMs = Number(values.service);
const folder = mkdtempSync(join(tmpdir(), "weir-overload-"));
const load = startLoad();

const world = worldOf(null, null, { perUs: micros(SECOND), keyCount: 1 });
const order = {
  keys: "one",
  keyCount: 1,
  keyPrefix: KEY_PREFIX,
  lastsUs,
  connections: 512,
  seed: 1,
} as const satisfies Partial<Order>;

let started = 0;
const gatewayTo = (upstream: string, inFlight: number | null): Promise<Served> =>
  startGateway({
    name: "overload",
    folder: join(folder, String(started++)),
    world,
    upstream,
    store: null,
    settings: inFlight === null ? {} : { limits: { requests_in_flight: inFlight } },
  });

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const ms = (us: number | undefined): string => (us === undefined ? "" : (us / 1_000).toFixed(1));

/** Of the arrivals' time alone: what is still answered afterwards was no throughput of the overload. */
const goodput = ({ statuses, tookUs }: LoadFigures): number =>
  (Object.entries(statuses).reduce(
    (sum, [status, n]) => sum + (isAdmitted(Number(status)) ? n : 0),
    0,
  ) *
    SECOND) /
  Math.max(tookUs, lastsUs);

async function overloaded(what: string, upstream: string, capacity: number, inFlight: number) {
  console.log(`\n${what}: capacity ${capacity.toFixed(0)} a second\n`);
  const head = [
    "requests_in_flight",
    "offered",
    "2xx a second",
    "of capacity",
    "p50 ms",
    "p99 ms",
    "p99 of unloaded",
    "503",
    "no answer",
    "sender",
  ];
  console.log(row(head));
  console.log(row(head.map(() => "---")));
  let unloadedUs = 0;
  for (const limit of [inFlight, null]) {
    for (const times of limit === null ? [2, 5] : [0.5, 1, 2, 5]) {
      const gateway = await gatewayTo(upstream, limit);
      const said = await load.play({
        ...order,
        url: gateway.url,
        instrument: "poisson",
        perSecond: capacity * times,
      });
      await gateway.stop();
      const { admitted } = said.latency;
      if (times === 0.5) unloadedUs = admitted!.p99Us;
      const good = goodput(said);
      console.log(
        row([
          limit === null ? "off" : String(limit),
          `${times} x`,
          good.toFixed(0),
          `${((100 * good) / capacity).toFixed(0)} %`,
          ms(admitted?.p50Us),
          ms(admitted?.p99Us),
          admitted === null ? "" : (admitted.p99Us / unloadedUs).toFixed(1),
          String(said.statuses["503"] ?? 0),
          String(said.unanswered + (said.sending?.dropped ?? 0)),
          said.sending?.overran ?? "in time",
        ]),
      );
    }
  }
}

try {
  if (values.only !== "cpu") {
    const args = [join(import.meta.dirname, "slow.node.ts"), String(slots), String(serviceMs)];
    const slow = startChild("the slow upstream", args);
    const [url] = (await once(slow.process, "message")) as [string];
    const what = `An upstream of ${slots} slots and ${serviceMs} ms`;
    await overloaded(what, new URL(url).origin, (slots * 1_000) / serviceMs, 2 * slots);
    await slow.stop();
  }
  if (values.only !== "slow") {
    const upstream = await startControl("upstream", null);
    if ("missing" in upstream) throw new Error(upstream.missing);
    const { origin } = new URL(upstream.url);
    const gateway = await gatewayTo(origin, null);
    const closed = await load.play({
      ...order,
      connections: 64,
      url: gateway.url,
      instrument: "closed",
      perSecond: null,
    });
    await gateway.stop();
    await overloaded("The gateway itself", origin, (closed.answers * SECOND) / closed.tookUs, 32);
    await upstream.stop();
  }
} finally {
  await load.stop();
  rmSync(folder, { recursive: true });
}
