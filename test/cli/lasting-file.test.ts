// Folders that are made with all that leads to them.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeLastingFolder } from "../../src/cli/lasting-file.node.ts";
import { folderWith } from "./weir.ts";

test.each([
  ["a/b", ["a/b"], []],
  ["new/../other/z", ["other/z"], ["new"]],
  ["a/b/", ["a/b"], []],
])("the folder %s is made once, and none beside it", (path, there, absent) => {
  const root = folderWith({});
  const folder = `${root}/${path}`; // as it is written
  expect([makeLastingFolder(folder), makeLastingFolder(folder)]).toEqual([true, false]);
  for (const each of there) expect(existsSync(join(root, each))).toBe(true);
  for (const each of absent) expect(existsSync(join(root, each))).toBe(false);
});
