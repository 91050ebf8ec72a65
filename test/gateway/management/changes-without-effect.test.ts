// A change of a key that its policies override is stored, and the response warns that it has no effect.
import { expect, test } from "vitest";
import { caller, type ApiResponse } from "./app.ts";

const warningsIn = ({ body }: ApiResponse): readonly string[] => {
  const { Meta, warnings } = body as {
    readonly Meta?: { readonly warnings: readonly string[] } | null;
    readonly warnings?: readonly string[];
  };
  return Meta?.warnings ?? warnings ?? [];
};

const noEffect = (field: string, what: string): string =>
  `${field}: has no effect: the policies of the key supply its ${what}; change policy "gold", or send "apply_policies": [] for a key with limits of its own`;

test("a change of a key that its policies keep from having an effect is stored with a warning", async () => {
  const { admin, dashboard } = await caller();
  await dashboard("POST /api/apis", {
    api_id: "a",
    name: "a",
    proxy: { listen_path: "/a" },
  });
  const gold = { id: "gold", rate: 5, per: 60, quota_max: 100, quota_renewal_rate: 60 };
  await dashboard("POST /api/portal/policies", { ...gold, access_rights: { a: {} } });
  const made = await admin("POST /admin/org/keys", {
    key_id: "k",
    apply_policies: ["gold"],
    rate: 1,
    per: 1,
  });
  expect([made.status, warningsIn(made)]).toEqual([200, [noEffect("rate", "rate")]]);
  const change = (body: object): Promise<ApiResponse> => admin("PUT /admin/org/keys/k", body);

  const raised = await change({ rate: 50 });
  expect([raised.status, warningsIn(raised)]).toEqual([200, [noEffect("rate", "rate")]]);
  expect(warningsIn(await change({ quota_max: 7, quota_renewal_rate: 60 }))).toEqual([
    noEffect("quota_max", "quota"),
  ]);
  // Nothing of this is kept from having an effect, and what was warned of is not warned of again.
  for (const body of [{ tags: ["x"] }, { rate: 50 }, { throttle_interval: 1 }])
    expect([body, warningsIn(await change(body))]).toEqual([body, []]);
  expect(warningsIn(await change({ apply_policies: [], access_rights: { a: {} } }))).toEqual([]);
  expect(warningsIn(await change({ rate: 60, per: 60 }))).toEqual([]);
});
