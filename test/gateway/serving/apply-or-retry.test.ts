import { expect, test, vi } from "vitest";
import { applyOrRetry } from "#src/gateway/serving/apply-or-retry.node.ts";
import { createKey } from "#src/gateway/management/admin/keys.ts";
import { Rejection } from "#src/gateway/management/rejection.ts";
import { caller } from "../management/app.ts";

test("the response to a new key has its secret, although no gateway can apply the key yet", async () => {
  const { management, force, admin } = await caller();
  const lines: string[] = [];
  let isAway = true;
  const follow = async (): Promise<void> => {
    if (isAway) throw new Rejection(503, "The records do not answer");
    await force.applyChanges();
  };
  const applyChanges = applyOrRetry(follow, (line) => lines.push(line), { againMs: 5 });
  const request = {
    params: {},
    query: undefined,
    body: { key_id: "k" },
    ifMatch: null,
    actor: "me",
  };
  const answer = await createKey.respond({ ...management, applyChanges }, request);
  expect(answer).toMatchObject({ status: 200, body: { key: "secret-1", key_id: "k" } });
  expect((await admin("GET /admin/org/keys/k")).status).toBe(200);
  await applyChanges();
  expect(lines).toEqual([
    "weir: written changes may not be applied yet: The records do not answer",
  ]);
  isAway = false;
  await vi.waitFor(() => expect(lines).toHaveLength(2));
  expect(lines[1]).toBe("weir: all written changes are applied again");
});
