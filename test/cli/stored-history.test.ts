import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ALGORITHMS, sample } from "./samples.ts";
import { folderWith, weir } from "./weir.ts";

const files = {
  "scenarios/limits/algorithms.yaml": ALGORITHMS,
  "scenarios/limits/one.yaml": sample("limits/one"),
};

async function runWithHistory(): Promise<{
  readonly folder: string;
  readonly saved: readonly string[];
}> {
  const folder = folderWith(files);
  expect((await weir(folder, ["run", "--history", "runs", "--quiet"])).code).toBe(0);
  const saved = readdirSync(join(folder, "runs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ndjson"))
    .toSorted();
  return { folder, saved };
}

test("a history is saved for each variant, and checking it gives the verdicts of the run", async () => {
  const { folder, saved } = await runWithHistory();
  expect(saved).toEqual([
    "limits/algorithms/algorithm=fixed_window.ndjson",
    "limits/algorithms/algorithm=sliding_log.ndjson",
    "limits/one.ndjson",
  ]);
  const results = async (...args: readonly string[]): Promise<unknown> =>
    (JSON.parse((await weir(folder, [...args, "--json"])).out) as { readonly results: unknown })
      .results;
  expect(await results("check", "runs")).toEqual(await results("run"));
});

test("a history that was changed is checked as it is now", async () => {
  const { folder } = await runWithHistory();
  const file = join(folder, "runs/limits/one.ndjson");
  writeFileSync(file, readFileSync(file, "utf8").replace('"status":429', '"status":200'));
  const { code, out } = await weir(folder, ["check", "runs/limits/one.ndjson"]);
  expect(code).toBe(1);
  expect(out).toContain("observed  6*200");
});

const faults: readonly (readonly [what: string, change: (text: string) => string, said: RegExp])[] =
  [
    [
      "cut off",
      (text) => text.slice(0, text.lastIndexOf('{"footer"')),
      /one\.ndjson:\d+:1 error HIST-CUT-OFF/,
    ],
    ["cut within a line", (text) => text.slice(0, 700), /one\.ndjson:\d+:1 error HIST-/],
    [
      "without a request",
      (text) => text.replace(/\{"request":2,.*\n/, ""),
      /one\.ndjson:4:1 error HIST-ORDER/,
    ],
    [
      "of another scenario",
      (text) => text.replace("limits/one", "limits/two"),
      /history of limits\/two/,
    ],
    [
      "of a variant that is gone",
      (text) => text.replace('"variant":""', '"variant":"a=1"'),
      /no variant "a=1"/,
    ],
    [
      "of a flow that is gone",
      (text) => text.replace('"name":"first"', '"name":"gone"'),
      /limits\/one\.yaml has no flow "gone" any more, so it cannot check this history/,
    ],
    ["empty", () => "", /one\.ndjson:1:1 error HIST-CUT-OFF/],
  ];

test.each(faults)(
  "a history that is %s is rejected with its place",
  async (_what, change, problem) => {
    const { folder } = await runWithHistory();
    const file = join(folder, "runs/limits/one.ndjson");
    const text = readFileSync(file, "utf8");
    expect(change(text)).not.toBe(text);
    writeFileSync(file, change(text));
    const { code, out, err } = await weir(folder, ["check", "runs/limits/one.ndjson"]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(problem);
    expect(err).not.toMatch(/^ +at /m);
  },
);

test("--scenario checks by another file of the same id", async () => {
  const { folder } = await runWithHistory();
  const draft = sample("limits/one").replace("5*200 429", "6*200");
  const elsewhere = folderWith({ "drafts/limits/one.yaml": draft });
  const { code } = await weir(folder, [
    "check",
    "runs/limits/one.ndjson",
    "--scenario",
    join(elsewhere, "drafts/limits/one.yaml"),
  ]);
  expect(code).toBe(1);
});

test("a refusal is explained alike from a history and from a scenario", async () => {
  const { folder } = await runWithHistory();
  const explained = await weir(folder, ["explain", "runs/limits/one.ndjson", "first:6"]);
  expect(explained.code).toBe(0);
  expect(explained.out).toBe(
    (await weir(folder, ["explain", "scenarios/limits/one.yaml", "5"])).out,
  );
  await expect(explained.out).toMatchFileSnapshot("golden/explain.txt");
});

test("an explanation is also a document, and of one variant", async () => {
  const { folder } = await runWithHistory();
  const args = ["explain", "scenarios/limits/algorithms.yaml", "first:6", "--json"];
  const explained = JSON.parse(
    (await weir(folder, [...args, "--variant", "algorithm=sliding_log"])).out,
  ) as Record<string, unknown>;
  expect(explained).toMatchObject({
    format: "weir-explain/1",
    row: 5,
    status: 429,
    reason: "rate",
    agrees: "yes",
    budget: { scope: "key", algorithm: "sliding_log", rate: 5, perUs: 1_000_000 },
    because: ["LIM-13"],
    passesAtUs: 1_000_000,
    missedByUs: 1_000_000,
  });
  expect(explained["filledBy"]).toHaveLength(5);
});

test("an admitted request is not reported as refused", async () => {
  const { folder } = await runWithHistory();
  const { out } = await weir(folder, ["explain", "runs/limits/one.ndjson", "first:5"]);
  expect(out).toContain("no limit refused it.");
});
