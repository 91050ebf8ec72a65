import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { entry } from "../built.ts";
import { sample } from "./samples.ts";
import { folderWith, weir } from "./weir.ts";

const files = {
  "scenarios/limits/one.yaml": sample("limits/one"),
  "empty/readme.txt": "nothing here",
  "binary.yaml": "\0\u0001\u0002",
  "empty.yaml": "",
};

const wrong: readonly (readonly [args: readonly string[], said: string])[] = [
  [["rnu"], "there is no command rnu; did you mean run?"],
  [
    ["init"],
    "there is no command init; to create a scenario file from an example: weir new limits/first",
  ],
  [["frobnicate"], "there is no command frobnicate"],
  [["--sed"], "there is no flag --sed"],
  [["run", "--sed", "1"], "there is no flag --sed; did you mean --seed?"],
  [["run", "-x"], "there is no flag -x"],
  [["run", "--seed"], "--seed needs a value: --seed N"],
  [["run", "--seed", "--json"], "--seed needs a value: --seed N"],
  [
    ["worst", "--skew", "-5ms,0s"],
    "--skew needs a value: if it begins with -, write --skew=-5ms,0s",
  ],
  [["mutants", "header"], 'there is no mutant or area "header"; did you mean "headers"?'],
  [["run", "--seed", "x"], '--seed must be an integer from 0 to 9007199254740991; got "x"'],
  [["run", "--seed=-1"], '--seed must be an integer from 0 to 9007199254740991; got "-1"'],
  [["run", "--seed=1e3"], '--seed must be an integer from 0 to 9007199254740991; got "1e3"'],
  [["run", "--seed="], '--seed must be an integer from 0 to 9007199254740991; got ""'],
  [["run", "--seed", "9007199254740993"], 'got "9007199254740993"'],
  [["run", "--json=yes"], "--json takes no value"],
  [["schema", "more"], "weir schema: it takes no arguments; got 1"],
  [["check"], "weir check: it takes at least 1 argument (check FILE|FOLDER...); got 0"],
  [["bench", "gateway", "redis"], "weir bench: it takes at most 1 argument ("],
  [
    ["explain"],
    "weir explain: it takes at least 1 argument (explain HISTORY|SCENARIO [REQUEST]); got 0",
  ],
  [["explain", "a", "b", "c"], "weir explain: it takes at most 2 arguments"],
  [
    ["new", "first"],
    'a scenario id must be FOLDER/NAME in lower case, such as limits/first; got "first"',
  ],
  [["new", "../limits/first"], "such as limits/first"],
  [["run", "missing"], "missing: there is no such file or folder"],
  [["run", "missing.yaml", "absent.yaml"], "absent.yaml: there is no such file or folder"],
  [["run", "*.yml"], "*.yml: no file matches"],
  [["run", "empty"], "empty: there is no scenario (*.yaml or *.yml) in this folder"],
  [["run", "binary.yaml"], "binary.yaml: this is a binary file"],
  [["run", "latin.yaml"], "latin.yaml: this is not UTF-8 text"],
  [["run", "empty.yaml"], "empty.yaml:1:1 error SCN-"],
  [["run", "circle.yaml"], "circle.yaml: the links lead in a circle"],
  [["run", "binary.yaml/below"], "binary.yaml/below: there is no such file or folder"],
  [
    ["run", "--only", ""],
    "weir run: --only needs the id of a scenario, a variant or a requirement; * matches any text",
  ],
  [
    ["run", "--only", "LIM-99"],
    '--only: no scenario, variant or requirement here is called "LIM-99"',
  ],
  [["run", "--only", "*", "--only", "LIM-98"], 'here is called "LIM-98"'],
  [["run", "--swarm", "1", "--only", "LIM-1"], "--swarm cannot be combined with --only"],
  [["run", "--seed", "1", "--seed", "2"], "--seed is given twice; remove one"],
  [["run", "--html", "a.html", "--html=b.html"], "--html is given twice; remove one"],
  [["report", "a.json", "-o", "a.html", "--out", "b.html"], "--out is given twice; remove one"],
  [["serve", "--port", "1", "--port", "2"], "--port is given twice; remove one"],
  [["run", "--require", "faults", "--require", "fleets"], 'got "fleets"'],
  [["bench", "--control", "nginx", "--control", "expres"], "there is no control expres"],
  [["pareto", "--traffic", "uniform", "--traffic", "busty"], 'there is no traffic "busty"'],
  [["run", "--history", "binary.yaml"], "binary.yaml: a file of this name exists already"],
  [
    ["report", "k.html", "-o", "other.html"],
    "k.html is a page; render the JSON next to it: weir report k.json --out other.html",
  ],
  [["list", "missing"], "missing: there is no such file or folder"],
  [["check", "scenarios"], "scenarios: there is no history (*.ndjson) in this folder"],
  [["check", "missing.ndjson"], "missing.ndjson: there is no such file or folder"],
  [["explain", "missing.ndjson", "1"], "missing.ndjson: there is no such file or folder"],
  [["explain", "scenarios/limits/one.yaml", "x"], '"x" names no request: write FLOW:N'],
  [
    ["explain", "scenarios/limits/one.yaml", "6"],
    "there is no request 6: the history has 6, numbered from 0",
  ],
  [
    ["explain", "scenarios/limits/one.yaml", "first:7"],
    "there is no first:7: the flow has 6 requests, numbered from 1",
  ],
  [
    ["explain", "scenarios/limits/one.yaml", "frist:1"],
    'there is no flow "frist"; did you mean "first"?',
  ],
  [["explain", "scenarios/limits/one.yaml", "1", "--variant", "a=b"], 'there is no variant "a=b"'],
];

test.each(wrong)("%j is rejected in words and without a stack", async (args, problem) => {
  const folder = folderWith(files);
  symlinkSync("circle.yaml", join(folder, "circle.yaml"));
  writeFileSync(join(folder, "latin.yaml"), Buffer.from("id: limits/caf\xe9", "latin1"));
  const { code, out, err } = await weir(folder, args);
  expect(err).toContain(problem);
  expect(err).not.toMatch(/^ +at |Error/m);
  // A reader of JSON gets the error as JSON too.
  expect({ code, isJson: out.includes("weir-faults/1"), isEmpty: out === "" }).toEqual({
    code: 2,
    isJson: args.includes("--json"),
    isEmpty: !args.includes("--json"),
  });
});

test("in a folder without scenarios the command for a first one is printed", async () => {
  const { code, err } = await weir(folderWith({}), ["run"]);
  expect({ code, err }).toEqual({
    code: 2,
    err: 'weir run: scenarios: there is no such folder here; "weir new limits/first" creates a first scenario\n',
  });
});

test("a link that leads nowhere, as editors create for an open file, is skipped", async () => {
  const folder = folderWith({ "scenarios/limits/one.yaml": sample("limits/one") });
  symlinkSync("nobody@nowhere", join(folder, "scenarios/limits/.#one.yaml"));
  for (const where of ["scenarios", "scenarios/limits/{,.}*.yaml"])
    expect(await weir(folder, ["run", where, "--quiet"])).toMatchObject({ code: 0 });
});

test.skipIf(!existsSync("/dev/full"))("a full disk behind stdout is one line, and code 2", () => {
  const full = openSync("/dev/full", "w");
  const { status, stderr } = spawnSync(process.execPath, [entry(), "schema"], {
    stdio: ["ignore", full, "pipe"],
    encoding: "utf8",
  });
  closeSync(full);
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: "weir: stdout: no space is left; the output is incomplete\n",
  });
});
