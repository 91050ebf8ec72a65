// The measured servers, as processes: a gateway for each cell, the common upstream, and the controls.
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../kit/reading/failure.ts";
import { createFolders } from "../../kit/reading/folder.node.ts";
import { waitUntilReady, type GatewayAddresses } from "../../gateway/serving/ready.node.ts";
import { moduleAt, startChild, type BenchProcess } from "./child.node.ts";
import type { ControlOrder, ControlReply } from "./controls/messages.ts";
import { survivorBytesOf } from "./resources/process-figures.ts";
import { Stop } from "./ending.node.ts";
import { nameOfControl, type Control } from "./suite.ts";
import { PATH } from "./world-of.ts";

export interface BenchServer {
  readonly url: string; // where requests are sent, including their path
  readonly metricsUrl: string | null; // null: not a gateway of Weir
  readonly prefix: string | null; // of the server's keys in Redis; null: the server does not use Redis
  /** Bytes that survived collections of young objects; null: not run by Node, or nothing collected yet. */
  readonly survivorBytes: () => number | null;
  /** The process that serves; negative: a process group; null: a target, which Weir did not start. */
  readonly pid: number | null;
  readonly exited: Promise<string>;
  readonly stop: () => Promise<void>;
}

interface GatewayOrder {
  readonly name: string; // the name of the cell
  readonly folder: string; // where the gateway's files are written
  readonly world: unknown;
  readonly upstream: string;
  readonly store: { readonly url: string; readonly prefix: string } | null; // null: memory
  readonly settings?: Readonly<Record<string, unknown>>; // settings added to those that every benchmark uses
  readonly log?: string; // a file with a line for each request
  readonly preload?: string; // a module that is loaded before the gateway
  readonly weir: string; // the file of the command `weir`, which reports its addresses (gateway/serving/ready.node.ts)
}

/** Called with each new process before it is ready, so that a run that ends meanwhile can stop it. */
export type OnStart = (child: Pick<BenchProcess, "stop">) => void;

/** Runs `weir serve` as users do, without the parts that a benchmark does not use. */
export async function startGateway(
  order: GatewayOrder,
  onStart: OnStart = () => {},
): Promise<BenchServer> {
  const { name, folder, world, upstream, store } = order;
  createFolders(folder);
  const settings = {
    world: "world.yaml",
    records: "off",
    data: "data",
    upstream,
    listen: { port: 0 },
    admin: { port: 0, secret: "bench".repeat(8) },
    ...(store === null ? {} : { store }),
    ...order.settings,
    ...(order.log === undefined ? {} : { log: { to: "file", file: order.log } }),
  };
  // JSON is YAML too.
  writeFileSync(join(folder, "world.yaml"), JSON.stringify(world));
  writeFileSync(join(folder, "weir.yaml"), JSON.stringify(settings));
  const child = startChild(
    `the gateway of ${name}`,
    [
      TRACE_COLLECTIONS,
      ...(order.preload === undefined ? [] : ["--import", order.preload]),
      order.weir,
      "serve",
      "--config",
      join(folder, "weir.yaml"),
    ],
    "pipe",
  );
  const survivorBytes = countSurvivors(child);
  onStart(child);
  const { gateway, admin } = await addressesOf(child, name);
  child.markReady();
  return {
    url: new URL(PATH, gateway).href,
    metricsUrl: new URL("/metrics", admin).href,
    prefix: store?.prefix ?? null,
    survivorBytes,
    pid: child.pid,
    exited: child.exited,
    stop: child.stop,
  };
}

/** The flag with which Node prints a line for each garbage collection on standard output. */
const TRACE_COLLECTIONS = "--trace-gc-nvp";

function countSurvivors({ process: { stdout }, pid }: BenchProcess): () => number | null {
  let sum: number | null = null;
  createInterface(stdout!).on("line", (line) => {
    const bytes = survivorBytesOf(line, pid);
    if (bytes !== null) sum = (sum ?? 0) + bytes;
  });
  return () => sum;
}

const LONGEST_START_MS = 60_000;

async function addressesOf(child: BenchProcess, name: string): Promise<GatewayAddresses> {
  const late = sleep(LONGEST_START_MS, "late" as const, { ref: false });
  const ready = await Promise.race([waitUntilReady(child.process), late]);
  if (ready === null) throw stopBecause(await child.exited);
  if (ready !== "late") return ready;
  await child.stop();
  throw stopBecause(
    `the gateway of ${name} did not report its addresses within ${LONGEST_START_MS / 1_000} s; versions of Weir that do not report them cannot be measured`,
  );
}

const stopBecause = (why: string): Stop => new Stop({ how: "gone", why });

/** Starts a control, such as the upstream. Returns a failure with the reason if this machine cannot run it. */
export async function startControl(
  control: Exclude<Control, "unlimited">,
  { upstream, store }: Pick<ControlOrder, "upstream" | "store">,
  onStart: OnStart = () => {},
): Promise<BenchServer | Failure> {
  const child = startChild(
    `the control ${nameOfControl(control)}`,
    [TRACE_COLLECTIONS, moduleAt("./controls/serve.node")],
    "pipe",
  );
  const survivorBytes = countSurvivors(child);
  onStart(child);
  const order: ControlOrder = { control, upstream, store };
  child.process.send(order);
  const [reply, why] = await Promise.race([
    once(child.process, "message").then(([message]) => [message as ControlReply, null] as const),
    child.exited.then((reason) => [null, reason] as const),
  ]);
  if (reply === null) throw stopBecause(why);
  if (reply.kind === "missing") {
    await child.stop();
    return new Failure(reply.why);
  }
  return {
    url: new URL(PATH, reply.origin).href,
    metricsUrl: null,
    prefix: null,
    survivorBytes: reply.pid === child.pid ? survivorBytes : () => null,
    pid: reply.pid,
    exited: child.exited,
    stop: child.stop,
  };
}
