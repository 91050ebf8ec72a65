// A page is written to the named file, and no other file is lost for it.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runPageProblem } from "#src/cli/html-option.node.ts";
import { many } from "#src/kit/reading/legible.ts";
import { sample } from "./samples.ts";
import { result as pareto } from "../studies/pareto/results.ts";
import { entry } from "../built.ts";
import { folderWith, quietEnvironment, weir } from "./weir.ts";

const NO_PAGE = `weir run: the file of a page must end in .html; got "other.yaml"
weir run --help lists its flags
`;

test.each([[["--serve", "0"]], [["--watch"]], [[]]])(
  "with %j a file that is no page is left alone",
  async (how) => {
    const folder = folderWith({ "one.yaml": sample("limits/one"), "other.yaml": "kept" });
    const { code, err } = await weir(folder, ["run", "one.yaml", ...how, "--html", "other.yaml"]);
    expect({ code, err }).toEqual({ code: 2, err: NO_PAGE });
    expect(readFileSync(join(folder, "other.yaml"), "utf8")).toBe("kept");
  },
);

test.each([[["--serve", "0"]], [[]]])("with %j a folder is named, and is no page", async (how) => {
  const folder = folderWith({ "one.yaml": sample("limits/one") });
  mkdirSync(join(folder, "page.html"));
  const { code, err } = await weir(folder, ["run", "one.yaml", ...how, "--html", "page.html"]);
  expect({ code, err }).toEqual({
    code: 2,
    err: "weir run: page.html: this is a folder\nweir run --help lists its flags\n",
  });
  expect(existsSync(join(folder, "page.html"))).toBe(true);
});

const jsonProblem = (why: string): string =>
  `weir run: c.json: the JSON of --html c.html is saved here, and ${why}; choose another page
weir run --help lists its flags
`;
const NAMED = "another argument names that file";

test.each([
  [["-o", "json=c.json"], NAMED],
  [["-o", "markdown=./x/../c.json"], NAMED],
  [["--reference", "c.json", "--write"], NAMED],
])("the document of a page does not go where %j goes", async (args, why) => {
  const folder = folderWith({ "one.yaml": sample("limits/one"), "c.html": "earlier" });
  const { code, err } = await weir(folder, ["run", "one.yaml", ...args, "--html", "c.html"]);
  expect({ code, err }).toEqual({ code: 2, err: jsonProblem(why) });
  expect(existsSync(join(folder, "c.json"))).toBe(false);
  expect(readFileSync(join(folder, "c.html"), "utf8")).toBe("earlier");
});

test.each(['{ "name": "a package" }', '{"format":"weir-run/2"}', "\0"])(
  "a file that is not a report of a run is not overwritten: %j",
  async (text) => {
    const folder = folderWith({ "one.yaml": sample("limits/one"), "c.json": text });
    const { code, err } = await weir(folder, ["run", "one.yaml", "--html", "c.html"]);
    expect({ code, err }).toEqual({
      code: 2,
      err: jsonProblem("the existing file is no report of a run"),
    });
    expect(readFileSync(join(folder, "c.json"), "utf8")).toBe(text);
  },
);

test.each(["", '{"format":"weir-report/1","seed', '{\n  "format": "weir-report/3"\n}\n'])(
  "a report of an earlier run gives way, and if it was cut off: %j",
  (text) => {
    expect(runPageProblem(join(folderWith({ "c.json": text }), "c.html"), [])).toBeNull();
  },
);

test.each([
  ["run", ["one.html", "--html", "one.html"]],
  ["run", ["one.html", "-o", "junit=two.html", "--html", "two.html"]],
  ["compare", ["one.html", "two.json", "--html", "./one.html"]],
  ["bench", ["-o", "two.html", "--html", "two.html"]],
  ["pareto", ["-o", "two.html", "--html", "two.html"]],
])("%s %j would lose what it reads, or one of what it writes", async (command, args) => {
  const folder = folderWith({ "one.html": sample("limits/one") });
  const { code, err } = await weir(folder, [command, ...args]);
  expect(code).toBe(2);
  expect(err).toContain("html: another argument names this file; choose another page");
  expect(readFileSync(join(folder, "one.html"), "utf8")).toBe(sample("limits/one"));
});

