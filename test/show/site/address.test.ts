// The state of the playground in its address.
import { deflateRawSync } from "node:zlib";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sha256 } from "#src/limiter/core/sha256.ts";
import { isFailure } from "#src/kit/reading/failure.ts";
import { fragmentOf, stateOf } from "#src/show/site/address.ts";
import { holdsLater } from "../../runs.ts";

const state = {
  file: "limits/first.yaml",
  seed: 7,
  text: "title: größer 🐟\nworld: {}\n".repeat(40),
};

test("an address brings back file, seed and text", async () => {
  await holdsLater(
    fc.asyncProperty(
      fc.string({ unit: "grapheme" }),
      fc.nat(),
      fc.string({ unit: "grapheme", maxLength: 2_000, size: "max" }),
      async (file, seed, text) => {
        const fragment = await fragmentOf({ file, seed, text });
        expect(fragment).toMatch(/^#1\.[0-9a-f]{8}\.[\w-]+$/);
        expect(await stateOf(fragment)).toEqual({ file, seed, text });
      },
    ),
    50,
  );
});

test("an address that was cut off anywhere is reported as such", async () => {
  const fragment = await fragmentOf(state);
  for (let length = 2; length < fragment.length; length += 1) {
    const read = await stateOf(fragment.slice(0, length));
    expect(read).toMatchObject({ message: expect.stringMatching(/is incomplete/) as string });
  }
});

test("an address with a changed letter is reported as such", async () => {
  const fragment = await fragmentOf(state);
  for (let at = 4; at < fragment.length - 1; at += 3) {
    const letter = fragment[at] === "a" ? "b" : "a";
    const changed = `${fragment.slice(0, at)}${letter}${fragment.slice(at + 1)}`;
    expect(isFailure(await stateOf(changed))).toBe(true);
  }
});

test("an address that unpacks into more than a scenario is not unpacked", async () => {
  const flood = await fragmentOf({ ...state, text: " ".repeat(2_000_000) });
  expect(flood.length).toBeLessThan(5_000);
  const read = await stateOf(flood);
  expect(isFailure(read) && read.message).toMatch(/is incomplete/);
});

/** Bookmarks and messages have them for ever. */
const OLD: readonly (readonly [fragment: string, state: object])[] = [
  [
    "#1.86854c68.q1ZKy8xJVbJSys3MS9WvKk_N1KtMzM1R0lEqTk1NUbIy1lEqSa0oUbJSKsksyUm1UkgvOrzt8PzUIoUP8yfMj8krzy_KSbFSqK6NyVOqBQA",
    { file: "mine/zwei.yaml", seed: 3, text: "title: größer 🐟\nworld: {}\n" },
  ],
];

test.each(OLD)("an address of an earlier version is read: %s", async (fragment, state) => {
  expect(await stateOf(fragment)).toEqual(state);
  const of = state as Parameters<typeof fragmentOf>[0];
  expect(await fragmentOf(of)).toBe(fragment); // nothing that was written needs a new address
});

const garbageOf = (contents: string | Uint8Array): string =>
  `#1.00000000.${deflateRawSync(contents).toString("base64url")}`;
const withCheck = (json: string): string =>
  garbageOf(json).replace("00000000", sha256(json).slice(0, 8));

test("an address of an earlier version, with the position of the form, is read", async () => {
  const form = { numbers: { rate: 3 }, names: { first: "gcra" } };
  expect(await stateOf(withCheck(JSON.stringify({ ...state, form })))).toEqual(state);
});

test.each([
  "#no-address",
  "#1",
  "#1.",
  "#1..",
  "#1.zzzzzzzz.abc",
  "#1.00000000.%%%",
  "#1.00000000.A",
  "#1.00000000.AAAA",
  `#1.00000000.${"A".repeat(1_000_000)}`,
  "#1.00000000.abc.def",
  garbageOf("no JSON"),
  garbageOf(new Uint8Array([0xff, 0xfe, 0])),
  withCheck("null"),
  withCheck("[]"),
  withCheck("7"),
  withCheck('{"file":1,"seed":1,"text":""}'),
  withCheck('{"file":"a","seed":1.5,"text":""}'),
  withCheck('{"file":"a","seed":1,"text":{}}'),
  withCheck('{"__proto__":{"file":"a","seed":1,"text":""}}'),
])("garbage is reported in one sentence: %.40s", async (fragment) => {
  const read = await stateOf(fragment);
  expect(isFailure(read) && read.message).toMatch(/is incomplete/);
});

test("a bomb is unpacked no further than a scenario is long", async () => {
  const bomb = garbageOf(Buffer.alloc(200_000_000));
  expect(bomb.length).toBeLessThan(300_000);
  const before = process.memoryUsage().arrayBuffers;
  expect(isFailure(await stateOf(bomb))).toBe(true);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
});

test("an address of another version, and one without a state", async () => {
  const other = await stateOf("#2.00000000.abc");
  expect(isFailure(other) && other.message).toMatch(/another version of the playground \(2\)/);
  expect(await stateOf("")).toBeNull();
  expect(await stateOf("#")).toBeNull();
});
