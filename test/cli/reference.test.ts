import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { COMMANDS } from "#src/cli/commands.ts";
import { parseArguments } from "#src/cli/parse-arguments.node.ts";
import { referenceOf } from "#src/cli/reference.node.ts";
import { outputFilesOf } from "#src/cli/output-files.node.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { conformanceOf, conformanceText } from "#src/show/conformance/conformance.ts";
import { messageOf } from "../kit/reading/message-of.ts";
import { ALGORITHMS, sample } from "./samples.ts";
import { folderWith, weir } from "./weir.ts";

const suite = {
  "scenarios/limits/one.yaml": sample("limits/one"),
  "scenarios/limits/algorithms.yaml": ALGORITHMS,
};
const HELD = ["--reference", "kept/reference.json"];

test("a run is compared with the reference, and differences are listed with the command that saves them", async () => {
  const folder = folderWith(suite);
  const file = join(folder, "kept/reference.json");
  const first = await weir(folder, ["run", ...HELD, "--write", "--history", "runs"]);
  expect(first).toMatchObject({ code: 0 });
  const reference = readFileSync(file, "utf8");
  const sum = execFileSync("sha256sum", [join(folder, "runs/limits/one.ndjson")]).toString();
  expect(reference).toContain(`"history":"${sum.slice(0, 16)}"`);

  // A part is compared alone, and renewed alone.
  const six = sample("limits/one").replace("burst: 6", "burst: 7").replace("200 429", "200 2*429");
  writeFileSync(join(folder, "scenarios/limits/one.yaml"), six);
  const part = ["run", "scenarios/limits/one.yaml", ...HELD];
  const { code, out } = await weir(folder, [...part, "--quiet", "--html", "page.html"], {
    CI: "true",
  });
  expect({ code, out }).toEqual({
    code: 1,
    out: `
1 difference from kept/reference.json; if intended, update it with: weir run scenarios/limits/one.yaml --reference kept/reference.json --write
  limits/one: requests 7, not 6; refused 2, not 1; "five pass, one does not" pass 7, not pass 6

1 passed, 0 failed, 0 skipped
`,
  });
  expect(readFileSync(join(folder, "page.html"), "utf8")).toMatch(
    /This run fails:<\/strong> 1 difference from .*\n<h1 class="fail">This run fails\. The variant passes\./,
  );
  expect(await weir(folder, [...part, "--write"])).toMatchObject({ code: 0 });
  const renewed = readFileSync(file, "utf8").split("\n");
  expect(renewed.filter((line) => !reference.includes(line))).toEqual([
    expect.stringContaining('"requests":7'),
  ]);
});

function decide(folder: string, args: readonly string[], isWhole = false): unknown {
  const parsed = requireValue(parseArguments(COMMANDS[0]!, args));
  const values = new Map([...parsed.values, ["reference", join(folder, "reference.json")]]);
  const seed = Number(values.get("seed") ?? 1);
  return referenceOf({ ...parsed, values }, seed, isWhole);
}

test.each([
  [["--only", "LIM-1"], /; remove --only$/],
  [["--sample", "5"], /; remove --sample$/],
  [["--store", "redis://h"], /; remove --store$/],
  [["--driver", "embedded"], /; remove --driver$/],
  [[], /: there is no such file or folder; create it with: weir run --reference \S+ --write$/],
  [
    ["scenarios/limits", "--seed", "7"],
    /create it with: weir run scenarios\/limits --reference \S+ --seed 7 --write$/,
  ],
])("--reference with %j is rejected", (args, problem) => {
  expect(messageOf(decide(folderWith({}), args))).toMatch(problem);
});

