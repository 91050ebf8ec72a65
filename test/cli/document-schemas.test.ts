// The documents of `weir run` and `weir explain` fit their schemas, which have every field of them.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { SCHEMAS } from "#src/cli/schema.node.ts";
import { explainVariant } from "#src/lab/check/explain.ts";
import { originOf } from "#src/lab/check/retry-origin.ts";
import { playVirtual } from "#src/lab/drivers/virtual.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import type { Scenario } from "#src/lab/scenario/types.ts";
import { addAnswer } from "#src/show/answers/answer.ts";
import { answerExplain } from "#src/show/answers/explain.ts";
import { isJsonMap, type Json } from "#src/kit/reading/shape.ts";
import { scenarioOf } from "../show/small-runs.ts";
import { folderWith, weir } from "./weir.ts";
import { FAILING, sample } from "./samples.ts";

const SUITE = join(import.meta.dirname, "../../scenarios");
const FILES = [
  ...readdirSync(join(SUITE, "examples")).map((name) => `examples/${name}`),
  "algorithms/retry-after-is-honoured.yaml",
  "limits/each-refusal-has-its-own-answer.yaml",
  "policy-merge/per-api-policies.yaml",
];
const scenarios: readonly Scenario[] = FILES.map((name) =>
  scenarioOf(readFileSync(join(SUITE, name), "utf8")),
);

const fits = (name: string) =>
  new Ajv2020({ allowUnionTypes: true }).compile(SCHEMAS[name]!() as object);

/** The value of a field without which no document fits. */
function withoutField(document: Json, field: string): Json {
  if (!isJsonMap(document)) throw new Error("no document");
  return Object.fromEntries(Object.entries(document).filter(([name]) => name !== field));
}

const MOST_ROWS = 20;

test("documents of explain", () => {
  const fit = fits("explain");
  const seen = new Set<string>();
  let last: Json = null;
  for (const { variants, id } of scenarios) {
    const variant = variants[0]!;
    const history = playVirtual(variant, plan(variant, id, 1));
    const { length } = history.requests;
    const rows = Array.from({ length: Math.min(length, MOST_ROWS) }, (_, at) =>
      Math.floor((at * length) / MOST_ROWS),
    );
    for (const [row, explanation] of explainVariant(variant, history, new Set(rows))) {
      const retry = originOf(history, row, variant.traffic);
      const facts = {
        format: "weir-explain/1",
        variant: variant.name === "" ? null : variant.name,
        variants: variants.length,
        ...explanation,
        retry,
      };
      last = JSON.parse(JSON.stringify(addAnswer(facts, answerExplain))) as Json;
      expect(fit(last) ? [] : [id, row, fit.errors]).toEqual([]);
      for (const [field, value] of Object.entries(facts)) if (value !== null) seen.add(field);
    }
  }
  expect([...seen]).toEqual(
    expect.arrayContaining(["budget", "share", "cause", "shut", "retry", "state"]),
  );
  expect(fit(withoutField(last, "text"))).toBe(false);
});

test("documents of run", async () => {
  const fit = fits("run");
  const documentOf = async (folder: string, ...files: readonly string[]): Promise<Json> =>
    JSON.parse((await weir(folder, ["run", ...files, "--json"])).out) as Json;
  const failing = folderWith({ "fails.yaml": sample("limits/fails", { expect: FAILING }) });
  const documents = [
    await documentOf(failing, "fails.yaml"),
    await documentOf(SUITE, "examples/first.yaml"),
  ];
  for (const document of documents) expect(fit(document) ? [] : fit.errors).toEqual([]);
  expect(fit(withoutField(documents[0]!, "footer"))).toBe(false);
});
