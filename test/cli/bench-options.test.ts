import { expect, test } from "vitest";
import { findControlOfOthers } from "#src/studies/bench/controls/of-others.node.ts";
import { benchOptions, type BenchOptions } from "#src/cli/bench-options.ts";
import { COMMANDS } from "#src/cli/commands.ts";
import { parseArguments } from "#src/cli/parse-arguments.node.ts";
import { type Failure, requireValue } from "#src/kit/reading/failure.ts";

const command = COMMANDS.find(({ name }) => name === "bench")!;

const options = (...typed: readonly string[]): Promise<BenchOptions | Failure> =>
  benchOptions(requireValue(parseArguments(command, typed)), findControlOfOthers);

test("without options the suite is unchanged", async () => {
  expect(await options()).toEqual({
    wanted: {
      isQuick: false,
      isCross: false,
      isTarget: false,
      controls: [],
      repeats: null,
      starts: null,
      only: null,
    },
    capacity: null,
    target: null,
  });
});

test("cells are chosen by names, with commas and stars", async () => {
  const { only } = requireValue(await options("--only", "base,algorithm=*")).wanted;
  const names = ["base", "algorithm=gcra", "algorithm=drl store=redis", "demand=2"];
  const chosen = names.filter((name) => only?.some(({ matches }) => matches(name)));
  expect(chosen).toEqual(names.slice(0, 3));
});

test("the factors of a combination may come in any order", async () => {
  const { only } = requireValue(await options("--only", "connections=1 demand=2")).wanted;
  expect(only?.map(({ matches }) => matches("demand=2 connections=1"))).toEqual([true]);
});

test.each([
  [["--control", "ngnix"], "there is no control ngnix; did you mean nginx?"],
  [["--control", "haprxy"], 'no implementation is called "haprxy"; did you mean "haproxy"?'],
  [["--control", "haproxy"], "haproxy has variants; use one of haproxy/rate, haproxy/admitted"],
  [["--control", "limiter"], "limiter reads requests as lines, and a control has to be a server"],
  [["--repeats", "0"], '--repeats must be an integer from 1 to 1000; got "0"'],
  [["--starts", "101"], '--starts must be an integer from 1 to 100; got "101"'],
  [["--repeats", "many"], '--repeats must be an integer from 1 to 1000; got "many"'],
  [["--capacity", "1.5"], '--capacity must be an integer from 1 to 10000000; got "1.5"'],
  [["--quick", "--cross"], "--quick and --cross exclude each other; remove one"],
  [["--allow-target", "x"], "--allow-target needs --target URL"],
  [["--target", "nowhere"], "--target takes the address"],
  [["--target", "http://127.0.0.1/", "--pin"], "remove --cross, --control, --starts and --pin"],
])("%j is refused in a sentence", async (typed, sentence) => {
  expect(await options(...typed)).toMatchObject({
    message: expect.stringContaining(sentence) as string,
  });
});

test("a control may be a server of others, with what a comparison has to state of it", async () => {
  const { controls } = requireValue(await options("--control", "nginx,haproxy/admitted")).wanted;
  expect(controls).toEqual([
    "nginx",
    {
      implementation: "haproxy/admitted",
      algorithm:
        "A general purpose counter of a stick table, which counts the requests that no limit refused.",
      store: "memory",
      limit: "100000 per 1 s",
    },
  ]);
});
