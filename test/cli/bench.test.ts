import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { readResult, type BenchResult } from "#src/studies/bench/result.ts";
import { spreadIn } from "#src/studies/bench/medians.ts";
import { bench, codeOf } from "#src/cli/bench.node.ts";
import { COMMANDS } from "#src/cli/commands.ts";
import { EXIT } from "#src/cli/exit.ts";
import { parseArguments } from "#src/cli/parse-arguments.node.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { readOutput } from "./output.ts";
import { TINY_SUITE as SUITE } from "./tiny-suite.ts";
import { entry } from "../built.ts";
import { folderWith, plainTerminal, quietEnvironment, type CommandOutput } from "./weir.ts";

const LONG = SUITE.replace("repeats: 2", "repeats: 100");
/** On a busy machine a target in this process may give no answer for some tenths of a second. */
const UNHURRIED = LONG.replace("duration: 200ms", "duration: 2s").replace("100ms", "1s");

interface Running {
  readonly waitFor: (text: string) => Promise<void>;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly children: () => readonly number[];
  readonly output: Promise<CommandOutput>;
}

/** In addition to what the test itself serves. */
function running(
  folder: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Running {
  const child = spawn(process.execPath, [entry(), "bench", ...args], {
    cwd: folder,
    // One that is killed leaves its files behind.
    env: { ...quietEnvironment, TMPDIR: folder, ...environment },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const closed = once(child, "close");
  const out = readOutput([child.stdout], closed);
  const err = readOutput([child.stderr], closed);
  return {
    waitFor: err.waitFor,
    kill: (signal) => void child.kill(signal),
    children: () =>
      execFileSync("ps", ["-o", "pid=", "--ppid", `${child.pid}`], { encoding: "utf8" })
        .trim()
        .split(/\s+/)
        .map(Number),
    output: closed.then(([code]) => ({
      code: code as number | null,
      out: out.text(),
      err: err.text(),
    })),
  };
}

function resultIn(folder: string, file = "reports/runs/bench-tiny.json"): BenchResult {
  return requireValue(readResult(readFileSync(join(folder, file), "utf8")));
}

/** A gateway of another program. `answers` is the number of its responses before it ends. */
async function target(answers = Number.POSITIVE_INFINITY): Promise<string> {
  let given = 0;
  const server = createServer((_, to) => {
    to.end("ok");
    if (++given < answers) return;
    server.close();
    server.closeAllConnections();
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders`;
}

test("a suite runs, is printed and saved, with its raw samples in the same folder", async () => {
  // A gateway in a MiB: no start keeps that.
  const folder = folderWith({ "tiny.yaml": `${SUITE}bounds: [{ metric: rss, most: 1 }]\n` });
  const { code, out, err } = await running(
    folder,
    "tiny.yaml --capacity 40 --starts 2 --repeats 1 --html tiny.html".split(" "),
  ).output;
  expect(err).toContain("seed 1; tiny, about");
  const page = readFileSync(join(folder, "tiny.html"), "utf8");
  expect(page.match(/<h2>.*?<\/h2>/g)?.at(-1)).toBe("<h2>Circumstances</h2>");
  expect(page.includes("from their histograms")).toBe(true);
  expect(out).toMatch(/^base +[\d.,]+ +[\d.,]+ /m);
  expect(out).toMatch(/^bound broken in 2 of 2 starts: rss of base: at most 1 MiB; measured /m);
  const result = resultIn(folder);
  expect(result).toMatchObject({
    capacity: 40,
    stopped: null,
    samples: "bench-tiny.ndjson",
    footer: { cells: 2, repeats: 4, errors: 0 },
  });
  expect(code).toBe(result.machine.busy === null ? 1 : 5);
  const [base, over] = result.cells;
  expect(spreadIn(base!, "cpu")?.median).toBeGreaterThan(0);
  expect(base?.repeats.map(({ round, start }) => [round, start])).toEqual([
    [0, 0],
    [1, 1],
  ]);
  // In a window of 50 ms it admits one, and a closed loop sends many more.
  expect(over).toMatchObject({ name: "demand=2", factors: { demand: 2 } });
  expect(spreadIn(over!, "refused")?.median).toBeGreaterThan(0);
  expect(spreadIn(over!, "refused")?.median).toBeLessThan(100);
  const samples = readFileSync(join(folder, "reports/runs/bench-tiny.ndjson"), "utf8");
  const lines = samples
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  expect(lines[0]).toEqual({ format: "weir-bench-samples/1" });
  expect(lines.filter((line) => "round" in line)).toHaveLength(4);
});

test("an interrupted run saves its measurements and reports that they are incomplete", async () => {
  const folder = folderWith({ "tiny.yaml": UNHURRIED });
  const run = running(folder, ["tiny.yaml", "--target", await target(), "--out", "kept.json"]);
  const part = join(folder, "kept.ndjson.part");
  const isMeasured = () => existsSync(part) && readFileSync(part, "utf8").includes('"round"');
  await vi.waitUntil(isMeasured, { timeout: 50_000, interval: 20 });
  run.kill("SIGINT");
  const { code, err } = await run.output;
  expect(code).toBe(130);
  expect(err).toContain("stopped early: it was interrupted");
  const { stopped, footer, cells, machine } = resultIn(folder, "kept.json");
  expect(machine.busy).toBeNull(); // though the target, on this very machine, had a core to itself
  expect(stopped).toBe("it was interrupted");
  expect(footer.repeats).toBe(cells[0]!.repeats.length);
  expect([0, 100]).not.toContain(footer.repeats);
});

test("a run that is interrupted ends soon, whatever its processes do", async () => {
  const folder = folderWith({ "tiny.yaml": LONG });
  const run = running(folder, ["tiny.yaml", "--capacity", "400"]);
  await run.waitFor("warming up");
  const children = run.children();
  suspend(children);
  run.kill("SIGINT");
  const isSaved = () => existsSync(join(folder, "reports/runs/bench-tiny.json"));
  await vi.waitUntil(isSaved, { timeout: 50_000, interval: 20 });
  expect(children.some(isThere)).toBe(true);
  await vi.waitUntil(() => !children.some(isThere), { timeout: 50_000 });
  expect((await run.output).code).toBe(130);
});

test("nothing is left of a run that is killed", async () => {
  const folder = folderWith({ "tiny.yaml": LONG });
  const run = running(folder, ["tiny.yaml", "--capacity", "400", "--out", "kept.json"]);
  await run.waitFor("warming up");
  const left = new Set(run.children());
  expect(left.size).toBe(5); // two that send, the upstream and two gateways
  run.kill("SIGKILL");
  await run.output;
  await vi.waitUntil(
    () => {
      for (const pid of left) if (!isThere(pid)) left.delete(pid);
      return left.size === 0;
    },
    { timeout: 50_000 },
  );
  // Both names are free for the next run, which would be refused otherwise.
  expect(readdirSync(folder).filter((name) => name.startsWith("kept"))).toEqual([
    "kept.ndjson.part",
  ]);
});

/** A suspended process does not notice that its parent ends, so a test that fails kills it. */
function suspend(pids: readonly number[]): void {
  onTestFinished(() => {
    for (const pid of pids) if (isThere(pid)) process.kill(pid, "SIGKILL");
  });
  for (const pid of pids) process.kill(pid, "SIGSTOP");
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw error;
  }
}

/** On a busy machine a gateway may be ready before a test sees its process: this one never is. */
const NEVER_READY = `if (process.argv.includes("serve")) process.kill(process.pid, "SIGSTOP");`;

test("a run that is interrupted does not wait for a gateway that starts", async () => {
  const folder = folderWith({ "tiny.yaml": LONG, "never-ready.mjs": NEVER_READY });
  const run = running(folder, ["tiny.yaml", "--capacity", "400"], {
    NODE_OPTIONS: `--import=${join(folder, "never-ready.mjs")}`,
  });
  await run.waitFor("starting 2 servers");
  // Two that send, the upstream and two gateways.
  await vi.waitUntil(() => run.children().length === 5, { timeout: 50_000, interval: 5 });
  const children = run.children();
  suspend(children);
  run.kill("SIGINT");
  await vi.waitUntil(() => !children.some(isThere), { timeout: 40_000 });
  const { code, err } = await run.output;
  expect(code).toBe(130);
  expect(err).not.toContain("warming up");
  expect(readdirSync(folder).filter((name) => name.startsWith("weir-run-"))).toEqual([]);
});

test("a target that dies in the middle ends the run, and what it has answered is kept", async () => {
  // A busy machine may need longer than a short repeat for a first answer, which would end the run for another reason.
  const slow = LONG.replace("duration: 200ms", "duration: 2s");
  const folder = folderWith({ "tiny.yaml": slow });
  const url = await target(3_000);
  const { code, err } = await running(folder, ["tiny.yaml", "--target", url]).output;
  expect(err).toContain(`${url} gets at most 1000000 requests, for at most 10 min`);
  expect(err).toContain(`stopped early: ${url} no longer answers`);
  expect(code).toBe(3);
  expect(resultIn(folder)).toMatchObject({ target: url, stopped: `${url} no longer answers` });
});

/** In this process: a rejected command starts nothing. */
async function runBench(folder: string, ...args: readonly string[]): Promise<CommandOutput> {
  const parsed = requireValue(
    parseArguments(
      COMMANDS.find(({ name }) => name === "bench")!,
      args.map((arg) => (/\.(?:yaml|json)$/.test(arg) ? join(folder, arg) : arg)),
    ),
  );
  const [out, err]: [string[], string[]] = [[], []];
  const code = await bench(parsed, plainTerminal(out, err), (sentence) => {
    err.push(sentence);
    return EXIT.usage;
  });
  return { code, out: out.join("\n"), err: err.join("\n").replaceAll(`${folder}/`, "") };
}

test.each([
  [["gatewya"], 2, "there is no suite gatewya; did you mean gateway?"],
  [["nowhere.yaml"], 2, "nowhere.yaml: there is no such file or folder"],
  [["broken.yaml"], 2, 'broken.yaml:4:20 error BENCH-VALUE "fixed_windo" is not one of'],
  [["tiny.yaml", "--only", "demand=3"], 2, "there is no cell demand=3; did you mean demand=2?"],
  [["tiny.yaml", "--target", "http://api.example.org/"], 2, "--allow-target api.example.org"],
  [
    ["tiny.yaml", "--target", "http://127.0.0.1:1/"],
    3,
    "http://127.0.0.1:1/ does not answer: bad port",
  ],
  [["tiny.yaml", "--duration", "5s"], 2, "--duration is only for the suite truth; remove it"],
  [["truth", "--duration", "5"], 2, '--duration must be a duration, such as 60s; got "5"'],
  [["truth", "--quick"], 2, "--quick is no flag of suite truth, which takes --duration, --seed"],
  [
    ["tiny.yaml", "--out", "tiny.yaml/kept.json"],
    2,
    "tiny.yaml: a part of the path is not a folder",
  ],
  [["tiny.yaml", "--out", "."], 2, ". already exists; choose another file"],
  [["tiny.yaml", "--out", "broken.yaml"], 2, "broken.yaml already exists; choose another file"],
  [["tiny.yaml", "--out", "other.json"], 2, "other.ndjson already exists; choose another file"],
  [["tiny.yaml", "--out", "/proc/x/y/kept"], 2, "/proc/x/y/kept: this place cannot be written to"],
])("weir bench %j ends with %d and a sentence", async (args, code, sentence) => {
  const folder = folderWith({
    "tiny.yaml": SUITE,
    "broken.yaml": SUITE.replace("fixed_window", "fixed_windo").replace("tiny", "broken"),
    "other.ndjson": "the samples would replace it",
  });
  const result = await runBench(folder, ...args);
  expect(result.err).toContain(sentence);
  expect(result).toMatchObject({ code, out: "" });
});

test("a target that rejects every request is reported before anything is measured", async () => {
  const server = createServer((_, to) => to.writeHead(401).end());
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { code, err } = await runBench(
    folderWith({ "tiny.yaml": SUITE }),
    "tiny.yaml",
    "--target",
    url,
  );
  expect(err).toBe(
    `weir bench: ${url} answers with 401; set WEIR_BENCH_KEY, which is sent as Authorization`,
  );
  expect(code).toBe(2);
});

test.each([
  ["the end of a cap", { how: "capped", errors: 0, repeats: 3 }, 5],
  ["a cap before anything was measured", { how: "capped", errors: 0, repeats: 0 }, 3],
  ["a cap, with errors", { how: "capped", errors: 1, repeats: 3 }, 1],
  ["a target that is gone", { how: "gone", errors: 0, repeats: 3 }, 3],
  ["an interruption", { how: "interrupted", errors: 1, repeats: 0 }, 130],
] as const)("a run that ends with %s has its exit code", (_, { how, errors, repeats }, code) => {
  expect(codeOf({ how, why: "" }, { repeats, errors })).toBe(code);
});
