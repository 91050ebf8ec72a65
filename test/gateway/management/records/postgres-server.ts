// One PostgreSQL for a test: on a free port, in a folder of its own that goes with it. Its programs refuse to run as
// root, and are run as the user that Debian's package makes then.
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync } from "node:fs";
import { chown, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "pg";
import { freePort } from "../../../redis/server.ts";

export interface PostgresServer {
  readonly port: number;
  /** The address of a database of this name, made empty where it is not there yet. */
  readonly database: (name: string) => Promise<string>;
  /** Runs a query as superuser, in that database. */
  readonly query: (text: string, name?: string) => Promise<readonly Record<string, unknown>[]>;
  readonly kill: () => Promise<void>; // -9, with all that it has started
  readonly restart: () => Promise<void>; // after `kill`
  readonly pause: () => Promise<void>; // SIGSTOP, with all that it has started
  readonly resume: () => Promise<void>;
  readonly stop: () => Promise<void>; // for good, from any state
  readonly log: () => Promise<string>;
}

export const BIN =
  globSync("/usr/lib/postgresql/*/bin").toSorted().at(-1) ?? "/usr/lib/postgresql/bin";
export const IS_ROOT = userInfo().uid === 0;
export const isInstalled = existsSync(join(BIN, "initdb"));

const run = promisify(execFile);
export const PASSWORD = "of-the-test";
const TRIES = 5; // another process may take the port before the start
const LONGEST_START_MS = 50_000;

/** Its own program, and its arguments, as the user it runs as. */
export const asOwner = (program: string, ...more: readonly string[]): readonly [string, string[]] =>
  IS_ROOT ? ["runuser", ["-u", "postgres", "--", program, ...more]] : [program, [...more]];

// Ends the server too when the test's process is gone in whatever way: then the pipe closes.
const KEEPER = `exec 3<&0
setsid "$@" >/dev/null 2>&1 & server=$!
echo $server
{ cat <&3 >/dev/null; kill -9 -$server; } 2>/dev/null & keeper=$!
wait $server
kill $keeper 2>/dev/null`;

export async function startPostgres(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), "weir-postgres-"));
  const data = join(folder, "data");
  const secret = join(folder, "password");
  await writeFile(secret, `${PASSWORD}\n`);
  if (IS_ROOT) await giveToOwner(folder, secret);
  const init = ["--no-sync", "--auth=scram-sha-256", "--username=weir", `--pwfile=${secret}`];
  const kind = ["--encoding=UTF8", "--locale=C.UTF-8", "-D", data];
  await run(...asOwner(join(BIN, "initdb"), ...init, ...kind), { cwd: folder });
  for (let tries = 1; ; tries++) {
    const port = await freePort();
    try {
      return server(folder, port, await launch(folder, port));
    } catch (error) {
      if (tries < TRIES) continue;
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }
}

async function giveToOwner(...paths: readonly string[]): Promise<void> {
  const { stdout } = await run("id", ["-u", "postgres"]);
  for (const path of paths) await chown(path, Number(stdout), -1);
}

function server(folder: string, port: number, first: Running): PostgresServer {
  let running: Running | null = first;
  const address = (name: string): string => `postgres://weir:${PASSWORD}@127.0.0.1:${port}/${name}`;
  const signalAll = async (signal: NodeJS.Signals): Promise<void> => {
    if (running === null) throw new Error(`The PostgreSQL at ${port} is not running`);
    await signalEach(folder, signal);
  };
  const kill = async (): Promise<void> => {
    const { keeper } = running ?? {};
    running = null;
    if (keeper === undefined) return;
    await signalEach(folder, "SIGKILL");
    const gone = keeper.exitCode === null ? once(keeper, "exit") : null;
    keeper.stdin?.destroy();
    await gone;
  };
  const query: PostgresServer["query"] = async (text, name = "postgres") => {
    const client = new Client({ connectionString: address(name) });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  };
  return {
    port,
    query,
    kill,
    database: async (name) => {
      const there = await query(`select 1 from pg_database where datname = '${name}'`);
      if (there.length === 0) await query(`create database ${name}`);
      return address(name);
    },
    restart: async () => {
      if (running !== null) throw new Error(`The PostgreSQL at ${port} is running already`);
      // What the killed one had started notices by and by, and until then holds its memory.
      for (let tries = 1; running === null; tries++)
        try {
          running = await launch(folder, port);
        } catch (error) {
          if (tries > 50) throw error;
          await sleep(100);
        }
    },
    pause: () => signalAll("SIGSTOP"),
    resume: () => signalAll("SIGCONT"),
    stop: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
    log: () => readFile(join(folder, "log"), "utf8"),
  };
}

/**
 * What a server has started outlives it for a moment, and would still answer. Each process is in a group of its own.
 */
async function signalEach(folder: string, signal: NodeJS.Signals): Promise<void> {
  const [line] = (await readFile(join(folder, "data", "postmaster.pid"), "utf8")).split("\n");
  const children = await readFile(`/proc/${line}/task/${line}/children`, "utf8");
  for (const pid of [line!, ...children.trim().split(" ")].filter((each) => each !== ""))
    try {
      process.kill(Number(pid), signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error; // it has just ended by itself
    }
}

interface Running {
  readonly keeper: ChildProcess;
}

async function launch(folder: string, port: number): Promise<Running> {
  const settings = [
    "listen_addresses=127.0.0.1",
    "fsync=on",
    "logging_collector=on",
    `log_directory=${folder}`,
    "log_filename=log",
    "shared_buffers=32MB",
  ];
  const options = ["-D", join(folder, "data"), "-p", String(port), "-k", folder];
  for (const each of settings) options.push("-c", each);
  const [program, more] = asOwner(join(BIN, "postgres"), ...options);
  const keeper = spawn("sh", ["-c", KEEPER, "sh", program, ...more], {
    stdio: ["pipe", "pipe", "ignore"],
    cwd: folder,
  });
  await once(keeper.stdout, "data"); // it runs
  const lastMs = Date.now() + LONGEST_START_MS;
  for (;;) {
    try {
      const client = new Client({
        connectionString: `postgres://weir:${PASSWORD}@127.0.0.1:${port}/postgres`,
      });
      client.on("error", () => {});
      await client.connect();
      await client.end();
      return { keeper };
    } catch (error) {
      const isOver = keeper.exitCode !== null || Date.now() > lastMs;
      if (isOver) {
        keeper.stdin.destroy();
        const log = await readFile(join(folder, "log"), "utf8").catch(() => "no log");
        throw new Error(`PostgreSQL does not start: ${log}`, { cause: error });
      }
      await sleep(50);
    }
  }
}
