import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EXAMPLE_NAMES } from "#src/cli/other-commands.ts";
import { folderWith, weir } from "./weir.ts";

const root = join(import.meta.dirname, "../..");
const examples = readdirSync(join(root, "scenarios/examples")).map((file) => file.slice(0, -5));

test("a new scenario runs and passes", async () => {
  const folder = folderWith({});
  const { code, out } = await weir(folder, ["new", "limits/first"]);
  expect({ code, out }).toEqual({
    code: 0,
    out: "wrote scenarios/limits/first.yaml\nrun it: weir run scenarios/limits/first.yaml\n",
  });
  expect(await weir(folder, ["run", "--quiet"])).toMatchObject({
    code: 0,
    out: "1 passed, 0 failed, 0 skipped\n",
  });
});

test.each(examples)("a copy of the example %s passes in an empty folder", async (example) => {
  const folder = folderWith({});
  const file = `scenarios/mine/${example}.yaml`;
  expect(await weir(folder, ["new", `mine/${example}`, "--from", example])).toMatchObject({
    code: 0,
    out: expect.stringContaining(`wrote ${file}`) as string,
  });
  const { code, out } = await weir(folder, ["run", file, "--quiet"]);
  expect(out).toMatch(/^[1-9]\d* passed, 0 failed, 0 skipped\n$/);
  expect(code).toBe(0);
});

/** The form of an about: the setup, the moment that decides, what a wrong limiter does there, and the control. */
test.each(examples)("the example %s has numbers, a wrong limiter and a control", (example) => {
  const text = readFileSync(join(root, `scenarios/examples/${example}.yaml`), "utf8");
  const about = /^about: >\n((?: .*\n)+)/m.exec(text)?.[1] ?? "";
  expect(about).toMatch(/\d/);
  expect(about).toMatch(/\bwould\b/);
  expect(about).toMatch(/\bControl: /);
});

test("completion offers every example", () => {
  expect(EXAMPLE_NAMES).toEqual(examples.toSorted());
});

test("the list has every example with its title", async () => {
  const { code, out } = await weir(folderWith({}), ["new", "--list"]);
  expect(code).toBe(0);
  expect(out.match(/^[a-z].*$/gm)).toEqual([
    ...examples.toSorted(),
    "copy one: weir new FOLDER/NAME --from EXAMPLE",
  ]);
  expect(out).toContain(
    "  of two policies on a key the one with the higher rate per second applies",
  );
});

test("new does not change an existing file", async () => {
  const folder = folderWith({});
  await weir(folder, ["new", "limits/first"]);
  const file = join(folder, "scenarios/limits/first.yaml");
  writeFileSync(file, "mine");
  expect(await weir(folder, ["new", "scenarios/limits/first.yaml"])).toMatchObject({
    code: 2,
    err: "scenarios/limits/first.yaml already exists; choose another name\n",
  });
  expect(readFileSync(file, "utf8")).toBe("mine");
});

test.each<[args: readonly string[], problem: string]>([
  [
    [],
    "name the scenario that is copied from an example: weir new limits/first makes one; weir new --list lists the ",
  ],
  [
    ["a/b", "--from", "window-egde"],
    'there is no example "window-egde"; did you mean "window-edge"?',
  ],
  [["a/b", "--from", "quota"], 'there is no example "quota"; weir new --list lists them'],
  [["a/b", "--list"], "--list writes no file; remove the name and --from"],
])("new %j is rejected with a correction", async (args, problem) => {
  const { code, err } = await weir(folderWith({}), ["new", ...args]);
  expect(err).toContain(problem);
  expect(code).toBe(2);
});
