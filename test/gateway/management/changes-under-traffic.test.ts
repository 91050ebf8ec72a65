// Changes during continuous requests: no request is dropped, and none gets a limit that was outdated when it arrived.
import { expect, test } from "vitest";
import { serveRecords } from "./served.ts";

const CLIENTS = 8;
const CHANGES = 30;

test("no request is dropped and no limit is stale while keys, policies and APIs change", async () => {
  const { admin, dashboard, keep, key, send } = await serveRecords();
  const right = { access_rights: { a: {} } };
  const BASE = 1_000_000;
  await keep("policies", "p", { rate: BASE, per: 3600, ...right });
  await key("own", { rate: BASE, per: 3600, ...right });
  await key("by-policy", { apply_policies: ["p"] });
  const answered = { own: 0, "by-policy": 0 }; // how many changes have been answered
  const begun = { own: 0, "by-policy": 0 };
  const traffic = { isOver: false };
  const wrong: string[] = [];
  let requests = 0;
  const client = async (id: "own" | "by-policy"): Promise<void> => {
    while (!traffic.isOver) {
      const from = answered[id];
      const { status, limit } = await send(id);
      const seen = Number(limit) - BASE;
      requests++;
      if (status !== 200 || seen < from || seen > begun[id])
        wrong.push(`${id}: ${status}, change ${seen} of ${from} to ${begun[id]}`);
    }
  };
  const clients = Array.from({ length: CLIENTS }, (_, i) => client(i % 2 ? "own" : "by-policy"));
  for (let i = 1; i <= CHANGES; i++) {
    begun.own = i;
    await admin("PUT /admin/org/keys/own", { rate: BASE + i });
    answered.own = i;
    begun["by-policy"] = i;
    await dashboard("PUT /api/portal/policies/p", { rate: BASE + i });
    answered["by-policy"] = i;
    const name = `other ${i}`;
    await dashboard("POST /api/apis", { name, proxy: { listen_path: `/other-${i}` } });
    await admin("POST /admin/org/keys", { rate: i, per: 1, ...right });
  }
  traffic.isOver = true;
  await Promise.all(clients);
  expect(wrong).toEqual([]);
  expect(requests).toBeGreaterThan(CHANGES);
});
