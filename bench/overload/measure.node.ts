// npm run bench:overload [-- --seconds 10]: what a gateway serves when it gets two and five times its capacity, with
// `limits.requests_in_flight` and without. First with a slow upstream, whose capacity is its slots by its time; then with
// the gateway itself as the bottleneck and a fast upstream. For that the gateway is suspended most of the time: a load
// generator of five times its capacity needs more processor time than the gateway.
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startChild } from "../../src/studies/bench/child.node.ts";
import { isAdmitted, type LoadFigures, type LoadOrder } from "../../src/studies/bench/load/load.ts";
import { startLoad } from "../../src/studies/bench/load/start-load.node.ts";
import {
  startControl,
  startGateway,
  type BenchServer,
} from "../../src/studies/bench/servers.node.ts";
import { KEY_PREFIX, worldOf } from "../../src/studies/bench/world-of.ts";
import { WEIR } from "../../src/cli/bench-ready.node.ts";
import { micros, SECOND } from "../../src/kit/units.ts";
import { requireValue } from "../../src/kit/reading/failure.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "10" },
    slots: { type: "string", default: "10" },
    service: { type: "string", default: "100" }, // milliseconds
    only: { type: "string", default: "" }, // slow or cpu
    share: { type: "string", default: "0.1" }, // of a processor, for the gateway that is the bottleneck
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
} as const satisfies Partial<LoadOrder>;

const ROUND_MS = 20;

/** Lets a process run for this share of the time. */
function slowDown(served: BenchServer, share: number): BenchServer {
  const pid = served.pid!;
  const rounds = setInterval(() => {
    process.kill(pid, "SIGCONT");
    setTimeout(() => process.kill(pid, "SIGSTOP"), ROUND_MS * share);
  }, ROUND_MS);
  const stop = async (): Promise<void> => {
    clearInterval(rounds);
    await sleep(ROUND_MS); // for the last one
    process.kill(pid, "SIGCONT");
    await served.stop();
  };
  return { ...served, stop };
}

let started = 0;
const gatewayTo = (upstream: string, inFlight: number | null): Promise<BenchServer> =>
  startGateway({
    name: "overload",
    folder: join(folder, String(started++)),
    world,
    upstream,
    store: null,
    weir: WEIR,
    settings: inFlight === null ? {} : { limits: { requests_in_flight: inFlight } },
  });

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const ms = (us: number | undefined): string => (us === undefined ? "" : (us / 1_000).toFixed(1));

/** Only for the time of the arrivals: responses after it are no throughput under overload. */
const goodput = ({ statuses, tookUs }: LoadFigures): number =>
  (Object.entries(statuses).reduce(
    (sum, [status, n]) => sum + (isAdmitted(Number(status)) ? n : 0),
    0,
  ) *
    SECOND) /
  Math.max(tookUs, lastsUs);

interface Bottleneck {
  readonly what: string;
  readonly upstream: string;
  readonly capacity: number; // a second
  readonly inFlight: number;
  readonly share: number; // of a processor, for the gateway
}

async function measureOverload({ what, upstream, capacity, inFlight, share }: Bottleneck) {
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
      const whole = await gatewayTo(upstream, limit);
      const gateway = share === 1 ? whole : slowDown(whole, share);
      const figures = await load.run({
        ...order,
        url: gateway.url,
        loadModel: "poisson",
        perSecond: capacity * times,
      });
      await gateway.stop();
      const { admitted } = figures.latency;
      if (times === 0.5) unloadedUs = admitted!.p99Us;
      const good = goodput(figures);
      console.log(
        row([
          limit === null ? "off" : String(limit),
          `${times} x`,
          good.toFixed(0),
          `${((100 * good) / capacity).toFixed(0)} %`,
          ms(admitted?.p50Us),
          ms(admitted?.p99Us),
          admitted === null ? "" : (admitted.p99Us / unloadedUs).toFixed(1),
          String(figures.statuses["503"] ?? 0),
          String(figures.unanswered + (figures.sending?.dropped ?? 0)),
          figures.sending?.overran ?? "in time",
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
    await measureOverload({
      what,
      upstream: new URL(url).origin,
      capacity: (slots * 1_000) / serviceMs,
      inFlight: (3 * slots) / 2, // as docs/serve/serving.md advises
      share: 1,
    });
    await slow.stop();
  }
  if (values.only !== "slow") {
    const upstream = requireValue(await startControl("upstream", { upstream: null, store: null }));
    const { origin } = new URL(upstream.url);
    const share = Number(values.share);
    const gateway = slowDown(await gatewayTo(origin, null), share);
    const closed = await load.run({
      ...order,
      connections: 64,
      url: gateway.url,
      loadModel: "closed",
      perSecond: null,
    });
    await gateway.stop();
    await measureOverload({
      what: `The gateway itself, with ${100 * share} % of a processor`,
      upstream: origin,
      capacity: (closed.answers * SECOND) / closed.tookUs,
      inFlight: 32,
      share,
    });
    await upstream.stop();
  }
} finally {
  await load.stop();
  rmSync(folder, { recursive: true });
}
