import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { COMMANDS } from "#src/cli/commands.ts";
import { parseArguments, seedOf } from "#src/cli/parse-arguments.node.ts";
import { budgetOf, questionOf } from "#src/cli/worst.node.ts";
import { isFailure } from "#src/kit/reading/failure.ts";
import { Ajv2020 } from "ajv/dist/2020.js";
import { SCHEMAS } from "#src/cli/schema.node.ts";
import { folderWith, weir } from "./weir.ts";

const argumentsWith = (...more: readonly string[]): readonly string[] => [
  "worst",
  "--algorithm=fixed_window",
  "--rate=3",
  "--per=2s",
  "--search-time=200ms",
  ...more,
];

test("the output is a scenario that runs and passes, with the bound", async () => {
  const folder = folderWith({});
  const { code, out, err } = await weir(
    folder,
    argumentsWith("--out", "scenarios/fleet/worst.yaml"),
  );
  expect([code, err]).toEqual([0, ""]);
  const lines = out.trimEnd().split("\n");
  expect(lines[0]).toMatch(
    /^Up to 5 requests can get through a fixed window of 3 per 2 seconds within 2 seconds: 2 at once and 3 more /,
  );
  expect(lines.at(-3)).toMatch(/^Plan the upstream for 5 per 2 seconds of each key, or /);
  expect(lines.slice(-2)).toEqual([
    "",
    "wrote scenarios/fleet/worst.yaml; run it: weir run scenarios/fleet/worst.yaml",
  ]);
  const run = await weir(folder, ["run", "scenarios/fleet/worst.yaml"]);
  expect({ code: run.code, last: run.out.trim().split("\n").at(-1) }).toEqual({
    code: 0,
    last: "1 passed, 0 failed, 0 skipped",
  });
  const { out: printed } = await weir(folder, argumentsWith());
  const written = readFileSync(join(folder, "scenarios/fleet/worst.yaml"), "utf8");
  const answer = lines.slice(0, -1).map((line) => `# ${line}`.trimEnd());
  expect(printed).toBe(
    `${answer.join("\n")}\n${written.replace("id: fleet/worst", "id: regressions/worst-fixed-window")}`,
  );
});

test("--json is one document with the bursts and the scenario", async () => {
  const { code, out, err } = await weir(folderWith({}), argumentsWith("--json", "--seed", "3"));
  expect([code, err]).toEqual([0, ""]);
  const fits = new Ajv2020({ allowUnionTypes: true }).compile(SCHEMAS["worst"]!() as object);
  expect(fits(JSON.parse(out)) ? [] : fits.errors).toEqual([]);
  expect(JSON.parse(out)).toMatchObject({
    format: "weir-worst/1",
    answer: expect.arrayContaining([expect.objectContaining({ id: "cause" })]),
    seed: 3,
    question: { algorithm: "fixed_window", rate: 3, perUs: 2_000_000, inFlight: null },
    most: 5,
    bound: { most: 5, because: "2 x 3 - 1" },
    standing: "reached",
    window: [
      { atUs: expect.any(Number), count: 2, gateways: [0] },
      { atUs: 2_000_000, count: 3, gateways: [0] },
    ],
    bursts: [
      { atUs: 0, count: 1, as: "alice" },
      { atUs: expect.any(Number), count: 2, as: "alice" },
      { atUs: 2_000_000, count: 3, as: "alice" },
    ],
    scenario: expect.stringContaining("id: regressions/worst-fixed-window\n"),
  });
});

test("a file that is there already is left alone", async () => {
  const folder = folderWith({ "limits/kept.yaml": "mine" });
  const { code, out, err } = await weir(folder, argumentsWith("--out", "limits/kept.yaml"));
  expect({ code, out, err }).toEqual({
    code: 2,
    out: "",
    err: "weir worst: limits/kept.yaml already exists; choose another file\n",
  });
  expect(readFileSync(join(folder, "limits/kept.yaml"), "utf8")).toBe("mine");
});

const NEEDS = ["--algorithm", "drl", "--rate", "3", "--per", "2s", "--search-time", "200ms"];

/** NEEDS, where a flag that is given here replaces its value there. */
function instead(...flags: readonly string[]): readonly string[] {
  const names = new Set(flags.map((flag) => flag.split("=")[0]));
  const others = NEEDS.filter((_, at) => !names.has(NEEDS[at - (at % 2)]));
  return [...others, ...flags];
}

