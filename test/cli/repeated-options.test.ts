import { expect, test } from "vitest";
import type { Command } from "#src/cli/arguments.ts";
import { findControlOfOthers } from "#src/studies/bench/controls/of-others.node.ts";
import { benchOptions } from "#src/cli/bench-options.ts";
import { COMMANDS } from "#src/cli/commands.ts";
import { parseArguments } from "#src/cli/parse-arguments.node.ts";
import { isFailure, requireValue } from "#src/kit/reading/failure.ts";

const options = COMMANDS.flatMap((command) =>
  command.options.map((option) => ({
    command,
    option,
    of: `weir ${command.name} --${option.name}`,
  })),
);

/** What the command line holds of an option that is given twice, or why it is rejected. */
function parseTwice(command: Command, name: string): unknown {
  const operands = Array.from({ length: command.operands.atLeast }, () => "operand");
  const parsed = parseArguments(command, [...operands, `--${name}=one`, `--${name}=two`]);
  return isFailure(parsed) ? parsed.message : (parsed.lists.get(name) ?? parsed.values.get(name));
}

test("an option whose value is a list adds up, and no other one can be given twice", () => {
  const results = options
    .filter(({ option }) => option.value !== undefined)
    .map(({ command, option, of }) => ({
      of,
      name: option.name,
      is: parseTwice(command, option.name),
    }));
  const lists = results.filter(({ name, is }) => is !== `--${name} is given twice; remove one`);
  expect(lists.map(({ of, is }) => [of, is])).toEqual([
    ["weir run --only", ["one", "two"]],
    ["weir run --out", ["one", "two"]],
    ["weir run --require", "one,two"],
    ["weir run --allow-target", ["one", "two"]],
    ["weir check --out", ["one", "two"]],
    ["weir explain --log", ["one", "two"]],
    ["weir explain --set", ["one", "two"]],
    ["weir worst --set", ["one", "two"]],
    ["weir worst --weights", "one,two"],
    ["weir worst --skew", "one,two"],
    ["weir replay --limit", "one,two"],
    ["weir replay --algorithm", "one,two"],
    ["weir replay --profile", "one,two"],
    ["weir replay --world", ["one", "two"]],
    ["weir replay --config", ["one", "two"]],
    ["weir replay --set", ["one", "two"]],
    ["weir replay --where", ["one", "two"]],
    ["weir diff --log", ["one", "two"]],
    ["weir diff --git", ["one", "two"]],
    ["weir diff --set", ["one", "two"]],
    ["weir diff --fleet", ["one", "two"]],
    ["weir diff --where", ["one", "two"]],
    ["weir recommend --per", "one,two"],
    ["weir recommend --set", ["one", "two"]],
    ["weir recommend --algorithm", "one,two"],
    ["weir recommend --profile", "one,two"],
    ["weir recommend --where", ["one", "two"]],
    ["weir recommend --bad", ["one", "two"]],
    ["weir recommend --to", "one,two"],
    ["weir try --limit", "one,two"],
    ["weir try --header", ["one", "two"]],
    ["weir try --set", ["one", "two"]],
    ["weir try --retry", "one,two"],
    ["weir try --algorithm", "one,two"],
    ["weir try --profile", "one,two"],
    ["weir bench --only", "one,two"],
    ["weir bench --control", "one,two"],
    ["weir bench --allow-target", ["one", "two"]],
    ["weir pareto --traffic", "one,two"],
    ["weir pareto --gateways", "one,two"],
    ["weir lint --header", ["one", "two"]],
    ["weir lint --allow-target", ["one", "two"]],
    ["weir identify --header", ["one", "two"]],
    ["weir identify --allow-target", ["one", "two"]],
    ["weir implementations --only", "one,two"],
    ["weir implementations --require", "one,two"],
    ["weir implementations --set", ["one", "two"]],
    ["weir serve --set", ["one", "two"]],
  ]);
});

test("an option whose value is written as a list may be repeated", () => {
  const single = options.filter(
    ({ option: { value, repeats } }) => value?.endsWith("...") === true && repeats === undefined,
  );
  expect(single.map(({ of }) => of)).toEqual([]);
});

test("each control of the command line is measured", async () => {
  const bench = COMMANDS.find(({ name }) => name === "bench")!;
  const parsed = requireValue(parseArguments(bench, ["--control", "nginx", "--control=express"]));
  expect(await benchOptions(parsed, findControlOfOthers)).toMatchObject({
    wanted: { controls: ["nginx", "express"] },
  });
});