test.each([
  ["bench", ["mistyped"]],
  ["bench", ["gateway", "--only", "NOSUCH"]],
  ["bench", ["truth", "--duration", "0s"]],
  ["compare", ["mistyped.json", "mistyped.json"]],
  ["pareto", ["--resume", "mistyped.json"]],
  ["pareto", ["--merge", "part.json", "mistyped.json"]],
  ["report", ["mistyped.json"]],
])(
  "%s %j runs nothing, so the page and the document of an earlier run stay",
  async (command, args) => {
    const files = { "k.html": "earlier", "k.json": '{"format":"weir-report/3"' };
    const folder = folderWith({
      ...files,
      "one.yaml": sample("limits/one"),
      "faulty.yaml": "nonsense: 1",
      "part.json": JSON.stringify(pareto()),
    });
    const page = command === "report" ? "-o" : "--html";
    const { code } = await weir(folder, [command, ...args, page, "k.html"]);
    expect([2, 3]).toContain(code);
    for (const [file, text] of Object.entries(files))
      expect(readFileSync(join(folder, file), "utf8")).toBe(text);
  },
);

test.each([
  [["one.yaml", "--only", "NOSUCH"], 2, "is called &quot;NOSUCH&quot;"],
  [["mistyped"], 2, "mistyped: there is no such file"],
  [["one.yaml", "faulty.yaml"], 2, "faulty.yaml:1:1"],
  [["one.yaml", "--history", "one.yaml"], 2, "one.yaml: "],
  [["one.yaml", "--store", "redis://127.0.0.1:1"], 3, "127.0.0.1:1"],
] as const)(
  "where %j cannot begin, files and page hold why, and no result of an earlier run",
  async (args, exit, why) => {
    const folder = folderWith({
      "one.yaml": sample("limits/one"),
      "faulty.yaml": "nonsense: 1",
      "k.xml": '<testsuites tests="1" failures="0" errors="0"/>',
      "k.html": "earlier",
      "k.json": '{"format":"weir-report/3"',
    });
    const { code, err } = await weir(folder, [
      "run",
      ...args,
      "-o",
      "junit=k.xml",
      "-o",
      "markdown=k.md",
      "-o",
      "json=run.json",
      "--html",
      "k.html",
    ]);
    expect(code).toBe(exit);
    expect(err).toContain(why.replaceAll("&quot;", '"'));
    const read = (file: string): string => readFileSync(join(folder, file), "utf8");
    expect(read("k.xml")).toContain('errors="1"');
    expect(read("k.xml")).toContain(why);
    const errors = args[1] === "faulty.yaml" ? 4 : 1;
    expect(read("k.md")).toMatch(new RegExp(`^## Weir: nothing ran, ${many(errors, "error")}\n`));
    expect(read("k.md")).toContain(why.replaceAll("&quot;", '"'));
    expect(JSON.parse(read("run.json"))).toMatchObject({
      faults: { 0: expect.stringContaining(why.replaceAll("&quot;", '"')) as unknown },
      footer: { complete: false, variants: 0, errors },
    });
    expect(read("k.html")).toContain("Nothing was run.");
    expect(JSON.parse(read("k.json"))).toMatchObject({ footer: { variants: 0 }, scenarios: [] });
  },
);

test("a run that is killed leaves no page that seems to be its own", async () => {
  const traffic = `
  - { name: first, as: alice, send: GET /orders, rate: 100000, for: 20s }`;
  const folder = folderWith({
    "one.yaml": sample("limits/one", { traffic }),
    "k.html": "earlier",
    "k.json": "",
  });
  const child = spawn(process.execPath, [entry(), "run", "one.yaml", "--html", "k.html"], {
    cwd: folder,
    env: quietEnvironment,
  });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "close");
  expect(readdirSync(folder)).toEqual(["one.yaml"]);
});

test("a page has the commit of the project that it was run in, and none outside of one", async () => {
  const folder = folderWith({ "one.yaml": sample("limits/one"), "deep/file": "" });
  const commitOf = async (where: string, scenario: string): Promise<unknown> => {
    await weir(where, ["run", scenario, "--html", "page.html"]);
    return JSON.parse(readFileSync(join(where, "page.json"), "utf8")).commit;
  };
  expect(await commitOf(folder, "one.yaml")).toBeNull();
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
      cwd: folder,
      encoding: "utf8",
    }).trim();
  git("init", "--quiet");
  git("add", "one.yaml");
  git("commit", "--quiet", "--message", "one");
  const commit = git("rev-parse", "HEAD");
  expect(await commitOf(join(folder, "deep"), "../one.yaml")).toBe(commit);
});
