// What a primary process keeps for its workers until they follow.
import { expect, test } from "vitest";
import { createUnsentChanges } from "#src/gateway/serving/unsent-changes.ts";
import type { RecordTypeName } from "#src/gateway/management/records/record-types.ts";
import type { WrittenChange } from "#src/gateway/management/records/records.ts";

let seq = 0;
function change(family: RecordTypeName, letters = 0): WrittenChange {
  const id = `id-${++seq}`;
  const document = { name: "x".repeat(letters) };
  return { seq, family, id, before: null, after: { id, version: 1, document, unique: null } };
}

test("changes that workers apply are taken once, in their order", () => {
  const written = createUnsentChanges(10);
  const changes = (["keys", "policies", "apis", "gateway"] as const).map((family) =>
    change(family),
  );
  for (const each of changes) written.note([each]);
  expect(written.take()).toEqual(changes);
  expect(written.take()).toEqual([]);
});

test("uses of tokens and other changes that no worker applies are not collected", () => {
  const written = createUnsentChanges(10);
  const key = change("keys");
  written.note([key]);
  for (let i = 0; i < 100; i++)
    written.note([change("tokens"), change("users"), change("webhooks")]);
  expect(written.take()).toEqual([key]);
});

test("of more changes, or longer ones, than are kept nothing is: they are looked up", () => {
  const written = createUnsentChanges(10, 1_000);
  for (let i = 0; i < 10; i++) written.note([change("keys")]);
  written.note([change("keys")]);
  expect(written.take()).toEqual([]);
  written.note(Array.from({ length: 11 }, () => change("keys")));
  expect(written.take()).toEqual([]);
  written.note([change("keys", 600)]);
  written.note([change("keys", 600)]);
  expect(written.take()).toEqual([]);
  const after = change("keys", 600);
  written.note([after]);
  expect(written.take()).toEqual([after]);
});
