// `weir serve` as a child process, and requests to it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request as send, type IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { waitUntilReady } from "#src/gateway/serving/ready.node.ts";
import { entry } from "../built.ts";
import { readOutput } from "./output.ts";
import { quietEnvironment } from "./weir.ts";

export const SETTINGS = "world: world.yaml\nupstream: echo\n";
export const WORLD = `apis:
  orders: { listen: /orders }
keys:
  alice: { apis: [orders], rate: 2, per: 60 }
gateway: { algorithm: fixed_window }
`;
export const FILES = { "conf/weir.yaml": SETTINGS, "conf/world.yaml": WORLD };
export const CONFIG = ["--config", "conf/weir.yaml"];

/** The world is served as it is, and a reload reads it again. */
export const AS_IT_IS = { WEIR_RECORDS: "off" };

/** As long as a secret has to be. */
export const SECRET = "of-the-admin-of-a-test";

export const secretIn = (folder: string): string =>
  readFileSync(join(folder, ".weir/admin-secret"), "utf8").trim();

export interface Serving {
  readonly gateway: string;
  readonly admin: string;
  readonly output: () => string;
  /** Resolves as soon as the text was printed that many times. */
  readonly waitFor: (text: string, times?: number) => Promise<void>;
  /** Closes the reading end of its output. */
  readonly leave: () => void;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly exit: Promise<number | null>;
}

/** On free ports, and gone after the test. */
export async function serving(
  folder: string,
  args: readonly string[] = [],
  environment: NodeJS.ProcessEnv = {},
): Promise<Serving> {
  const free = { WEIR_LISTEN_PORT: "0", WEIR_ADMIN_PORT: "0" };
  const child = spawn(process.execPath, [entry(), "serve", ...args], {
    cwd: folder,
    env: { ...quietEnvironment, ...free, ...environment },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const exit = once(child, "exit").then(([code]) => code as number | null);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exit;
  });
  const stderr = child.stderr!;
  const output = readOutput([stderr], exit);
  const ready = await waitUntilReady(child);
  if (ready === null) throw new Error(`weir serve ended during its start:\n${output.text()}`);
  return {
    ...ready,
    output: output.text,
    waitFor: output.waitFor,
    leave: () => void stderr.destroy(),
    kill: (signal) => void child.kill(signal),
    exit,
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Each on a connection of its own. */
export const sendRequest = (
  url: string,
  {
    method = "GET",
    body,
    ...headers
  }: {
    readonly method?: string;
    readonly body?: string;
    readonly [header: string]: string | undefined;
  } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const onward = send(url, { method, headers, agent: false }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (part: string) => (text += part));
      answer.on("error", reject);
      answer.on("end", () =>
        resolve({ status: answer.statusCode!, headers: answer.headers, text }),
      );
    });
    onward.on("error", reject);
    onward.end(body);
  });
