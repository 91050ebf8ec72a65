// Failed attempts are counted by interface and client address, and no count keeps the right secret out.
import { expect, test } from "vitest";
import { INTERFACES, type InterfaceName } from "#src/gateway/management/interface-name.ts";
import { MOST_FAILED } from "#src/gateway/management/http/attempts.ts";
import { CREDENTIALS } from "../app.ts";
import {
  listOf,
  startManagedListener,
  credentialHeader,
  type ManagedListener,
} from "./managed-listener.ts";

interface Place {
  readonly at: InterfaceName;
  readonly method: string;
  readonly path: string;
}

const LISTS = INTERFACES.map((at): Place => ({ at, method: "GET", path: listOf(at) }));
const DOORS = ["/admin/reload", "/admin/dry-run"].map((path): Place => ({
  at: "admin",
  method: "POST",
  path,
}));

const BY_PROXY = { trustedProxies: ["127.0.0.1/32"] };

const statusAt = async (
  { url }: ManagedListener,
  { at, method, path }: Place,
  secret: string,
  from: string,
): Promise<number> => {
  const headers = { ...credentialHeader(at, secret), "X-Forwarded-For": from };
  const { status, body } = await fetch(new URL(path, url), { method, headers });
  await body?.cancel();
  return status;
};

test.each([...LISTS, ...DOORS])(
  "$path: one client of a proxy locks no other out",
  async (place) => {
    const server = await startManagedListener(BY_PROXY);
    const attacker = "198.51.100.7";
    for (let i = 0; i < MOST_FAILED; i++)
      expect(await statusAt(server, place, `wrong-${i}`, attacker)).toBe(401);
    expect(await statusAt(server, place, "wrong", attacker)).toBe(429);
    expect(await statusAt(server, place, CREDENTIALS[place.at], attacker)).toBe(200);
    for (const other of [...LISTS, ...DOORS]) {
      expect(await statusAt(server, other, CREDENTIALS[other.at], attacker)).toBe(200);
      expect(await statusAt(server, other, "wrong", "198.51.100.8")).toBe(401);
      const isCounted = other.at === place.at; // reload and dry run have the secret of admin
      expect(await statusAt(server, other, "wrong", attacker)).toBe(isCounted ? 429 : 401);
    }
  },
);

test.each(DOORS)("$path: a valid token is recognized, and is no attempt", async (place) => {
  const server = await startManagedListener(BY_PROXY);
  const from = "198.51.100.7";
  const answer = await fetch(new URL("/admin-api/admin/org/tokens", server.url), {
    method: "POST",
    headers: {
      ...credentialHeader("admin", CREDENTIALS.admin),
      "Content-Type": "application/json",
    },
    body: JSON.stringify({ id: "t", role: "write" }),
  });
  const { token } = (await answer.json()) as { readonly token: string };
  for (let i = 0; i <= MOST_FAILED; i++)
    expect(await statusAt(server, place, token, from)).toBe(403);
  expect(await statusAt(server, place, "wrong", from)).toBe(401);
  expect(await server.management.records.listAudit(1)).toMatchObject([
    { actor: "admin token:t 198.51.100.7", operation: `refuse ${place.path}`, id: "t" },
  ]);
  const response = await fetch(new URL(place.path, server.url), {
    method: place.method,
    headers: credentialHeader("admin", token),
  });
  expect(await response.json()).toMatchObject({
    Message: `${place.path} needs the secret of the admin interface`,
  });
});

test("without a trusted proxy X-Forwarded-For names no client", async () => {
  const server = await startManagedListener();
  const [place] = LISTS;
  for (let i = 0; i < MOST_FAILED; i++)
    expect(await statusAt(server, place!, "wrong", `198.51.100.${i}`)).toBe(401);
  expect(await statusAt(server, place!, "wrong", "198.51.100.200")).toBe(429);
  expect(await statusAt(server, place!, CREDENTIALS[place!.at], "198.51.100.7")).toBe(200);
  expect(server.lines).toEqual([
    "weir: more than 20 wrong credentials in a minute at studio, from 127.0.0.1",
  ]);
});

test("a client cannot name itself in front of what a trusted proxy has added", async () => {
  const server = await startManagedListener(BY_PROXY);
  const [place] = LISTS;
  for (let i = 0; i < MOST_FAILED; i++)
    expect(await statusAt(server, place!, "wrong", `203.0.113.${i}, 198.51.100.7`)).toBe(401);
  expect(await statusAt(server, place!, "wrong", "203.0.113.200, 198.51.100.7")).toBe(429);
  expect(await statusAt(server, place!, "wrong", "198.51.100.7, 203.0.113.200")).toBe(401);
});

test("a customer of a provider has one count, whatever address of IPv6 it takes", async () => {
  const server = await startManagedListener(BY_PROXY);
  const [place] = LISTS;
  for (let i = 0; i < MOST_FAILED; i++)
    expect(await statusAt(server, place!, "wrong", `2001:db8:1:2::${i}`)).toBe(401);
  expect(await statusAt(server, place!, "wrong", "2001:db8:1:2:ffff::1")).toBe(429);
  expect(await statusAt(server, place!, "wrong", "2001:db8:1:3::1")).toBe(401);
});

test("the audit log names the client and not the proxy", async () => {
  const { url, management } = await startManagedListener(BY_PROXY);
  const { status } = await fetch(new URL("/admin-api/admin/org/keys", url), {
    method: "POST",
    body: '{"key_id": "k"}',
    headers: {
      ...credentialHeader("admin", CREDENTIALS.admin),
      "Content-Type": "application/json",
      "X-Forwarded-For": "198.51.100.7",
    },
  });
  expect(status).toBe(200);
  expect(await management.records.listAudit(1)).toMatchObject([{ actor: "admin 198.51.100.7" }]);
});
