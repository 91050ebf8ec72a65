// Starts a server of others for one world: writes its files, starts it on a free port, and waits until it is ready.
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure, isFailure } from "../reading/failure.ts";
import type { Implementation } from "./catalogue.node.ts";
import { homeOf, searchPath } from "./home.node.ts";
import { startProgram, type Program } from "./process.node.ts";
import { requireAll, type Configured, type Site } from "./translation.ts";
import type { WantedWorld } from "./wanted.ts";

export interface ServedImplementation {
  readonly url: URL;
  readonly exited: Promise<string>;
  readonly stop: () => Promise<void>;
}

const LOOPBACK = "127.0.0.1";

/** Another process may take a port between its choice and its use. */
const ATTEMPTS = 3;

/** A failure has the reasons why it cannot serve this world. */
export async function serveImplementation(
  implementation: Implementation,
  wanted: WantedWorld,
  upstream: URL,
): Promise<ServedImplementation | Failure> {
  for (let attempt = 1; ; attempt++) {
    const dir = mkdtempSync(join(tmpdir(), `weir-${basename(implementation.folder)}-`));
    const forget = (): void => rmSync(dir, { recursive: true, force: true });
    try {
      const served = await serveIn(dir, implementation, wanted, upstream, forget);
      if (isFailure(served)) forget();
      return served;
    } catch (error) {
      forget();
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

async function serveIn(
  dir: string,
  implementation: Implementation,
  wanted: WantedWorld,
  upstream: URL,
  forget: () => void,
): Promise<ServedImplementation | Failure> {
  const { manifest, translate, variant } = implementation;
  const site: Site = {
    port: await freePort(),
    upstream: { host: upstream.hostname, port: Number(upstream.port) },
    dir,
    home: homeOf(implementation),
    variant,
    redis: null,
  };
  const configured = translate!(wanted, site);
  if ("cannot" in configured) return new Failure(...configured.cannot);
  requireAll(manifest.name, wanted, configured);
  writeFiles(dir, configured);
  const fill = (text: string): string =>
    text
      .replaceAll("{dir}", dir)
      .replaceAll("{home}", site.home)
      .replaceAll("{folder}", implementation.folder)
      .replaceAll("{variant}", variant ?? "")
      .replaceAll("{port}", `${site.port}`);
  const program = startProgram({
    name: manifest.name,
    command: [...manifest.start.map(fill), ...(configured.args ?? [])],
    dir,
    env: {
      ...searchPath(site.home),
      ...Object.fromEntries(Object.entries(manifest.env).map(([name, text]) => [name, fill(text)])),
      ...configured.env,
    },
  });
  program.stdout.resume();
  const url = new URL(`http://${LOOPBACK}:${site.port}`);
  try {
    await whenReady(program, url, manifest.ready ?? DEFAULT_READY, manifest.name);
  } catch (error) {
    await program.stop();
    throw error;
  }
  return {
    url,
    exited: program.exited,
    stop: async () => {
      await program.stop();
      forget();
    },
  };
}

const DEFAULT_READY = { path: "/weir-ready", status: 204, within: 10_000_000 };

function writeFiles(dir: string, { files }: Configured): void {
  for (const [name, text] of Object.entries(files)) {
    const file = join(dir, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

async function whenReady(
  program: Program,
  url: URL,
  {
    path,
    status,
    within,
  }: { readonly path: string; readonly status: number; readonly within: number },
  name: string,
): Promise<void> {
  const ended = program.exited.then((why) => {
    throw new Error(why);
  });
  ended.catch(() => undefined); // it ends later too, when nothing waits for it to be ready
  const untilMs = performance.now() + within / 1_000;
  let seen = "no response";
  while (performance.now() < untilMs) {
    const got = await Promise.race([statusOf(new URL(path, url)), ended]);
    if (got === status) return;
    seen = got === null ? "no response" : `status ${got}`;
    await sleep(20);
  }
  throw new Error(`${name} is not ready within ${within / 1_000_000} s: ${path} gives ${seen}`);
}

const statusOf = (url: URL): Promise<number | null> =>
  new Promise((resolve) => {
    const sent = request(url, { agent: false, timeout: 1_000 }, (response) => {
      response.resume();
      resolve(response.statusCode ?? null);
    });
    sent.on("timeout", () => sent.destroy());
    sent.on("error", () => resolve(null));
    sent.end();
  });

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, LOOPBACK);
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
