import { expect, test } from "vitest";
import { ACTIONS } from "#src/cli/actions.node.ts";
import { COMMANDS } from "#src/cli/commands.ts";
import { EXIT } from "#src/cli/exit.ts";
import { commandHelp, generalHelp } from "#src/cli/help.ts";
import { parseArguments } from "#src/cli/parse-arguments.node.ts";
import { tooOld, versionOfWeir } from "#src/cli/version.node.ts";
import { messageOf } from "../kit/reading/message-of.ts";
import { folderWith, weir } from "./weir.ts";

const folder = (): string => folderWith({});

test("help lists every command", async () => {
  const { code, out, err } = await weir(folder(), ["--help"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  for (const { name, summary } of COMMANDS)
    expect(out).toMatch(new RegExp(`  ${name} +${summary}`));
  await expect(out).toMatchFileSnapshot("golden/help.txt");
});

test("every command has an action of its own, and every action a command", async () => {
  expect(COMMANDS.map(({ name }) => name)).toEqual(Object.keys(ACTIONS));
  const actions = await Promise.all(Object.values(ACTIONS).map((load) => load()));
  expect(new Set(actions).size).toBe(COMMANDS.length);
});

test.each([
  [["run", "--help"]],
  [["run", "-h"]],
  [["help", "run"]],
  [["--no-color", "run", "--help"]],
])("%j is the help of run", async (args) => {
  const { code, out } = await weir(folder(), args);
  expect(code).toBe(0);
  expect(out).toBe(`${commandHelp(COMMANDS[0]!)}\n`);
});

test.each(COMMANDS.map((command) => [command.name, command] as const))(
  "the help of %s fits a screen and has two examples that it would accept",
  async (name, command) => {
    const text = commandHelp(command);
    expect(text.split("\n").length).toBeLessThan(48);
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    expect(command.examples.length).toBeGreaterThanOrEqual(2);
    for (const [example] of command.examples) {
      const [program, called, ...args] = (example.split(/ [&|>]/)[0] ?? "").split(" ");
      expect([program, called]).toEqual(["weir", name]);
      expect(messageOf(parseArguments(command, args))).toBeNull();
    }
    await expect(text).toMatchFileSnapshot(`golden/help-${name}.txt`);
  },
);

test("help keeps within a narrow terminal, but for what cannot be broken", () => {
  const long = COMMANDS.flatMap((command) => commandHelp(command, 60).split("\n")).filter(
    (line) => line.length > 60,
  );
  for (const line of long) expect(line).toMatch(/^(?: {2}|usage: )\S.*$/);
  expect(generalHelp(60)).toMatch(/^exit codes: .{1,48}\n/m);
});

test("every exit code is listed", () => {
  for (const code of Object.values(EXIT)) expect(generalHelp()).toMatch(new RegExp(`\\b${code} `));
});

test("the version is the package's, in four ways", async () => {
  const printed: string[] = [];
  for (const way of ["version", "--version", "-V", "-v"])
    printed.push((await weir(folder(), [way])).out);
  expect(printed).toEqual(Array.from({ length: 4 }, () => `${versionOfWeir()}\n`));
  expect(JSON.parse((await weir(folder(), ["version", "--json"])).out)).toMatchObject({
    weir: versionOfWeir(),
    node: process.version,
    packages: [], // from source
  });
});

test.each([
  ["22.19.0", null],
  ["24.21.0", null],
  ["100.0.0", null],
  ["22.9.0", "Node 22.19 or newer is needed, and this is 22.9.0"],
  ["20.20.2", "Node 22.19 or newer is needed, and this is 20.20.2"],
])("Node %s gets %j", (node, problem) => {
  expect(tooOld(node, "file:///dist/cli/weir.node.js")?.split(";")[0] ?? null).toBe(problem);
});
