import { expect, test, vi } from "vitest";
import { applyOrRetry } from "../../src/serving/apply-or-retry.node.ts";
import { createKey } from "../../src/management/admin/keys.ts";
import { Rejection } from "../../src/management/rejection.ts";
import { caller } from "../management/app.ts";

test("a key that was made is answered with its secret, though nobody can follow it yet", async () => {
  const { management, force, admin } = await caller();
  const said: string[] = [];
  let isAway = true;
  const follow = async (): Promise<void> => {
    if (isAway) throw new Rejection(503, "The records do not answer");
    await force.applyChanges();
  };
  const applyChanges = applyOrRetry(follow, (line) => said.push(line), { againMs: 5 });
  const asked = { params: {}, query: undefined, body: { key_id: "k" }, ifMatch: null, actor: "me" };
  const answer = await createKey.respond({ ...management, applyChanges }, asked);
  expect(answer).toMatchObject({ status: 200, body: { key: "secret-1", key_id: "k" } });
  expect((await admin("GET /admin/org/keys/k")).status).toBe(200);
  await applyChanges();
  expect(said).toEqual(["weir: written changes may not be applied yet: The records do not answer"]);
  isAway = false;
  await vi.waitFor(() => expect(said).toHaveLength(2));
  expect(said[1]).toBe("weir: all written changes are applied again");
});
