// Commands that Weir prints can be typed where they are printed: they begin as it was started.
import { readFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { answerLines } from "#src/cli/answer-text.ts";
import { COMMANDS } from "#src/cli/commands.ts";
import { setStart } from "#src/kit/command-line.ts";
import type { Answer } from "#src/lab/report/answer.ts";
import { FAILING, sample } from "./samples.ts";
import { sampleLogs } from "../docs/sample-logs.ts";
import { folderWith, quietEnvironment, weir } from "./weir.ts";

const files = {
  "access.log": sampleLogs["access.log"]!,
  "fails.yaml": sample("limits/fails", { expect: FAILING }),
  "empty.yaml": "",
  "page.html": "<!doctype html>",
  "mine/server.mjs": "",
};

const TRAFFIC = ["--clients", "2", "--rate", "1/s", "--for", "5s", "--algorithm", "gcra"];

/** Each prints at least one command. */
const CALLS: readonly (readonly string[])[] = [
  [],
  ["init"],
  ["rnu"],
  ["run", "--help"],
  ["run", "--none"],
  ["run", "empty.yaml"],
  ["run", "fails.yaml", "--html", "run.html"],
  ["run", "fails.yaml", "--only", "none"],
  ["run"],
  ["new"],
  ["new", "--list"],
  ["new", "limits/mine"],
  ["new", "limits/other", "--from", "none-such"],
  ["report", "page.html", "--out", "other.html"],
  ["report", "fails.yaml", "--out", "other.html"],
  ["try", "--limit", "5/1s", ...TRAFFIC, "--out", "tried.yaml"],
  ["worst", ..."--algorithm gcra --rate 5 --per 1s --search-time 10ms --out worst.yaml".split(" ")],
  ["recommend", "access.log", "--per", "1m", "--profile", "envoy"],
  ["pareto", "--merge"],
  ["bench", "--only", "none-such"],
  ["mutants", "none-such-at-all"],
  ["mutants", "--redis", "none-such-at-all"],
  ["implementations", "run", "none-such-at-all"],
  ["implementations", "run", "./mine"],
  ["implementations", "new", "limiter"],
  ["implementations", "list"],
  ["tokens", "none"],
  ["secrets", "none"],
];

const NAMES = COMMANDS.map(({ name }) => name).join("|");
/** A name in a sentence, such as "for weir serve", and the program at the start of a problem are no commands to type. */
const TYPED = new RegExp(`(?<!for )(?<!^)\\bweir (?:${NAMES}|--help)\\b`, "m");

const PAGE = ["replay", "access.log", "--limit", "60/1m", "--html", "page-of-log.html"];

test.each(["npx weir", "npm run --silent weir --"])(
  "every command that is printed begins with %s",
  async (start) => {
    setStart(start);
    onTestFinished(() => setStart("weir"));
    const folder = folderWith(files);
    const silent: string[] = [];
    for (const args of CALLS) {
      const { out, err } = await weir(folder, args);
      const printed = `${out}${err}`;
      if (!printed.includes(`${start} `) && !printed.includes(`weir is short for: ${start}`))
        silent.push(args.join(" "));
      if (args.includes("--help")) continue; // it explains its short name
      expect([args, TYPED.exec(printed.replaceAll(`${start} `, ""))?.[0]]).toEqual([
        args,
        undefined,
      ]);
    }
    expect(silent).toEqual([]);
    expect((await weir(folder, PAGE)).out).toContain(`: ${start} recommend access.log --per 1m`);
    const has = (file: string, text: string): boolean =>
      readFileSync(join(folder, file), "utf8").includes(text);
    expect(has("page-of-log.html", `weir ${PAGE.join(" ")}`)).toBe(true);
    expect(has("page-of-log.html", ": weir recommend access.log --per 1m")).toBe(true);
    expect(has("run.html", "weir run fails.yaml --html run.html")).toBe(true);
    expect(["page-of-log.html", "run.html"].filter((file) => has(file, start))).toEqual([]);
  },
);

test("a clone started by a path prints short commands that can be typed there", () => {
  const root = join(import.meta.dirname, "../..");
  const isOfUser = (folder: string): boolean => !folder.includes("node_modules");
  const PATH = process.env["PATH"]!.split(delimiter).filter(isOfUser).join(delimiter);
  const env = {
    ...quietEnvironment,
    npm_lifecycle_event: undefined,
    npm_package_json: undefined,
    PATH,
  };
  const node = join(root, "node_modules/.bin/node");
  const menu = spawnSync(node, ["src/cli/weir.node.ts"], { cwd: root, env, encoding: "utf8" });
  const command = /All commands: (.+ --help)/.exec(menu.stderr.replaceAll("\n", " "))![1]!;
  expect(command).toMatch(/^(node src\/cli\/weir\.node\.ts|npm run --silent weir --) --help$/);
  const typed = spawnSync("sh", ["-c", command], { cwd: root, env, encoding: "utf8" });
  expect([typed.status, typed.stderr]).toEqual([0, ""]);
  expect(typed.stdout).toContain("exit codes: 0 passed");
});

test("a document has commands that are the same on every machine", async () => {
  setStart("npx weir");
  onTestFinished(() => setStart("weir"));
  const search = "worst --algorithm fixed_window --rate 2 --per 1s --search-time 10ms";
  const { out: printed } = await weir(folderWith({}), search.split(" "));
  const { out } = await weir(folderWith({}), [...search.split(" "), "--json"]);
  const { answer } = JSON.parse(out) as { answer: Answer };
  const command = "weir worst --algorithm sliding_log --rate 2 --per 1s";
  expect(answer.at(-1)).toMatchObject({ text: expect.stringContaining(`: ${command}`), command });
  expect(JSON.stringify(answer)).not.toContain("npx");
  expect(printed).toMatch(new RegExp(`^# Plan .*: npx ${command}$`, "m"));
});

test("the first sentence of an answer is strong, each of its lines", () => {
  const paint = (tone: string, text: string) => `${tone}: ${text}`;
  const sentence = { id: "any", text: "one two three", numbers: {} };
  expect(answerLines([sentence, sentence], { paint, tableColumns: 8 })).toEqual([
    "strong: one two",
    "strong: three",
    "one two",
    "three",
  ]);
});

test("a command is on one line, however narrow the terminal is", () => {
  const terminal = { paint: (_: unknown, text: string) => text, tableColumns: 12 };
  const sentence = { id: "any", text: "Then try weir run a --seed 1.", numbers: {} };
  expect(answerLines([{ ...sentence, command: "weir run a --seed 1" }], terminal)).toEqual([
    "Then try",
    "weir run a --seed 1.",
  ]);
});

test("only the command of a sentence is replaced, whatever its names are", () => {
  setStart("npx weir");
  onTestFinished(() => setStart("weir"));
  const terminal = { paint: (_: unknown, text: string) => text, tableColumns: Infinity };
  const sentence = { id: "any", text: "Not weir run a, but $& weir run b.", numbers: {} };
  expect(answerLines([{ ...sentence, command: "weir run b" }, sentence], terminal)).toEqual([
    "Not weir run a, but $& npx weir run b.",
    "Not weir run a, but $& weir run b.",
  ]);
});
