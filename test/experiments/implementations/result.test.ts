// The saved document: `weir schema --implementations` describes it, and a reader rejects one that was changed.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import {
  implementationsRunSchema,
  readImplementationsRun,
} from "../../../src/experiments/implementations/result.ts";
import { isFailure } from "../../../src/reading/failure.ts";

const folder = join(import.meta.dirname, "../../../reports/implementations");
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".json"),
);
const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
  implementationsRunSchema() as object,
);
const read = (file: string): string => readFileSync(join(folder, file), "utf8");

test.each(files)("%s fits the schema", (file) => {
  validate(JSON.parse(read(file)));
  expect(validate.errors).toBeNull();
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
