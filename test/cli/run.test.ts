import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Answer } from "#src/lab/report/answer.ts";
import { ALGORITHMS, FAILING, sample, VACUOUS } from "./samples.ts";
import { folderWith, weir, weirProcess } from "./weir.ts";

const one = { "scenarios/limits/one.yaml": sample("limits/one") };
const suite = {
  ...one,
  "scenarios/limits/algorithms.yaml": ALGORITHMS,
  "scenarios/endpoints/fails.yaml": sample("endpoints/fails", { expect: FAILING }),
  "scenarios/limits/vacuous.yaml": sample("limits/vacuous", { expect: VACUOUS }),
};

const lines = (text: string): readonly string[] => text.trimEnd().split("\n");

test("a trace in the folder of a scenario is found from any working folder", async () => {
  const traffic =
    "\n  - { name: first, as: alice, send: GET /orders, trace: { file: logs/day.csv } }";
  const folder = folderWith({
    "scenarios/limits/traced.yaml": sample("limits/traced", { traffic }),
    "scenarios/limits/logs/day.csv": "time\n0\n0\n0.1\n0.1\n0.2\n0.3\n",
    "scenarios/limits/lost.yaml": sample("limits/lost", { traffic }).replace("day.csv", "no.csv"),
  });
  expect(await weir(folder, ["run", "scenarios/limits/traced.yaml"])).toMatchObject({ code: 0 });
  expect(await weir(join(folder, "scenarios"), ["run", "limits/traced.yaml"])).toMatchObject({
    code: 0,
  });
  expect(await weir(folder, ["run", "scenarios/limits/lost.yaml"])).toMatchObject({
    code: 2,
    err: expect.stringContaining(
      "scenarios/limits/lost.yaml:9:65 error SCN-VALUE the trace cannot be read: scenarios/limits/logs/no.csv: there is no such file or folder",
    ),
  });
});

test("a suite that passes is reported by scenario and by requirement, verdict first and counts last", async () => {
  const { code, out } = await weir(folderWith(one), ["run", "scenarios/limits"]);
  expect(code).toBe(0);
  expect(lines(out)[0]).toMatch(/^limits\/one passes: /);
  expect(lines(out).at(-1)).toBe("1 passed, 0 failed, 0 skipped");
  await expect(out).toMatchFileSnapshot("golden/pass.txt");
});

test("a failure shows expected and observed, its line and how to see it again", async () => {
  const { code, out } = await weir(folderWith(suite), [
    "run",
    "scenarios/limits",
    "scenarios/endpoints",
    "--seed",
    "7",
  ]);
  expect(code).toBe(1);
  expect(lines(out).at(-1)).toBe("3 passed, 2 failed, 0 skipped");
  await expect(out).toMatchFileSnapshot("golden/fail.txt");
});

test("the line that shows a failure again does so", async () => {
  const folder = folderWith({
    "scenarios/limits/algorithms.yaml": ALGORITHMS.replace("5*200 429", "6*200"),
  });
  const printed = lines((await weir(folder, ["run", "--seed", "7"])).out).filter((line) =>
    line.includes(" again "),
  );
  const typed = /weir (run \S+) --only '(.+)' (--seed \d+)$/.exec(printed[1] ?? "") ?? [];
  const [, command = "", only = "", seed = ""] = typed;
  const { out } = await weir(folder, [...command.split(" "), "--only", only, ...seed.split(" ")]);
  expect(out).toContain("FAIL limits/algorithms algorithm=sliding_log");
  expect(lines(out).at(-1)).toBe("0 passed, 1 failed, 0 skipped");
});

test("requests that no limit decided are named as left out, not as examined", async () => {
  const vacuousRun = async (burst: number): Promise<readonly string[]> => {
    const world =
      "\n  apis: { orders: { listen: /orders } }\n  keys: { alice: { rate: 5, per: 1 } }";
    const traffic = `\n  - { name: f, as: alice, send: GET /orders, burst: ${burst}, at: 0s }`;
    const bound = "\n  - { id: five, count: { flow: f, status: 200 }, atMost: 5 }";
    const folder = folderWith({
      "a.yaml": sample("limits/a", { world, traffic, expect: bound }),
    });
    const { code, out } = await weir(folder, ["run", "a.yaml", "--quiet"]);
    expect(code).toBe(5);
    return lines(out).map((line) => line.trim());
  };
  expect(await vacuousRun(1)).toContain("examined  none of 1 request: f:1");
  const many = await vacuousRun(1_234);
  expect(many).toContain("observed  1234 of 1234 got 403: key alice has no access to orders");
  expect(many).toContain(
    `examined  none of 1,234 requests: ${Array.from({ length: 10 }, (_, nth) => `f:${nth + 1}`).join(", ")} and 1,224 more`,
  );
  expect(many).toContain("failed includes 1 vacuous variant (too little was examined)");
});

