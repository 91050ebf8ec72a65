import { ALGORITHMS } from "#src/limiter/core/algorithms.ts";
import { describe, expect, test } from "vitest";
import { decodeScenario, problemsOf, small } from "./examples.ts";

describe("the matrix", () => {
  const speeds = (axis: string, rate = "$speed"): string =>
    small("world:", `matrix: { speed: ${axis} }\nworld:`).replace("rate: 5", `rate: ${rate}`);

  test("takes any value, and names it shortly", () => {
    const text = small(
      "world:",
      "matrix: { key: [{ apis: [orders], rate: 5, per: 1 }, { apis: [orders], rate: 6, per: 1 }] }\nworld:",
    ).replace("alice: { apis: [orders], rate: 5, per: 1 }", "alice: $key");
    expect(decodeScenario(text).variants.map(({ name }) => name)).toEqual([
      'key={"apis":["orders"],"rate":5,"per":1}',
      'key={"apis":["orders"],"rate":6,"per":1}',
    ]);
  });

  test.each<[text: string, said: readonly string[]]>([
    [speeds("[5, 5]"), ['SCN-MATRIX the axis "speed" has the value 5 twice']],
    [speeds("[]"), ['SCN-MATRIX the axis "speed" needs a list with at least one value']],
    [
      small("world:", "matrix: [1]\nworld:"),
      ["SCN-VALUE [1] is not a matrix; write a map from a name to a list of values"],
    ],
    [
      small("world:", "matrix: { '1x': [1] }\nworld:"),
      [
        'SCN-MATRIX "1x" cannot be the name of an axis; write letters, digits, - and _, beginning with a letter',
      ],
    ],
    [
      speeds(`[${Array.from({ length: 10_001 }, (_, i) => i + 1).join(", ")}]`),
      ["SCN-MATRIX the matrix has 10001 cells, and 10000 are the most"],
    ],
  ])("is reported if it is not a matrix", (text, lines) => {
    expect(problemsOf(text)).toEqual(lines);
  });

  test("reads the name of a group as its algorithms, and chooses cells by one", () => {
    const chosenCells = (axis: string, where: string): readonly (readonly [string, boolean])[] =>
      decodeScenario(
        small(
          "world:",
          `matrix: { algorithm: ${axis} }\nworld:\n  gateway: { algorithm: $algorithm }`,
        ).replace(
          "  - { id: five",
          `  - { id: some, where: { algorithm: ${where} }, count: {}, atLeast: 1 }\n  - { id: five`,
        ),
      ).variants.map(({ name, expectations }) => [
        name.replace("algorithm=", ""),
        expectations.some(({ id }) => id === "some"),
      ]);
    const logs = ["sliding_log", "non_transactional", "sentinel", "bounded_log"];
    expect(chosenCells("all", "logs")).toEqual(
      ALGORITHMS.map((name) => [name, logs.includes(name)]),
    );
    expect(chosenCells("logs", "all")).toEqual(logs.map((name) => [name, true]));
    expect(chosenCells("[gcra, sentinel]", "logs")).toEqual([
      ["gcra", false],
      ["sentinel", true],
    ]);
  });

  test("leaves texts alone that only begin with a dollar", () => {
    const withMeta = small(
      "per: 1 }",
      "per: 1, meta_data: { rate_limit_pattern: $gw_meta.team, price: $$5, name: $$speed } }",
    );
    const [key] = decodeScenario(withMeta).variants[0]?.world.configuration?.keys.values() ?? [];
    expect(key?.metaData).toEqual({
      rate_limit_pattern: "$gw_meta.team",
      price: "$5",
      name: "$speed",
    });
  });

  test("chooses cells by a value, by a list of values, and by a value that is a list", () => {
    const cells = (where: string): readonly string[] => {
      const text = small(
        "world:",
        "matrix: { rate: [5, 6, 7], apis: [[orders], [orders, orders]] }\nworld:",
      )
        .replace("apis: [orders], rate: 5", "apis: $apis, rate: $rate")
        .replace(
          "  - { id: five",
          `  - { id: some, where: ${where}, count: {}, atLeast: 1 }\n  - { id: five`,
        );
      return decodeScenario(text)
        .variants.filter(({ expectations }) => expectations.some(({ id }) => id === "some"))
        .map(({ name }) => name);
    };
    expect(cells("{ rate: 5 }")).toEqual(["rate=5 apis=orders", "rate=5 apis=orders,orders"]);
    expect(cells("{ rate: [5, 7], apis: [orders] }")).toEqual([
      "rate=5 apis=orders",
      "rate=7 apis=orders",
    ]);
    expect(cells("{ apis: [[orders, orders]], rate: 6 }")).toEqual(["rate=6 apis=orders,orders"]);
  });
});
