// Positions in unfinished scenarios, and what can be written there.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aboutField, namesAt, type SchemaPart } from "#src/show/site/completions.ts";
import { ITEM, positionAt, type Step } from "#src/show/site/position.ts";

const schema = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../scenarios/scenario.schema.json"), "utf8"),
) as SchemaPart;

/** `|` is the position. */
const at = (text: string) => positionAt(text.slice(0, text.indexOf("|")));

const POSITIONS: readonly (readonly [
  text: string,
  kind: "name" | "value",
  path: readonly Step[],
  prefix: string,
])[] = [
  ["|", "name", [], ""],
  ["wor|", "name", [], "wor"],
  ["title: a\nwor|", "name", [], "wor"],
  ["world:\n  |", "name", ["world"], ""],
  ["world:\n  apis: {}\n  ke|", "name", ["world"], "ke"],
  ["world:\n  gateway: { alg|", "name", ["world", "gateway"], "alg"],
  ["world:\n  gateway: { algorithm: g|", "value", ["world", "gateway", "algorithm"], "g"],
  ["world:\n  gateway:\n    algorithm: g|", "value", ["world", "gateway", "algorithm"], "g"],
  ["world:\n  gateway:\n    algorithm: |", "value", ["world", "gateway", "algorithm"], ""],
  ["world:\n  keys: { a: { rate: 5, per: 1 }, b: { r|", "name", ["world", "keys", "b"], "r"],
  ["world:\n  keys:\n    a: { rate: 5,\n      pe|", "name", ["world", "keys", "a"], "pe"],
  ["traffic:\n  - as: a\n    se|", "name", ["traffic", ITEM], "se"],
  ["traffic:\n- as: a\n  se|", "name", ["traffic", ITEM], "se"],
  ["traffic:\n  - { as: a, se|", "name", ["traffic", ITEM], "se"],
  ["traffic:\n  - as: a\nexp|", "name", [], "exp"],
  ["matrix:\n  algorithm: [gcra, d|", "value", ["matrix", "algorithm", ITEM], "d"],
  ["expect:\n  - id: it's { odd\n    cou|", "name", ["expect", ITEM], "cou"],
  ["about: >\n  a: { b\n  c: d\nwor|", "name", [], "wor"],
  ["title: x # { no\nwor|", "name", [], "wor"],
  ["a: { b: 'it}', c|", "name", ["a"], "c"],
  ["a: { b: {} , c: [1, 2], d|", "name", ["a"], "d"],
];

test.each(POSITIONS)("%j is a %s of its fields", (text, kind, path, prefix) => {
  expect(at(text)).toMatchObject({ kind, path, prefix });
});

const names = (text: string): readonly string[] =>
  namesAt(at(text), schema).map(({ name }) => name);

test("names are those of the schema, without those that are there", () => {
  expect(names("|")).toEqual(expect.arrayContaining(["id", "title", "world", "traffic", "expect"]));
  expect(names("title: a\n|")).not.toContain("title");
  expect(names("world:\n  |")).toEqual(
    expect.arrayContaining(["apis", "policies", "keys", "gateway", "fleet"]),
  );
  expect(names("traffic:\n  - as: a\n    |")).toEqual(
    expect.arrayContaining(["send", "burst", "rate", "stages"]),
  );
  expect(names("traffic:\n  - as: a\n    |")).not.toContain("as");
});

test("values are those of the schema", () => {
  expect(names("world:\n  gateway: { algorithm: |")).toEqual(
    expect.arrayContaining(["gcra", "fixed_window", "sliding_log"]),
  );
  expect(names("matrix:\n  algorithm: [|")).toEqual(expect.arrayContaining(["gcra", "drl"]));
  expect(names("world:\n  nonsense: { |")).toEqual([]);
});

test("a field is explained by its description", () => {
  expect(aboutField(["title"], schema)).toBe("What the scenario shows, as half a sentence.");
  expect(aboutField(["world", "gateway", "algorithm"], schema)).toMatch(/\w/);
  expect(aboutField(["nonsense"], schema)).toBeNull();
  expect(aboutField(["constructor"], schema)).toBeNull();
});
