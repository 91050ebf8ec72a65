// `weir secrets rotate` during a `weir serve` under load and management writes: the result of every request and secret.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { Agent, request, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { waitUntilReady } from "#src/gateway/serving/ready.node.ts";

export interface Rotating {
  readonly folder: string; // empty
  readonly entry: string; // of weir
  readonly keys: number;
  readonly beforeMs: number; // of the control: the same clients, and no rotation
}

export interface Waited {
  readonly count: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly longestMs: number;
}

export interface Rotated {
  readonly ms: number; // of the whole command
  readonly output: string;
  readonly before: Phase;
  readonly during: Phase;
  /** Every request without a 200, every secret that differs from the last written one. */
  readonly failures: readonly string[];
  readonly read: number; // secrets, from the gateway that served all the time, and from one started afterwards
}

export interface Phase {
  readonly requests: Waited;
  readonly writes: Waited;
}

const CLIENTS = 8;
const WRITERS = 2;
const READERS = 16;
/** Clients that never pause would leave the rotation no processor time: both have to run at the same time. */
const PAUSE_MS = 4;

const credentialOf = (i: number): string => `credential-of-key-${i}`;
const secretOf = (id: string, version: number): string => `secret ${version} of ${id}`;

export async function rotateServing({ folder, entry, keys, beforeMs }: Rotating): Promise<Rotated> {
  writeFileSync(join(folder, "world.yaml"), worldOf(keys), { mode: 0o600 });
  writeFileSync(
    join(folder, "weir.yaml"),
    "world: world.yaml\nupstream: echo\nlisten: { port: 0 }\nadmin: { port: 0 }\n",
  );
  const versions = new Map(Array.from({ length: keys }, (_, i) => [`k${i}`, 0]));
  const failures: string[] = [];
  const first = await serve(entry, folder);
  const secret = readFileSync(join(folder, ".weir/admin-secret"), "utf8").trim();
  const agent = new Agent({ keepAlive: true });
  const phases = { before: newPhase(), during: newPhase() };
  const load: { phase: TimedPhase | null } = { phase: phases.before }; // null: it is over

  const sendTimed = async (times: (phase: TimedPhase) => number[], sent: Sent): Promise<void> => {
    const began = performance.now();
    const { status, body } = await send(agent, sent).catch((error: unknown) => ({
      status: 0,
      body: String(error),
    }));
    if (load.phase !== null) times(load.phase).push(performance.now() - began);
    if (status !== 200) failures.push(`${sent.method} ${sent.url}: ${status} ${body}`);
  };
  const client = async (turn: number): Promise<void> => {
    for (let i = turn; load.phase !== null; i += CLIENTS) {
      const authorization = credentialOf(i % keys);
      const url = `${first.gateway}/orders/${i}`;
      await sendTimed(({ requests }) => requests, {
        method: "GET",
        url,
        headers: { authorization },
      });
      await sleep(PAUSE_MS);
    }
  };
  // Those that are there change, and others are made: with the old key and with the new one.
  const writer = async (turn: number): Promise<void> => {
    for (let i = turn; load.phase !== null; i += WRITERS) {
      const isNew = i % 4 < 2;
      const id = isNew ? `new-${i}` : `k${i % keys}`;
      const version = (versions.get(id) ?? -1) + 1;
      versions.set(id, version);
      const base = `${first.admin}/admin-api/admin/org/keys`;
      await sendTimed(({ writes }) => writes, {
        method: isNew ? "POST" : "PUT",
        url: isNew ? base : `${base}/${id}`,
        headers: { "admin-auth": secret, "content-type": "application/json" },
        body: JSON.stringify({
          ...(isNew && { key_id: id }),
          hmac_string: secretOf(id, version),
        }),
      });
      await sleep(PAUSE_MS);
    }
  };
  const all = [
    ...Array.from({ length: CLIENTS }, (_, i) => client(i)),
    ...Array.from({ length: WRITERS }, (_, i) => writer(i)),
  ];
  await sleep(beforeMs);
  load.phase = phases.during;
  const began = performance.now();
  const rotation = await rotate(entry, folder);
  const ms = performance.now() - began;
  load.phase = null;
  await Promise.all(all);
  if (rotation.code !== 0) failures.push(`weir secrets rotate ends with ${rotation.code}`);

  const readAll = async ({ admin }: Served): Promise<void> => {
    const left = [...versions];
    const reader = async (): Promise<void> => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        const [id, version] = next;
        const { status, body } = await send(agent, {
          method: "GET",
          url: `${admin}/admin-api/admin/org/keys/${id}`,
          headers: { "admin-auth": secret },
        });
        const read = status === 200 ? (JSON.parse(body) as { hmac_string?: unknown }) : null;
        if (read?.hmac_string !== secretOf(id, version))
          failures.push(`${id} reads as ${status} ${body}`);
      }
    };
    await Promise.all(Array.from({ length: READERS }, reader));
  };
  await readAll(first);
  await first.end();
  // With the new key alone: the old one has another name, which no gateway reads.
  const second = await serve(entry, folder);
  if (/is being changed|put that one/.test(second.output())) failures.push(second.output());
  await readAll(second);
  await second.end();
  agent.destroy();
  const left = readdirSync(join(folder, ".weir")).filter((name) => name.startsWith("key"));
  if (left.join() !== "key,key.old") failures.push(`of keys there are ${left.join(", ")}`);
  return {
    ms,
    output: rotation.output,
    before: phaseOf(phases.before),
    during: phaseOf(phases.during),
    failures,
    read: 2 * versions.size,
  };
}

