// Several gateways over one database: each applies a change of any of them within a second (MGT-C5), also during
// continuous requests, and continues with its known keys during an outage of the database.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "#src/gateway/management/json.ts";
import { liveConfiguration } from "#src/gateway/management/live-configuration.ts";
import type { Records } from "#src/gateway/management/records/records.ts";
import { recordsInPostgres } from "#src/gateway/management/records/postgres.node.ts";
import { serveGateway } from "#src/gateway/http/gateway.node.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { followRecords } from "#src/gateway/serving/follow-records.node.ts";
import { PLAIN } from "./app.ts";
import { put } from "./governed.ts";
import { isInstalled, startPostgres, type PostgresServer } from "./records/postgres-server.ts";

const AT_LATEST_MS = 1_000;
const LONGEST_START_MS = 50_000;

let postgres: PostgresServer;
if (isInstalled || process.env["CI"] !== undefined) {
  beforeAll(async () => {
    postgres = await startPostgres();
  }, LONGEST_START_MS);
  afterAll(() => postgres.stop());
}

let databases = 0;
const database = (): Promise<string> => postgres.database(`several_${++databases}`);

interface Node {
  readonly records: Records;
  readonly url: URL;
  readonly applyChanges: () => Promise<void>;
  readonly reports: readonly string[];
  readonly send: (
    credential: string,
  ) => Promise<{ status: number; limit: number; retry: string | null }>;
}

async function node(address: string, isNotified = true): Promise<Node> {
  const reports: string[] = [];
  const report = (line: string): void => void reports.push(line);
  const real = requireValue(await recordsInPostgres(address, { report }));
  const records = isNotified ? real : { ...real, onRemoteChange: () => {} };
  const force = await liveConfiguration(records, PLAIN, { report });
  const server = await serveGateway({
    configuration: force.configuration(),
    upstream: null,
    host: "127.0.0.1",
    port: 0,
    store: null,
    observer: { onEvent: () => {}, onExchange: null },
    keys: force,
  });
  force.onChange(({ configuration, forgotten }) => {
    if (configuration !== null) server.reload(configuration);
    server.forget(forgotten);
  });
  const stop = followRecords(records, force);
  onTestFinished(async () => {
    stop();
    await server.stop();
    await real.close();
  });
  return {
    records,
    url: server.url,
    reports,
    applyChanges: async () => {
      await force.applyChanges();
    },
    send: async (credential) => {
      const headers = { authorization: credential };
      const answer = await fetch(new URL("/a", server.url), { headers });
      await answer.arrayBuffer();
      return {
        status: answer.status,
        limit: Number(answer.headers.get("x-ratelimit-limit")),
        retry: answer.headers.get("retry-after"),
      };
    },
  };
}

const keyOf = (rate: number): JsonObject => ({ rate, per: 3600, access_rights: { a: {} } });

/** How long a look at the database takes at the same time: a machine that is busy makes both of them slow. */
function looking(at: Node): { readonly slowestMs: () => number } {
  const looked = { slowestMs: 0, isOver: false };
  const look = async (): Promise<void> => {
    while (!looked.isOver) {
      const begunMs = performance.now();
      await at.records.latestChange();
      await new Promise((resolve) => setTimeout(resolve, 10));
      looked.slowestMs = Math.max(looked.slowestMs, performance.now() - begunMs - 10);
    }
  };
  const looks = look();
  onTestFinished(async () => {
    looked.isOver = true;
    await looks;
  });
  return { slowestMs: () => looked.slowestMs };
}

/** A change takes several steps, each of which may have to wait for a turn. */
const STEPS = 10;

/** The time from a change at one gateway until another applies it. */
async function delayMs(one: Node, other: Node, change: number): Promise<number> {
  const family = change % 2 === 0 ? "keys" : "policies";
  const id = family === "keys" ? "k" : "p";
  await put(one.records, family, id, keyOf(1_000_000 + change));
  await one.applyChanges();
  const answeredMs = performance.now();
  while ((await other.send(family === "keys" ? "k" : "by-policy")).limit !== 1_000_000 + change);
  return performance.now() - answeredMs;
}

async function prepare(one: Node): Promise<void> {
  await put(one.records, "apis", "a", { listen: "/a" });
  await put(one.records, "policies", "p", keyOf(1_000_000));
  await put(one.records, "keys", "k", keyOf(1_000_000));
  await put(one.records, "keys", "by-policy", { apply_policies: ["p"] });
  await one.applyChanges();
}

describe.skipIf(!isInstalled && process.env["CI"] === undefined)("over one PostgreSQL", () => {
  test.each([
    ["notified", true],
    ["never notified", false],
  ])("a gateway that is %s applies a change within a second, under load", async (_, isNotified) => {
    const address = await database();
    const one = await node(address);
    await prepare(one);
    const other = await node(address, isNotified);
    const third = await node(address, isNotified);
    const traffic = { isOver: false };
    const control = looking(one);
    const statuses = new Map<number, number>();
    const load = [one, other, third].flatMap((to) =>
      ["k", "by-policy"].map(async (credential) => {
        while (!traffic.isOver) {
          const { status } = await to.send(credential);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      }),
    );
    const delays: number[] = [];
    for (let change = 1; change <= 6; change++)
      delays.push(await delayMs(one, change % 3 === 0 ? third : other, change));
    traffic.isOver = true;
    await Promise.all(load);
    expect(Math.max(...delays)).toBeLessThan(AT_LATEST_MS + STEPS * control.slowestMs());
    expect([...statuses.keys()]).toEqual([200]);
  });

  test("during an outage of the database known keys are served, others get a 503, and it is reported", async () => {
    const address = await database();
    const one = await node(address);
    await prepare(one);
    const other = await node(address);
    const ready = async (): Promise<unknown> => {
      const answer = await fetch(new URL("/ready", other.url));
      return [answer.status, ((await answer.json()) as JsonObject)["records"]];
    };
    expect((await other.send("k")).status).toBe(200);
    expect(await ready()).toEqual([200, "answers"]);
    await postgres.kill();
    expect((await other.send("k")).status).toBe(200);
    const unknown = await other.send("by-policy");
    expect([unknown.status, unknown.retry]).toEqual([503, "1"]);
    expect(await ready()).toEqual([200, "away"]);
    for (let i = 0; i < 3; i++) expect((await other.send("by-policy")).status).toBe(503);
    const outages = other.reports.filter((line) => line.startsWith("records: the database"));
    expect(outages.length).toBeGreaterThan(0);
    expect(new Set(outages).size).toBe(outages.length); // each once, however often it was met
    await postgres.restart(); // which may reject early connections, and that is reported too
    await expect.poll(ready).toEqual([200, "answers"]);
    expect((await other.send("by-policy")).status).toBe(200);
    const control = looking(one);
    const delay = await delayMs(one, other, 2);
    expect(delay).toBeLessThan(AT_LATEST_MS + STEPS * control.slowestMs());
  });
});
