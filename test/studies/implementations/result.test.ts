// The saved document: `weir schema --implementations` describes it, and a reader rejects one that was changed.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import {
  implementationsRunSchema,
  readImplementationsRun,
  type ImplementationRun,
} from "#src/studies/implementations/result.ts";
import { behaviourNames } from "#src/lab/implementations/behaviour-names.node.ts";
import { findImplementation } from "#src/lab/implementations/catalogue.node.ts";
import { isFailure, requireValue } from "#src/kit/reading/failure.ts";

const folder = join(import.meta.dirname, "../../../reports/implementations");
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".json") && !name.startsWith("proofs"),
);
const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
  implementationsRunSchema() as object,
);
const read = (file: string): string => readFileSync(join(folder, file), "utf8");

test.each(files)("%s fits the schema", (file) => {
  validate(JSON.parse(read(file)));
  expect(validate.errors).toBeNull();
});

// .ci/run compares the verdicts with those of a new run.
test.each(files)("%s has the version of the manifest, and all behaviours", async (file) => {
  const { behaviours, implementations } = requireValue(readImplementationsRun(read(file)));
  const [{ id, version, verdicts }] = implementations as [ImplementationRun];
  const { manifest } = requireValue(await findImplementation(id));
  expect(version).toBe(manifest.version);
  expect(behaviours.map((each) => each.id)).toEqual(behaviourNames());
  expect(verdicts.map(({ behaviour }) => behaviour)).toEqual(behaviourNames());
});

test.each([
  ["a footer that does not add up", (text: string) => text.replace(/"holds": \d+/, '"holds": 999')],
  ["a verdict that does not exist", (text: string) => text.replace('"holds"', '"hold"')],
  ["a further field", (text: string) => text.replace('"seed"', '"sed": 1, "seed"')],
  ["another format", (text: string) => text.replace("run/1", "run/0")],
])("%s is rejected", (_what, change) => {
  const text = read(files[0]!);
  expect(isFailure(readImplementationsRun(text))).toBe(false);
  expect(isFailure(readImplementationsRun(change(text)))).toBe(true);
});
