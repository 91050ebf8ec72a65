// Closed-loop load on one server: how many requests a second it answers when nobody waits on purpose.
// Latencies of such a run say nothing (coordinated omission), and none is read.
import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import autocannon from "autocannon";
import type { Input } from "./serve.node.ts";

const CONNECTIONS = 32;

interface Served {
  readonly url: string;
  readonly process: ChildProcess;
}

function serve(input: Input): Promise<Served> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, "serve.node.ts"), JSON.stringify(input)],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`the ${input.subject} ended with ${code}`)));
    child.stdout.setEncoding("utf8").once("data", (line: string) => {
      const { url } = JSON.parse(line) as { readonly url: string };
      resolve({ url, process: child });
    });
  });
}

export async function requestsPerSecond(
  subject: Input["subject"],
  seconds: number,
): Promise<number> {
  const upstream =
    subject === "gateway, before an upstream"
      ? await serve({ subject: "bare server", upstream: null })
      : null;
  const served = await serve({ subject, upstream: upstream?.url ?? null });
  try {
    const load = {
      connections: CONNECTIONS,
      headers: { authorization: "alice" },
    };
    const url = new URL("/orders/7", served.url).href;
    await autocannon({ ...load, url, duration: 1 }); // warms the server up
    const result = await autocannon({ ...load, url, duration: seconds });
    if (result.errors > 0 || result.non2xx > 0)
      throw new Error(
        `${subject}: ${result.errors} errors, ${result.non2xx} answers that are no 2xx`,
      );
    return result.requests.total / result.duration;
  } finally {
    served.process.kill();
    upstream?.process.kill();
  }
}
