// Who guesses tokens costs the records no look-up for each guess, and locks no token out (MGT-10).
import { expect, test } from "vitest";
import { secretsWith } from "./secrets/secrets-with.ts";
import { recordsInMemory } from "../../src/management/records/sqlite.node.ts";
import { MOST_FAILED } from "../../src/servers/attempts.ts";
import { BASES, caller, CREDENTIALS } from "./app.ts";

const SECRETS = secretsWith("the key of this installation");
const OTHERS = secretsWith("the key of another installation");

async function guessing() {
  const kept = await recordsInMemory();
  const asked = { lookups: 0 };
  const find: typeof kept.find = (family, unique) => {
    if (family === "tokens") asked.lookups++;
    return kept.find(family, unique);
  };
  const api = await caller({}, undefined, { ...kept, find }, SECRETS);
  const statusOf = async (shown: string): Promise<number> => {
    const headers = { "admin-auth": shown };
    const url = `${BASES.admin}/admin/org/keys`;
    return (await api.app.inject({ method: "GET", url, headers })).statusCode;
  };
  const guess = async (times: number): Promise<readonly number[]> => {
    const statuses: number[] = [];
    for (let i = 0; i < times; i++) {
      const start = `weir_${OTHERS.made()}_`;
      statuses.push(await statusOf(start + OTHERS.hashOf(`tag_${start}`).slice(0, 16)));
    }
    return statuses;
  };
  const create = async (): Promise<string> => {
    const { body } = await api.admin("POST /admin/org/tokens", { role: "read" });
    return (body as { readonly token: string }).token;
  };
  return { ...api, asked, statusOf, guess, create };
}

test("an address beyond its attempts costs no look-up, and a token passes from there, new or used", async () => {
  const { asked, statusOf, guess, create } = await guessing();
  const used = await create();
  expect(await statusOf(used)).toBe(200);
  const { lookups } = asked;
  const statuses = await guess(MOST_FAILED + 30);
  expect(statuses).toEqual([
    ...Array.from({ length: MOST_FAILED }, () => 401),
    ...Array.from({ length: 30 }, () => 429),
  ]);
  expect(asked.lookups - lookups).toBe(MOST_FAILED);
  expect(await statusOf(used)).toBe(200);
  expect(await statusOf(await create())).toBe(200);
  expect(await statusOf(CREDENTIALS.admin)).toBe(200);
  const wrong = `${used.slice(0, -1)}${used.endsWith("a") ? "b" : "a"}`;
  expect(await statusOf(wrong)).toBe(429);
  expect(asked.lookups - lookups).toBe(MOST_FAILED + 2);
});

test("a token of an earlier version passes, and waits where an address is beyond its attempts", async () => {
  const { management, statusOf, guess } = await guessing();
  const old = `weir_${SECRETS.made()}`;
  await management.records.write({ who: "test", what: "old", atUs: 0 }, (writing) =>
    writing.insert(
      "tokens",
      "old",
      { id: "old", role: "read", created_at: "2026-11-23T00:00:00Z" },
      { unique: SECRETS.hashOf(old), text: null },
    ),
  );
  expect(await statusOf(old)).toBe(200);
  await guess(MOST_FAILED);
  expect(await statusOf(old)).toBe(429);
});
