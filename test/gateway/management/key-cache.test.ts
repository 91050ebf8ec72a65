// Keys by credential. A key may be known by several: by its secret, and by its id if its budgets were read.
import { array, constantFrom, oneof, property, record } from "fast-check";
import { expect, test } from "vitest";
import type { Key } from "#src/limiter/core/config.ts";
import { keyCache } from "#src/gateway/management/key-cache.ts";
import { readConfiguration } from "#src/limiter/world/read.ts";
import { holds } from "../../runs.ts";

const IDS = ["k", "l", "m"];
const { configuration } = readConfiguration({
  apis: { a: { listen: "/a" } },
  keys: Object.fromEntries(IDS.map((id) => [id, { apis: ["a"] }])),
});
const keys = new Map<string, Key>([...configuration!.keys.values()].map((key) => [key.id, key]));

test("a key that changes is forgotten under all its credentials, and no other key is", () => {
  const cache = keyCache(10);
  for (const [credential, id] of [
    ["\0k", "k"],
    ["secret", "k"],
    ["other", "l"],
  ] as const)
    cache.keep(credential, keys.get(id)!);
  expect(cache.credentialOf("k")).toBe("\0k");
  expect(cache.forget("k")).toEqual(["\0k", "secret"]);
  expect([...cache.byCredential.keys()]).toEqual(["other"]);
  expect([cache.credentialOf("k"), cache.credentialOf("l")]).toEqual([null, "other"]);
  expect(cache.forget("k")).toEqual([]);
});

test("in any order of keys and changes the cache has what was kept last, and nothing that was forgotten", () => {
  const credentials = ["a", "b", "c", "d", "e", "f"];
  const step = oneof(
    {
      weight: 6,
      arbitrary: record({ keep: constantFrom(...credentials), id: constantFrom(...IDS) }),
    },
    { weight: 2, arbitrary: record({ forget: constantFrom(...IDS) }) },
    { weight: 1, arbitrary: record({ all: constantFrom(true) }) },
  );
  const most = 4;
  holds(
    property(array(step, { maxLength: 40 }), (steps) => {
      const cache = keyCache(most);
      const model = new Map<string, string>(); // ids by credential, oldest first
      for (const each of steps) {
        let dropped: readonly string[] = [];
        let expected: readonly string[] = [];
        if ("keep" in each) {
          model.delete(each.keep);
          model.set(each.keep, each.id);
          expected = [...model.keys()].slice(0, Math.max(0, model.size - most));
          dropped = cache.keep(each.keep, keys.get(each.id)!);
        } else if ("forget" in each) {
          expected = [...model].flatMap(([credential, id]) =>
            id === each.forget ? credential : [],
          );
          dropped = cache.forget(each.forget);
        } else {
          expected = [...model.keys()];
          dropped = cache.forgetAll();
        }
        for (const credential of expected) model.delete(credential);
        expect(dropped).toEqual(expected);
        expect([...cache.byCredential].map(([credential, { id }]) => [credential, id])).toEqual([
          ...model,
        ]);
        for (const id of IDS) {
          const known = [...model].find(([, of]) => of === id);
          expect(cache.credentialOf(id)).toBe(known?.[0] ?? null);
        }
      }
    }),
    300,
  );
});
