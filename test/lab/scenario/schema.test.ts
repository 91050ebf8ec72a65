// scenarios/scenario.schema.json, which editors complete by: it accepts what the decoder accepts.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { BEHAVIOUR_EXAMPLES } from "#src/lab/scenario/read/behaviour.ts";
import { MIX_EXAMPLES } from "#src/lab/scenario/read/traffic.ts";
import { CALL_EXAMPLES } from "#src/lab/scenario/read/calls.ts";
import { FAULT_WORDS } from "#src/lab/scenario/read/fault-list.ts";
import { frameExample } from "./page/format-frame.ts";
import { WORLD_EXAMPLES } from "./page/format-page.ts";
import { scenarioSchema } from "#src/lab/scenario/page/schema.ts";
import { GATEWAY_VALUES, LIMIT_VALUES } from "#src/lab/scenario/page/world-values.ts";
import { API_VALUES } from "#src/lab/scenario/page/api-values.ts";
import { ACCESS_VALUES, KEY_VALUES, POLICY_VALUES } from "#src/lab/scenario/page/key-values.ts";
import { SHORT_API } from "#src/limiter/world/api-members.ts";
import { ACCESS_RIGHT, GATEWAY, KEY, LIMIT, POLICY } from "#src/limiter/world/members.ts";
import { TRAFFIC_SHAPES } from "#src/lab/scenario/read/traffic-shapes.ts";
import { EXPECTATION_WORDS } from "#src/lab/scenario/read/words.ts";
import { MERGE, RAMP, SMALL, small } from "./examples.ts";

const validate = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allowUnionTypes: true,
}).compile(scenarioSchema());
const accepts = (text: string): boolean => validate(parse(text));

test.each([
  ["gateway options", GATEWAY_VALUES, GATEWAY.read],
  ["limits", LIMIT_VALUES, LIMIT],
  ["APIs", API_VALUES, SHORT_API.read],
  ["policies", POLICY_VALUES, POLICY.read],
  ["keys", KEY_VALUES, KEY.read],
  ["access rights", ACCESS_VALUES, ACCESS_RIGHT.read],
])("every field of %s that acts is described, and no other field", (_, values, read) => {
  expect(Object.keys(values).toSorted()).toEqual(read.toSorted());
});

test("the file is up to date (write it again with -u)", async () => {
  await expect(`${JSON.stringify(scenarioSchema(), null, 2)}\n`).toMatchFileSnapshot(
    "../../../scenarios/scenario.schema.json",
  );
});

describe("the schema accepts", () => {
  test.each([
    ["a small file", SMALL],
    ["variables", MERGE],
    ["stages and gauges", RAMP],
    ...EXPECTATION_WORDS.map(({ name, example }) => [name, frameExample("expect", example)]),
    ...TRAFFIC_SHAPES.map(({ name, example }) => [name, frameExample("traffic", example)]),
    ...BEHAVIOUR_EXAMPLES.map((example) => [example, frameExample("traffic", example)]),
    ...MIX_EXAMPLES.map((example) => [example, frameExample("traffic", example)]),
    ...CALL_EXAMPLES.map((example) => [example, frameExample("traffic", example)]),
    ...FAULT_WORDS.map(({ name, example }) => [name, frameExample("faults", example)]),
    ...WORLD_EXAMPLES.map((example) => [
      example,
      small("world:\n", `world:\n${example.replaceAll(/^(?=.)/gm, "  ")}`).replace(
        /(?<=per: 60 \}\n[^]*)\n {2}apis: \{ orders[^]*?per: 1 \} \}/,
        "",
      ),
    ]),
  ])("%s", (_what, text) => {
    expect(accepts(text) ? [] : validate.errors).toEqual([]);
  });

  test("every scenario of the project", () => {
    const root = join(import.meta.dirname, "../../../scenarios");
    const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && entry.name.endsWith(".yaml"),
    );
    const refused = files
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !accepts(readFileSync(path, "utf8")))
      // An editor should mark a world that is expected to have errors.
      .filter((path) => !readFileSync(path, "utf8").includes("level: errors"));
    expect(refused).toEqual([]);
  });
});

describe("the schema refuses", () => {
  test.each<[what: string, text: string]>([
    ["a misspelt field at the top", small("title", "titel")],
    ["a misspelt field of a flow", small("burst: 8", "burst: 8, clinets: 2")],
    ["a flow without a shape", small(", burst: 8", "")],
    ["a time without a unit", small("burst: 8", "every: 5, count: 3")],
    ["a burst of nothing", small("burst: 8", "burst: 0")],
    ["an expectation without a measure", small("sequence: { as: alice }, ", "")],
    ["a misspelt filter", small("{ as: alice }, equals", "{ sa: alice }, equals")],
    ["an unknown requirement", small("LIM-1]", "LIM-99]")],
    [
      "an endpoint's rate that is a string",
      small(
        "listen: /orders",
        'listen: /orders, endpoints: [{ path: /a, method: GET, rate: "5", per: 1 }]',
      ),
    ],
    [
      "a policy's partition that is no boolean",
      small("  keys:", "  policies: { gold: { partitions: { acl: 1 } } }\n  keys:"),
    ],
    [
      "a configured algorithm that is unknown",
      `${SMALL}faults:\n  - { at: 1s, configure: { gateway: { algorithm: foo } } }\n`,
    ],
    ["a rate that is a string", small("rate: 5", "rate: 5/s")],
    ["smoothing that is no map", small("rate: 5", "smoothing: true, rate: 5")],
    ["an unknown algorithm", small("  keys:", "  gateway: { algorithm: foo }\n  keys:")],
    ["an unknown gateway option", small("  keys:", "  gateway: { algoritm: drl }\n  keys:")],
    ["a fault without a time", `${SMALL}faults:\n  - { store: restart }\n`],
    ["a balancer of another name", small("  keys:", "  fleet: { balancer: fair }\n  keys:")],
    ["no expectations", SMALL.replace(/expect:[^]*/, "expect: []\n")],
  ])("%s", (_what, text) => {
    expect(accepts(text)).toBe(false);
  });
});
