// What tokens may do: every operation of every interface, by role, interface and organisation.
import { describe, expect, test } from "vitest";
import { OPERATIONS } from "#src/gateway/management/interfaces.ts";
import type { InterfaceName } from "#src/gateway/management/interface-name.ts";
import { BASES, caller, CREDENTIALS } from "./app.ts";
import { inFile, kindsOf, opener } from "./records/every-database.ts";
import { callWith, headersFor, tokenOf } from "./with-token.ts";

/** By hand, so that an operation that is added has to be thought about. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  read: [
    "listCatalogues readCatalogue searchUsers listUsers readUser listPolicies readPolicy listApis readApi",
    "listKeys readKey readBudgets listProfiles readProfile listWebhooks readWebhook",
  ],
  write: [
    "createCatalogue updateCatalogue deleteCatalogue createUser updateUser deleteUser",
    "createPolicy updatePolicy deletePolicy createApi updateApi deleteApi createKey updateKey deleteKey resetBudgets",
    "createProfile createProfileNamed updateProfile deleteProfile createWebhook updateWebhook deleteWebhook",
  ],
  audit: ["listTokens readAudit"],
  secret: ["createToken revokeToken"],
};
const NEED_OF = new Map(
  Object.entries(NEEDS).flatMap(([need, lines]) =>
    lines.flatMap((line) => line.split(" ").map((id) => [id, need] as const)),
  ),
);
const MAY: Readonly<Record<string, readonly string[]>> = {
  read: ["read"],
  write: ["read", "write"],
  audit: ["read", "audit"],
};

type Api = Awaited<ReturnType<typeof caller>>;
type Described = (typeof OPERATIONS)[number];

async function call({ app }: Api, operation: Described, shown: string, id = "nobody") {
  const { method, path, interface: name, body, example } = operation;
  const response = await app.inject({
    method,
    url: `${BASES[name]}${path.replaceAll(/\{\w+\}/g, id)}`,
    headers: {
      ...headersFor(name, shown),
      ...(body === null ? {} : { "content-type": "application/json" }),
    },
    ...(body === null ? {} : { payload: JSON.stringify(example ?? {}) }),
  });
  return { status: response.statusCode, text: response.body };
}

test("every operation needs the right in this table", () => {
  expect(Object.fromEntries(OPERATIONS.map(({ id, needs }) => [id, needs]))).toEqual(
    Object.fromEntries(NEED_OF),
  );
});

describe.each(["read", "write", "audit"])("a token of the role %s", (role) => {
  test("may call the operations of its role, and 403 names the missing role", async () => {
    const api = await caller();
    const token = await tokenOf(api, { id: "t", role });
    for (const operation of OPERATIONS) {
      const { id, interface: name } = operation;
      const need = NEED_OF.get(id)!;
      const { status, text } = await call(api, operation, token);
      const isRefused = status === 403;
      expect([id, isRefused, status === 401]).toEqual([id, !MAY[role]!.includes(need), false]);
      const why =
        need === "secret"
          ? `${id} needs the secret of the ${name} interface`
          : `${id} needs the role ${need}; this token has the role ${role}`;
      expect(isRefused ? text : why).toContain(why);
    }
    const entries = await api.management.records.listAudit(500);
    const noted = entries.filter(({ operation }) => /^(use|refuse) /.test(operation));
    expect(noted).toHaveLength(OPERATIONS.length);
    expect(noted.every(({ actor, id }) => id === "t" && actor.endsWith(" token:t 127.0.0.1"))).toBe(
      true,
    );
    const refused = noted
      .filter(({ operation }) => operation.startsWith("refuse "))
      .map(({ operation: what }) => what);
    expect(refused).toHaveLength(
      [...NEED_OF.values()].filter((need) => !MAY[role]!.includes(need)).length,
    );
  });
});

test.each(Object.keys(BASES) as InterfaceName[])(
  "a token for %s alone is rejected at every operation of the others",
  async (only) => {
    const api = await caller();
    const token = await tokenOf(api, { role: "write", interface: only });
    for (const operation of OPERATIONS) {
      const { status } = await call(api, operation, token);
      const isForIt = operation.interface === only && MAY["write"]!.includes(operation.needs);
      expect([operation.id, status === 403]).toEqual([operation.id, !isForIt]);
    }
  },
);

test("the secret of an interface may do everything, as before", async () => {
  const api = await caller();
  for (const operation of OPERATIONS) {
    const { status } = await call(api, operation, CREDENTIALS[operation.interface]);
    expect([operation.id, status === 401 || status === 403]).toEqual([operation.id, false]);
  }
});

const opening = opener();

describe.each(kindsOf(inFile))("in $name", (kind) => {
  test("a token is stored as a hash, shows no secrets unless it may write, and ends by revocation or in time", async () => {
    const records = await opening((await kind.place()).open());
    const api = await caller({}, undefined, records);
    const { admin, dashboard } = api;
    const user = { id: "u", email_address: "u@x.y", access_key: "the access key" };
    expect((await dashboard("POST /api/users", user)).status).toBe(200);
    const [read, write, late] = [
      await tokenOf(api, { id: "r", role: "read" }),
      await tokenOf(api, { id: "w", role: "write", interface: "dashboard" }),
      await tokenOf(api, { id: "l", role: "read", expires: "2023-11-14T22:13:19Z" }),
    ];
    const stored = JSON.stringify(
      (await records.list("tokens", null)).records.map((x) => x.document),
    );
    expect(stored).not.toContain("weir_");
    const readUser = OPERATIONS.find(({ id }) => id === "readUser")!;
    expect((await call(api, readUser, write, "u")).text).toContain("the access key");
    const masked = await call(api, readUser, read, "u");
    expect(masked.text).toContain('"access_key":"***"');
    expect(masked.text).not.toContain("the access key");
    expect((await call(api, readUser, late, "u")).status).toBe(401);
    expect((await admin("GET /admin/org/tokens")).body).toMatchObject({
      tokens: [{ id: "l", last_used: null }, { id: "r", role: "read" }, { id: "w" }],
    });
    expect((await admin("DELETE /admin/org/tokens/w")).status).toBe(200);
    expect((await call(api, readUser, write, "u")).status).toBe(401);
    const { body } = await admin("GET /admin/org/audit?most=1");
    expect(body).toMatchObject({ entries: [{ what: "revokeToken", family: "tokens", id: "w" }] });
    expect(JSON.stringify((await admin("GET /admin/org/audit")).body)).not.toContain("weir_");
    const whats = async (only: string) => {
      const { body } = await admin(`GET /admin/org/audit?only=${only}`);
      return (body as { entries: { what: string }[] }).entries.map(({ what }) => what);
    };
    expect(await whats("uses")).toEqual(["use readUser", "use readUser"]);
    const made = ["createToken", "createToken", "createToken", "createUser"];
    expect(await whats("changes")).toEqual(["revokeToken", ...made]);
    expect((await admin("GET /admin/org/audit?only=all")).status).toBe(400);
  });

  test("a token of one organisation sees, changes and grants nothing of another", async () => {
    const records = await opening((await kind.place()).open());
    const api = await caller({ pageSize: 2 }, undefined, records);
    const { dashboard, admin } = api;
    for (const org_id of ["acme", "other"]) {
      const proxy = { listen_path: `/${org_id}` };
      const definition = { api_id: `${org_id}-api`, name: org_id, org_id, proxy };
      expect((await dashboard("POST /api/apis", definition)).status).toBe(200);
      const policy = { id: `${org_id}-p`, org_id, rate: 1, per: 1, access_rights: {} };
      expect((await dashboard("POST /api/portal/policies", policy)).status).toBe(200);
      for (let i = 0; i < 3; i++) {
        const user = { id: `${org_id}-${i}`, org_id, email_address: `${i}@${org_id}.x` };
        expect((await dashboard("POST /api/users", user)).status).toBe(200);
      }
      const key = { key_id: `${org_id}-k`, org_id };
      expect((await admin("POST /admin/org/keys", key)).status).toBe(200);
    }
    const token = await tokenOf(api, { role: "write", organisation: "acme" });
    const call = callWith(api, token);
    for (const [name, what] of [
      ["dashboard", "GET /api/users"],
      ["dashboard", "GET /api/apis"],
      ["dashboard", "GET /api/portal/policies"],
      ["admin", "GET /admin/org/keys"],
    ] as const) {
      const { status, text } = await call(name, what);
      expect([what, status, text.includes("acme"), text.includes("other")]).toEqual([
        what,
        200,
        true,
        false,
      ]);
    }
    const found = await call("dashboard", "POST /api/users/search", { filters: { query: "0@" } });
    expect([found.text.includes("acme-0"), found.text.includes("other-0")]).toEqual([true, false]);
    const statusOf = async (...request: Parameters<typeof call>) => (await call(...request)).status;
    expect([
      await statusOf("dashboard", "GET /api/users/acme-1"),
      await statusOf("dashboard", "GET /api/users/other-1"),
      await statusOf("dashboard", "PUT /api/users/other-1", { first_name: "x" }),
      await statusOf("dashboard", "DELETE /api/users/other-1"),
      await statusOf("dashboard", "PUT /api/users/acme-1", { org_id: "other" }),
      await statusOf("dashboard", "PUT /api/users/acme-1", { first_name: "x" }),
      await statusOf("admin", "GET /admin/org/keys/other-k/budgets"),
      await statusOf("admin", "POST /admin/org/keys", { key_id: "n1" }),
      await statusOf("admin", "POST /admin/org/keys", { key_id: "n2", org_id: "acme" }),
      await statusOf("portal", "GET /portal-api/webhooks"),
      await statusOf("studio", "GET /api/v1/catalogues"),
    ]).toEqual([200, 404, 404, 404, 403, 200, 404, 403, 200, 403, 403]);
    const grants = [
      { access_rights: { "other-api": {} } },
      { access_rights: { "acme-api": { api_id: "other-api" } } },
      { apply_policies: ["other-p"] },
      { apply_policy_id: "other-p" },
    ];
    for (const grant of grants) {
      const status = await statusOf("admin", "PUT /admin/org/keys/acme-k", grant);
      expect([grant, status === 403 || status === 400]).toEqual([grant, true]);
    }
    const own = { access_rights: { "acme-api": {} }, apply_policies: ["acme-p"] };
    expect(await statusOf("admin", "PUT /admin/org/keys/acme-k", own)).toBe(200);
  });
});

test("an impossible token is rejected with its fields", async () => {
  const { admin } = await caller();
  const fields = { role: "owner", interface: "all", expires: "tomorrow" };
  const { status, body } = await admin("POST /admin/org/tokens", fields);
  expect([status, (body as { Message: string }).Message.split("\n")]).toEqual([
    400,
    [
      "role: is read, write or audit",
      "interface: is one of studio, dashboard, admin, broker, portal",
      "expires: is a time such as 2027-01-31T00:00:00Z",
    ],
  ]);
  const wide = await admin("POST /admin/org/tokens", { role: "audit", organisation: "acme" });
  expect(wide.status).toBe(400);
});
