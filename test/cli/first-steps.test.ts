import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { COMMANDS } from "#src/cli/commands.ts";
import { nextText, questionsText, SAMPLE_LOG } from "#src/cli/first-steps.ts";
import { parseArguments } from "#src/cli/parse-arguments.node.ts";
import { setStart } from "#src/kit/command-line.ts";
import { sampleLogs } from "../docs/sample-logs.ts";
import { messageOf } from "../kit/reading/message-of.ts";
import { folderWith, weir } from "./weir.ts";

const root = join(import.meta.dirname, "../..");
const CLONE = "npm run --silent weir --";
const STARTS = ["weir", "npx weir", CLONE];

function startAs(start: string): void {
  setStart(start);
  onTestFinished(() => setStart("weir"));
}

/** The arguments of each command in a text, which begins as Weir was started. */
const argumentsIn = (text: string, start: string): readonly (readonly string[])[] =>
  text.split("\n").flatMap((line) => {
    const at = line.indexOf(`  ${start} `);
    return at === -1 ? [] : [line.slice(at + start.length + 3).split(" ")];
  });

test("the log that comes with Weir has the requests of the pages on logs", () => {
  const packed = readFileSync(join(root, SAMPLE_LOG));
  expect(gunzipSync(packed).toString()).toBe(sampleLogs["access.log"]);
  expect(packed.length).toBeLessThan(10_000); // docs/decisions/047-bounds-of-sizes.md
});

test("the log that comes with Weir is found from every folder, and a file of the user before it", async () => {
  const { code, out } = await weir(folderWith({}), ["recommend", SAMPLE_LOG, "--per", "1m"]);
  expect(code).toBe(0);
  expect(out).toContain(`${join(root, SAMPLE_LOG)}: combined, 2,103 lines`);

  const compare = ["diff", "60/1m", "30/1m", "--log", SAMPLE_LOG];
  expect(await weir(folderWith({}), compare)).toMatchObject({ code: 0, err: "" });

  const [line] = sampleLogs["access.log"]!.split("\n");
  const own = folderWith({ [SAMPLE_LOG]: `${line}\n` });
  const { out: ofOwn } = await weir(own, ["replay", SAMPLE_LOG, "--limit", "60/1m"]);
  expect(ofOwn).toContain(`${SAMPLE_LOG}: combined, 1 line\n`);

  const other = await weir(folderWith({}), ["replay", "samples/other.log", "--limit", "60/1m"]);
  expect(other).toMatchObject({
    code: 2,
    err: expect.stringContaining("samples/other.log: ") as string,
  });
});

test.each(STARTS)("without a command, %s offers questions on one screen", async (start) => {
  startAs(start);
  const { code, out, err } = await weir(folderWith({}), []);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  const lines = err.trimEnd().split("\n");
  expect(lines.length).toBeLessThan(24);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  expect(err).toContain(`All commands: ${start} --help`);
  const typed = argumentsIn(err, start);
  expect(typed).toHaveLength(8);
  for (const [name, ...args] of typed) {
    const command = COMMANDS.find((each) => each.name === name)!;
    expect(messageOf(parseArguments(command, args))).toBeNull();
  }
});

test("the answers are next to the questions where they fit", () => {
  for (const start of ["weir", "npx weir"]) {
    startAs(start);
    expect(questionsText(80)).toMatch(/^Which algorithm\? +\S.* try --limit /m);
  }
  startAs(CLONE);
  expect(questionsText(80)).toMatch(/^Which algorithm\?\n {2}npm run/m);
});

test("on a narrow terminal each command is below its question", () => {
  const lines = questionsText(60).split("\n");
  const at = lines.indexOf("Which limit?");
  expect(lines[at + 1]).toBe(`  weir recommend ${SAMPLE_LOG} --per 1m`);
});

test("npm start ends with three commands, and each answers as it is printed", async () => {
  const printed = execFileSync(process.execPath, [join(root, "build/after-start.node.ts")], {
    cwd: root,
    encoding: "utf8",
    env: {
      ...process.env,
      npm_lifecycle_event: "poststart",
      npm_package_json: join(root, "package.json"),
    },
  });
  startAs(CLONE);
  expect(printed).toBe(`\n${nextText()}\n`);
  const typed = argumentsIn(printed, CLONE);
  expect(typed.map(([name]) => name)).toEqual(["recommend", "replay", "try"]);
  for (const args of typed) expect(await weir(root, args)).toMatchObject({ code: 0 });
});
