// A client with credentials that no key has cannot make the gateway look up all others again.
import { expect, test } from "vitest";
import { unknownCredentials } from "#src/gateway/management/unknown-credentials.ts";
import { secretsWith } from "./secrets/secrets-with.ts";

const { hashOf } = secretsWith("the key of this installation");

const long = (i: number): string => `${i}`.padEnd(16_000, "x");

test("long ones make it forget no more others than short ones do", () => {
  const strangers = unknownCredentials(hashOf);
  for (let i = 0; i < 5_000; i++) strangers.add(`guess-${i}`);
  for (let i = 0; i < 500; i++) strangers.add(long(i));
  expect([strangers.has("guess-0"), strangers.has(long(0)), strangers.has(long(499))]).toEqual([
    true,
    true,
    true,
  ]);
  expect([strangers.has("guess-5000"), strangers.has(long(500))]).toEqual([false, false]);
});

test("no more than ten thousand are kept, and the newest stays", () => {
  const strangers = unknownCredentials(hashOf);
  for (let i = 0; i < 10_000; i++) strangers.add(`guess-${i}`);
  strangers.add("guess-0");
  expect(strangers.has("guess-9999")).toBe(true);
  strangers.add("one more");
  expect([strangers.has("guess-0"), strangers.has("one more")]).toEqual([false, true]);
  strangers.clear();
  expect(strangers.has("one more")).toBe(false);
});
