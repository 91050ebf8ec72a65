// Invalid requests: every problem with its path, in the form of the API (MGT-C1).
import { describe, expect, test } from "vitest";
import { INTERFACES } from "#src/gateway/management/interface-name.ts";
import { appWith, BASES, caller } from "./app.ts";

const USERS = "POST /api/users";
const message = ({ body }: { readonly body: unknown }): readonly string[] =>
  (body as { readonly Message: string }).Message.split("\n");

describe("a body that does not fit is rejected with every problem by its path", () => {
  const email = { email_address: "ann@example.com" };
  test.each<readonly [string, string | object | undefined, readonly string[]]>([
    [USERS, undefined, ["The body: is missing"]],
    [USERS, "", ["The body: is missing"]],
    [USERS, "null", ["The body: a user is an object"]],
    [USERS, "[]", ["The body: a user is an object"]],
    [USERS, "7", ["The body: a user is an object"]],
    [USERS, {}, ["email_address: is missing"]],
    [USERS, { email_address: null }, ["email_address: is a string"]],
    [
      USERS,
      { email_address: "ann" },
      ["email_address: is an e-mail address, such as name@example.com"],
    ],
    [
      USERS,
      {
        ...email,
        active: "yes",
        password_max_days: 2 ** 31,
        user_permissions: { IsAdmin: true },
        first_nam: "Ann",
      },
      [
        "active: is true or false",
        "password_max_days: is an integer of at most 32 bits",
        "user_permissions.IsAdmin: is a string",
        'first_nam: is not a field of a user; did you mean "first_name"?',
      ],
    ],
    [USERS, { password: "x", ...email }, ["password: is not a field of a user"]],
    [
      USERS,
      '{"email_address": "a@b", "active": true, "active": false}',
      ["active: this field is given twice"],
    ],
    [
      USERS,
      `{"email_address": "a@b", "api_model": ${'{"a":'.repeat(40)}1${"}".repeat(40)}}`,
      [`api_model${".a".repeat(31)}: is nested more than 32 levels deep`],
    ],
    [
      USERS,
      '{"email_address": "a@b", "password_max_days": 1e999}',
      ["password_max_days: 1e999 exceeds the largest number"],
    ],
    [
      USERS,
      '{"__proto__": {"email_address": "a@b"}}',
      ["__proto__: a field may not be named __proto__"],
    ],
    [
      USERS,
      { ...email, id: "a/b" },
      ['id: is an id of at most 128 letters, without "/" and control characters'],
    ],
    [
      USERS,
      { ...email, id: ".." },
      ['id: is an id of at most 128 letters, without "/" and control characters'],
    ],
    [
      USERS,
      { ...email, id: "x".repeat(129) },
      ['id: is an id of at most 128 letters, without "/" and control characters'],
    ],
    [
      "POST /api/users/search",
      { filters: { qeury: "ann" } },
      ['filters.qeury: is not a field of filters; did you mean "query"?'],
    ],
    ["POST /api/users/search", {}, ["filters: is missing"]],
    [
      "POST /api/users/search?p=x&query=1",
      { filters: 1 },
      [
        "p: is an integer from -2147483648 to 2147483647",
        "query: is not a field of the query",
        "filters: filters is an object",
      ],
    ],
    ["GET /api/users?page=1", undefined, ["page: is not a field of the query"]],
    ["GET /api/users?P=1", undefined, ['P: is not a field of the query; did you mean "p"?']],
    ["GET /api/users?p=1&p=2", undefined, ["p: is an integer from -2147483648 to 2147483647"]],
    ["GET /api/users?p=", undefined, ["p: is an integer from -2147483648 to 2147483647"]],
    ["GET /api/users?p=0x1", undefined, ["p: is an integer from -2147483648 to 2147483647"]],
    ["GET /api/users/ann?p=1", undefined, ["p: is not a field of the query"]],
    ["GET /api/users/a%00b", undefined, ["id: holds a control character"]],
    ["GET /api/users/a%zz", undefined, ["The request is not sound"]],
    [
      "POST /api/apis",
      { api_id: "a", proxy: { listen_path: "orders" }, global_rate_limit: { rate: 5 } },
      [
        'proxy.listen_path: listen path "orders" does not start with "/"; write "/orders"',
        "global_rate_limit.rate: rate 5 needs a window above 0; add per, in seconds",
      ],
    ],
    [
      "POST /api/portal/policies",
      { rate: 5, per: 1, aps: ["x"], apis: ["x"] },
      [
        'aps: "aps" is not a field of a policy; did you mean "apis"?',
        'apis.0: there is no API "x"',
      ],
    ],
  ])("%s %j", async (what, body, messages) => {
    const { dashboard } = await caller();
    const response = await dashboard(what, body);
    expect([response.status, message(response)]).toEqual([400, messages]);
  });

  test.each([
    [{ URL: "ftp://example.com" }, ["URL: is an http or https address without a user name"]],
    [
      { URL: "http://ann:secret@example.com/" },
      ["URL: is an http or https address without a user name"],
    ],
    [{ URL: "/hook" }, ["URL: is an http or https address without a user name"]],
    [{ URL: "http://a", Method: "HEAD" }, ["Method: is one of GET, POST, PUT, PATCH, DELETE"]],
    [{ URL: "http://a", Method: "post" }, ["Method: is one of GET, POST, PUT, PATCH, DELETE"]],
    [{ URL: "http://a", Timeout: 0 }, ["Timeout: is an integer from 1 to 30"]],
    [{ URL: "http://a", Timeout: 31 }, ["Timeout: is an integer from 1 to 30"]],
    [{ URL: "http://a", Timeout: 1.5 }, ["Timeout: is an integer from 1 to 30"]],
    [
      { URL: "http://a", Events: ["QuotaExceded", "Nothing"] },
      [
        'Events.0: is not the name of an event; did you mean "QuotaExceeded"?',
        "Events.1: is not the name of an event",
      ],
    ],
    [
      {
        URL: "http://a",
        Headers: [
          { Name: "HOST", Value: "x" },
          { Name: "content-length", Value: "1" },
        ],
      },
      [
        "Headers.0.Name: is a header that the gateway writes itself",
        "Headers.1.Name: is a header that the gateway writes itself",
      ],
    ],
    [
      {
        URL: "http://a",
        Headers: [
          { Name: "Transfer-Encoding", Value: "x" },
          { Name: "Connection", Value: "x" },
        ],
      },
      [
        "Headers.0.Name: is a header that the gateway writes itself",
        "Headers.1.Name: is a header that the gateway writes itself",
      ],
    ],
    [
      {
        URL: "http://a",
        Headers: ["Webhook-Id", "webhook-timestamp", "webhook-signature"].map((Name) => ({
          Name,
          Value: "x",
        })),
      },
      [0, 1, 2].map((at) => `Headers.${at}.Name: is a header that the gateway writes itself`),
    ],
    [
      {
        URL: "http://a",
        Headers: "Expect upgrade Keep-Alive TE trailer Proxy Proxy-Authorization"
          .split(" ")
          .map((Name) => ({ Name, Value: "x" })),
      },
      [0, 1, 2, 3, 4, 5, 6].map(
        (at) => `Headers.${at}.Name: is a header that no delivery can have`,
      ),
    ],
    [
      {
        URL: "http://a",
        Headers: [
          { Name: "X-A", Value: "a\r\nX-B: b" },
          { Name: "X A", Value: "\u{1f600}" },
        ],
      },
      [
        "Headers.0.Value: holds no line break, and no letters beyond Latin-1",
        "Headers.1.Name: is a name of a header",
        "Headers.1.Value: holds no line break, and no letters beyond Latin-1",
      ],
    ],
    [
      { URL: "http://a", Secret: "fifteen letters" },
      ["Secret: has at least 16 letters; make one with: openssl rand -base64 24"],
    ],
  ])("a webhook %j (EVT-C1, EVT-C3)", async (body, messages) => {
    const { portal } = await caller();
    expect(await portal("POST /portal-api/webhooks", body)).toMatchObject({
      status: 400,
      body: { errors: messages },
    });
  });

  test("problems of the schema and of the gateway's reader are listed together, each once", async () => {
    const { admin, keep, management } = await caller();
    await keep("keys", "alice", { rate: 5, per: 1 });
    const body = {
      ratee: 1,
      tags: [1],
      smoothing: { enabled: true, threshold: 9, step: 1, trigger: 1, delay: 1 },
    };
    const response = await admin("PUT /admin/org/keys/alice", body);
    expect([response.status, message(response)]).toEqual([
      400,
      [
        "tags.0: is a string",
        'ratee: is not a field of a key; did you mean "rate"?',
        "smoothing.threshold: threshold 9 is above rate 5",
      ],
    ]);
    expect((await management.records.read("keys", "alice"))?.version).toBe(1);
  });

  test.each([
    ["application/json; charset=latin1", 415],
    ['application/json; v=1; Charset="iso-8859-1"', 415],
    ["application/json; charset=utf-8", 200],
    ['application/json;charset="UTF-8"', 200],
  ])("a body of type %s gets %i", async (type, status) => {
    const { admin } = await caller();
    const response = await admin(
      "POST /admin/org/keys",
      { alias: "\u00e9" },
      { "content-type": type },
    );
    expect(response.status).toBe(status);
  });

  test("an operation without a body accepts any type of none", async () => {
    const { dashboard } = await caller();
    await dashboard("POST /api/users", { id: "ann", email_address: "ann@example.com" });
    const type = { "content-type": "application/json" };
    expect((await dashboard("GET /api/users/ann", undefined, type)).status).toBe(200);
    expect((await dashboard("DELETE /api/users/ann", undefined, type)).status).toBe(200);
  });

  test("the search for problems ends after twenty", async () => {
    const { admin } = await caller();
    const response = await admin("POST /admin/org/keys", {
      tags: Array.from({ length: 500 }, () => 1),
    });
    expect(message(response).length).toBe(21);
    expect(message(response).at(-1)).toBe("and more");
  });
});

