import { describe, expect, test } from "vitest";
import { exportWorld } from "#src/gateway/management/export-world.ts";
import { writeJson, type JsonObject } from "#src/gateway/management/json.ts";
import type { RecordTypeName } from "#src/gateway/management/records/record-types.ts";
import { withoutSecrets } from "#src/gateway/management/without-secrets.ts";
import { caller } from "./app.ts";

const one = "top-secret-1";
const other = "top-secret-2";

/** The secrets of each record type, and their form in an audit entry. */
const HOLDING: readonly (readonly [RecordTypeName, (secret: string) => JsonObject, JsonObject])[] =
  [
    ["users", (access_key) => ({ access_key }), { access_key: "***" }],
    ["keys", (hmac_string) => ({ hmac_string }), { hmac_string: "***" }],
    ["keys", (s) => ({ basic_auth_data: { hash_type: s } }), { basic_auth_data: "***" }],
    ["keys", (s) => ({ oauth_keys: { client: s } }), { oauth_keys: "***" }],
    ["keys", (s) => ({ jwt_data: { key: [s] } }), { jwt_data: "***" }],
    ["keys", (s) => ({ meta_data: { anything: s } }), { meta_data: "***" }],
    ["keys", (meta_data) => ({ meta_data }), { meta_data: "***" }],
    ["policies", (s) => ({ meta_data: { anything: s } }), { meta_data: "***" }],
    ["webhooks", (Secret) => ({ Secret }), { Secret: "***" }],
    [
      "webhooks",
      (Value) => ({ Headers: [{ ID: "1", Name: "authorization", Value }] }),
      { Headers: [{ ID: "1", Name: "authorization", Value: "***" }] },
    ],
    [
      "webhooks",
      (s) => ({ URL: `https://example.com/x?token=${s}` }),
      { URL: "https://example.com/x?***" },
    ],
    [
      "webhooks",
      (s) => ({ URL: `https://ann:${s}@example.com/x` }),
      { URL: "https://***@example.com/x" },
    ],
    ["profiles", (s) => ({ ProviderConfig: { anything: s } }), { ProviderConfig: "***" }],
    [
      "profiles",
      (s) => ({ IdentityHandlerConfig: { "oauth-client-id": "id", "oauth-client-secret": s } }),
      { IdentityHandlerConfig: { "oauth-client-id": "id", "oauth-client-secret": "***" } },
    ],
  ];

describe("an audit entry shows that there is a secret and whether it changed, but never the secret", () => {
  test.each(
    HOLDING.map(([family, holding, masked]) => [writeJson(masked), family, holding, masked]),
  )("%s of %s", (_, family, holding, masked) => {
    expect(withoutSecrets(family, holding(one))).toEqual(masked);
    expect(withoutSecrets(family, holding(one), holding(one))).toEqual(masked);
    const changed = JSON.parse(writeJson(masked).replace("***", "(changed)")) as unknown;
    expect(withoutSecrets(family, holding(other), holding(one))).toEqual(changed);
  });
});

test("empty values are shown as they are", () => {
  const document = { oauth_keys: {}, jwt_data: null, hmac_string: "", meta_data: null, rate: 1 };
  expect(withoutSecrets("keys", document)).toEqual(document);
});

test("no secret comes into the audit by any interface", async () => {
  const { admin, portal, management } = await caller();
  const secrets = (secret: string) => ({
    hmac_string: secret,
    basic_auth_data: { hash_type: secret },
    oauth_keys: { a: secret },
    jwt_data: { a: secret },
    meta_data: { a: secret },
  });
  expect(await admin("POST /admin/org/keys", { key_id: "k", ...secrets(one) })).toMatchObject({
    status: 200,
  });
  expect(await admin("PUT /admin/org/keys/k", secrets(other))).toMatchObject({ status: 200 });
  const webhook = (secret: string) => ({
    ID: "w",
    URL: `https://example.com/?token=${secret}`,
    Headers: [{ Name: "authorization", Value: secret }],
  });
  expect(await portal("POST /portal-api/webhooks", webhook(one))).toMatchObject({ status: 201 });
  const audit = writeJson(await management.records.listAudit(10));
  expect(audit).not.toContain("top-secret");
  expect(audit).toContain("(changed)");
});

test("an export without secrets leaves them out, and keeps what a limit may be counted by", async () => {
  const { management, keep } = await caller();
  const meta_data = { rate_limit_pattern: "$gw_meta.team", team: "red" };
  await keep("keys", "k", {
    rate: 1,
    per: 1,
    meta_data,
    hmac_string: one,
    basic_auth_data: { hash_type: one },
    oauth_keys: { a: one },
    jwt_data: { a: one },
  });
  const { world } = await exportWorld(management.records, null);
  expect(world["keys"]).toEqual({
    k: { key_id: "k", secret_hash: null, rate: 1, per: 1, meta_data },
  });
  expect(writeJson((await exportWorld(management.records, management.secrets)).world)).toContain(
    one,
  );
});
