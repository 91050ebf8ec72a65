// The pages about the house are those of the import table, and short enough to be read at once.
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { WINGS } from "../import-table.ts";
import { doorOf, houseSvg, pageText, PICTURE, roomRows, rowsIn, wingRows } from "./house.ts";

const root = join(import.meta.dirname, "../..");
const bytesOf = (page: string): number => Buffer.byteLength(pageText(page));

test("the table and the drawing of the wings are those of the import table", () => {
  expect(rowsIn(pageText("ARCHITECTURE.md"), wingRows[0]!)).toEqual(wingRows);
  expect(pageText(PICTURE)).toBe(houseSvg());
});

test("the first pages of a newcomer are short", () => {
  expect(bytesOf("ARCHITECTURE.md")).toBeLessThanOrEqual(12 * 1024);
  expect(bytesOf("CONTRIBUTING.md")).toBeLessThanOrEqual(10 * 1024);
});

test("what the pages of a newcomer call by a name of the code has that name", () => {
  const read = (pattern: string): readonly string[] =>
    globSync(pattern, { cwd: root }).map((path) => readFileSync(join(root, path), "utf8"));
  const code = [...read("{src,test,bench,build}/**/*.{ts,mjs}"), ...read("{.,test}/*.json")];
  const known = new Set(code.flatMap((text) => text.match(/\w+/g) ?? []));
  const prose = read("{ARCHITECTURE,CONTRIBUTING,docs/recipes/*,src/*/README}.md")
    .join("\n")
    .replaceAll(/^```[\s\S]*?^```/gm, "");
  const names = [...prose.matchAll(/`([A-Za-z_]\w+)`/g)].map(([, name]) => name!);
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});

describe.each(Object.keys(WINGS))("the door of %s", (wing) => {
  const page = doorOf(wing);

  test("has the rooms of the import table", () => {
    const rows = roomRows(wing);
    expect(rowsIn(pageText(page), rows[0]!)).toEqual(rows);
  });

  test("is at most 30 lines long", () => {
    expect(pageText(page).trimEnd().split("\n").length).toBeLessThanOrEqual(30);
  });

  test("names files that are there", () => {
    const prose = pageText(page).replaceAll(/^\|.*$/gm, "");
    const files = [...prose.matchAll(/`([a-z][\w./-]*\.ts)`/g)].map(([, file]) => file!);
    expect(files.length).toBeGreaterThan(1);
    const isThere = (file: string): boolean =>
      existsSync(join(root, file)) || existsSync(join(root, "src", wing, file));
    expect(files.filter((file) => !isThere(file))).toEqual([]);
  });
});
