// `weir serve` on a folder whose changes are logged, with management clients that write their requests and the responses
// into the same log. It imports a world, changes its key while it serves, wipes its file, and is killed once.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { rng, type Rng } from "#src/kit/chance/rng.ts";
import { waitUntilReady } from "#src/gateway/serving/ready.node.ts";
import { noteRecord } from "./disk-log.ts";
import { KEYS_OF_WORLD, secretOf, type Note, type Value } from "./expected.ts";

export interface Workload {
  readonly root: string; // of what goes through a power loss
  readonly log: string;
  readonly shim: string;
  readonly seed: number;
  readonly rounds: number; // writes of each client, in each of the three times that it serves
  readonly isSynced: boolean; // false: SQLite syncs nothing
}

const REPOSITORY = join(import.meta.dirname, "../../../../..");
const WEIR = join(REPOSITORY, "src/cli/weir.node.ts");
const CLIENTS = 12;
const IDLE_MS = 500;

export const configFile = (root: string): string => join(root, "weir.yaml");

/** The files that exist before the start. */
export const CONFIG = `world: world.yaml
upstream: echo
data: data
listen: { port: 0 }
admin: { port: 0 }
`;
export const WORLD = `apis:
  orders: { listen: /orders }
keys:
${Array.from({ length: KEYS_OF_WORLD }, (_, i) => `  credential-of-world-${i}: { key_id: world-${i}, apis: [orders] }`).join("\n")}
`;

export async function runWorkload(workload: Workload): Promise<void> {
  const { root, log, seed, rounds } = workload;
  mkdirSync(root);
  writeFileSync(configFile(root), CONFIG);
  writeFileSync(join(root, "world.yaml"), WORLD, { mode: 0o600 });
  writeFileSync(log, "");
  const note = (entry: Note): void => appendFileSync(log, noteRecord(JSON.stringify(entry)));
  const random = rng(seed, "workload");
  const values = new Map<string, Value>();
  const clients = (admin: string, secrets: Secrets, part: number): Promise<unknown> =>
    Promise.all(
      Array.from({ length: CLIENTS }, (_, i) =>
        client(admin, secrets, `own-${i}`, values, rounds, random.split(`${part} ${i}`), note),
      ),
    );

  const first = await start(workload);
  const secrets = secretsIn(root);
  note({ started: secrets });
  const changing = clients(first.admin, secrets, 1);
  await command(workload, [WEIR, "secrets", "rotate", "--config", configFile(root)]);
  note({ keys: 2 });
  await changing;
  await first.end("SIGTERM");

  await command(workload, [join(import.meta.dirname, "wipe.node.ts"), join(root, "data/weir.db")]);
  const second = await start(workload);
  await clients(second.admin, secrets, 2);
  // Within a write the log might have what the file has not.
  await sleep(IDLE_MS);
  await second.end("SIGKILL");

  const third = await start(workload);
  await clients(third.admin, secrets, 3);
  await third.end("SIGTERM");
}

type Secrets = Readonly<Record<"admin" | "dashboard", string>>;

const secretsIn = (root: string): Secrets => ({
  admin: readFileSync(join(root, "data/admin-secret"), "utf8").trim(),
  dashboard: readFileSync(join(root, "data/dashboard-secret"), "utf8").trim(),
});

/** One record of its own after the other: made, changed, deleted and made again. */
async function client(
  admin: string,
  secrets: Secrets,
  name: string,
  values: Map<string, Value>,
  rounds: number,
  random: Rng,
  note: (entry: Note) => void,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const id = `${name}-${random.int(4)}`;
    const isKey = Number(id.at(-1)) < 3;
    const before = values.get(id) ?? null;
    const value = before !== null && random.int(5) === 0 ? null : random.int(1_000_000);
    note({ requested: { family: isKey ? "keys" : "users", id, value } });
    const base = isKey ? `${admin}/admin-api/admin/org/keys` : `${admin}/dashboard/api/users`;
    const method = value === null ? "DELETE" : before === null ? "POST" : "PUT";
    const body = isKey
      ? { key_id: id, alias: `${value}`, hmac_string: secretOf(value) }
      : { id, email_address: `${id}@x.y`, first_name: `${value}`, access_key: secretOf(value) };
    const response = await fetch(method === "POST" ? base : `${base}/${id}`, {
      method,
      headers: {
        ...(value !== null && { "content-type": "application/json" }),
        ...(isKey
          ? { "admin-auth": secrets.admin }
          : { authorization: `Bearer ${secrets.dashboard}` }),
      },
      body: value === null ? null : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${id}: ${response.status} ${text}`);
    values.set(id, value);
    note({ answered: id });
  }
}

const environmentOf = ({ root, log, shim, isSynced }: Workload): NodeJS.ProcessEnv => ({
  PATH: process.env["PATH"],
  LD_PRELOAD: shim,
  WEIR_POWER_LOSS_FOLDER: root,
  WEIR_POWER_LOSS_LOG: log,
  ...(!isSynced && {
    NODE_OPTIONS: `--import=${join(import.meta.dirname, "synchronous-off.mjs")}`,
  }),
});

interface Served {
  readonly admin: string;
  readonly end: (signal: NodeJS.Signals) => Promise<void>;
}

async function start(workload: Workload): Promise<Served> {
  const child: ChildProcess = spawn(
    process.execPath,
    [WEIR, "serve", "--config", configFile(workload.root)],
    {
      cwd: workload.root,
      env: environmentOf(workload),
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    },
  );
  const closed = once(child, "close");
  const leave = (): void => void child.kill("SIGKILL");
  process.once("exit", leave);
  let output = "";
  child.stderr!.setEncoding("utf8").on("data", (text: string) => (output += text));
  const ready = await waitUntilReady(child);
  if (ready === null) throw new Error(`weir serve ended: ${output}`);
  return {
    admin: ready.admin,
    end: async (signal) => {
      child.kill(signal);
      await closed;
      process.off("exit", leave);
    },
  };
}

async function command(workload: Workload, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, args, {
    cwd: workload.root,
    env: environmentOf(workload),
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${args.slice(1).join(" ")} ends with ${code}: ${output}`);
}
