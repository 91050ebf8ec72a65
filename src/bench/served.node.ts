// What is measured, as processes: a gateway for each cell, the upstream behind all of them, and the controls.
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { waitUntilReady, type GatewayAddresses } from "../serving/ready.node.ts";
import { moduleAt, startChild, type Child } from "./child.node.ts";
import type { ToControl, OfControl } from "./controls/messages.ts";
import { Stop } from "./ending.node.ts";
import type { Control } from "./suite.ts";
import { PATH } from "./world-of.ts";

export interface Served {
  readonly url: string; // with the path that is asked for
  readonly metricsUrl: string | null; // null: it is no Weir
  readonly prefix: string | null; // of its names in Redis; null: it has none there
  readonly pid: number | null; // of the process that does the work; null: it is somebody else's
  readonly gone: Promise<string>;
  readonly stop: () => Promise<void>;
}

export interface GatewayOrder {
  readonly name: string; // of the cell
  readonly folder: string; // for its files
  readonly world: unknown;
  readonly upstream: string;
  readonly store: { readonly url: string; readonly prefix: string } | null; // null: memory
  readonly settings?: Readonly<Record<string, unknown>>; // beside those that a benchmark needs
  readonly log?: string; // a file with a line for each request
  readonly preload?: string; // a module that is loaded before it
  readonly weir: string; // the file of the command `weir`, which has to report its addresses (serving/ready.node.ts)
}

/** `weir serve` itself, as whoever runs it would have it, without what a benchmark has no use for. */
export async function startGateway(order: GatewayOrder): Promise<Served> {
  const { name, folder, world, upstream, store } = order;
  mkdirSync(folder, { recursive: true });
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
  const child = startChild(`the gateway of ${name}`, [
    ...(order.preload === undefined ? [] : ["--import", order.preload]),
    order.weir,
    "serve",
    "--config",
    join(folder, "weir.yaml"),
  ]);
  const { gateway, admin } = await addressesOf(child, name);
  child.isUp();
  return {
    url: new URL(PATH, gateway).href,
    metricsUrl: new URL("/metrics", admin).href,
    prefix: store?.prefix ?? null,
    pid: child.pid,
    gone: child.gone,
    stop: child.stop,
  };
}

const LONGEST_START_MS = 60_000;

async function addressesOf(child: Child, name: string): Promise<GatewayAddresses> {
  const late = sleep(LONGEST_START_MS, "late" as const, { ref: false });
  const ready = await Promise.race([waitUntilReady(child.process), late]);
  if (ready === null) throw died(await child.gone);
  if (ready !== "late") return ready;
  await child.stop();
  throw died(
    `the gateway of ${name} has not reported its addresses within ${LONGEST_START_MS / 1_000} s; versions of Weir that do not report them cannot be measured`,
  );
}

const died = (why: string): Stop => new Stop({ how: "gone", why });

export interface Missing {
  readonly missing: string; // why it cannot be measured here
}

/** Anything but Weir. The upstream by itself is a server like any other. */
export async function startControl(
  control: Exclude<Control, "unlimited">,
  upstream: string | null,
): Promise<Served | Missing> {
  const child = startChild(`the control ${control}`, [moduleAt("./controls/serve.node")]);
  const order: ToControl = { control, upstream };
  child.process.send(order);
  const [answer, why] = await Promise.race([
    once(child.process, "message").then(([said]) => [said as OfControl, null] as const),
    child.gone.then((said) => [null, said] as const),
  ]);
  if (answer === null) throw died(why);
  if ("missing" in answer) {
    await child.stop();
    return answer;
  }
  return {
    url: new URL(PATH, answer.origin).href,
    metricsUrl: null,
    prefix: null,
    pid: answer.pid,
    gone: child.gone,
    stop: child.stop,
  };
}
