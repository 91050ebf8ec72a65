// The state of the playground in its address.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isFailure } from "../../src/reading/failure.ts";
import { fragmentOf, stateOf } from "../../src/site/address.ts";
import { holdsLater } from "../runs.ts";

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

test("an address of another version, and one without a state", async () => {
  const other = await stateOf("#2.00000000.abc");
  expect(isFailure(other) && other.message).toMatch(/another version of the playground \(2\)/);
  expect(await stateOf("")).toBeNull();
  expect(await stateOf("#")).toBeNull();
});
