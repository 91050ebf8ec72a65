import { expect, test } from "vitest";
import type { JsonObject } from "#src/gateway/management/json.ts";
import type { RecordTypeName } from "#src/gateway/management/records/record-types.ts";
import { EVENTS } from "#src/gateway/management/events/names.ts";
import { bodyIn, setting, START_US, type Setting } from "./couriers.ts";

const nothing = { unique: null, text: null };
const audited = { actor: "test", operation: "test", atUs: START_US };

async function deliveriesOf(work: (on: Setting) => Promise<void>): Promise<readonly JsonObject[]> {
  const on = await setting();
  await on.keep("one", { Events: [...EVENTS] });
  await work(on);
  const { letters } = await on.courier.turn();
  return letters.map(bodyIn);
}

/** Stores these documents of a record, one after the other. */
const store =
  (family: RecordTypeName, id: string, ...documents: readonly JsonObject[]) =>
  async ({ records }: Setting): Promise<void> => {
    for (const document of documents)
      await records.write(audited, async (writing) => {
        const before = await writing.read(family, id);
        await (before === null
          ? writing.insert(family, id, document, nothing)
          : writing.replace(family, before, document, nothing));
      });
  };

const ORDERS = { access_rights: { orders: {} } };
const ORDERS_AND_BILLS = { access_rights: { orders: {}, bills: {} } };

test.each<[string, ReturnType<typeof store>, readonly JsonObject[]]>([
  [
    "a user that is created",
    store("users", "u1", { active: true }),
    [{ event: "UserRegistered", meta: { user: "u1" }, key: null }],
  ],
  [
    "a user that is switched off and on",
    store("users", "u1", { active: true }, { active: false }, { active: false }, { active: true }),
    [
      { event: "UserRegistered" },
      { event: "UserAccountDeactivated" },
      { event: "UserAccountActivated" },
    ],
  ],
  [
    "a key that is created",
    store("keys", "k1", { rate: 5 }, { rate: 6 }),
    [{ event: "CredentialRegistered", key: "k1", api_id: null }],
  ],
  [
    "a key that is given access",
    store("keys", "k1", ORDERS, ORDERS_AND_BILLS, ORDERS, { access_rights: null }),
    [
      { event: "CredentialRegistered", key: "k1" },
      { event: "AccessRequestApproved", key: "k1", api_id: "orders" },
      { event: "AccessRequestApproved", key: "k1", api_id: "bills" },
    ],
  ],
  [
    "a policy, an API, a profile",
    async (on) => {
      for (const family of ["policies", "apis", "profiles", "catalogues"] as const)
        await store(family, "x", { name: "x" }, { name: "y" })(on);
    },
    [],
  ],
])("%s (EVT-C1)", async (_, work, expected) => {
  expect(await deliveriesOf(work)).toMatchObject(expected);
});

test("a change that is rolled back causes no event", async () => {
  const deliveries = await deliveriesOf(async ({ records }) => {
    const failing = records.write(audited, async (writing) => {
      await writing.insert("users", "u1", { active: true }, nothing);
      throw new Error("after all not");
    });
    await expect(failing).rejects.toThrow("after all not");
  });
  expect(deliveries).toEqual([]);
});

test("an event has the id of a record and no other field of it", async () => {
  const secret = { access_key: "s3cret-of-a-user", email_address: "ann@example.org", active: true };
  const deliveries = await deliveriesOf(store("users", "u1", secret));
  expect(JSON.stringify(deliveries)).not.toMatch(/s3cret|ann@/);
});
