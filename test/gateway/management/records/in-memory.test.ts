import { expect, test } from "vitest";
import { recordsInMemory } from "#src/gateway/management/records/sqlite.node.ts";

const AUDITED = { actor: "somebody", operation: "something", atUs: 1 };
const NOTHING = { unique: null, text: null };

test("records in memory that are opened next are empty, and their numbers start again", async () => {
  const useRecords = async () => {
    const records = await recordsInMemory();
    const found = { unique: "ann@example.com", text: "ann" };
    const user = await records.write(AUDITED, async ({ insert: put }) =>
      put("users", "u", {}, found),
    );
    const event = { firstUs: 1, lastUs: 1, api: null, key: null, path: null, meta: {}, count: 1 };
    await records.write(AUDITED, ({ insert: put }) =>
      put("webhooks", "w", { Events: ["StoreRecovered"], URL: "http://a.example" }, NOTHING),
    );
    const lost = await records.deliveries.queue(
      [1, 2].map(() => ({ ...event, event: "StoreRecovered", budget: null })),
      { cooldownUs: 0, mostWaiting: 1 },
    );
    const seen = [
      user,
      lost,
      await records.deliveries.listLost(),
      (await records.deliveries.list(null, 9)).map(({ id }) => id),
      await records.latestChange(),
      (await records.listAudit(9)).length,
      (await records.searchUsers("ann", null)).total,
      (await records.list("users", null)).total,
    ];
    await records.close();
    return seen;
  };
  const first = await useRecords();
  expect(first).toContainEqual([{ webhook: "w", count: 1 }]);
  expect(await useRecords()).toEqual(first);
});
