// One redis-server for a test: on a free port, keeping nothing, in a folder of its own that goes with it.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export interface RedisServer {
  readonly url: string; // redis://127.0.0.1:port
  readonly port: number;
  readonly folder: string;
  readonly pid: () => number;
  readonly kill: () => Promise<void>; // -9; returns when it is gone
  readonly pause: () => void; // SIGSTOP: the system still accepts connections for it
  readonly resume: () => void;
  readonly restart: () => Promise<void>; // after `kill`: empty, on the same port
  readonly stop: () => Promise<void>; // for good, from any state
  readonly log: () => Promise<string>;
}

/** As lines of a configuration file, given the port and the folder. */
export type RedisSettings = (port: number, folder: string) => readonly string[];

const QUIET: RedisSettings = (port, folder) => [
  "bind 127.0.0.1",
  `port ${port}`,
  `dir ${folder}`,
  `logfile ${join(folder, "log")}`,
  "daemonize no",
];

export const KEEPS_NOTHING: RedisSettings = () => ['save ""', "appendonly no"];

// Ends the server too when the test's process is gone in whatever way: then the pipe closes.
const KEEPER = `exec 3<&0
redis-server "$@" & server=$!
echo $server
{ cat <&3 >/dev/null; kill -9 $server; } 2>/dev/null & keeper=$!
wait $server
kill $keeper 2>/dev/null`;

const TRIES = 5; // another process may take the port between looking and starting

export async function startRedis(
  settings: RedisSettings = KEEPS_NOTHING,
  kind: readonly string[] = [],
): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), "weir-redis-"));
  for (let tries = 1; ; tries++) {
    const port = await freePort();
    const lines = [...QUIET(port, folder), ...settings(port, folder)];
    await writeFile(join(folder, "conf"), `${lines.join("\n")}\n`);
    try {
      return server(port, folder, kind, await launch(folder, kind));
    } catch (error) {
      if (tries < TRIES) continue;
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }
}

interface Running {
  readonly keeper: ChildProcess;
  readonly pid: number;
}

function server(
  port: number,
  folder: string,
  kind: readonly string[],
  first: Running,
): RedisServer {
  let running: Running | null = first;
  const pid = (): number => {
    if (running === null) throw new Error(`The Redis at ${port} is not running`);
    return running.pid;
  };
  const kill = async (): Promise<void> => {
    const { keeper } = running ?? {};
    running = null;
    await endKeeper(keeper);
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    folder,
    pid,
    kill,
    pause: () => void process.kill(pid(), "SIGSTOP"),
    resume: () => void process.kill(pid(), "SIGCONT"),
    restart: async () => {
      if (running !== null) throw new Error(`The Redis at ${port} is running already`);
      running = await launch(folder, kind);
    },
    stop: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
    log: () => readFile(join(folder, "log"), "utf8"),
  };
}

/** The keeper kills its server when the other end of its pipe is closed. */
async function endKeeper(keeper: ChildProcess | undefined): Promise<void> {
  if (keeper === undefined) return;
  const gone = keeper.exitCode === null ? once(keeper, "exit") : null;
  keeper.stdin?.destroy();
  await gone;
}

const IS_READY = /Ready to accept connections|\+monitor master/;
const LONGEST_START_MS = 50_000;

async function launch(folder: string, kind: readonly string[]): Promise<Running> {
  const logFile = join(folder, "log");
  await writeFile(logFile, "");
  const keeper = spawn("sh", ["-c", KEEPER, "sh", join(folder, "conf"), ...kind], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const [line] = (await once(keeper.stdout, "data")) as [Buffer];
  for (let waitedMs = 0; waitedMs < LONGEST_START_MS; waitedMs += 10) {
    const log = await readFile(logFile, "utf8");
    if (IS_READY.test(log)) return { keeper, pid: Number(line.toString()) };
    if (keeper.exitCode !== null) break;
    await sleep(10);
  }
  await endKeeper(keeper);
  throw new Error(`redis-server does not start: ${await readFile(logFile, "utf8")}`);
}

// Below the ports that systems lend to outgoing connections, so that a restart finds its own still free.
const PORTS = { from: 10_000, count: 20_000 } as const;

export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.from + Math.floor(Math.random() * PORTS.count);
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once("error", () => resolve(false));
      probe.listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!isFree) continue;
    probe.close();
    await once(probe, "close");
    return port;
  }
}
