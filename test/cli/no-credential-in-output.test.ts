// One run, with every credential in every place where one may stray to and in every spelling; then all that the run has
// put out is searched for all of them.
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { endAll, receiver } from "../gateway/management/http/receivers.ts";
import { sendRequest, CONFIG, serving } from "./serving.ts";
import { folderWith, weir } from "./weir.ts";

afterEach(endAll);

const escapePercent = (text: string): string =>
  Array.from(text, (letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, "0")}`).join("");
const escapeJson = (text: string): string =>
  Array.from(text, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");

/** As a thief would look for it. */
const FORMS: readonly (readonly [string, (text: string) => string])[] = [
  ["plain", (text) => text],
  ["as a part of an address", encodeURIComponent],
  ["percent", escapePercent],
  ["percent in capitals", (text) => escapePercent(text).toUpperCase()],
  ["percent twice", (text) => escapePercent(text).replaceAll("%", "%25")],
  ["base64", (text) => Buffer.from(text).toString("base64").replaceAll("=", "")],
  ["base64url", (text) => Buffer.from(text).toString("base64url")],
  ["JSON", escapeJson],
];

const OF_WORLD = {
  alice: "q7Rk1vXw0tLz5bNc8mYd",
  bob: "Zm+9v/YmFyc+XV4MTIz/NDU2",
  carol: "9f86d081884c7d659a2feaa0c55ad015",
};
const WORLD = `apis:
  orders: { listen: /orders }
  open: { listen: /open, keyless: true, key_by: { header: X-Client-Id }, rate: 1, per: 60 }
keys:
${Object.entries(OF_WORLD)
  .map(
    ([id, credential]) => `  "${credential}": { key_id: ${id}, apis: [orders], rate: 5, per: 60 }`,
  )
  .join("\n")}