describe("a request that fits no operation is rejected in the form of its API", () => {
  const forms = {
    studio: (status: string, detail: string) => ({ errors: [{ title: status, detail }] }),
    dashboard: (_: string, detail: string) => ({ Status: "Error", Message: detail, Meta: null }),
    admin: (_: string, detail: string) => ({ Status: "Error", Message: detail, Meta: null }),
    broker: (_: string, detail: string) => ({ Status: "error", Error: detail }),
    portal: (_: string, detail: string) => ({ errors: [detail] }),
  };
  const lists = {
    studio: "/api/v1/catalogues",
    dashboard: "/api/users",
    admin: "/admin/org/keys",
    broker: "/api/profiles",
    portal: "/portal-api/webhooks",
  };

  test.each(INTERFACES)("%s", async (name) => {
    const calling = await caller();
    const form = forms[name];
    const list = lists[name];
    expect(await calling[name]("GET /nowhere")).toMatchObject({
      status: 404,
      body: form("Not Found", "Not Found"),
    });
    for (const method of ["PUT", "DELETE", "PATCH", "OPTIONS"])
      expect(await calling[name](`${method} ${list}`)).toMatchObject({
        status: 405,
        headers: { allow: "GET, HEAD, POST" },
        body: form("Method Not Allowed", `${list} answers GET, HEAD, POST`),
      });
    expect(
      await calling[name](`POST ${list}`, "{", { "content-type": "text/plain" }),
    ).toMatchObject({
      status: 415,
      body: form("Unsupported Media Type", "A body is application/json"),
    });
    expect(await calling[name](`POST ${list}`, "{")).toMatchObject({
      status: 400,
      body: form("Bad Request", expect.stringContaining("the body is not JSON") as string),
    });
    expect(await calling[name](`POST ${list}`, Buffer.from([0x22, 0xff, 0x22]))).toMatchObject({
      status: 400,
      body: form("Bad Request", "The body: the body is not UTF-8"),
    });
    expect(await calling[name](`POST ${list}`, `"${"x".repeat(1_048_575)}"`)).toMatchObject({
      status: 413,
      body: form("Payload Too Large", "A body has at most 1048576 bytes"),
    });
    const head = await calling[name](`HEAD ${list}`);
    expect([head.status, head.body]).toEqual([200, ""]);
    expect(await calling[name](`GET ${list}/${"x".repeat(5_000)}`)).toMatchObject({ status: 404 });
  });

  test.each(INTERFACES)("%s: without the credential a client learns nothing", async (name) => {
    const { app } = await appWith();
    const wrong = { authorization: "Bearer wrong", "admin-auth": "wrong" };
    for (const method of ["GET", "PUT", "OPTIONS"])
      for (const path of ["/nowhere", lists[name]])
        for (const headers of [{}, wrong]) {
          const response = await app.inject({ method, url: BASES[name] + path, headers });
          expect(response.statusCode).toBe(401);
          expect(response.headers["allow"]).toBeUndefined();
        }
  });
});

test("the response to an internal error has no details; the operator's log has them", async () => {
  const inside = () => Promise.reject(new RangeError("inside"));
  const budgets = async () => ({ read: inside, reset: inside });
  const { admin, keep, reports } = await caller({}, budgets);
  await keep("keys", "k-1", {});
  const { status, body } = await admin("GET /admin/org/keys/k-1/budgets?x");
  expect([status, reports]).toEqual([400, []]);
  const response = await admin("GET /admin/org/keys/k-1/budgets");
  expect(response.status).toBe(500);
  expect(JSON.stringify([body, response.body])).not.toContain("inside");
  expect(reports).toEqual([
    expect.stringMatching(
      /^weir: GET \/admin-api\/admin\/org\/keys\/:\w+\/budgets \(.+\) has failed: RangeError: inside\n +at /,
    ),
  ]);
});
