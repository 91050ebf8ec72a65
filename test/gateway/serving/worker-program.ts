// For workers.test.ts: serves a payload by several processes, as `weir serve --workers` does. The first
// argument is the number of workers, the second the first payload.
import cluster from "node:cluster";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { runWorker } from "#src/gateway/serving/worker.node.ts";
import { startWorkers, type Workers } from "#src/gateway/serving/workers.node.ts";

interface Payload {
  readonly text: string;
  readonly since: ReadonlyMap<string, number>; // a Map arrives as one
}

const [count = "2", text = "first"] = process.argv.slice(2);
const payload = (text: string): Payload => ({ text, since: new Map([[text, 1]]) });
const print = (line: unknown): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

async function primary(): Promise<void> {
  const workers: Workers<Payload> = await startWorkers({
    count: Number(count),
    payload: payload(text),
    respond: async (question) =>
      question === "ready" ? workers.isReady() : workers.requestAll(question),
    onNews: print,
  });
  process.on("SIGHUP", () => workers.reload(payload("second")));
  // One of the workers is gone, and this process does not know it yet.
  process.on("SIGUSR2", () => {
    process.kill(workers.pids()[0]!, "SIGKILL");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    workers.reload(payload("second"));
  });
  process.once("SIGTERM", () => {
    process.once("SIGTERM", () => void workers.stop());
    void workers.drain().then(() => print("drained"));
  });
  print("started");
}

if (cluster.isPrimary)
  primary().catch((error: unknown) => {
    print(String(error));
    process.exitCode = 1;
  });
else
  runWorker<Payload>(async (first, requestPrimary) => {
    if (first.text === "broken") throw new Error("The configuration is broken");
    // A replacement begins with the second payload. It starts late, so that even a busy test observes its absence.
    if (first.text === "second") await sleep(1_500);
    let now = first;
    const server = createServer((from, to) => {
      const answer = async (): Promise<unknown> => {
        switch (from.url ?? "/") {
          case "/all":
            return requestPrimary("pid");
          case "/ready":
            return requestPrimary("ready");
          case "/slow":
            await sleep(400);
            return "slow";
          case "/hangs":
            await sleep(60_000);
            return "hangs";
          default:
            return { pid: process.pid, text: now.text, since: now.since.get(now.text) };
        }
      };
      void answer().then((body) => to.setHeader("Connection", "close").end(JSON.stringify(body)));
    });
    const address = await new Promise<unknown>((resolve) =>
      server.listen(0, "127.0.0.1", () => resolve(server.address())),
    );
    print(address);
    const closed = new Promise<void>((resolve) => server.once("close", resolve));
    return {
      reload: (next) => void (now = next),
      respond: async (question) => ({ [String(question)]: process.pid, text: now.text }),
      drain: async () => {
        server.close();
        await closed;
      },
      stop: async () => {
        server.close();
        server.closeAllConnections();
        await closed;
      },
    };
  });
