import { expect, test, vi } from "vitest";
import { obeying } from "../../src/serving/obeying.node.ts";
import { createKey } from "../../src/management/admin/keys.ts";
import { Refusal } from "../../src/management/refusal.ts";
import { caller } from "../management/app.ts";

test("a key that was made is answered with its secret, though nobody can follow it yet", async () => {
  const { management, force, admin } = await caller();
  const said: string[] = [];
  let isAway = true;
  const follow = async (): Promise<void> => {
    if (isAway) throw new Refusal(503, "The records do not answer");
    await force.follow();
  };
  const changed = obeying(follow, (line) => said.push(line), { againMs: 5 });
  const asked = { params: {}, query: undefined, body: { key_id: "k" }, ifMatch: null, who: "me" };
  const answer = await createKey.answer({ ...management, changed }, asked);
  expect(answer).toMatchObject({ status: 200, body: { key: "secret-1", key_id: "k" } });
  expect((await admin("GET /admin/org/keys/k")).status).toBe(200);
  await changed();
  expect(said).toEqual(["weir: what was written may not be obeyed yet: The records do not answer"]);
  isAway = false;
  await vi.waitFor(() => expect(said).toHaveLength(2));
  expect(said[1]).toBe("weir: everything that was written is obeyed again");
});
