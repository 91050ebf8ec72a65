// npm run fleets: the commands of docs/serve/fleets.md, in their order, and what the page states of each failure.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { isOnPath } from "#src/lab/implementations/home.node.ts";
import { isInstalled } from "../gateway/management/records/postgres-server.ts";
import { until } from "../redis/cluster.ts";
import { admissionsIn, load, mostInWindow, within, type Sent } from "../redis/load.ts";
import { openSession, type Session } from "./session.node.ts";

const PAGE = join(import.meta.dirname, "../../docs/serve/fleets.md");
const KEYS = ["ann", "bea", "cyd", "dot", "eve", "fay", "gus", "hal", "ida", "joe", "kim", "leo"];
const RATE = 20;
const PER_MS = 1_000;
const SETTLED_MS = 4_500; // at the end of each failure: gateways try a lost store again every few seconds
const WAITS_MS = 3_000; // a change that has no response by then waits

const missing = ["bash", "curl", "haproxy", "psql", "redis-cli", "redis-server"].filter(
  (command) => !isOnPath(command),
);
if (missing.length > 0 || !isInstalled) {
  const names = [...missing, ...(isInstalled ? [] : ["PostgreSQL's initdb"])].join(", ");
  process.stderr.write(`fleets: ${names} missing; install redis-server, postgresql and haproxy\n`);
  process.exit(2);
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const notes: string[] = [];
const confirmed: string[] = []; // keys after the failure of the primary
const wrong: string[] = [];

function expect(isSo: boolean, what: string): void {
  if (!isSo) wrong.push(what);
}

interface Failure {
  readonly name: string;
  readonly endedBy: string;
  readonly changes: number; // of the number of gateways or of their store: one further budget each (LIM-C11)
  readonly happen: () => Promise<void>;
}

async function observe(session: Session, failure: Failure): Promise<void> {
  const { name, endedBy, changes, happen } = failure;
  const urls = [8081, 8082].map((port) => new URL(`http://127.0.0.1:${session.portOf(port)}`));
  const startMs = performance.now();
  const loads = KEYS.map((key) => load(urls, 1, 40, key));
  await sleep(PER_MS);
  await happen();
  await sleep(SETTLED_MS);
  const endMs = performance.now();
  const sent = await Promise.all(loads.map(({ stop }) => stop()));
  const failed = sent.flat().filter(({ status }) => status !== 200 && status !== 429).length;
  const most = Math.max(...sent.map((ofKey) => mostInWindow(admissionsIn(ofKey), PER_MS)));
  print(`| ${name} | ${endedBy} | ${most} | ${failed} of ${sent.flat().length} |`);
  expect(failed === 0, `${name}: ${failed} requests failed`);
  for (const ofKey of sent) expectWithin(ofKey, name, changes, { startMs, endMs });
}

function expectWithin(
  ofKey: readonly Sent[],
  name: string,
  changes: number,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): void {
  const passed = admissionsIn(ofKey);
  const seconds = Math.ceil((endMs - startMs) / PER_MS);
  const allowed = RATE * (seconds + 1 + changes);
  expect(passed.length <= allowed, `${name}: ${passed.length} admitted, ${allowed} allowed`);
  const settled = mostInWindow(within(passed, { fromMs: endMs - 1_500, toMs: endMs }), PER_MS);
  expect(settled < 2 * RATE, `${name}: ${settled} admitted within a second at the end`);
  expect(settled >= RATE / 2, `${name}: only ${settled} admitted within a second at the end`);
}

/** The response of a management API, or null if there was none in time. */
async function manage(
  session: Session,
  method: "GET" | "POST",
  path: string,
  body: Readonly<Record<string, unknown>> | null,
): Promise<number | null> {
  const secret = readFileSync(join(session.folder, "gw1/admin-secret"), "utf8").trim();
  const url = `http://127.0.0.1:${session.portOf(9091)}/admin-api/admin/org/keys${path}`;
  try {
    const response = await fetch(url, {
      method,
      headers: { "Admin-Auth": secret, "Content-Type": "application/json" },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(WAITS_MS),
    });
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    if ((error as Error).name === "TimeoutError") return null;
    throw error;
  }
}

const createKey = (session: Session, id: string): Promise<number | null> =>
  manage(session, "POST", "", { key_id: id, access_rights: { orders: {} } });

const isThere = async (session: Session, id: string): Promise<boolean> =>
  (await manage(session, "GET", `/${id}`, null)) === 200;

const isConfirmed = (status: number | null): boolean => status === 200 || status === 201;

async function replyOf(session: Session, onPage: number, ...words: string[]): Promise<string> {
  const client = new Redis(session.portOf(onPage), "127.0.0.1");
  // A server that was just started does not listen yet: the call waits for it, and is rejected if it never does.
  client.on("error", () => undefined);
  try {
    return String(await client.call(words[0]!, ...words.slice(1)));
  } finally {
    client.disconnect();
  }
}

const clusterIs = async (session: Session, state: string, onPage: number): Promise<boolean> =>
  (await replyOf(session, onPage, "cluster", "info")).includes(`cluster_state:${state}`);

const isReplica = async (session: Session, onPage: number): Promise<boolean> =>
  (await replyOf(session, onPage, "info", "replication")).includes("master_link_status:up");

async function start(session: Session): Promise<void> {
  await session.run("--cluster create");
  await until(() => clusterIs(session, "ok", 7001));
  for (const port of [7004, 7005, 7006]) await until(() => isReplica(session, port));
  await session.run("initdb");
  await session.run("haproxy -D");
  await session.run("weir serve");
}

async function loseOneMaster(session: Session): Promise<void> {
  const names = await replyOf(session, 7001, "keys", "*");
  expect(names.includes("|key:"), `none of twelve budgets is on the first master: ${names}`);
  await session.run("kill");
  await until(async () => {
    const nodes = (await replyOf(session, 7002, "cluster", "nodes")).split("\n");
    return nodes.filter((node) => /\bmaster - .* connected \d/.test(node)).length === 3;
  });
}

async function loseTwoMasters(session: Session): Promise<void> {
  await session.run("kill");
  await until(() => clusterIs(session, "fail", 7001));
  await sleep(2 * PER_MS);
  expect(await clusterIs(session, "fail", 7001), "two lost masters of three were replaced");
  await session.run("failover takeover");
  await until(() => clusterIs(session, "ok", 7001));
}

async function losePrimary(session: Session): Promise<void> {
  expect(isConfirmed(await createKey(session, "before")), "no key was created before the failure");
  await session.run("kill");
  await until(async () => (await createKey(session, "during")) === 503);
  const startMs = performance.now();
  await session.run("promote");
  // A change that was not confirmed in time may be made all the same: the next one is another.
  let attempts = 0;
  await until(async () => isConfirmed(await createKey(session, `after-${++attempts}`)));
  confirmed.push(`after-${attempts}`);
  const tookMs = performance.now() - startMs;
  notes.push(
    `${(tookMs / 1_000).toFixed(1)} s after its promotion began, the replica confirmed a change`,
  );
  expect(await isThere(session, "before"), "a confirmed change is lost with the primary");
  await session.run("primary_conninfo");
}

async function loseReplica(session: Session): Promise<void> {
  await session.run("immediate stop");
  const status = await createKey(session, "waiting");
  expect(status === null, `a change without a replica was answered: ${status}`);
  await session.run("two.log -w start");
  await until(() => isThere(session, "waiting"));
}

async function main(session: Session): Promise<void> {
  await start(session);
  print("| failure | ended by | most in any second | failed requests |");
  print("| --- | --- | ---: | ---: |");
  const all: readonly Failure[] = [
    { name: "none", endedBy: "", changes: 0, happen: () => sleep(PER_MS) },
    {
      name: "a master of Redis is killed",
      endedBy: "its replica, by itself",
      changes: 2,
      happen: () => loseOneMaster(session),
    },
    {
      name: "two of three masters are killed",
      endedBy: "a command on their replicas",
      changes: 2,
      happen: async () => {
        await session.run("redis-server --port");
        await until(() => isReplica(session, 7001));
        await loseTwoMasters(session);
      },
    },
    {
      name: "the primary PostgreSQL is killed",
      endedBy: "the promotion of a replica",
      changes: 0,
      happen: () => losePrimary(session),
    },
    {
      name: "the last replica of PostgreSQL stops",
      endedBy: "its start",
      changes: 0,
      happen: () => loseReplica(session),
    },
  ];
  for (const failure of all) await observe(session, failure);
  await session.run("rm -r one");
  expect(isConfirmed(await createKey(session, "last")), "no key is created with all replicas back");
  for (const id of ["before", ...confirmed, "waiting", "last"])
    expect(await isThere(session, id), `the key ${id} is lost`);
  expect(session.countOfRest() === 0, `${session.countOfRest()} blocks of the page did not run`);
}

const session = await openSession(readFileSync(PAGE, "utf8"));
try {
  await main(session);
} finally {
  await session.close();
}
for (const note of notes) print(note);
for (const what of wrong) print(`wrong: ${what}`);
if (wrong.length === 0) print("every statement of the page holds");
process.exitCode = wrong.length === 0 ? 0 : 1;
