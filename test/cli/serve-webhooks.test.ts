import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { endAll, receiver, type Received } from "../gateway/management/http/receivers.ts";
import { sendRequest, CONFIG, FILES, serving, type Serving } from "./serving.ts";
import { folderWith, weir } from "./weir.ts";

afterEach(endAll);

const ALLOWED = { WEIR_WEBHOOK_ALLOW: "127.0.0.0/8:*", WEIR_EVENT_COOLDOWN: "2s" };

async function hook(folder: string, { admin }: Serving, webhook: object): Promise<void> {
  const secret = readFileSync(join(folder, ".weir/portal-secret"), "utf8").trim();
  const { status, text } = await sendRequest(`${admin}/portal/portal-api/webhooks`, {
    method: "POST",
    authorization: secret,
    "content-type": "application/json",
    body: JSON.stringify(webhook),
  });
  if (status !== 201) throw new Error(text);
}

async function exceed({ gateway }: Serving): Promise<void> {
  for (let i = 0; i < 5; i++) await sendRequest(`${gateway}/orders/7`, { authorization: "alice" });
}

const bodyOf = (received: Received | undefined): unknown => JSON.parse(received?.body ?? "null");

test("an exceeded limit is sent to the key's webhook: signed, once, and with the key's id", async () => {
  const folder = folderWith(FILES);
  const served = await serving(folder, CONFIG, ALLOWED);
  const { url, received } = await receiver();
  const headers = [{ Name: "X-Team", Value: "gold" }];
  await hook(folder, served, {
    URL: url,
    Events: ["RatelimitExceeded"],
    Headers: headers,
    Secret: "s3cret-of-the-test",
  });
  await exceed(served);
  await expect.poll(() => received.length).toBe(1);
  const [first] = received;
  expect(bodyOf(first)).toMatchObject({
    event: "RatelimitExceeded",
    api_id: "orders",
    path: "/orders/7",
    meta: { count: 3 },
  });
  expect(first?.body).not.toContain("alice"); // here that is a credential, and its key has an id
  const header = (name: string): string => first!.headers[first!.headers.indexOf(name) + 1]!;
  const signed = `${header("webhook-id")}.${header("webhook-timestamp")}.${first?.body}`;
  const signature = createHmac("sha256", "s3cret-of-the-test").update(signed).digest("base64");
  expect([header("webhook-signature"), header("X-Team")]).toEqual([`v1,${signature}`, "gold"]);
  expect((await sendRequest(`${served.admin}/metrics`)).text).toContain(
    'weir_webhook_deliveries_total{outcome="delivered"} 1\n',
  );
});

test("queued deliveries survive a gateway that is killed, and the next one sends them", async () => {
  const folder = folderWith(FILES);
  const { url, received } = await receiver();
  const environment = { ...ALLOWED, WEIR_EVENT_COOLDOWN: "5s" };
  const first = await serving(folder, CONFIG, environment);
  await hook(folder, first, { URL: url, Events: ["RatelimitExceeded"] });
  await exceed(first);
  const listQueue = async (): Promise<string> => (await weir(folder, ["webhooks", ...CONFIG])).out;
  // Three refusals, of which the first can be stored before the others: all have to be there before the kill.
  await expect.poll(listQueue).toMatch(/RatelimitExceeded +3 +waiting/);
  first.kill("SIGKILL");
  await first.exit;
  await serving(folder, CONFIG, environment);
  await expect.poll(() => received.length).toBe(1);
  expect(bodyOf(received[0])).toMatchObject({ event: "RatelimitExceeded", meta: { count: 3 } });
});

test("a receiver on this machine gets nothing unless it is allowed", async () => {
  const folder = folderWith(FILES);
  const { WEIR_WEBHOOK_ALLOW: _, ...unallowed } = ALLOWED;
  const served = await serving(folder, CONFIG, unallowed);
  const { port, url, received } = await receiver();
  await hook(folder, served, { URL: url, Events: ["RatelimitExceeded"] });
  await exceed(served);
  await expect
    .poll(async () => (await weir(folder, ["webhooks", ...CONFIG])).out)
    .toContain(`: 127.0.0.1 port ${port} is not allowed (webhook_allow)`);
  expect(received).toEqual([]);
});
