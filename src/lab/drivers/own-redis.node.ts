// Starts a redis-server for one run, on a free loopback port and without persistence.
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { isOnPath } from "../implementations/home.node.ts";
import { freePorts } from "../implementations/ports.node.ts";
import { startProgram } from "../implementations/process.node.ts";

export interface OwnRedis {
  readonly url: string;
  readonly place: { readonly host: string; readonly port: number };
  readonly stop: () => Promise<void>;
}

export const NO_REDIS =
  "redis-server is not on the PATH; run apt-get install -y redis-server, or name a Redis with --store";

const HOST = "127.0.0.1";
const COMMAND = "redis-server";

export const isRedisThere = (): boolean => isOnPath(COMMAND);

const LONGEST_START_MS = 10_000;

export async function startOwnRedis(): Promise<OwnRedis> {
  const [port] = await freePorts(1);
  const settings = ["--port", `${port}`, "--bind", HOST, "--dir", tmpdir()];
  const keepsNothing = ["--save", "", "--appendonly", "no"];
  const { stdout, exited, stop } = startProgram({
    name: COMMAND,
    command: [COMMAND, ...settings, ...keepsNothing],
    dir: tmpdir(),
    ownsDir: false,
    env: {},
  });
  stdout.resume();
  for (let waitedMs = 0; waitedMs < LONGEST_START_MS; waitedMs += 20) {
    const ended = await Promise.race([exited, answers(port!)]);
    if (typeof ended === "string") throw new Error(ended);
    if (ended) return { url: `redis://${HOST}:${port}`, place: { host: HOST, port: port! }, stop };
    await sleep(20);
  }
  await stop();
  throw new Error(`${COMMAND} does not start on port ${port}`);
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, HOST);
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}
