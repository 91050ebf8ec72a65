import { describe, expect, test } from "vitest";
import { readConfiguration } from "#src/limiter/world/read.ts";
import { configurationOf, messages, orders, problemsOf } from "./worlds.ts";

describe("a world", () => {
  test("that is empty is a configuration without anything in it", () => {
    const { apis, policies, keys } = configurationOf({});
    expect([apis.size, policies.size, keys.size]).toEqual([0, 0, 0]);
    expect(
      configurationOf({ apis: null, policies: null, keys: null, gateway: null }).apis.size,
    ).toBe(0);
  });

  test.each([
    [null, "CFG-TYPE "],
    [[], "CFG-TYPE "],
    ["world", "CFG-TYPE "],
    [undefined, "CFG-TYPE "],
    [{ api: {} }, "CFG-UNKNOWN-FIELD api"],
    [{ policies: 7 }, "CFG-TYPE policies"],
  ])("%j is none", (raw, problem) => {
    expect(problemsOf(raw)).toEqual([problem]);
    expect(readConfiguration(raw).configuration).toBeNull();
  });

  test("all its errors are reported at once, after the path of the world", () => {
    const raw = {
      apis: { a: {}, b: {} },
      keys: { k: { rate: "5", per: "x", ratee: 1 } },
      gateway: { algorithm: "x" },
    };
    const paths = readConfiguration(raw, ["variants", 0]).problems.map(({ path }) =>
      path.join("."),
    );
    expect(paths).toEqual(
      ["gateway.algorithm", "apis.a", "apis.b", "keys.k.ratee", "keys.k.rate", "keys.k.per"].map(
        (path) => `variants.0.${path}`,
      ),
    );
  });

  test("a right to a missing API is an error, or is accepted with a warning if the API can follow", () => {
    const world = { apis: orders, keys: { alice: { apis: ["order"] } } };
    const accepted = readConfiguration(world, [], { keepsDangling: "all" });
    expect(accepted.problems.map(({ severity, code }) => `${severity} ${code}`)).toEqual([
      "warning CFG-UNKNOWN-API",
    ]);
    expect([...(accepted.configuration?.keys.get("alice")?.accessRights?.keys() ?? [])]).toEqual([
      "order",
    ]);
    expect(readConfiguration(world).configuration).toBeNull();
  });

  test("a text longer than any name is no misspelling", () => {
    const near = (length: number): readonly string[] =>
      messages({
        apis: { [`b${"a".repeat(63)}`]: { listen: "/a" } },
        keys: { k: { apis: ["a".repeat(length)] } },
      });
    expect(near(64)[0]).toContain("did you mean");
    expect(near(65)[0]).not.toContain("did you mean");
  });

  test("names that objects inherit are names like others", () => {
    const raw: unknown = JSON.parse(
      '{"apis": {"__proto__": {"listen": "/p"}, "constructor": {"listen": "/c"}}, "keys": {"__proto__": {"apis": ["__proto__", "constructor"]}, "toString": {}}}',
    );
    const { apis, keys } = configurationOf(raw);
    expect([...apis.keys()]).toEqual(["__proto__", "constructor"]);
    expect([...keys.keys()]).toEqual(["__proto__", "toString"]);
    expect([...(keys.get("__proto__")?.accessRights?.keys() ?? [])]).toEqual([
      "__proto__",
      "constructor",
    ]);
    expect(problemsOf({ apis: {}, keys: { k: { apis: ["toString"] } } })).toEqual([
      "CFG-UNKNOWN-API keys.k.apis.0",
    ]);
    expect(problemsOf(JSON.parse('{"keys": {"k": {"__proto__": 1}}}'))).toEqual([
      "CFG-UNKNOWN-FIELD keys.k.__proto__",
    ]);
    // A member of the prototype is no member of the key.
    expect(
      configurationOf({ keys: { k: Object.create({ rate: 5, per: 1 }) } }).keys.get("k")?.limit,
    ).toBeNull();
  });

  test("depth and length of what is not read do not matter", () => {
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(problemsOf({ keys: { k: { meta_data: { deep }, alias: deep } } })).toEqual([
      "CFG-TYPE keys.k.alias",
    ]);
    expect(problemsOf(deep)).toEqual(["CFG-TYPE "]);
    const long = "x".repeat(1_000_000);
    const { problems } = readConfiguration({
      [long]: 1,
      keys: { k: { [long]: long, alias: 7 } },
      gateway: { algorithm: long },
    });
    expect(problems).toHaveLength(4);
    expect(problems.every(({ message, fix }) => message.length + fix.length < 1000)).toBe(true);
  });
});