test("what examined nothing does not pass, and has an exit code of its own", async () => {
  const { code, out } = await weir(folderWith(suite), ["run", "scenarios/limits"]);
  expect(code).toBe(5);
  expect(out).toContain("VACUOUS limits/vacuous");
  expect(lines(out).at(-1)).toBe("3 passed, 1 failed, 0 skipped");
});

test.each([
  ["limits/one", 1],
  ["limits/*", 4],
  ["LIM-1", 4],
  ["algorithm=*_log", 1],
  ["limits/algorithms algorithm=fixed_window", 1],
])("--only %s runs %i variants", async (only, passed) => {
  const folder = folderWith({
    ...one,
    ...suite,
    "scenarios/limits/vacuous.yaml": sample("limits/vacuous"),
  });
  const { out } = await weir(folder, ["run", "scenarios/limits", "--only", only]);
  expect(lines(out).at(-1)).toBe(`${passed} passed, 0 failed, 0 skipped`);
});

test("--bail stops at the first scenario that does not pass", async () => {
  const { code, out, err } = await weir(folderWith(suite), ["run", "--bail"]);
  expect(code).toBe(1);
  expect(err).toContain("stopped: 1 of 4 scenarios ran");
  expect(lines(out).at(-1)).toBe("0 passed, 1 failed, 0 skipped");
});

test("a folder of a user's own is not measured by the specification", async () => {
  const folder = folderWith({
    "scenarios/one.yaml": sample("limits/one")
      .replace("id: limits/one\n", "")
      .replace(/proves.*\n/, ""),
  });
  const { code, out } = await weir(folder, ["run"]);
  expect(code).toBe(0);
  expect(out).not.toMatch(/requirement|LIM-/);
  expect(out).toContain("pass one ");
  const listed = await weir(folder, ["list", "--requirements"]);
  expect(listed).toMatchObject({ code: 0, err: "" });
  expect(listed.out).toMatch(
    /^0 of the \d+ requirements of Weir's specification have a scenario here\n$/,
  );
});

test("--quiet prints what does not pass and the counts", async () => {
  const folder = folderWith(suite);
  expect((await weir(folder, ["run", "scenarios/limits/one.yaml", "--quiet"])).out).toBe(
    "1 passed, 0 failed, 0 skipped\n",
  );
  const { out } = await weir(folder, ["run", "scenarios/endpoints", "--quiet"]);
  expect(out).toMatch(/^\nFAIL endpoints\/fails\n/);
});

test("few warnings are shown, and of many the number; --verbose shows all, and what was observed", async () => {
  const warned = sample("limits/one").replace("per: 1 }", "per: 1, allowance: 3 }");
  const many = Array.from({ length: 6 }, (_, index): [string, string] => [
    `scenarios/limits/n${index}.yaml`,
    warned.replace("id: limits/one", `id: limits/n${index}`),
  ]);
  const few = await weir(folderWith({ "scenarios/limits/one.yaml": warned }), ["run"]);
  expect(few.err).toMatch(/^scenarios\/limits\/one\.yaml:6:.*allowance/);
  expect(few.err).not.toContain("--verbose");
  const folder = folderWith(Object.fromEntries(many));
  const counted = (await weir(folder, ["run"])).err;
  expect(counted).not.toContain("allowance");
  expect(counted).toContain("6 warnings; --verbose shows them");
  expect((await weir(folder, ["run", "--quiet"])).err).not.toContain("warnings");
  const { out, err } = await weir(folder, ["run", "--verbose"]);
  expect(err.match(/allowance is 3/g)).toHaveLength(6);
  expect(out).toContain("observed  5*200 429");
});

