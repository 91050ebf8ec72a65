// Starts a foreign server for one world: writes its files, starts it on a free port, and waits until it is ready.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isFailure, type Failure } from "../../kit/reading/failure.ts";
import { createFolders } from "../../kit/reading/folder.node.ts";
import type { Implementation } from "./catalogue.node.ts";
import { homeOf, searchPath } from "./home.node.ts";
import { freePorts } from "./ports.node.ts";
import { startProgram, type Program } from "./process.node.ts";
import { sendSetup, waitUntilReady } from "./ready.node.ts";
import { requireAll, type Configured, type Site } from "./translation.ts";
import type { WantedWorld } from "./wanted.ts";

export interface ServedImplementation {
  readonly url: URL;
  readonly pid: number; // id of the server's first process, and of the group of all processes that it starts
  /** Whether requests to the server's own API created part of its configuration: an emptied store loses that part. */
  readonly hasSetup: boolean;
  /** Why the server ended by itself. Pending while it runs, and after a stop. */
  readonly exited: Promise<string>;
  /** Applies other limits. A server that has to restart loses the counts in its memory. */
  readonly change: (wanted: WantedWorld) => Promise<null | Failure>;
  readonly stop: () => Promise<void>;
}

export interface ServeOrder {
  readonly implementation: Implementation;
  readonly wanted: WantedWorld;
  readonly upstream: URL;
  readonly redis: Site["redis"];
  /** Set by tests: the port of the first attempt, which another program may be using. */
  readonly firstPort?: number;
}

/** Time after a reload for old workers to end their connections, which some servers do not report. */
const SETTLE_MS = 300;

const LOOPBACK = "127.0.0.1";

/** The command of this Weir, from source or compiled, like this file. */
const WEIR = join(import.meta.dirname, `../../cli/weir.node${extname(import.meta.filename)}`);

/** Attempts to start: if another process takes the chosen port first, the program ends at once. */
const ATTEMPTS = 3;

/** A failure has the reasons why the implementation cannot serve this world. */
export async function serveImplementation(
  order: ServeOrder,
): Promise<ServedImplementation | Failure> {
  for (let attempt = 1; ; attempt++) {
    const dir = mkdtempSync(join(tmpdir(), `weir-${basename(order.implementation.folder)}-`));
    const forget = (): void => rmSync(dir, { recursive: true, force: true });
    try {
      const port = attempt === 1 ? order.firstPort : undefined;
      const served = await serveIn(await siteIn(dir, order, port), order, forget);
      if (isFailure(served)) forget();
      return served;
    } catch (error) {
      forget();
      if (!(error instanceof EndedAtStart) || attempt === ATTEMPTS) throw error;
    }
  }
}

class EndedAtStart extends Error {}

async function siteIn(
  dir: string,
  { implementation, upstream, redis }: ServeOrder,
  firstPort: number | undefined,
): Promise<Site> {
  const [port, ...spare] = await freePorts(4);
  return {
    port: firstPort ?? port!,
    spare: [spare[0]!, spare[1]!, spare[2]!],
    upstream: { host: upstream.hostname, port: Number(upstream.port) },
    dir,
    home: homeOf(implementation),
    variant: implementation.variant,
    generation: 1,
    redis,
  };
}

async function serveIn(
  site: Site,
  order: ServeOrder,
  forget: () => void,
): Promise<ServedImplementation | Failure> {
  const { implementation } = order;
  const { manifest } = implementation;
  const first = translateFor(implementation, order.wanted, site);
  if (isFailure(first)) return first;
  const ended = Promise.withResolvers<string>();
  const url = new URL(`http://${LOOPBACK}:${site.port}`);
  let program = await startReady(implementation, site, first, url);
  const watch = (started: Program): void => void started.exited.then(ended.resolve, ended.reject);
  ended.promise.catch(() => undefined); // the run that waits for the end receives the error
  watch(program);
  let { generation } = site;
  return {
    url,
    pid: program.pid,
    hasSetup: (first.setup ?? []).length > 0,
    exited: ended.promise,
    change: async (wanted) => {
      const next = { ...site, generation: ++generation };
      const configured = translateFor(implementation, wanted, next);
      if (isFailure(configured)) return configured;
      if (manifest.capabilities.change === "reload") {
        writeFiles(site.dir, configured);
        process.kill(program.pid, "SIGHUP");
        await waitUntilReady(url, manifest, generation, ended.promise);
        await sleep(SETTLE_MS);
      } else {
        await program.stop();
        program = await startReady(implementation, next, configured, url);
        watch(program);
      }
      return null;
    },
    stop: async () => {
      await program.stop();
      forget();
    },
  };
}

function translateFor(
  { manifest, translate }: Implementation,
  wanted: WantedWorld,
  site: Site,
): Configured | Failure {
  const configured = translate!(wanted, site);
  if (isFailure(configured)) return configured;
  requireAll(manifest.name, wanted, configured);
  return configured;
}

async function startReady(
  { folder, manifest, variant }: Implementation,
  site: Site,
  configured: Configured,
  url: URL,
): Promise<Program> {
  writeFiles(site.dir, configured);
  const owned = manifest.install.variable;
  const fill = (text: string): string =>
    text
      .replaceAll("{dir}", site.dir)
      .replaceAll("{home}", site.home)
      .replaceAll("{folder}", folder)
      .replaceAll("{variant}", variant ?? "")
      .replaceAll("{program}", owned === null ? "" : (process.env[owned] ?? ""))
      .replaceAll("{node}", process.execPath)
      .replaceAll("{weir}", WEIR)
      .replaceAll("{port}", `${site.port}`);
  const program = startProgram({
    name: manifest.name,
    command: [...manifest.start.map(fill), ...(configured.args ?? [])],
    dir: site.dir,
    ownsDir: true,
    env: {
      ...searchPath(site.home),
      ...Object.fromEntries(Object.entries(manifest.env).map(([name, text]) => [name, fill(text)])),
      ...configured.env,
    },
  });
  program.stdout.resume();
  const ended = program.exited.then((why) => {
    throw new EndedAtStart(why);
  });
  ended.catch(() => undefined); // the program may end after the last wait for readiness
  try {
    await waitUntilReady(url, manifest, site.generation, ended);
    await sendSetup(url, manifest.name, configured.setup ?? []);
  } catch (error) {
    await program.stop();
    throw error;
  }
  return program;
}

function writeFiles(dir: string, { files }: Configured): void {
  for (const [name, text] of Object.entries(files)) {
    const file = join(dir, name);
    createFolders(dirname(file));
    writeFileSync(file, text);
  }
}
