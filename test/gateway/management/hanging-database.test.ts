// A database that hangs breaks no connection: missing responses are its only sign.
import { describe, expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "#src/gateway/management/json.ts";
import { liveConfiguration } from "#src/gateway/management/live-configuration.ts";
import { recordsInPostgres } from "#src/gateway/management/records/postgres.node.ts";
import { serveGateway } from "#src/gateway/http/gateway.node.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { followRecords } from "#src/gateway/serving/follow-records.node.ts";
import { PLAIN } from "./app.ts";
import { put } from "./governed.ts";
import { kindsOf, postgres } from "./records/every-database.ts";

/** Rounds of 250 ms by the timers of the gateway's own process: a busy machine slows both alike. */
function countRounds(): () => number {
  let rounds = 0;
  const counting = setInterval(() => void rounds++, 250);
  onTestFinished(() => clearInterval(counting));
  return () => rounds;
}

const ROUNDS_OF_2_S = 8;
const A_ROUND_MORE = 1; // that was running already

const keyOf = (rate: number): JsonObject => ({ rate, per: 3600, access_rights: { a: {} } });

describe.each(kindsOf())("$name", () => {
  test("that hangs is noticed within 2 s without traffic, and no later request waits for it", async () => {
    const server = await postgres();
    const address = await server.database("hanging");
    const reports: string[] = [];
    const report = (line: string): void => void reports.push(line);
    const records = requireValue(await recordsInPostgres(address, { report }));
    await put(records, "apis", "a", { listen: "/a" });
    await put(records, "keys", "known", keyOf(1_000));
    await put(records, "keys", "new", keyOf(1_000));
    const force = await liveConfiguration(records, PLAIN, { report });
    records.onWrite(force.applyOwnWrites);
    const gateway = await serveGateway({
      configuration: force.configuration(),
      upstream: null,
      host: "127.0.0.1",
      port: 0,
      store: null,
      observer: { onEvent: () => {}, onExchange: null },
      keys: force,
    });
    const leave = followRecords(records, force);
    onTestFinished(async () => {
      leave();
      await gateway.stop();
      await records.close();
    });
    const statusOf = async (credential: string): Promise<number> => {
      const headers = { authorization: credential };
      const response = await fetch(new URL("/a", gateway.url), { headers });
      await response.arrayBuffer();
      return response.status;
    };
    const recordsStatus = async (): Promise<unknown> => {
      const response = await fetch(new URL("/ready", gateway.url));
      return ((await response.json()) as JsonObject)["records"];
    };
    expect([await statusOf("known"), await recordsStatus()]).toEqual([200, "answers"]);

    const rounds = countRounds();
    await put(records, "keys", "known", keyOf(2_000));
    await put(records, "keys", "made", keyOf(2_000));
    await server.pause();
    const from = rounds();
    while ((await recordsStatus()) !== "away") await new Promise(setImmediate);
    expect(rounds() - from).toBeLessThanOrEqual(ROUNDS_OF_2_S + A_ROUND_MORE);
    expect(reports).toEqual(["records: the database does not respond"]);

    expect([await statusOf("known"), await statusOf("made")]).toEqual([200, 200]);
    const before = rounds();
    for (let each = 0; each < 5; each++) expect(await statusOf("new")).toBe(503);
    expect(rounds() - before).toBeLessThan(ROUNDS_OF_2_S);
    const managed = rounds();
    const unreachable = "The records cannot be reached now";
    await expect(records.list("keys", null)).rejects.toThrow(unreachable);
    await expect(records.read("keys", "known")).rejects.toThrow(unreachable);
    await expect(put(records, "keys", "known", keyOf(3_000))).rejects.toThrow(unreachable);
    expect(rounds() - managed).toBeLessThan(ROUNDS_OF_2_S);
    await server.resume();
    await expect.poll(recordsStatus, { timeout: 20_000 }).toBe("answers");
    await expect.poll(() => statusOf("new"), { timeout: 20_000 }).toBe(200);
    expect(reports).toEqual([
      "records: the database does not respond",
      "records: the database responds again",
    ]);
  });
});
