// Whatever a scenario calls its parts, a line of ours is a line of ours.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith, weir } from "./weir.ts";

const FILE = "scenarios/limits/one.yaml";
const TEXT = String.raw`id: limits/one
title: "five\n::error::title"
proves: [LIM-1]
matrix: { who: ["x\n::error::axis \e[8m", y] }
world:
  apis: { "or\n::error::api": { listen: /orders } }
  keys:
    "x\n::error::axis \e[8m": { apis: ["or\n::error::api"], rate: 5, per: 1 }
    y: { apis: ["or\n::error::api"], rate: 5, per: 1 }
traffic:
  - { name: first, as: $who, send: GET /orders, burst: 6, at: 0s }
expect:
  - { id: "six\n::stop-commands::x ##[error]no", sequence: { flow: first }, equals: 6*200 }
  - { id: "five\n::error::yes", sequence: { flow: first }, equals: 5*200 429 }
`;

test("no name of a scenario begins a line, or means anything to a terminal", async () => {
  const folder = folderWith({ [FILE]: TEXT });
  const outputOf = async (args: readonly string[]): Promise<string> => {
    const { out, err } = await weir(folder, args);
    const text = `${out}${err}`;
    expect.soft(text, args.join(" ")).toMatch(/\\n::error::|\\n::stop-commands::/);
    expect.soft(text, args.join(" ")).not.toMatch(/^\s*::|##\[/m);
    expect.soft(text, args.join(" ")).not.toContain("\u001B");
    return text;
  };
  await outputOf(["run", FILE, "--verbose", "--history", "kept"]);
  await outputOf(["check", "kept"]);
  await outputOf(["list", FILE]);
  await outputOf(["explain", FILE, "5"]);
  await outputOf(["explain", FILE, "5", "--variant", "z"]);
  await weir(folder, ["run", FILE, "--reference", "ref.json", "--write"]);
  writeFileSync(join(folder, FILE), TEXT.replace("burst: 6", "burst: 7"));
  expect(await outputOf(["run", FILE, "--reference", "ref.json"])).toContain(
    "differences from ref.json",
  );
  writeFileSync(join(folder, FILE), TEXT.replace("limits/one", String.raw`"limits\n::error::one"`));
  await outputOf(["run", FILE]);
});

test.each([
  [["ru\n::error::n"]],
  [["run", "--see\n::error::d"]],
  [["run", FILE, "--store", "redis\n::error::x"]],
  [["run", FILE, "--seed", "1\n::error::x"]],
])("nor does an argument: %j", async (args) => {
  const { code, err } = await weir(folderWith({ [FILE]: TEXT }), args);
  expect(code).toBe(2);
  expect(err).not.toMatch(/^::/m);
});

test("the line that runs a variant again finds it, whatever its name holds", async () => {
  const folder = folderWith({ [FILE]: TEXT });
  const only = "limits/one who=x*::error::axis *[8m";
  expect((await weir(folder, ["run", FILE])).out).toContain(`--only '${only}'`);
  expect((await weir(folder, ["run", FILE, "--only", only])).out).toContain("0 passed, 1 failed");
});
