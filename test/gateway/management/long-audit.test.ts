// The audit log is read and written a few entries at a time: each may be twice as long as a record (MGT-10).
import { expect, test } from "vitest";
import { recordsInMemory } from "#src/gateway/management/records/sqlite.node.ts";
import { caller } from "./app.ts";

async function reading() {
  const stored = await recordsInMemory();
  const counts: number[] = [];
  const listAudit: typeof stored.listAudit = (most, ...how) => {
    counts.push(most);
    return stored.listAudit(most, ...how);
  };
  const api = await caller({}, undefined, { ...stored, listAudit });
  const entries = async (query: string) => {
    counts.length = 0;
    const { status, body } = await api.admin(`GET /admin/org/audit${query}`);
    expect(status).toBe(200);
    return (body as { readonly entries: readonly { readonly seq: number }[] }).entries;
  };
  return { ...api, counts, stored, entries };
}

test("at most 20 entries are read at once, and they come whole, newest first", async () => {
  const { admin, counts, stored, entries } = await reading();
  for (let i = 0; i < 45; i++) await admin("POST /admin/org/keys", { key_id: `k${i}`, alias: "a" });
  const all = await stored.listAudit(1_000);
  expect(all).toHaveLength(45);
  const expected = all.map(({ seq, after }) => ({ seq, after }));
  expect(await entries("?most=1000")).toMatchObject(expected);
  expect(counts).toEqual([20, 20, 20, 20]);
  for (const most of [1, 19, 20, 21, 40, 45]) {
    expect(await entries(`?most=${most}&only=changes`)).toMatchObject(expected.slice(0, most));
    expect(Math.max(...counts)).toBeLessThanOrEqual(20);
    expect(counts.reduce((sum, one) => sum + one, 0)).toBeGreaterThanOrEqual(most);
  }
  expect(await entries("?only=uses")).toEqual([]);
});
