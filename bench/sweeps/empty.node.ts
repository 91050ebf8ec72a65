// What the queue itself costs: a sweep of pieces that do nothing. Prints processor milliseconds a piece of the process of
// the sweep, of Redis, and of a worker with two threads. Needs redis-server.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { Worker } from "node:worker_threads";
import type { Redis } from "ioredis";
import type { SweepThreads } from "../../src/kit/pool.node.ts";
import { connectQueue } from "../../src/studies/queue/connection.node.ts";
import { shareByQueue } from "../../src/studies/queue/share.node.ts";
import { workOn } from "../../src/studies/queue/work.node.ts";
import { processorMs } from "../program.node.ts";

const PORT = 7392;
const ADDRESS = `redis://127.0.0.1:${PORT}`;
const CODE = { digest: "empty", name: "a sweep of nothing" };
const PROGRAM = `const { parentPort } = require("node:worker_threads");
parentPort.on("message", () => parentPort.postMessage(null));`;
const NOTHING: SweepThreads = {
  name: "nothing",
  start: () => new Worker(PROGRAM, { eval: true }),
};
const NEVER = new Promise<never>(() => {});
const WARM_UP = 500;

async function connect(): Promise<Redis> {
  for (;;) {
    const connection = await connectQueue(ADDRESS);
    if (typeof connection === "object" && "ping" in connection) return connection;
  }
}

const ignore = (): void => {};

async function work(): Promise<void> {
  const connection = await connect();
  const own = { code: CODE, threads: 2, sweeps: [NOTHING], report: ignore, stop: NEVER };
  await workOn({ ...own, connection, onDone: ignore });
}

async function sweep(connection: Redis, count: number): Promise<void> {
  await shareByQueue({ connection, code: CODE, report: ignore })({
    pieces: Array.from({ length: count }, (_, at) => [at, at] as const).values(),
    mostThreads: 1,
    threads: NOTHING,
    settings: "x".repeat(500),
    stop: NEVER,
    onDone: ignore,
  });
}

async function redisMs(connection: Redis): Promise<number> {
  const info = await connection.info("cpu");
  const secondsOf = (name: string): number => Number(info.split(`${name}:`)[1]!.split("\r")[0]);
  return 1_000 * (secondsOf("used_cpu_sys") + secondsOf("used_cpu_user"));
}

if (process.argv[2] === "worker") await work();
const count = Number(process.argv[2] ?? 5_000);
const folder = mkdtempSync(`${tmpdir()}/weir-sweeps-`);
const redis = spawn("redis-server", ["--port", String(PORT), "--save", "", "--dir", folder], {
  stdio: "ignore",
});
const worker = spawn(process.execPath, [import.meta.filename, "worker"], { stdio: "inherit" });
const connection = await connect();
await sweep(connection, WARM_UP);
const before = { own: processorMs(), redis: await redisMs(connection), at: performance.now() };
await sweep(connection, count);
const rows = {
  sweep: processorMs() - before.own,
  redis: (await redisMs(connection)) - before.redis,
  "wall-clock": performance.now() - before.at,
};
for (const [name, ms] of Object.entries(rows)) console.log(name, (ms / count).toFixed(3));
worker.kill("SIGKILL");
redis.kill("SIGKILL");
rmSync(folder, { recursive: true });
process.exit();
