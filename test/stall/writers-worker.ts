// Clients in threads of their own: writers that send bodies, and one client that asks the data plane and measures its waits.
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { parentPort } from "node:worker_threads";

export interface Sent {
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
export type Order =
  | { readonly write: readonly Sent[]; readonly writers: number }
  | { readonly ask: Omit<Sent, "headers" | "body">; readonly credentials: readonly string[] }
  | "stop";

export interface Wait {
  readonly ms: number;
  /** Of the thread that serves, until the response was there: another process on the machine adds nothing to it. */
  readonly processorMs: number;
  readonly status: number;
}

const port = parentPort!;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const asking = { isStopped: false };

const send = ({ port: to, method, path, headers, body }: Sent): Promise<number> =>
  new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port: to, method, path, headers, agent };
    const sending = request(options, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode!));
      response.on("error", reject);
    });
    sending.on("error", reject);
    sending.end(body);
  });

/** Each writer sends all of them, each from another one on. */
async function write(all: readonly Sent[], writers: number): Promise<readonly number[]> {
  const statuses: number[] = [];
  const writing = async (_: unknown, writer: number): Promise<void> => {
    for (let i = 0; i < all.length; i++) statuses.push(await send(all[(writer + i) % all.length]!));
  };
  await Promise.all(Array.from({ length: writers }, writing));
  return statuses;
}

/** The main thread of a process has its id; it is the one that serves. */
const processorMs = (): number =>
  Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, "latin1").split(" ", 1)[0]) /
  1_000_000;

const PAUSE_MS = 1;

/** One request after the other until it is stopped, with each credential in its turn; the last one stays. */
async function ask(
  to: Omit<Sent, "headers" | "body">,
  credentials: readonly string[],
): Promise<readonly Wait[]> {
  const waits: Wait[] = [];
  while (!asking.isStopped) {
    const authorization = credentials[Math.min(waits.length, credentials.length - 1)]!;
    const [from, processorFrom] = [performance.now(), processorMs()];
    const status = await send({ ...to, headers: { authorization }, body: "" });
    waits.push({
      ms: performance.now() - from,
      processorMs: processorMs() - processorFrom,
      status,
    });
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return waits;
}

async function obey(order: Exclude<Order, "stop">): Promise<void> {
  const done: readonly unknown[] =
    "write" in order
      ? await write(order.write, order.writers)
      : await ask(order.ask, order.credentials);
  port.postMessage(done, []);
}

port.on("message", (order: Order) => {
  asking.isStopped = order === "stop";
  if (order !== "stop") void obey(order);
});
