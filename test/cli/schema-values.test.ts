// `weir schema`: an editor offers a value, a type or an example for every field, and the files of the repository fit.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { SCHEMAS } from "#src/cli/schema.node.ts";
import { scenarioSchema } from "#src/lab/scenario/page/schema.ts";
import { isJsonMap, type Json } from "#src/kit/reading/shape.ts";

/** Places where every JSON value is valid, each with its reason. The last names of their paths. */
const FREE: Readonly<Record<string, string>> = {
  "matrix/additionalProperties/items": "a value of an axis replaces any value of the file",
  "matrix/properties/algorithm/anyOf/1/items/anyOf/1": "the same, after the names of algorithms",
  "anyOf/1/properties/body": "the body of a call is sent as it is written, valid or not",
  "properties/_id": "exports have it as a string or as an object, and it is only stored",
  "properties/security": "a field of OAS that is only stored",
  "properties/tags": "a field of OAS that is only stored",
};

const OFFERS = ["type", "enum", "const", "anyOf", "$ref", "properties", "examples"] as const;

const SCHEMA_OF = ["items", "additionalProperties"];
const SCHEMAS_OF = ["properties", "$defs"];

/** Paths of schemas that offer nothing. */
function emptyIn(schema: Json, path = ""): readonly string[] {
  if (!isJsonMap(schema)) return []; // true or false
  const inner = Object.entries(schema).flatMap(([name, value]) => {
    if (SCHEMA_OF.includes(name)) return emptyIn(value, `${path}/${name}`);
    if (name === "anyOf")
      return (value as readonly Json[]).flatMap((each, index) =>
        isJsonMap(each) && Object.keys(each).join() === "required"
          ? [] // which fields have to be there, and no value
          : emptyIn(each, `${path}/anyOf/${index}`),
      );
    return SCHEMAS_OF.includes(name) && isJsonMap(value)
      ? Object.entries(value).flatMap(([field, each]) => emptyIn(each, `${path}/${name}/${field}`))
      : [];
  });
  return OFFERS.some((word) => Object.hasOwn(schema, word)) ? inner : [path, ...inner];
}

const all = { scenario: scenarioSchema, ...SCHEMAS };
const reasonFor = (path: string): string | undefined =>
  Object.keys(FREE).find((end) => path.endsWith(end));

test.each(Object.entries(all))("the schema of a %s offers something for every field", (_, of) => {
  const empty = emptyIn(of());
  expect(empty.filter((path) => reasonFor(path) === undefined)).toEqual([]);
});

test("every free place has a reason, and every reason a place", () => {
  const free = Object.values(all).flatMap((of) => emptyIn(of() as Json));
  expect(new Set(free.map(reasonFor))).toEqual(new Set(Object.keys(FREE)));
});

test("a schema without values is found", () => {
  const places = { properties: { algorithm: {}, per: { type: "string", items: {} } } };
  expect(emptyIn(places)).toEqual(["/properties/algorithm", "/properties/per/items"]);
});

const suites = readdirSync(join(import.meta.dirname, "../../bench")).filter((name) =>
  name.endsWith(".yaml"),
);
const fitsSuite = new Ajv2020({ allowUnionTypes: true }).compile(SCHEMAS["suite"]!() as object);

test("there are suites to compare with their schema", () => {
  expect(suites).toEqual(expect.arrayContaining(["gateway.yaml", "truth.yaml"]));
});

test.each(suites)(
  "the schema of suites accepts bench/%s, and rejects it without a title",
  (name) => {
    const text = readFileSync(join(import.meta.dirname, "../../bench", name), "utf8");
    expect(fitsSuite(parse(text)) ? [] : fitsSuite.errors).toEqual([]);
    expect(fitsSuite(parse(text.replace(/^title:/m, "titel:")))).toBe(false);
  },
);
