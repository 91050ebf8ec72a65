// A token of one organisation cannot give an API a path that gets requests for another organisation.
import { describe, expect, test } from "vitest";
import { isFree, findNearPaths } from "#src/gateway/management/listen-path-conflicts.ts";
import { caller } from "./app.ts";
import { inFile, kindsOf, opener } from "./records/every-database.ts";
import { callWith, tokenOf } from "./with-token.ts";

const api = (api_id: string, listen_path: string, org_id?: string) => ({
  api_id,
  name: api_id,
  ...(org_id === undefined ? {} : { org_id }),
  proxy: { listen_path, target_url: "http://127.0.0.1:9" },
});

const oas = (id: string, value: string, org_id: string) => ({
  openapi: "3.0.3",
  info: { title: id, version: "1" },
  paths: {},
  org_id,
  "x-gw-api-gateway": {
    info: { id, name: id, state: { active: true } },
    upstream: { url: "http://127.0.0.1:9" },
    server: { listenPath: { value } },
  },
});

test.each([
  ["/acme", [], true],
  ["/other", ["other /other"], false],
  ["/other/v1", ["other /other"], false],
  ["/", ["other /other/v1"], false],
  ["/other", ["other /other/v1"], false],
  ["/others", ["other /other"], true],
  ["/oth", ["other /other"], true],
  ["/OTHER/x", ["other /other"], false],
  ["/other;v=1/x", ["other /other"], false],
  ["/oth%2Cer/x", ["other /oth,er"], false],
  ["/%C3%89/x", ["other /%C3%A9"], false],
  ["/%FF/x", ["other /%FF"], false],
  ["/%C3%A9/%FF", ["other /%C3%A9"], false],
  ["/%C3%A9", ["other /%c3%a9/%FF"], false],
  ["/oth%65r/%FF;x", ["other /other"], false],
  ["/%C3%28/%61", ["other /%c3(/a"], false],
  ["/%FE", ["other /%FF"], true],
  ["/100%/x", ["other /100%25"], false],
  ["/acme", ["other /"], false],
  ["/acme/v1", ["other /", "own /acme"], true],
  ["/acme/v1", ["own /acme", "other /"], true],
  ["/acme/v1", ["other /", "own /acme", "other /Acme"], false],
  ["/acme/v1", ["other /Acme", "own /acme"], false],
  ["/acme/v1/x", ["own /acme", "other /acme/v1"], false],
  ["/acme/v1/x", ["other /acme", "own /acme/v1"], true],
  ["/acme", ["own /acme/v1", "own /"], true],
])("%s with APIs at %j is free: %j", async (path, others, free) => {
  const owners = new Map(others.map((each) => each.split(" ").toReversed() as [string, string]));
  const ownerAt = async (there: string) => (owners.get(there) === "own" ? "own" : "another's");
  expect(await isFree(findNearPaths(path, owners.keys()), ownerAt)).toBe(free);
});

const opening = opener();