gateway: { algorithm: fixed_window }
`;
const FILES = {
  "conf/weir.yaml": "world: world.yaml\nupstream: echo\nlog: { to: file, file: ../access.log }\n",
  "conf/world.yaml": WORLD,
};

/** As it is typed: a client of HTTP would refuse some of it. */
function raw(url: string, target: string, headers: readonly string[]): Promise<void> {
  const { hostname, port } = new URL(url);
  const lines = [`GET ${target} HTTP/1.1`, "Host: weir", "Connection: close", ...headers];
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () =>
      socket.end(`${lines.join("\r\n")}\r\n\r\n`),
    );
    socket.on("close", resolve).on("error", resolve).resume();
  });
}

test("no output of a run contains a credential, in any spelling", async () => {
  const folder = folderWith(FILES);
  const { url, received } = await receiver();
  const served = await serving(folder, CONFIG, {
    WEIR_WEBHOOK_ALLOW: "127.0.0.0/8:*",
    WEIR_EVENT_COOLDOWN: "1s",
  });
  const { gateway, admin } = served;
  const secretOf = (name: string): string =>
    readFileSync(join(folder, `.weir/${name}-secret`), "utf8").trim();
  const json = { method: "POST", "content-type": "application/json" };
  const bodyOf = async (response: Promise<{ text: string; status: number }>) => {
    const { status, text } = await response;
    if (status >= 300) throw new Error(text);
    return JSON.parse(text) as Record<string, string>;
  };
  const { key: made } = await bodyOf(
    sendRequest(`${admin}/admin-api/admin/org/keys`, {
      ...json,
      "admin-auth": secretOf("admin"),
      body: JSON.stringify({
        key_id: "dave",
        access_rights: { orders: {} },
        jwt_data: { secret: "of-the-jwt-of-dave-1" },
        oauth_keys: { orders: "of-the-oauth-of-dave-1" },
        hmac_string: "of-the-hmac-of-dave-1",
      }),
    }),
  );
  const hook = {
    URL: `${url}?token=of-the-query-of-the-hook-1`,
    Events: ["RatelimitExceeded", "CredentialRegistered"],
    Headers: [{ Name: "Authorization", Value: "Bearer of-the-header-of-the-hook-1" }],
    Secret: "of-the-signature-of-the-hook-1",
  };
  await bodyOf(
    sendRequest(`${admin}/portal/portal-api/webhooks`, {
      ...json,
      authorization: secretOf("portal"),
      body: JSON.stringify(hook),
    }),
  );
  const shown = { ...OF_WORLD, dave: made! };
  // The gateway knows a credential once its key was looked up, which a slow machine may not do in time.
  for (const credential of Object.values(shown))
    await expect
      .poll(
        async () => (await sendRequest(`${gateway}/orders`, { authorization: credential })).status,
      )
      .not.toBe(503);

  for (const credential of [...Object.values(shown), secretOf("admin"), secretOf("dashboard")])
    for (const [, form] of FORMS) {
      const strayed = form(credential);
      const ways = [
        `/orders/${strayed}`,
        `/${strayed}/orders?${strayed}`,
        `/orders?key=${strayed}`,
      ];
      for (const target of ways) {
        await raw(gateway, target, [`X-Request-Id: ${strayed}`]);
        await raw(gateway, target, [`Authorization: ${credential}`, `X-Request-Id: ${strayed}`]);
      }
      await raw(gateway, `/orders/x;a=${strayed}`, [`Authorization: ${strayed}`]);
      await raw(gateway, `/open/${strayed}`, [`X-Client-Id: ${credential}`]);
      await raw(admin, `/admin-api/admin/org/keys/${strayed}`, [`Admin-Auth: ${strayed}`]);
      await raw(admin, `/dashboard/api/users/${strayed}`, [`Authorization: Bearer ${strayed}`]);
    }
  for (let i = 0; i < 7; i++)
    await sendRequest(`${gateway}/orders/${OF_WORLD.alice}`, { authorization: OF_WORLD.alice });
  // On a slow machine the first one is not of alice yet.
  await expect.poll(() => received.map(({ body }) => body).join("\n")).toContain('"key":"alice"');
  const metrics = (await sendRequest(`${admin}/metrics`)).text;
  served.kill("SIGTERM");
  expect(await served.exit).toBe(0);

  const put = {
    "the access log": readFileSync(join(folder, "access.log"), "utf8"),
    "standard error": served.output(),
    metrics,
    audit: (await weir(folder, ["audit", "--json", ...CONFIG])).out,
    "the queue": (await weir(folder, ["webhooks", "--json", ...CONFIG])).out,
    webhooks: received.map(({ body }) => body).join("\n"),
    settings: (await weir(folder, ["config", "--json", ...CONFIG])).out,
  };
  expect(Object.entries(put).filter(([, text]) => text === "")).toEqual([]);
  expect(put["the access log"].split("\n").length).toBeGreaterThan(200);
  expect(put.webhooks).toContain('"key":"alice"');

  const secrets: Record<string, string> = {
    ...shown,
    ...Object.fromEntries(
      ["studio", "dashboard", "admin", "broker", "portal"].map((name) => [name, secretOf(name)]),
    ),
    "the key": readFileSync(join(folder, ".weir/key"), "utf8").trim(),
    jwt: "of-the-jwt-of-dave-1",
    oauth: "of-the-oauth-of-dave-1",
    hmac: "of-the-hmac-of-dave-1",
    query: "of-the-query-of-the-hook-1",
    header: "of-the-header-of-the-hook-1",
    signature: "of-the-signature-of-the-hook-1",
  };
  const found = Object.entries(put).flatMap(([where, text]) =>
    Object.entries(secrets).flatMap(([owner, secret]) =>
      FORMS.filter(([, form]) =>
        text.toLowerCase().includes(JSON.stringify(form(secret)).slice(1, -1).toLowerCase()),
      ).map(([spelling]) => `${where}: of ${owner}, ${spelling}`),
    ),
  );
  expect(found).toEqual([]);
});
