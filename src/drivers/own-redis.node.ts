// A redis-server for one run: on a free port of loopback, keeping nothing.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants } from "node:fs";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export interface OwnRedis {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

export const NO_REDIS =
  "redis-server is not on the PATH, and --store names no other; apt-get install -y redis-server";

const COMMAND = "redis-server";

export const isRedisThere = (): boolean =>
  (process.env["PATH"] ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, COMMAND), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

// The server ends with this process, however that ends: then its input is closed.
const KEEPER = `exec 3<&0
${COMMAND} "$@" >/dev/null & server=$!
{ cat <&3 >/dev/null; kill -9 $server; } 2>/dev/null & keeper=$!
wait $server
kill $keeper 2>/dev/null`;

const LONGEST_START_MS = 10_000;
const LONGEST_END_MS = 2_000;

export async function startOwnRedis(): Promise<OwnRedis> {
  const port = await freePort();
  const settings = ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", tmpdir()];
  const keepsNothing = ["--save", "", "--appendonly", "no"];
  const keeper = spawn("sh", ["-c", KEEPER, "sh", ...settings, ...keepsNothing], {
    stdio: ["pipe", "ignore", "ignore"],
  });
  const gone = once(keeper, "exit");
  const stop = async (): Promise<void> => {
    keeper.stdin.destroy();
    // A stopped process (SIGSTOP) does not read the end of its input; the shell that waits for it does.
    const kill = setTimeout(() => keeper.kill("SIGKILL"), LONGEST_END_MS);
    await gone;
    clearTimeout(kill);
  };
  for (let waitedMs = 0; waitedMs < LONGEST_START_MS; waitedMs += 20) {
    if (await answers(port)) return { url: `redis://127.0.0.1:${port}`, stop };
    await sleep(20);
  }
  await stop();
  throw new Error(`${COMMAND} does not start on port ${port}`);
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
