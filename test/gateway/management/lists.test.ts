// Pages and searches (MGT-3, MGT-4, MGT-C3, MGT-C7).
import { describe, expect, test } from "vitest";
import { caller } from "./app.ts";

const PEOPLE = [
  ["zoe@example.com", "Zoë", "Ångström"],
  ["ann@example.com", "Ann", "Lee"],
  ["Bob@Example.org", "Bob", "Anders"],
  ["carl@example.org", "Carl", "O'Neil"],
  ["dora_5%@example.net", "Dora", ""],
] as const;

async function people() {
  const calling = await caller({ pageSize: 2 });
  for (const [email_address, first_name, last_name] of PEOPLE)
    await calling.dashboard("POST /api/users", { email_address, first_name, last_name });
  const search = async (query: string, p?: number | string) => {
    const page = p === undefined ? "" : `?p=${p}`;
    const { body } = await calling.dashboard(`POST /api/users/search${page}`, {
      filters: { query },
    });
    return shorten(body);
  };
  return { ...calling, search };
}

const shorten = (body: unknown): readonly unknown[] => {
  const { pages, users } = body as {
    readonly pages: number;
    readonly users: readonly { readonly email_address: string }[] | null;
  };
  return [pages, users?.map((user) => user.email_address.split("@")[0]) ?? null];
};

test("a search finds a part of the address or of a name, in any case, by order of addresses", async () => {
  const { search } = await people();
  expect(await search("ANN@")).toEqual([1, ["ann"]]);
  expect(await search("an")).toEqual([1, ["ann", "Bob"]]);
  expect(await search("ÅNGSTRÖM")).toEqual([1, ["zoe"]]);
  expect(await search("ann lee")).toEqual([1, ["ann"]]);
  expect(await search("o'neil")).toEqual([1, ["carl"]]);
  expect(await search("_5%")).toEqual([1, ["dora_5%"]]);
  expect(await search("%")).toEqual([1, ["dora_5%"]]);
  expect(await search('"')).toEqual([0, null]);
  expect(await search("com\nann")).toEqual([0, null]);
  expect(await search("com ann")).toEqual([0, null]);
  expect(await search("\0")).toEqual([0, null]);
  expect(await search("ann\0lee")).toEqual([0, null]);
  expect(await search("nobody")).toEqual([0, null]);
});

test("a search text is no longer than addresses and names are", async () => {
  const { dashboard } = await people();
  const response = await dashboard("POST /api/users/search", {
    filters: { query: "x".repeat(1_025) },
  });
  expect(response).toMatchObject({
    status: 400,
    body: { Message: "filters.query: has at most 1024 letters" },
  });
});

test("pages count from 1, and a number below 0 is all of them", async () => {
  const { search, dashboard } = await people();
  const all = ["ann", "Bob", "carl", "dora_5%", "zoe"];
  expect(await search("")).toEqual([3, all.slice(0, 2)]);
  expect(await search("", 0)).toEqual([3, all.slice(0, 2)]);
  expect(await search("", 1)).toEqual([3, all.slice(0, 2)]);
  expect(await search("", 2)).toEqual([3, all.slice(2, 4)]);
  expect(await search("", 3)).toEqual([3, all.slice(4)]);
  expect(await search("", 4)).toEqual([3, null]);
  expect(await search("", 2_147_483_647)).toEqual([3, null]);
  expect(await search("", -1)).toEqual([1, all]);
  expect(await search("nobody", -1)).toEqual([0, null]);
  for (const [p, pages, users] of [
    ["", 3, all.slice(0, 2)],
    ["?p=3", 3, all.slice(4)],
    ["?p=-7", 1, all],
  ] as const)
    expect(shorten((await dashboard(`GET /api/users${p}`)).body)).toEqual([pages, users]);
});

test("an empty search finds all users", async () => {
  const { dashboard } = await people();
  expect(shorten((await dashboard("POST /api/users/search", { filters: {} })).body)[0]).toBe(3);
});

test("keys, APIs and policies come by pages too", async () => {
  const { admin, dashboard } = await caller({ pageSize: 2 });
  for (const id of ["c", "a", "b"]) {
    await admin("POST /admin/org/keys", { key_id: id });
    await dashboard("POST /api/apis", { api_id: id, listen: `/${id}` });
    await dashboard("POST /api/portal/policies", { id });
  }
  expect((await admin("GET /admin/org/keys")).body).toEqual({
    data: { keys: ["a", "b"] },
    pages: 2,
  });
  expect((await admin("GET /admin/org/keys?p=2")).body).toEqual({
    data: { keys: ["c"] },
    pages: 2,
  });
  expect((await admin("GET /admin/org/keys?p=3")).body).toEqual({ data: { keys: [] }, pages: 2 });
  expect((await dashboard("GET /api/apis?p=2")).body).toMatchObject({
    apis: [{ id: "c" }],
    pages: 2,
  });
  expect((await dashboard("GET /api/portal/policies?p=-1")).body).toMatchObject({
    Data: [{ id: "a" }, { id: "b" }, { id: "c" }],
    Pages: 1,
  });
});

describe("the portal's webhooks (MGT-9, MGT-C7)", () => {
  const names = (body: unknown): readonly string[] =>
    (body as readonly { readonly ID: string }[]).map(({ ID }) => ID);

  test.each([
    ["", 25, "w10"],
    ["?page=1", 20, "w10"],
    ["?page=2", 5, "w30"],
    ["?page=3", 0, undefined],
    ["?per_page=3&page=2", 3, "w13"],
    ["?limit=3&page=2", 3, "w13"],
    ["?limit=3&per_page=3", 3, "w10"],
  ])("%j", async (query, count, first) => {
    const { portal } = await caller();
    for (let i = 10; i < 35; i++)
      await portal("POST /portal-api/webhooks", { ID: `w${i}`, URL: "http://a" });
    const { body } = await portal(`GET /portal-api/webhooks${query}`);
    expect([names(body).length, names(body)[0]]).toEqual([count, first]);
  });

  test.each([
    ["?limit=3&per_page=4", "limit: contradicts per_page; set one of them"],
    ["?page=0", "page: is an integer from 1 to 2147483647"],
    ["?limit=1001", "limit: is an integer from 1 to 1000"],
  ])("%j is refused", async (query, message) => {
    const { portal } = await caller();
    expect(await portal(`GET /portal-api/webhooks${query}`)).toMatchObject({
      status: 400,
      body: { errors: [message] },
    });
  });
});

test.each([
  ["", 10, 3],
  ["?page=3", 5, 3],
  ["?page=4", 0, 3],
  ["?page_size=20&page=2", 5, 2],
  ["?all=true", 25, 1],
  ["?all=false&page_size=25", 25, 1],
])("the studio's catalogues %j", async (query, count, pages) => {
  const { studio } = await caller();
  for (let i = 0; i < 25; i++)
    await studio("POST /api/v1/catalogues", {
      data: { type: "catalogues", attributes: { name: `${i}` } },
    });
  const { body, headers } = await studio(`GET /api/v1/catalogues${query}`);
  expect((body as { readonly data: readonly unknown[] }).data.length).toBe(count);
  expect(headers).toMatchObject({ "x-total-count": "25", "x-total-pages": String(pages) });
});