const wrong: readonly (readonly [args: readonly string[], said: string])[] = [
  [[], "--algorithm is needed: one of fixed_window, sliding_log,"],
  [["--algorithm", "drl", "--per", "1s"], "--rate is needed: how many requests"],
  [["--algorithm", "drl", "--rate", "1"], "--per is needed: how long a window is"],
  [
    ["--algorithm", "slidng-log", "--rate", "1", "--per", "1"],
    'there is no algorithm "slidng-log"; did you mean sliding_log?',
  ],
  [
    ["--algorithm", "magic", "--rate", "1", "--per", "1"],
    'there is no algorithm "magic": there are fixed_window, sliding_log,',
  ],
  [
    instead("--rate", "0"),
    '--rate must be a number from 1 to 10000 with at most six decimals (below 1 nothing is ever admitted); got "0"',
  ],
  [instead("--rate", "0.5"), 'got "0.5"'],
  [instead("--rate=-3"), 'got "-3"'],
  [instead("--rate", "1e9"), 'got "1e9"'],
  [instead("--rate", "99999"), 'got "99999"'],
  [instead("--rate", "1.0000001"), 'got "1.0000001"'],
  [instead("--per=-1"), "--per must be above 0 and at most 30 days, such as 1s"],
  [instead("--per", "0"), 'got "0"'],
  [instead("--per", "two"), 'got "two"'],
  [instead("--per", "721h"), 'got "721h"'],
  [instead("--nodes", "0"), '--nodes must be an integer from 1 to 100; got "0"'],
  [instead("--nodes", "101"), 'got "101"'],
  [
    instead("--balancer", "stick"),
    'one of round-robin, random, least-connections, sticky, weighted; got "stick"; did you mean sticky?',
  ],
  [
    instead("--balancer", "weighted", "--nodes", "3"),
    "needs --weights with one number for each of the 3 gateways (--nodes)",
  ],
  [instead("--weights", "1"), "--weights is for --balancer weighted"],
  [
    instead("--weights", "a,b"),
    '--weights must be numbers of at least 0, such as 8,1,1; got "a,b"',
  ],
  [instead("--skew", "5"), '--skew must be durations, such as 0s,20ms,-5ms; got "5"'],
  [instead("--skew", "0s,5ms"), "--skew names 2 clocks, more than there are gateways (--nodes 1)"],
  [instead("--level", "policy"), '--level must be one of key, api; got "policy"'],
  [
    instead("--store-latency", "1m"),
    '--store-latency must be a duration of at most 40ms (a slower store counts as unreachable); got "1m"',
  ],
  [instead("--in-flight", "5"), "--in-flight needs --store-latency"],
  [instead("--store-latency", "1ms", "--in-flight", "0"), "--in-flight must be an integer from 1"],
  [instead("--burst", "2"), "--burst is only for gcra; the algorithm is drl"],
  [
    instead("--algorithm", "gcra", "--burst", "0"),
    '--burst must be an integer from 1 to 10000, or rate; got "0"',
  ],
  [instead("--fixed-window-start", "clock"), "is only for fixed_window; the algorithm is drl"],
  [
    instead("--search-time", "0s"),
    '--search-time must be above 0 and at most 600s, such as 10s; got "0s"',
  ],
  [instead("--search-time", "1h"), 'got "1h"'],
  [instead("--seed", "x"), "--seed must be an integer"],
  [instead("--out", "Bad Name.yaml"), "--out must be FOLDER/NAME.yaml in small letters"],
  [instead("--out", "limits/worst.json"), 'got "limits/worst.json"'],
  [["now"], "it takes no arguments; got 1"],
];

/** The message of the command before it begins; null: it would begin. */
function refusal(args: readonly string[]): string | null {
  const parsed = parseArguments(
    COMMANDS.find(({ name }) => name === "worst")!,
    args,
  );
  if (isFailure(parsed)) return parsed.message;
  const read = [seedOf, questionOf, budgetOf].map((of) => of(parsed.values));
  return read.find(isFailure)?.message ?? null;
}

test.each(wrong)("%j is rejected in words", (args, problem) => {
  expect(refusal(args)).toContain(problem);
});

test.each([NEEDS, ["--algorithm=gcra", "--rate=2.5", "--per=0.25", "--burst=rate", "--skew=-5ms"]])(
  "%j is accepted",
  (...args) => {
    expect(refusal(args)).toBe(null);
  },
);

test("a refusal has no stack, and writes nothing", async () => {
  const folder = folderWith({});
  const { code, out, err } = await weir(
    folder,
    argumentsWith("--nodes", "0", "--out", "scenarios/limits/a.yaml"),
  );
  expect({ code, out, err }).toEqual({
    code: 2,
    out: "",
    err: 'weir worst: --nodes must be an integer from 1 to 100; got "0"\nweir worst --help lists its flags\n',
  });
  expect(existsSync(join(folder, "scenarios"))).toBe(false);
});

test("a place for the scenario that is none is reported before the search", async () => {
  const folder = folderWith({ limits: "a file" });
  const { code, out, err } = await weir(folder, argumentsWith("--out", "limits/worst.yaml"));
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain("weir worst: limits: a part of the path is not a folder");
});
