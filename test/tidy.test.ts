import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOMS, WINGS } from "./import-table.ts";
import { problemsIn, importsOf, shortestFile, type SourceFile } from "./tidy.ts";

const root = join(import.meta.dirname, "..");

function filesUnder(folder: string, endings: RegExp): readonly SourceFile[] {
  const inside = readdirSync(root, { withFileTypes: true }).some((entry) => entry.name === folder);
  if (!inside) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({
      path: path.slice(root.length + 1).replaceAll("\\", "/"),
      text: readFileSync(path, "utf8"),
    }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

// The bad snippets below would be found in this very file, and the rules name the words they forbid.
const own = new Set(["test/tidy.ts", "test/tidy.test.ts"]);

const project = [
  ...filesUnder("src", /\.m?[jt]s$/),
  ...filesUnder("test", /\.m?[jt]s$/).filter((file) => !own.has(file.path)),
  ...filesUnder("bench", /\.m?[jt]s$/),
  ...filesUnder("scenarios", /^(?!scenario\.schema\.json$)/),
];

test("the project's files break no rule of the house", () => {
  expect(project.length).toBeGreaterThan(10);
  expect(project.flatMap(problemsIn)).toEqual([]);
});

test("the folders of src are the wings, and each has rooms", () => {
  expect(readdirSync(join(root, "src")).toSorted()).toEqual(Object.keys(WINGS).toSorted());
  expect(new Set(Object.keys(ROOMS).map((room) => room.split("/")[0]))).toEqual(
    new Set(Object.keys(WINGS)),
  );
});

test("no wing imports one that is above it", () => {
  const names = Object.keys(WINGS);
  for (const [place, name] of names.entries())
    for (const below of WINGS[name]!) expect(names.indexOf(below)).toBeLessThan(place);
});

const bad: readonly (readonly [rule: string, path: string, text: string, problem: RegExp])[] = [
  [
    "core imports nothing of ours",
    "src/limiter/core/a.ts",
    'import { b } from "../store/b.ts";',
    /but limiter\/core may import only limiter\/core:/,
  ],
  [
    "a part of an algorithm is on the floor of its room",
    "src/limiter/algorithms/gcra/rule.ts",
    'import { b } from "../../store/b.ts";',
    /rule may import only limiter\/algorithms\/NAME\/rule, limiter\/core\/limit,/,
  ],
  [
    "an algorithm has no other parts than those of the table",
    "src/limiter/algorithms/gcra/a.ts",
    "export const a = 1;",
    /is in no folder of the import table/,
  ],
  [
    "core imports no package",
    "src/limiter/core/a.ts",
    'import { parse } from "yaml";',
    /package yaml/,
  ],
  [
    "a scoped package is named whole",
    "src/limiter/core/a.ts",
    'import x from "@scope/name/deep";',
    /package @scope\/name,/,
  ],
  [
    "the oracle does not import the rules it judges",
    "src/lab/oracle/a.ts",
    'import { merge } from "../../limiter/core/resolve/merge.ts";',
    /a\.ts:1 imports src\/limiter\/core\/resolve\/merge\.ts, but lab\/oracle may import only kit\/units,/,
  ],
  [
    "a module's name is no prefix",
    "src/lab/check/a.ts",
    'import { b } from "../../limiter/core/limit-list.ts";',
    /but lab\/check/,
  ],
  [
    "a type import is an edge too",
    "src/limiter/core/a.ts",
    'import type { B } from "../spec/b.ts";',
    /core may import only/,
  ],
  [
    "an import over several lines is seen",
    "src/limiter/core/a.ts",
    'import {\n  b,\n  c,\n} from "../spec/b.ts";',
    /a\.ts:1 imports/,
  ],
  [
    "a re-export is an edge too",
    "src/limiter/core/a.ts",
    'export { b } from "../spec/b.ts";',
    /core may import only/,
  ],
  [
    "an import for its effects is an edge too",
    "src/limiter/core/a.ts",
    'import "../spec/b.ts";',
    /core may import only/,
  ],
  [
    "a dynamic import is an edge too",
    "src/limiter/core/a.ts",
    'const b = await import("../spec/b.ts");',
    /core may import only/,
  ],
  [
    "the simulator takes only types from scenario",
    "src/lab/sim/a.ts",
    'import { decode } from "../scenario/decode.ts";',
    /type lab\/scenario/,
  ],
  [
    "nobody in src imports tests",
    "src/cli/a.node.ts",
    'import { b } from "../../test/tidy.ts";',
    /imports test\/tidy\.ts/,
  ],
  [
    "a folder outside the table is named",
    "src/misplaced/a.ts",
    "export const a = 1;",
    /no folder of the import table/,
  ],
  [
    "a room inside a room is not covered by it",
    "src/show/a.ts",
    'import { b } from "./page/b.ts";',
    /but show may import only/,
  ],
  [
    "whoever may import a room may not import the rooms inside it",
    "src/gateway/http/a.ts",
    'import type { B } from "../management/b.ts";',
    /gateway\/http may import only/,
  ],
  [
    "no wing imports one above it",
    "src/studies/bench/a.ts",
    'import type { B } from "../../show/html/b.ts";',
    /bench may import only src\/kit, src\/limiter, src\/gateway, src\/lab:/,
  ],
  ["a file lies in a folder", "src/a.ts", "export const a = 1;", /no folder of the import table/],
  [
    "a portable file does not import Node",
    "src/cli/a.ts",
    'import { join } from "node:path";',
    /node:path: name the file \*\.node\.ts/,
  ],
  [
    "a portable file does not import a Node file",
    "src/cli/a.ts",
    'import { b } from "./b.node.ts";',
    /is portable itself/,
  ],
  [
    "names are kebab-case",
    "src/limiter/core/fixedWindow.ts",
    "",
    /"fixedWindow\.ts" is not kebab-case/,
  ],
  ["names say something", "src/limiter/core/string-utils.ts", "", /"utils" says nothing/],
  [
    "tests name src in one way",
    "test/limiter/a.test.ts",
    'import { a } from "../../src/limiter/a.ts";',
    /write "#src\/\.\.\."/,
  ],
  ["folders say something", "src/limiter/core/helpers/a.ts", "", /"helpers" says nothing/],
  [
    "default exports are refused",
    "src/limiter/core/a.ts",
    "export default function a() {}",
    /a\.ts:1 exports a default/,
  ],
  [
    "work is not left for later",
    "src/limiter/core/a.ts",
    "const a = 1;\n// TODO: later",
    /a\.ts:2 leaves work/,
  ],
  ["a lint rule is not silenced", "test/a.ts", "// oxlint-disable-next-line", /silences a check/],
  ["a type error is not silenced", "bench/a.ts", "// @ts-expect-error", /silences a check/],
  [
    "tests are not skipped",
    "test/a.test.ts",
    'test.skip("a holds", () => {});',
    /leaves tests out/,
  ],
  [
    "a test does not run alone",
    "test/a.test.ts",
    'describe.only("a", () => {});',
    /leaves tests out/,
  ],
  ["tests state facts", "test/a.test.ts", 'test("it should pass", () => {});', /present tense/],
  ["the wall clock is not read", "src/lab/sim/a.ts", "const t = Date.now();", /reads Date\.now/],
  [
    "the wall clock is not read by a new date",
    "src/lab/sim/a.ts",
    "const t = new Date();",
    /reads new Date/,
  ],
  [
    "chance comes from the seed",
    "src/lab/sim/a.ts",
    "const r = Math.random();",
    /reads Math\.random/,
  ],
  [
    "the monotonic clock is not read",
    "src/lab/check/a.ts",
    "const t = performance.now();",
    /reads performance\.now/,
  ],
  [
    "escaping is imported by the tag html alone",
    "src/show/html/a.ts",
    'import { escapeHtml } from "./escape.ts";',
    /a\.ts:1 writes markup past the escaping/,
  ],
  [
    "markup is trusted in the files of the table",
    "src/show/html/a.ts",
    "const a = trustMarkup(title);",
    /a\.ts:1 writes markup past the escaping \(trustMarkup\)/,
  ],
  [
    "a script takes Html to write markup",
    "src/show/page/script/a.ts",
    "place.innerHTML = title;",
    /a\.ts:1 writes markup past the escaping \(innerHTML\)/,
  ],
  [
    "folders are made in one file",
    "src/cli/a.node.ts",
    'mkdirSync("a/b", { recursive: true });',
    /makes a folder: use createFolders of src\/kit\/reading\/folder\.node\.ts/,
  ],
  [
    "a test that looks at nothing has not passed",
    "test/a.test.ts",
    '    if (algorithm === "sentinel") return;',
    /passes without looking/,
  ],
  [
    "properties take their seed from one place",
    "test/a.test.ts",
    "fc.assert(fc.property(fc.nat(), (n) => n >= 0));",
    /seed of its own/,
  ],
  ["a scenario lies in a known folder", "scenarios/other/a.yaml", "id: other/a\n", /is in none of/],
  ["a scenario lies in a folder", "scenarios/a.yaml", "id: a\n", /is in none of/],
  [
    "a scenario's file is named in kebab-case",
    "scenarios/limits/A.yml",
    "id: limits/A.yml\n",
    /kebab-case/,
  ],
  [
    "a scenario's id is its path",
    "scenarios/limits/a.yaml",
    "id: limits/b\n",
    /calls itself limits\/b/,
  ],
  [
    "a scenario of the suite proves something",
    "scenarios/limits/a.yaml",
    "id: limits/a\nproves: []\n",
    /proves nothing/,
  ],
];

test.each(bad)("%s", (_rule, path, text, problem) => {
  expect(problemsIn({ path, text }).join("\n")).toMatch(problem);
});

const clean: readonly (readonly [path: string, text: string])[] = [
  [
    "src/limiter/core/fixed-window.ts",
    'import type { Limit } from "./limit.ts";\nexport const one = 1;\n',
  ],
  ["src/limiter/core/a.ts", '// Never Date.now() here; see import { b } from "../spec/b.ts".\n'],
  [
    "src/limiter/core/a.ts",
    '/*\nimport { b } from "../spec/b.ts";\n*/\nconst site = "http://x.test";\n',
  ],
  [
    "src/lab/oracle/a.ts",
    'import { seconds } from "../../kit/units.ts";\nimport type { Plan } from "../scenario/plan.ts";\n',
  ],
  [
    "src/lab/sim/a.ts",
    'import type { Plan } from "../scenario/plan.ts";\nimport { begin } from "../../gateway/begin.ts";\n',
  ],
  ["src/kit/reading/a.ts", 'import { parseDocument } from "yaml";\n'],
  [
    "src/cli/run.node.ts",
    'import { readFile } from "node:fs/promises";\nimport { b } from "./b.node.ts";\nconst t = Date.now();\n',
  ],
  ["test/a.test.ts", 'test("a refused request is written to the log", () => {});\n'],
  ["scenarios/limits/one-key.yaml", "id: limits/one-key\nproves: [LIM-1]\n"],
];

/** A file of src that has fewer lines is a problem (test/file-lengths.test.ts). */
const EMPTY_LINES = "\n".repeat(shortestFile);

test.each(clean)("%s has no problem", (path, text) => {
  const file = { path, text: path.startsWith("scenarios/") ? text : text + EMPTY_LINES };
  expect(problemsIn(file)).toEqual([]);
});

test("an import is found with its line and whether it is only of types", () => {
  const text = 'const a = 1;\nimport type { B } from "./b.ts";\nimport { c } from "./c.ts";\n';
  expect(importsOf(text)).toEqual([
    { from: "./b.ts", line: 2, typeOnly: true },
    { from: "./c.ts", line: 3, typeOnly: false },
  ]);
});
