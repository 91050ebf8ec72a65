// What a sweep costs on one machine, and on workers of a queue: processor seconds of the command, of Redis and of the
// workers. Prints a row for each number of workers, each with one thread. Needs redis-server.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const WEIR = join(import.meta.dirname, "../../src/cli/weir.node.ts");
const PORT = 7391;
const URL_OF_QUEUE = `redis://127.0.0.1:${PORT}`;
const WORLDS = Number(process.argv[2] ?? 2_000);
const PIECES = WORLDS / 10;
const SWEEP = ["run", "--swarm", String(WORLDS), "--no-save", "--json"];
const TICKS_A_SECOND = 100;

const folder = mkdtempSync(join(tmpdir(), "weir-sweeps-"));

/** Of a process that runs, with its threads. */
function processorS({ pid }: ChildProcess): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

const weir = (...args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [WEIR, ...args], { cwd: folder, stdio: ["ignore", "pipe", "ignore"] });

interface Measured {
  readonly wallS: number;
  readonly ownS: number; // of the command
  readonly redisS: number;
  readonly workerS: number;
}

async function measure(workerCount: number): Promise<Measured> {
  const redis = spawn("redis-server", ["--port", String(PORT), "--save", "", "--dir", folder], {
    stdio: "ignore",
  });
  const workers = Array.from({ length: workerCount }, () =>
    weir("worker", "--queue", URL_OF_QUEUE, "--threads", "1"),
  );
  try {
    await Promise.all(workers.map(({ stdout }) => once(stdout!, "data")));
    const sum = (): number => workers.reduce((all, each) => all + processorS(each), 0);
    const before = { redis: processorS(redis), workers: sum() };
    const startMs = performance.now();
    const command = weir(...SWEEP, ...(workerCount > 0 ? ["--queue", URL_OF_QUEUE] : []));
    command.stdout!.resume();
    let ownS = 0;
    const look = setInterval(() => (ownS = processorS(command)), 20);
    await once(command, "exit");
    clearInterval(look);
    return {
      wallS: (performance.now() - startMs) / 1_000,
      ownS,
      redisS: processorS(redis) - before.redis,
      workerS: sum() - before.workers,
    };
  } finally {
    for (const each of [...workers, redis]) each.kill("SIGKILL");
    await sleep(200);
  }
}

console.log(`${PIECES} pieces; seconds, and processor milliseconds a piece`);
console.log("workers    wall  command  redis  workers");
for (const count of [0, 1, 2, 4]) {
  const { wallS, ...spent } = await measure(count);
  const cells = [spent.ownS, spent.redisS, spent.workerS].map((s) =>
    ((1_000 * s) / PIECES).toFixed(2).padStart(8),
  );
  console.log(`${String(count).padStart(7)} ${wallS.toFixed(1).padStart(7)} ${cells.join("")}`);
}
rmSync(folder, { recursive: true });