test("a reference that was changed by a merge is refused, and the whole suite makes it anew", () => {
  vi.stubEnv("CI", undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const folder = folderWith({
    "reference.json": `<<<<<<< HEAD\n${conformanceText(conformanceOf([], "virtual", 1))}`,
  });
  const problem =
    /this is not JSON: .*\n?.*; create it again from the whole suite: weir run --reference/;
  expect(messageOf(decide(folder, []))).toMatch(problem);
  expect(messageOf(decide(folder, ["scenarios/limits", "--write"]))).toMatch(problem);
  expect(decide(folder, ["--write"], true)).toMatchObject({ known: null, isRenewed: true });
});

test("a file that is no reference is neither read as one nor written over", () => {
  vi.stubEnv("CI", undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const folder = folderWith({ "reference.json": '{ "name": "a package" }' });
  const problem =
    /reference\.json: this file has no reference results, so it is not overwritten; choose another file$/;
  expect(messageOf(decide(folder, ["scenarios/mine"]))).toMatch(problem);
  for (const isWhole of [true, false])
    expect(messageOf(decide(folder, ["--write"], isWhole))).toMatch(problem);
});

test("saved results that do not pass are counted", async () => {
  const folder = folderWith({
    ...suite,
    "scenarios/limits/one.yaml": sample("limits/one").replace("5*200 429", "6*200"),
  });
  const { code, err } = await weir(folder, ["run", ...HELD, "--write", "--quiet"]);
  expect(code).toBe(1);
  expect(err).toContain("1 of 3 variants in kept/reference.json does not pass\n");
  expect((await weir(folder, ["run", ...HELD, "--quiet"])).out).not.toContain("difference");
});

test("a part of a reference is not renewed under another seed", () => {
  vi.stubEnv("CI", undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const folder = folderWith({ "reference.json": conformanceText(conformanceOf([], "virtual", 1)) });
  expect(messageOf(decide(folder, ["--write", "--seed", "7"]))).toContain(
    "has results of seed 1, so a run with seed 7 cannot update only some of them; add --seed 1",
  );
  expect(decide(folder, ["--write"])).toMatchObject({ isRenewed: true });
});

test("nothing is renewed where CI is set", () => {
  vi.stubEnv("CI", "true");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(messageOf(decide(folderWith({}), ["--write"]))).toContain(
    "--write is disabled if the variable CI is set",
  );
});

test.each(["xml=a", "junit", "junit=", "=a", "toString=a"])("--out %s is refused", (typed) => {
  expect(messageOf(outputFilesOf([typed]))).toBe(
    `--out must be one of junit, markdown, badge, json with a file, such as junit=weir.xml; got "${typed}"`,
  );
});

test("--out may be repeated, and a name may contain the sign between kind and file", () => {
  const parsed = requireValue(
    parseArguments(COMMANDS[0]!, ["-o", "junit=a=b.xml", "--out", "badge=c.svg"]),
  );
  expect(outputFilesOf(parsed.lists.get("out") ?? [])).toEqual([
    { kind: "junit", file: "a=b.xml" },
    { kind: "badge", file: "c.svg" },
  ]);
});

test("a run, and a history that is checked again, are reported to files, to GitHub and to the summary of a step", async () => {
  const folder = folderWith({
    ...suite,
    "scenarios/limits/one.yaml": sample("limits/one").replace("5*200 429", "6*200"),
  });
  const files = [
    "junit=told/weir.xml",
    "markdown=told/weir.md",
    "badge=weir.svg",
    "json=weir.json",
  ];
  const args = ["run", "--json", "--history", "runs", ...files.flatMap((file) => ["-o", file])];
  const { code, out, err } = await weir(folder, args, {
    GITHUB_ACTIONS: "true",
    GITHUB_STEP_SUMMARY: join(folder, "summary.md"),
    GITHUB_WORKSPACE: dirname(folder),
  });
  const read = (file: string): string => readFileSync(join(folder, file), "utf8");
  const place = `${basename(folder)}/scenarios/limits/one.yaml`;
  expect(code).toBe(1);
  expect(read("weir.json")).toBe(out);
  expect(read("told/weir.xml")).toContain('<testsuites name="weir" tests="3" failures="1"');
  expect(read("weir.svg")).toContain("1 failed, 2 passed");
  expect(read("told/weir.md")).toContain("## Weir: 2 passed, 1 failed, 0 skipped");
  expect(read("summary.md")).toBe(`${read("told/weir.md")}\n`);
  expect(err).toContain(`\n::error file=${place},line=11,title=limits/one%3A fail%3A five`);

  await weir(folder, ["check", "runs/limits/algorithms", "-o", "badge=weir.svg"]);
  expect(read("weir.svg")).toContain(">2 passed<");
});

test("where nothing can be written nothing runs, and what an earlier run left is gone", async () => {
  const folder = folderWith({ ...suite, "old.xml": "of an earlier run", "file/in": "" });
  const args = ["run", "-o", "junit=old.xml", "-o", "badge=file/in/a.svg"];
  expect(await weir(folder, args)).toMatchObject({
    code: 2,
    out: "",
    err: expect.stringContaining("file/in: a part of the path is not a folder") as string,
  });
  expect(existsSync(join(folder, "old.xml"))).toBe(false);
});

test.each([
  [["junit=scenarios/a.yaml"], /would write over a scenario/],
  [["junit=a.xml", "markdown=./a.xml"], /names \.\/a\.xml twice/],
])("--out %j loses nothing", (typed, sentence) => {
  expect(messageOf(outputFilesOf(typed))).toMatch(sentence);
});
