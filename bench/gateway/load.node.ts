// Closed-loop load on one server: how many requests a second it answers when nobody waits on purpose.
// Latencies of such a run say nothing (coordinated omission), and none is read.
import { execFile, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import autocannon from "autocannon";
import { KEY, PATH } from "./address.ts";
import { hasNginx, nginx } from "./nginx.node.ts";
import type { Input, Subject } from "./serve.node.ts";

const CONNECTIONS = 32;

interface Served {
  readonly url: string;
  readonly process: ChildProcess;
  readonly end: () => void;
}

function serve(input: Input): Promise<Served> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, "serve.node.ts"), JSON.stringify(input)],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`the ${input.subject} ended with ${code}`)));
    child.stdout.setEncoding("utf8").once("data", (line: string) => {
      const { url } = JSON.parse(line) as { readonly url: string };
      resolve({ url, process: child, end: () => void child.kill() });
    });
  });
}

export type Measure = "requests a second" | "processor time a request";

/** Requests a second, or microseconds of processor time that the server needed for each. */
export async function measured(
  subject: Subject | "nginx",
  seconds: number,
  what: Measure,
): Promise<number> {
  const isProxy = ["weir", "bare proxy", "fastify", "express", "nginx"].includes(subject);
  const upstream = !isProxy
    ? null
    : hasNginx()
      ? await nginx(null)
      : await serve({ subject: "bare server", upstream: "" });
  const to = upstream?.url ?? "http://127.0.0.1:1";
  const served = subject === "nginx" ? await nginx(to) : await serve({ subject, upstream: to });
  try {
    const url = new URL(PATH, served.url).href;
    await warmUp(url);
    const before = processorUs(served.process);
    const { requests, refused, tookSeconds } = await load(url, seconds);
    const spentUs = processorUs(served.process) - before;
    const expected = subject.endsWith("refusing") ? requests : 0;
    if (refused !== expected)
      throw new Error(`${subject}: ${refused} of ${requests} answers are no 2xx`);
    return what === "requests a second" ? requests / tookSeconds : spentUs / requests;
  } finally {
    served.end();
    upstream?.end();
  }
}

const WARM = 40_000; // requests, after which all that matters has been compiled
const MOST_ROUNDS = 20;

/** By requests and not by time: on a busy machine a second may hold a tenth of them. */
async function warmUp(url: string): Promise<void> {
  let answered = 0;
  for (let i = 0; i < MOST_ROUNDS && answered < WARM; i++)
    answered += (await load(url, 1)).requests;
}

interface Answered {
  readonly requests: number;
  readonly refused: number;
  readonly tookSeconds: number;
}

export const hasWrk = (): boolean => spawnSync("wrk", ["-v"]).error === undefined;

const load = (url: string, seconds: number): Promise<Answered> =>
  hasWrk() ? byWrk(url, seconds) : byAutocannon(url, seconds);

async function byWrk(url: string, seconds: number): Promise<Answered> {
  const options = ["-t", "1", "-c", String(CONNECTIONS), "-d", `${seconds}s`];
  const { stdout } = await promisify(execFile)("wrk", [
    ...options,
    "-H",
    `Authorization: ${KEY}`,
    url,
  ]);
  const number = (pattern: RegExp): number => Number(pattern.exec(stdout)?.[1] ?? Number.NaN);
  if (/Socket errors/.test(stdout)) throw new Error(stdout);
  const requests = number(/(\d+) requests in/);
  const perSecond = number(/Requests\/sec:\s*([\d.]+)/);
  const refused = /Non-2xx/.test(stdout) ? number(/Non-2xx or 3xx responses: (\d+)/) : 0;
  return { requests, refused, tookSeconds: requests / perSecond };
}

async function byAutocannon(url: string, seconds: number): Promise<Answered> {
  const headers = { authorization: KEY };
  const result = await autocannon({ url, connections: CONNECTIONS, headers, duration: seconds });
  if (result.errors > 0) throw new Error(`${url}: ${result.errors} errors`);
  const { requests, non2xx, duration } = result;
  return { requests: requests.total, refused: non2xx, tookSeconds: duration };
}

const TICKS_A_SECOND = 100; // of Linux, whatever its kernel counts by

/** What a process has spent so far with all its threads; not a number where there is no /proc. */
function processorUs({ pid }: ChildProcess): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return ((Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND) * 1e6;
  } catch {
    return Number.NaN;
  }
}