describe.each(kindsOf(inFile))("in $name", (kind) => {
  const organisations = async () => {
    const records = await opening((await kind.place()).open());
    const calls = await caller({}, undefined, records);
    for (const definition of [
      api("secret-id", "/other", "other"),
      api("of-nobody", "/shared"),
      api("own", "/acme", "acme"),
    ])
      expect((await calls.dashboard("POST /api/apis", definition)).status).toBe(200);
    const token = await tokenOf(calls, { role: "write", organisation: "acme" });
    return { ...calls, records, call: callWith(calls, token) };
  };

  test("an API of one organisation has no path above or below those of others", async () => {
    const { call, dashboard } = await organisations();
    for (const path of ["/other", "/other/login", "/Other/x", "/", "/shared/x", "/shared;a/x"])
      for (const definition of [api("new", path, "acme"), oas("new", path, "acme")]) {
        const { status, text } = await call("dashboard", "POST /api/apis", definition);
        expect([path, status]).toEqual([path, 409]);
        expect(text).toContain("outside acme");
        expect(text).not.toMatch(/secret-id|of-nobody/);
      }
    const change = { proxy: { listen_path: "/other/login" } };
    expect((await call("dashboard", "PUT /api/apis/own", change)).status).toBe(409);
    expect((await call("dashboard", "POST /api/apis", api("v1", "/acme/v1", "acme"))).status).toBe(
      200,
    );
    const moved = { proxy: { listen_path: "/elsewhere" } };
    expect((await call("dashboard", "PUT /api/apis/own", moved)).status).toBe(200);
    // With access to all organisations any path is possible.
    expect((await dashboard("POST /api/apis", api("all", "/", "other"))).status).toBe(200);
    expect((await call("dashboard", "PUT /api/apis/v1", { name: "as it lies" })).status).toBe(200);
    expect(
      (await call("dashboard", "POST /api/apis", api("v2", "/acme/v1/2", "acme"))).status,
    ).toBe(200);
    expect((await call("dashboard", "POST /api/apis", api("v3", "/acme/v3", "acme"))).status).toBe(
      409,
    );
  });

  test("no API is read whole but those at the listen path, below and above it", async () => {
    const { call, dashboard, records } = await organisations();
    for (let i = 0; i < 30; i++)
      expect((await dashboard("POST /api/apis", api(`far-${i}`, `/far/${i}`))).status).toBe(200);
    const read: string[] = [];
    const { write } = records;
    (records as { write: typeof write }).write = (audited, work) =>
      write(audited, (writing) =>
        work({
          ...writing,
          find: async (family, unique) => {
            read.push(`${family} ${unique}`);
            return writing.find(family, unique);
          },
          all: (family) => {
            if (family === "apis") read.push("all of them");
            return writing.all(family);
          },
        }),
      );
    for (const [path, status, near] of [
      ["/acme/v1", 200, ["apis /acme"]],
      ["/acme/v1/x", 200, ["apis /acme/v1"]], // and none further up
      ["/new", 200, []],
      ["/other/x", 409, ["apis /other"]],
    ] as const) {
      const created = await call(
        "dashboard",
        "POST /api/apis",
        api(`at${path.replaceAll("/", "-")}`, path, "acme"),
      );
      expect([path, created.status, read.splice(0)]).toEqual([path, status, near]);
    }
    const moved = { proxy: { listen_path: "/acme/v2" } };
    expect((await call("dashboard", "PUT /api/apis/own", moved)).status).toBe(200);
    expect(read).toEqual(["apis /acme"]); // which is its own place until then
  });

  test("of two that come at the same time the later one is refused", async () => {
    const { call, dashboard, records } = await organisations();
    let isFirst = true;
    const theirs: number[] = [];
    const { write } = records;
    // A change between the check of the other APIs and the write.
    (records as { write: typeof write }).write = (audited, work) =>
      write(audited, async (writing) => {
        const done = await work(writing);
        if (isFirst && audited.operation === "createApi") {
          isFirst = false;
          theirs.push((await dashboard("POST /api/apis", api("theirs", "/new", "other"))).status);
        }
        return done;
      });
    const { status } = await call("dashboard", "POST /api/apis", api("ours", "/new/x", "acme"));
    expect([theirs, status]).toEqual([[200], 409]);
  });

  test("an id of another organisation is reported as taken, and nothing else of it", async () => {
    const { call } = await organisations();
    const { status, text } = await call(
      "dashboard",
      "POST /api/apis",
      api("secret-id", "/n", "acme"),
    );
    expect([status, text]).toEqual([
      409,
      expect.stringContaining('The id \\"secret-id\\" is taken'),
    ]);
  });

  test("records of others are never suggested, and look the same as missing ones", async () => {
    const { call, dashboard } = await organisations();
    const policy = { id: "hidden-policy", org_id: "other", rate: 1, per: 1, access_rights: {} };
    expect((await dashboard("POST /api/portal/policies", policy)).status).toBe(200);
    const rights = (id: string) => ({ key_id: "k", org_id: "acme", access_rights: { [id]: {} } });
    const under = (id: string) => ({ key_id: "k", org_id: "acme", apply_policies: [id] });
    const granting = (id: string) => ({ id: "p", org_id: "acme", access_rights: { [id]: {} } });
    const rejectionOf = async (name: "admin" | "dashboard", what: string, body: object) => {
      const { status, text } = await call(name, what, body);
      expect(status).toBeGreaterThanOrEqual(400);
      return [status, text.replaceAll(/secret-i[a-z]|hidden-polic[a-z]/g, "NAME")];
    };
    for (const [there, near] of [
      [rights("secret-id"), rights("secret-ib")],
      [under("hidden-policy"), under("hidden-policz")],
    ] as const) {
      const of = (body: object) => rejectionOf("admin", "POST /admin/org/keys", body);
      expect(await of(there)).toEqual(await of(near));
      expect(JSON.stringify(await of(near))).not.toContain("did you mean");
    }
    const of = (id: string) => rejectionOf("dashboard", "POST /api/portal/policies", granting(id));
    expect(await of("secret-id")).toEqual(await of("secret-ib"));
    const own = await call("admin", "POST /admin/org/keys", rights("owm"));
    expect(own.text).toContain('did you mean \\"own\\"');
  });
});
