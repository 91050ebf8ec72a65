// Clients in threads of their own: writers that send bodies, and one client of the data plane that measures its waits.
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { parentPort } from "node:worker_threads";

export interface RequestToSend {
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
export type Order =
  | { readonly write: readonly RequestToSend[]; readonly writers: number }
  | {
      readonly target: Omit<RequestToSend, "headers" | "body">;
      readonly credentials: readonly string[];
    }
  | "stop";

export interface Wait {
  readonly ms: number;
  /** Processor time of the serving thread until the response; other processes of the machine do not count. */
  readonly processorMs: number;
  readonly status: number;
}

const port = parentPort!;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const reader = { isStopped: false };

const send = ({ port: to, method, path, headers, body }: RequestToSend): Promise<number> =>
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

/** Each writer sends all of them, each starting at another one. */
async function write(all: readonly RequestToSend[], writers: number): Promise<readonly number[]> {
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

/** Sends one request after the other until it is stopped, with one credential each; the last one repeats. */
async function sendUntilStopped(
  to: Omit<RequestToSend, "headers" | "body">,
  credentials: readonly string[],
): Promise<readonly Wait[]> {
  const waits: Wait[] = [];
  while (!reader.isStopped) {
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

async function runOrder(order: Exclude<Order, "stop">): Promise<void> {
  const done: readonly unknown[] =
    "write" in order
      ? await write(order.write, order.writers)
      : await sendUntilStopped(order.target, order.credentials);
  port.postMessage(done, []);
}

port.on("message", (order: Order) => {
  reader.isStopped = order === "stop";
  if (order !== "stop") void runOrder(order);
});