const worldOf = (keys: number): string =>
  [
    "apis:\n  orders: { listen: /orders }\nkeys:",
    ...Array.from({ length: keys }, (_, i) => {
      const secret = JSON.stringify(secretOf(`k${i}`, 0));
      return `  ${credentialOf(i)}: { key_id: k${i}, apis: [orders], hmac_string: ${secret} }`;
    }),
    "",
  ].join("\n");

interface TimedPhase {
  readonly requests: number[];
  readonly writes: number[];
}

const newPhase = (): TimedPhase => ({ requests: [], writes: [] });

const phaseOf = ({ requests, writes }: TimedPhase): Phase => ({
  requests: summaryOf(requests),
  writes: summaryOf(writes),
});

function summaryOf(times: readonly number[]): Waited {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { count: sorted.length, medianMs: at(0.5), p99Ms: at(0.99), longestMs: at(1) };
}

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const send = (
  agent: Agent,
  { method, url, headers, body }: Sent,
): Promise<{ readonly status: number; readonly body: string }> =>
  new Promise((resolve, reject) => {
    const onward = request(url, { method, headers, agent }, (answer: IncomingMessage) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => (text += part));
      answer.on("error", reject);
      answer.on("end", () => resolve({ status: answer.statusCode!, body: text }));
    });
    onward.on("error", reject);
    onward.end(body);
  });

interface Served {
  readonly gateway: string;
  readonly admin: string;
  readonly output: () => string;
  readonly end: () => Promise<void>;
}

function start(entry: string, folder: string, args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [entry, ...args], {
    cwd: folder,
    env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const leave = (): void => void child.kill("SIGKILL");
  process.once("exit", leave);
  child.once("close", () => process.off("exit", leave));
  return child;
}

async function serve(entry: string, folder: string): Promise<Served> {
  const child = start(entry, folder, ["serve"]);
  const closed = once(child, "close");
  child.stdout!.resume();
  let output = "";
  child.stderr!.setEncoding("utf8").on("data", (text: string) => (output += text));
  const ready = await waitUntilReady(child);
  if (ready === null) throw new Error(`weir serve ended: ${output}`);
  return {
    ...ready,
    output: () => output,
    end: async () => {
      child.kill("SIGTERM");
      await closed;
    },
  };
}

async function rotate(
  entry: string,
  folder: string,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = start(entry, folder, ["secrets", "rotate"]);
  let output = "";
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output };
}
