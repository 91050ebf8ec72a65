// Who guesses tokens costs the records no look-up for each guess, and locks no token out (MGT-10).
import { expect, test } from "vitest";
import { secretsWith } from "./secrets/secrets-with.ts";
import { recordsInMemory } from "#src/gateway/management/records/sqlite.node.ts";
import { DatabaseRejection } from "#src/gateway/management/records/database-failure.ts";
import { MOST_FAILED } from "#src/gateway/management/http/attempts.ts";
import { BASES, caller, CREDENTIALS } from "./app.ts";

const SECRETS = secretsWith("the key of this installation");
const AWAY = { kind: "unreachable", sentence: "responds no more" } as const;
const OTHERS = secretsWith("the key of another installation");

async function guessing() {
  const stored = await recordsInMemory();
  const outage = { lookups: 0, isAway: false };
  const find: typeof stored.find = (family, unique) => {
    if (family === "tokens") outage.lookups++;
    if (outage.isAway) return Promise.reject(new DatabaseRejection(AWAY));
    return stored.find(family, unique);
  };
  const api = await caller({}, undefined, { ...stored, find }, SECRETS);
  const statusOf = async (shown: string): Promise<number> => {
    const headers = { "admin-auth": shown };
    const url = `${BASES.admin}/admin/org/keys`;
    return (await api.app.inject({ method: "GET", url, headers })).statusCode;
  };
  const wrong = (): string => {
    const start = `weir_${OTHERS.generate()}_`;
    return start + OTHERS.hashOf(`tag_${start}`).slice(0, 16);
  };
  const guess = async (times: number): Promise<readonly number[]> => {
    const statuses: number[] = [];
    for (let i = 0; i < times; i++) statuses.push(await statusOf(wrong()));
    return statuses;
  };
  const guessAtOnce = (times: number): Promise<readonly number[]> =>
    Promise.all(Array.from({ length: times }, () => statusOf(wrong())));
  const create = async (): Promise<string> => {
    const { body } = await api.admin("POST /admin/org/tokens", { role: "read" });
    return (body as { readonly token: string }).token;
  };
  return { ...api, outage, statusOf, guess, guessAtOnce, create };
}

test("an address beyond its attempts costs no look-up, and a token passes from there, new or used", async () => {
  const { outage, statusOf, guess, create } = await guessing();
  const used = await create();
  expect(await statusOf(used)).toBe(200);
  const { lookups } = outage;
  const statuses = await guess(MOST_FAILED + 30);
  expect(statuses).toEqual([
    ...Array.from({ length: MOST_FAILED }, () => 401),
    ...Array.from({ length: 30 }, () => 429),
  ]);
  expect(outage.lookups - lookups).toBe(MOST_FAILED);
  expect(await statusOf(used)).toBe(200);
  expect(await statusOf(await create())).toBe(200);
  expect(await statusOf(CREDENTIALS.admin)).toBe(200);
  const wrong = `${used.slice(0, -1)}${used.endsWith("a") ? "b" : "a"}`;
  expect(await statusOf(wrong)).toBe(429);
  expect(outage.lookups - lookups).toBe(MOST_FAILED + 2);
});

test("guesses that come at once cost no more look-ups than one after the other", async () => {
  const { outage, guessAtOnce } = await guessing();
  const statuses = await guessAtOnce(MOST_FAILED + 30);
  expect(statuses.filter((status) => status === 401)).toHaveLength(MOST_FAILED);
  expect(statuses.filter((status) => status === 429)).toHaveLength(30);
  expect(outage.lookups).toBe(MOST_FAILED);
});

test("guesses are counted while the records are away", async () => {
  const { outage, guess } = await guessing();
  outage.isAway = true;
  expect(await guess(MOST_FAILED + 2)).toEqual([
    ...Array.from({ length: MOST_FAILED }, () => 503),
    429,
    429,
  ]);
  expect(outage.lookups).toBe(MOST_FAILED);
});

test("a token of an earlier version passes, and waits where an address is beyond its attempts", async () => {
  const { management, statusOf, guess } = await guessing();
  const old = `weir_${SECRETS.generate()}`;
  await management.records.write({ actor: "test", operation: "old", atUs: 0 }, (writing) =>
    writing.insert(
      "tokens",
      "old",
      { id: "old", role: "read", created_at: "2026-11-23T00:00:00Z" },
      { unique: SECRETS.hashOf(old), text: null },
    ),
  );
  for (let i = 0; i <= MOST_FAILED; i++) expect(await statusOf(old)).toBe(200);
  await guess(MOST_FAILED);
  expect(await statusOf(old)).toBe(429);
});