test("a misspelt policy is a warning while another one limits the key, and else an error", async () => {
  const world = (names: string): string =>
    sample("limits/one")
      .replace(
        "  keys:",
        "  policies: { free: { rate: 5, per: 1 }, paid: { rate: 9, per: 1 } }\n  keys:",
      )
      .replace(/keys:.*/, `keys: { alice: { apply_policies: [${names}], apis: [orders] } }`);
  const run = async (names: string) =>
    weir(folderWith({ "one.yaml": world(names) }), ["run", "one.yaml", "--json"]);
  const warned = await run("free, payed");
  expect(warned.err).toMatch(
    /^one\.yaml:\d+:\d+ warning CFG-UNKNOWN-POLICY .*did you mean "paid"\?$/m,
  );
  expect(JSON.parse(warned.out)).toMatchObject({
    format: "weir-run/2",
    warnings: expect.arrayContaining([
      expect.stringContaining(" warning CFG-UNKNOWN-POLICY ") as string,
    ]) as unknown,
  });
  const rejected = await run("payed");
  expect(rejected.code).toBe(2);
  expect(JSON.parse(rejected.out)).toMatchObject({
    format: "weir-faults/1",
    faults: [{ file: "one.yaml", severity: "error", code: "CFG-KEY-WITHOUT-LIMIT" }],
  });
});

test("a run of one scenario has what separates its variants, in each output; a run of several has its verdict", async () => {
  const folder = folderWith(suite);
  const file = "scenarios/limits/algorithms.yaml";
  const { out } = await weir(folder, ["run", file, "--out", "markdown=a.md", "--html", "a.html"]);
  const { answer } = JSON.parse((await weir(folder, ["run", file, "--json"])).out) as {
    readonly answer: Answer;
  };
  const [first, second] = answer;
  expect(first!.text).toMatch(/^All 2 variants of limits\/algorithms pass: /);
  expect(second!.text).toMatch(/ separates the \d variants: |are refused with /);
  expect(lines(out).slice(0, 2)).toEqual([first!.text, second!.text]);
  expect(readFileSync(join(folder, "a.md"), "utf8")).toContain(first!.text);
  expect(readFileSync(join(folder, "a.html"), "utf8")).toContain(`<p class="apart">${first!.text}`);
  const several = await weir(folder, ["run", "scenarios/limits", "--json"]);
  expect(JSON.parse(several.out)).toMatchObject({
    answer: [{ id: "verdict" }, { id: "cause" }],
  });
});

test("a pattern in quotes finds files, each once", async () => {
  const { out } = await weir(folderWith(suite), [
    "run",
    "scenarios/**/*o*.yaml",
    "scenarios/limits/one.yaml",
    join("scenarios", "limits", "..", "limits", "one.yaml"),
  ]);
  expect(out.match(/^pass limits\/one/gm)).toHaveLength(1);
});

test("colours follow the terminal, NO_COLOR, FORCE_COLOR and --no-color", async () => {
  const folder = folderWith(one);
  const isPainted = async (
    args: readonly string[],
    environment: NodeJS.ProcessEnv,
  ): Promise<boolean> =>
    (await weir(folder, ["run", ...args], environment)).out.includes("\u001B[");
  expect(await isPainted([], {})).toBe(false);
  expect(await isPainted([], { FORCE_COLOR: "1" })).toBe(true);
  expect(await isPainted([], { FORCE_COLOR: "0" })).toBe(false);
  expect(await isPainted([], { FORCE_COLOR: "1", NO_COLOR: "1" })).toBe(false);
  expect(await isPainted([], { FORCE_COLOR: "1", NO_COLOR: "" })).toBe(true);
  expect(await isPainted(["--no-color"], { FORCE_COLOR: "1" })).toBe(false);
});

test("an internal error is reported as one, with the version and the command line", () => {
  const sabotage = "Array.prototype.toSorted = () => { throw new TypeError('broken'); }";
  const preload = `--import=data:text/javascript,${encodeURIComponent(sabotage)}`;
  const folder = folderWith(one);
  const args = ["run", "--seed", "7", "--store", "redis://:secret@h"];
  const { code, err } = weirProcess(folder, args, { NODE_OPTIONS: preload });
  expect(code).toBe(1);
  expect(err.split("\n").slice(0, 2)).toEqual([
    expect.stringMatching(/^weir: internal error \(\d+\.\d+\.\d+\): broken$/),
    expect.stringMatching(
      /^weir: the command was: .*weir\.node\.js run --seed 7 --store redis:\/\/\*\*\*@h$/,
    ),
  ]);
  expect(err).not.toMatch(/^ +at /m);
  const result = weirProcess(folder, ["run"], { NODE_OPTIONS: preload, WEIR_DEBUG: "1" });
  expect(result.err).toMatch(/^ +at /m);
});
