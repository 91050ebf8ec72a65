// No file imports itself over others, not even a type: what two files need of each other is a third one.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { importsOf } from "./tidy.ts";

const root = join(import.meta.dirname, "..");

type Graph = ReadonlyMap<string, readonly string[]>;

/** Removes files that import none of the others, and files that none of the others imports, until each has both. */
function circlesIn(graph: Graph): readonly string[] {
  const left = new Map([...graph].map(([file, targets]) => [file, new Set(targets)]));
  for (let size = -1; size !== left.size;) {
    size = left.size;
    const imported = new Set([...left.values()].flatMap((targets) => [...targets]));
    for (const [file, targets] of left) {
      for (const target of targets) if (!left.has(target)) targets.delete(target);
      if (targets.size === 0 || !imported.has(file)) left.delete(file);
    }
  }
  return [...left.keys()];
}

function filesOf(folder: string): Graph {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name).replaceAll("\\", "/"));
  return new Map(
    files.map((file) => [
      file,
      importsOf(readFileSync(join(root, file), "utf8"))
        .filter(({ from }) => from.startsWith("."))
        .map(({ from }) => new URL(from, `file:///${file}`).pathname.slice(1)),
    ]),
  );
}

test.each(["src", "test", "bench", "build"])("no file of %s is in a circle", (folder) => {
  expect(circlesIn(filesOf(folder))).toEqual([]);
});

test("a circle is found, and what only leads into one or out of it is none", () => {
  const graph = new Map([
    ["in", ["a"]],
    ["a", ["b"]],
    ["b", ["c", "out"]],
    ["c", ["a"]],
    ["out", []],
  ]);
  expect(circlesIn(graph)).toEqual(["a", "b", "c"]);
});
