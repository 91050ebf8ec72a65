import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "acorn";
import { expect, test } from "vitest";
import { entry } from "../built.ts";
import { folderWith } from "./weir.ts";

/** All that a Node loads before it can print anything. */
const first = (): string => readFileSync(entry(), "utf8");

/** It as a package that needs this Node. */
function packageFor(node: string, folder = ""): string {
  const manifest = JSON.stringify({ type: "module", engines: { node }, version: "1.0.0" });
  return folderWith({
    [join(folder, "dist/cli/weir.node.js")]: first(),
    [join(folder, "package.json")]: manifest,
  });
}

test("the first file imports only one file and has no syntax newer than Node 14", () => {
  const { body } = parse(first(), { ecmaVersion: 2020, sourceType: "module", allowHashBang: true });
  const imported = body.flatMap((one) =>
    one.type === "ImportDeclaration" ? [one.source.value] : [],
  );
  expect(imported).toEqual(["node:fs"]);
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
