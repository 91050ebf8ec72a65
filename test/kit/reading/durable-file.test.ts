// Folders that are made with all that leads to them, and secrets that are whole or not there.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createDurable, createDurableFolder } from "#src/kit/reading/durable-file.node.ts";
import { folderWith } from "../../cli/weir.ts";

test.each([
  ["a/b", ["a/b"], []],
  ["new/../other/z", ["other/z"], ["new"]],
  ["a/b/", ["a/b"], []],
])("the folder %s is created once, and no other", (path, there, absent) => {
  const root = folderWith({});
  const folder = `${root}/${path}`; // as it is written
  expect([createDurableFolder(folder), createDurableFolder(folder)]).toEqual([true, false]);
  for (const each of there) expect(existsSync(join(root, each))).toBe(true);
  for (const each of absent) expect(existsSync(join(root, each))).toBe(false);
});

test("a file that cannot be written whole is not there, under any name", () => {
  const root = folderWith({});
  const module = join(import.meta.dirname, "../../../src/kit/reading/durable-file.node.ts");
  const program = `import { createDurable } from ${JSON.stringify(module)};
    try { createDurable("key", "secret", 0o600); } catch (error) { console.log(error.code); }`;
  const command = [process.execPath, "--input-type=module", "-e", program];
  const create = (limit: string): string =>
    spawnSync("sh", ["-c", `ulimit -f ${limit}; exec "$@"`, "sh", ...command], {
      cwd: root,
      encoding: "utf8",
    }).stdout;
  expect([create("0"), readdirSync(root)]).toEqual(["EFBIG\n", []]);
  expect([create("unlimited"), readdirSync(root)]).toEqual(["", ["key"]]);
  expect(readFileSync(join(root, "key"), "utf8")).toBe("secret");
  expect(statSync(join(root, "key")).mode & 0o777).toBe(0o600);
});

test("a file that is there stays as it is", () => {
  const root = folderWith({ key: "earlier" });
  expect(() => createDurable(join(root, "key"), "later", 0o600)).toThrow("EEXIST");
  expect(readdirSync(root)).toEqual(["key"]);
  expect(readFileSync(join(root, "key"), "utf8")).toBe("earlier");
});
