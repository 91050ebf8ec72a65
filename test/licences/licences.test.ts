import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readBundledPackages, isPermissive, parseLicences, report } from "./licences.ts";

const root = join(import.meta.dirname, "../..");

test("everything that ships has a permissive licence", () => {
  const licensed = readBundledPackages();
  expect(licensed.length).toBeGreaterThan(100);
  expect(licensed.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^fastify@/),
      expect.stringMatching(/^vega-interpreter@/),
    ]),
  );
  expect(report(licensed).wrong).toEqual([]);
});

test("a package without a permissive licence fails", () => {
  const text = [
    "good@1.0.0 (MIT)\n\nPermission is granted (free of charge)\n",
    "@a/bad@2.0.0 (GPL-3.0-only)\n\n\n",
    "none@3.0.0 (no licence)\n\n\n",
  ].join("\n");
  const { lines, wrong } = report(parseLicences(text));
  expect(lines).toContain("MIT (1): good@1.0.0");
  expect(wrong).toEqual([
    "@a/bad@2.0.0 has GPL-3.0-only: replace it, or ask first",
    "none@3.0.0 has no licence: replace it, or ask first",
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

test("the packages in the page of a report are listed", () => {
  const folder = join(root, "src/show/page/script");
  const imported = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .flatMap((name) => [
      ...readFileSync(join(folder, name), "utf8").matchAll(/ from "([^."][^"]*)";/g),
    ])
    .map(([, from = ""]) => from);
  expect(imported.length).toBeGreaterThan(0);
  const listed = new Set(readBundledPackages().map(({ name }) => name.replace(/@[^@]+$/, "")));
  expect(imported.filter((from) => !listed.has(from))).toEqual([]);
});
