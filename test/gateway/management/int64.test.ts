// Every field of a key is taken and kept to its last digit (MGT-8); what no limit can have is as much as one can.
import { describe, expect, test } from "vitest";
import { writeJson } from "#src/gateway/management/json.ts";
import { caller } from "./app.ts";

const MOST = 2n ** 63n - 1n;
const LARGEST = {
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

test("a key and a policy accept the largest integers, and store them exactly", async () => {
  const { admin, dashboard, management, force } = await caller();
  const made = await admin("POST /admin/org/keys", writeJson(LARGEST));
  expect(made).toMatchObject({
    status: 200,
    body: {
      warnings: [
        `expires: expires ${MOST} is after the year 2255, so the key never expires; write seconds, not milliseconds`,
      ],
    },
  });
  expect((await management.records.read("keys", "k"))?.document).toMatchObject(LARGEST);
  await force.learn("secret-1");
  expect(force.configuration().keys.get("secret-1")).toMatchObject({
    quota: { max: 2 ** 53 - 1, renewalUs: 3_153_600_000_000_000 },
    expiresUs: Number.POSITIVE_INFINITY,
  });
  const policy = { id: "p", quota_max: MOST, quota_renewal_rate: MOST, throttle_retry_limit: MOST };
  const response = await dashboard("POST /api/portal/policies", writeJson(policy));
  expect(response.status).toBe(200);
  expect((await management.records.read("policies", "p"))?.document).toMatchObject(policy);
});

describe("a message has the number as it was written", () => {
  test.each([
    ["quota_max", -MOST, `quota_max must be an integer of at least -1; got ${-MOST}`],
    ["rate", MOST, `rate must be between 0 and 9007199254, or -1 for unlimited; got ${MOST}`],
  ])("%s", async (name, value, message) => {
    const { admin } = await caller();
    const response = await admin("POST /admin/org/keys", writeJson({ [name]: value }));
    expect(response.status).toBe(400);
    expect(JSON.stringify(response.body)).toContain(message);
  });
});
