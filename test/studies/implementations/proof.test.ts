// Saved proofs: `weir schema --proof` describes them, and a reader rejects one that was changed.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import {
  implementationsProofSchema,
  proofFooterOf,
  readImplementationsProof,
  type ImplementationsProof,
} from "#src/studies/implementations/proof.ts";
import { findImplementation } from "#src/lab/implementations/catalogue.node.ts";
import { isFailure, requireValue } from "#src/kit/reading/failure.ts";

const folder = join(import.meta.dirname, "../../../reports/implementations/proofs");
const files = existsSync(folder)
  ? readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".json"),
    )
  : [];
const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
  implementationsProofSchema() as object,
);
const read = (file: string): string => readFileSync(join(folder, file), "utf8");

test.each(files)("%s fits the schema", (file) => {
  validate(JSON.parse(read(file)));
  expect(validate.errors).toBeNull();
});

test.each(files)("%s proves the manifest of today", async (file) => {
  const { implementations, of } = requireValue(readImplementationsProof(read(file)));
  expect(implementations).toHaveLength(1);
  const { id, version, model, resolutionUs, roundingUs } = implementations[0]!;
  const { manifest } = requireValue(await findImplementation(id));
  expect(`${of === "configurations" ? "readers/" : ""}${id}.json`).toBe(file);
  expect({ version, model, resolution: resolutionUs, rounding: roundingUs }).toEqual({
    version: manifest.version,
    model: manifest.model,
    resolution: manifest.resolution,
    rounding: manifest.rounding,
  });
});

const proof: ImplementationsProof = {
  format: "weir-implementations-proof/1",
  weir: "1.0.0",
  commit: null,
  date: "2026-11-24T00:00:00.000Z",
  seed: 1,
  worlds: 10,
  implementations: [
    {
      id: "mine",
      name: "Mine",
      version: "1",
      clock: "virtual",
      model: { profile: "nginx" },
      resolutionUs: null,
      roundingUs: 2,
      missing: null,
      verdict: "proved",
      cutBy: null,
      seconds: 3,
      counts: {
        worlds: 10,
        differing: 0,
        inexpressible: 0,
        failed: 0,
        decisions: 100,
        refused: 5,
        open: 0,
        unconfirmed: 0,
        announced: 0,
      },
      isMostlyOpen: false,
      difference: null,
      failure: null,
      again: "weir implementations prove mine --seed 1 --worlds 10",
    },
  ],
  footer: { proved: 1, partial: 0, differs: 0, vacuous: 0, failed: 0, notRun: 0 },
};

test("a proof is read as it was written", () => {
  expect(proofFooterOf(proof.implementations)).toEqual(proof.footer);
  expect(readImplementationsProof(JSON.stringify(proof))).toEqual(proof);
});

test.each([
  ["fewer worlds than its verdict needs", '"worlds":10,"differing"', '"worlds":9,"differing"'],
  ["a world that differs", '"differing":0', '"differing":1'],
  ["most decisions open without a mark", '"open":0', '"open":51'],
  ["no refusal", '"refused":5', '"refused":0'],
  ["a footer that does not add up", '"proved":1', '"proved":2'],
  ["a further field", '"seed":1', '"sed":1,"seed":1'],
])("%s is rejected", (_what, written, changed) => {
  const text = JSON.stringify(proof).replace(written, changed);
  expect(text).not.toBe(JSON.stringify(proof));
  expect(isFailure(readImplementationsProof(text))).toBe(true);
});
