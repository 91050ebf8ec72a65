import {
  accessSync,
  constants,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { buildOf, digestOfSources, MADE_OF } from "#src/studies/queue/code.node.ts";
import { entry } from "./built.ts";
import { folderWith } from "./cli/weir.ts";

const sources = join(import.meta.dirname, "../src");

/** Programs and threads that a file starts by a path which the bundler cannot follow, as they are called in dist. */
function programsOf(file: string): readonly string[] {
  const text = readFileSync(join(sources, file), "utf8");
  const neighbours = [...text.matchAll(/([\w./-]+\.node)\$\{extname\(import\.meta\.filename\)\}/g)];
  const below = [...text.matchAll(/\bmoduleAt\("([^"]+)"\)/g)];
  return [
    ...neighbours.map(([, name = ""]) => join(dirname(file), `${name}.js`)),
    ...below.map(([, name = ""]) => join("studies/bench", `${name}.js`)),
  ];
}

test("dist has every program and thread that is started by its path", () => {
  const dist = join(dirname(entry()), "..");
  const started = globSync("**/*.ts", { cwd: sources }).flatMap(programsOf);
  expect(started.length).toBeGreaterThan(8);
  expect(started.filter((file) => !existsSync(join(dist, file)))).toEqual([]);
});

test("npx can start the command after any build", () => {
  expect(() => accessSync(entry(), constants.X_OK)).not.toThrow();
});

test("one file of dist has the class of failures, so every file recognizes them", () => {
  const dist = join(dirname(entry()), "..");
  const defining = globSync("**/*.js", { cwd: dist }).filter((file) =>
    /\bFailure\S* = class \{/.test(readFileSync(join(dist, file), "utf8")),
  );
  expect(defining).toHaveLength(1);
});

test("a build is taken for the code until a source changes", () => {
  const root = folderWith({ "src/one.ts": "1", "docs/one.md": "one" });
  expect(buildOf(root)).toBeNull();
  mkdirSync(join(root, "dist"));
  writeFileSync(join(root, "dist", MADE_OF), digestOfSources(root));
  expect(buildOf(root)).toBe(join(root, "dist"));
  writeFileSync(join(root, "docs/one.md"), "another");
  expect(buildOf(root)).toBeNull();
});
