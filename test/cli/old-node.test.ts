import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join, relative } from "node:path";
import { parse } from "acorn";
import { expect, test } from "vitest";
import { entry, folderWith } from "./weir.ts";

const root = join(import.meta.dirname, "../..");

/** What a Node loads before it can print anything: the entry and its static imports, compiled. */
function compiled(): ReadonlyMap<string, string> {
  const modules = new Map<string, string>();
  const visit = (file: string): void => {
    const text = stripTypeScriptTypes(readFileSync(file, "utf8"));
    modules.set(file, text.replaceAll(/\.ts";/g, '.js";'));
    for (const [, path] of text.matchAll(/^import .*? from "(\.[^"]+)";/gms))
      if (path !== undefined && !modules.has(join(dirname(file), path)))
        visit(join(dirname(file), path));
  };
  visit(entry);
  return modules;
}

/** The published files that an old Node loads, as a package that needs this Node. */
function packageFor(node: string, folder = ""): string {
  const files = [...compiled()].map(
    ([file, text]) =>
      [
        join(folder, relative(root, file).replace(/^src/, "dist").replace(/ts$/, "js")),
        text,
      ] as const,
  );
  const manifest = JSON.stringify({ type: "module", engines: { node }, version: "1.0.0" });
  return folderWith({ ...Object.fromEntries(files), [join(folder, "package.json")]: manifest });
}

test("the entry and its static imports are few and have no syntax newer than Node 14", () => {
  const modules = compiled();
  expect(modules.size).toBeLessThanOrEqual(3);
  for (const text of modules.values())
    expect(() =>
      parse(text, { ecmaVersion: 2020, sourceType: "module", allowHashBang: true }),
    ).not.toThrow();
});

test.each([
  ["", /npm run --silent weir -- COMMAND/],
  ["node_modules/weir", /npm install node@24/],
])("below %j a Node that is too old gets one sentence with the way out", (folder, fix) => {
  const weir = join(packageFor(">=99.1", folder), folder, "dist/cli/weir.node.js");
  for (const args of [[], ["--help"], ["run"]]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [weir, ...args], {
      encoding: "utf8",
    });
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(/^weir: Node 99\.1 or newer is needed, and this is \d[^\n]*\n$/);
    expect(stderr).toMatch(fix);
  }
});
