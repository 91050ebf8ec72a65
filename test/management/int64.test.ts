// Every field of a key is taken and kept to its last digit (MGT-8); what no limit can have is as much as one can.
import { describe, expect, test } from "vitest";
import { writeJson } from "../../src/management/json.ts";
import { caller } from "./app.ts";

const MOST = 2n ** 63n - 1n;
const SAID = {
  key_id: "k",
  quota_max: MOST,
  quota_remaining: MOST,
  quota_renewal_rate: MOST,
  quota_renews: MOST,
  expires: MOST,
  data_expires: MOST,
  last_check: MOST,
  session_lifetime: MOST,
  id_extractor_deadline: MOST,
};

test("a key and a policy take the largest numbers, and keep them as they are written", async () => {
  const { admin, dashboard, management, force } = await caller();
  const made = await admin("POST /admin/org/keys", writeJson(SAID));
  expect(made).toMatchObject({
    status: 200,
    body: {
      warnings: [
        `expires: expires ${MOST} lies beyond the year 2255, so the key never expires; write seconds, not milliseconds`,
      ],
    },
  });
  expect((await management.records.read("keys", "k"))?.document).toMatchObject(SAID);
  await force.learn("secret-1");
  expect(force.configuration().keys.get("secret-1")).toMatchObject({
    quota: { max: 2 ** 53 - 1, renewalUs: 3_153_600_000_000_000 },
    expiresUs: Number.POSITIVE_INFINITY,
  });
  const policy = { id: "p", quota_max: MOST, quota_renewal_rate: MOST, throttle_retry_limit: MOST };
  const told = await dashboard("POST /api/portal/policies", writeJson(policy));
  expect(told.status).toBe(200);
  expect((await management.records.read("policies", "p"))?.document).toMatchObject(policy);
});

describe("a sentence says the number as it was written", () => {
  test.each([
    ["quota_max", -MOST, `quota_max is an integer of at least -1, not ${-MOST}`],
    ["rate", MOST, `rate is between 0 and 9007199254, or -1 for unlimited, not ${MOST}`],
  ])("%s", async (name, value, said) => {
    const { admin } = await caller();
    const told = await admin("POST /admin/org/keys", writeJson({ [name]: value }));
    expect(told.status).toBe(400);
    expect(JSON.stringify(told.body)).toContain(said);
  });
});
