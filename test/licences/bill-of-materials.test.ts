// dist/sbom.cdx.json: what a scanner of vulnerabilities reads to find the packages that are bundled.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { entry } from "../built.ts";
import { readBundledPackages } from "./licences.ts";

const root = join(import.meta.dirname, "../..");
const SCHEMAS = join(root, "node_modules/@cyclonedx/cyclonedx-library/res/schema");

interface Bill {
  readonly metadata: { readonly component: { readonly purl: string } };
  readonly components: readonly {
    readonly group?: string;
    readonly name: string;
    readonly version: string;
    readonly purl: string;
  }[];
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));

const file = join(dirname(entry()), "../sbom.cdx.json");
const bill = readJson(file) as Bill;

/** The schemas of CycloneDX itself. */
function readValidator(): (document: unknown) => readonly string[] {
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  const schemaOf = (name: string): object =>
    readJson(join(SCHEMAS, `${name}.SNAPSHOT.schema.json`)) as object;
  for (const name of ["spdx", "jsf-0.82"])
    ajv.addSchema(schemaOf(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  const validate = ajv.compile(schemaOf("bom-1.6"));
  return (document) => {
    validate(document);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}

test("the bill of materials is CycloneDX 1.6", () => {
  const validate = readValidator();
  expect(validate(bill)).toEqual([]);
  const [first] = bill.components;
  const wrong = { ...first, licenses: [{ license: { id: "no identifier" } }] };
  expect(validate({ ...bill, components: [wrong] })).not.toEqual([]);
});

test("it has each package of the licences, and no other", () => {
  const names = bill.components.map(({ group, name, version }) =>
    group === undefined ? `${name}@${version}` : `${group}/${name}@${version}`,
  );
  expect(names.length).toBeGreaterThan(100);
  expect(names).toEqual(readBundledPackages().map(({ name }) => name));
});

test("an advisory for a version of a package finds it by its purl", () => {
  const purls = bill.components.map(({ purl }) => purl);
  for (const name of ["ioredis", "pg", "fastify", "undici", "@fastify/swagger", "vega"]) {
    const { version } = readJson(join(root, "node_modules", name, "package.json")) as {
      readonly version: string;
    };
    expect(purls).toContain(`pkg:npm/${name.replace("@", "%40")}@${version}`);
  }
  expect(purls).toContainEqual(expect.stringMatching(/^pkg:npm\/swagger-ui-dist@5\.\d+\.\d+$/));
});

test("weir version --json has its path and the packages on it", () => {
  const args = [entry(), "version", "--json"];
  const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect(JSON.parse(stdout)).toMatchObject({
    sbom: file,
    packages: bill.components.map(({ purl }) => purl),
  });
});
