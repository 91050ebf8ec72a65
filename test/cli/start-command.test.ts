import { symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { commandOfStart } from "#src/cli/start-command.node.ts";
import { folderWith } from "./weir.ts";

const root = "/clone";
const commandFor = (script: string, folder: string, env: NodeJS.ProcessEnv = {}): string =>
  commandOfStart({ script, root, folder, execPath, env: { PATH: dirname(execPath), ...env } });
const { execPath } = process;

test.each(["weir", "start", "scenarios", "mutants"])(
  "npm run %s in a clone is repeated by its npm script",
  (event) => {
    const env = { npm_lifecycle_event: event, npm_package_json: join(root, "package.json") };
    expect(commandFor("/clone/src/cli/weir.node.ts", root, env)).toBe("npm run --silent weir --");
  },
);

test("an installed copy is repeated by npx, whatever started it", () => {
  const other = { npm_lifecycle_event: "start", npm_package_json: "/mine/package.json" };
  for (const env of [{}, other, { npm_lifecycle_event: "npx" }]) {
    expect(commandFor("/mine/node_modules/.bin/weir", "/mine", env)).toBe("npx weir");
    expect(commandFor("/mine/node_modules/weir/dist/cli/weir.node.js", "/mine", env)).toBe(
      "npx weir",
    );
  }
});

test("a command of the path is repeated by its name, and a file by node", () => {
  expect(commandFor("/usr/local/bin/weir", "/mine")).toBe("weir");
  expect(commandFor("/clone/dist/cli/weir.node.js", root)).toBe("node dist/cli/weir.node.js");
  expect(commandFor("/clone/dist/cli/weir.node.js", "/mine")).toBe(
    "node /clone/dist/cli/weir.node.js",
  );
  expect(commandFor("/my clone/dist/cli/weir.node.js", "/mine")).toBe(
    "node '/my clone/dist/cli/weir.node.js'",
  );
});

test.each([
  ["/usr/bin:/opt", "/mine", "weir-linux"],
  ["/usr/bin", "/mine", "/opt/weir-linux"],
  ["/usr/bin", "/opt", "./weir-linux"],
])("with the path %s, a single executable is repeated in %s as %s", (PATH, folder, word) => {
  const started = { script: "/cache/dist/cli/weir.node.js", root: "/cache", folder };
  const command = { ...started, isOneFile: true, execPath: "/opt/weir-linux", env: { PATH } };
  expect(commandOfStart(command)).toBe(word);
});

test("a clone is repeated by npx where npx has started it", () => {
  const env = { npm_lifecycle_event: "npx", npm_package_json: join(root, "package.json") };
  expect(commandFor("/clone/dist/cli/weir.node.js", root, env)).toBe("npx weir");
  expect(commandFor("/clone/dist/cli/weir.node.js", "/mine", env)).toBe(
    "node /clone/dist/cli/weir.node.js",
  );
});

test("a Node of the folder is named from there, and where it starts the clone, by the npm script", () => {
  const clone = folderWith({ "node_modules/.bin/other": "" });
  symlinkSync(execPath, join(clone, "node_modules/.bin/node"));
  const startOf = (script: string): string =>
    commandOfStart({
      script: join(clone, script),
      root: clone,
      folder: clone,
      execPath,
      env: { PATH: "/none" },
    });
  expect(startOf("src/cli/weir.node.ts")).toBe("npm run --silent weir --");
  expect(startOf("dist/cli/weir.node.js")).toBe("node_modules/.bin/node dist/cli/weir.node.js");
});

test("a Node that the path does not begin with is named by its place", () => {
  expect(commandFor("/clone/dist/cli/weir.node.js", root, { PATH: "/none" })).toBe(
    `${execPath} dist/cli/weir.node.js`,
  );
});
