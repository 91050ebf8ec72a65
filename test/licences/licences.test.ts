import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BUNDLED, isPermissive, lockedPackages, report, shippedIn } from "./licences.ts";

const root = join(import.meta.dirname, "../..");

test("everything that ships has a permissive licence", () => {
  const licensed = shippedIn(lockedPackages(), BUNDLED);
  expect(licensed.length).toBeGreaterThan(100);
  expect(licensed.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^fastify@/),
      expect.stringMatching(/^vega-interpreter@/),
    ]),
  );
  expect(report(licensed).wrong).toEqual([]);
});

test("a licence that is not permissive fails, wherever it is installed; what is for development only does not count", () => {
  const packages = {
    "": { version: "1.0.0", license: "UNLICENSED" },
    "node_modules/good": { version: "1.0.0", license: "MIT" },
    "node_modules/good/node_modules/@a/bad": { version: "2.0.0", license: "GPL-3.0-only" },
    "node_modules/none": { version: "3.0.0" },
    "node_modules/tool": { version: "4.0.0", license: "MPL-2.0", dev: true },
    "node_modules/copied": { version: "5.0.0", license: "CC-BY-4.0", dev: true },
  };
  const { lines, wrong } = report(shippedIn(packages, ["copied"]));
  expect(lines).toContain("MIT (1): good@1.0.0");
  expect(wrong).toEqual([
    "@a/bad@2.0.0 has GPL-3.0-only: replace it, or ask first",
    "none@3.0.0 has no licence: replace it, or ask first",
    "copied@5.0.0 has CC-BY-4.0: replace it, or ask first",
  ]);
});

test.each([
  ["MIT", true],
  ["(MIT AND Zlib)", true],
  ["MIT OR GPL-2.0-only", true],
  ["(MIT AND (GPL-2.0-only OR ISC))", true],
  ["MIT AND GPL-2.0-only", false],
  ["GPL-2.0-only OR LGPL-2.1", false],
  ["Apache-2.0 WITH LLVM-exception", false],
  ["SEE LICENSE IN LICENSE.md", false],
  ["UNLICENSED", false],
  ["", false],
])("%s: %s", (expression, is) => {
  expect(isPermissive(expression)).toBe(is);
});

test("what the page of a report has in it is named", () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  const folder = join(root, "src/report/page/script");
  const imported = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .flatMap((name) => [
      ...readFileSync(join(folder, name), "utf8").matchAll(/ from "([^."][^"]*)";/g),
    ])
    .map(([, from = ""]) => from);
  expect(imported.length).toBeGreaterThan(0);
  const unnamed = imported.filter((from) => !(from in dependencies) && !BUNDLED.includes(from));
  expect(unnamed).toEqual([]);
});
