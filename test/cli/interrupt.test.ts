import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { newServer } from "#src/lab/implementations/new-server.node.ts";
import { readOutput } from "./output.ts";
import { sample } from "./samples.ts";
import { entry } from "../built.ts";
import { folderWith, quietEnvironment, weir } from "./weir.ts";

const ENDLESS = `
  - { name: first, as: alice, send: GET /orders, rate: 100000, for: 20s }`;

interface Running {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Resolves as soon as the text was printed that many times. */
  readonly waitFor: (text: string, times?: number) => Promise<void>;
}

function start(folder: string, args: readonly string[]): Running {
  const child = spawn(process.execPath, [entry(), ...args], { cwd: folder, env: quietEnvironment });
  onTestFinished(() => void child.kill("SIGKILL"));
  const { text, waitFor } = readOutput([child.stdout, child.stderr], once(child, "close"));
  return { child, output: text, waitFor: waitFor };
}

test("an interrupted run reports what it has done", async () => {
  const busy = `
  - { name: first, as: alice, send: GET /orders, rate: 4000, for: 2s }`;
  const expected = `
  - { id: some pass, count: { status: 200 }, atLeast: 1 }`;
  const names = Array.from({ length: 60 }, (_, n) => `limits/busy-${n + 10}`);
  const folder = folderWith(
    Object.fromEntries(
      names.map((id) => [`scenarios/${id}.yaml`, sample(id, { traffic: busy, expect: expected })]),
    ),
  );
  const { child, output, waitFor } = start(folder, ["run", "--verbose"]);
  await waitFor("pass limits/busy-10");
  child.kill("SIGINT");
  const [code] = (await once(child, "close")) as [number];
  expect(code).toBe(130);
  expect(output()).toMatch(/interrupted: \d+ of 60 scenarios ran/);
  expect(output()).toMatch(/^\d+ passed, 0 failed, 0 skipped$/m);
});

test("Ctrl-C ends a replay that waits for more lines, and prints the result until then", async () => {
  const folder = folderWith({});
  const { child, output } = start(folder, ["replay", "-", "--limit", "1/1m", "--key", "field:ip"]);
  const line = '{"time":"2026-01-05T10:00:00.5Z","ip":"192.0.2.1"}\n';
  // More than a pipe holds: when all of it is written, the replay reads.
  await new Promise((resolve) => child.stdin!.write(line.repeat(6000), resolve));
  await setTimeout(300);
  child.kill("SIGINT");
  const [code] = (await once(child, "close")) as [number];
  expect(code).toBe(130);
  expect(output()).toMatch(/^[\d,]+ requests of \d clients? by field:ip/m);
  expect(output()).toContain(
    "interrupted; the result has only the lines that were read until then",
  );
});

test("Ctrl-C ends the search for a limit, and prints the candidates until then", async () => {
  const folder = folderWith({});
  const args = ["recommend", "-", "--per", "1s,1m,1h", "--algorithm", "all"];
  const { child, output, waitFor } = start(folder, args);
  const lines = Array.from({ length: 20_000 }, (_, i) => {
    const time = new Date(Date.UTC(2026, 0, 5) + i * 200 + (i % 70)).toISOString();
    return `${JSON.stringify({ time, ip: `192.0.2.${i % 90}` })}\n`;
  });
  await new Promise((resolve) => child.stdin!.write(lines.join(""), resolve));
  await setTimeout(300);
  child.kill("SIGINT");
  await waitFor("interrupted; the search has begun, and Ctrl-C interrupts it too");
  await setTimeout(300); // for its first candidates
  child.kill("SIGINT");
  expect(await once(child, "close")).toEqual([130, null]);
  const searched = Number(/interrupted; (\d+) of 30 candidates were searched$/m.exec(output())![1]);
  expect(output().match(/^ *\w+\/1[smh]  \w+ .*%\)/gm)).toHaveLength(searched);
  expect(output()).toContain(
    "interrupted; the result has only the lines that were read until then",
  );
});

test("Ctrl-C ends the run while the only scenario is computed", async () => {
  const folder = folderWith({ "one.yaml": sample("limits/one", { traffic: ENDLESS }) });
  const { child, output, waitFor } = start(folder, ["run", "one.yaml"]);
  await waitFor("seed 1");
  child.kill("SIGINT");
  expect(await once(child, "close")).toEqual([130, null]);
  expect(output()).toContain("interrupted: 0 of 1 scenario ran");
});

test.each([
  ["SIGTERM", [130, null]],
  ["SIGINT", [null, "SIGINT"]],
] as const)(
  "%s after SIGINT, while the page is rendered, ends the run with %j",
  async (second, ended) => {
    const folder = folderWith({ "one.yaml": sample("limits/one", { traffic: ENDLESS }) });
    const { child, waitFor } = start(folder, ["run", "one.yaml", "--html", "page.html"]);
    await waitFor("seed 1");
    child.kill("SIGINT");
    await waitFor("interrupted: ");
    child.kill(second);
    expect(await once(child, "close")).toEqual(ended);
    for (const file of ["page.html", "page.json"])
      expect(existsSync(join(folder, file))).toBe(second === "SIGTERM");
  },
);

test("a run that is killed leaves no file of --out, and none of an earlier run", async () => {
  const folder = folderWith({
    "one.yaml": sample("limits/one", { traffic: ENDLESS }),
    "earlier.xml": "<earlier/>",
  });
  const outputs = ["--out", "junit=earlier.xml", "--out", "json=new.json"];
  const { child, waitFor } = start(folder, ["run", "one.yaml", ...outputs]);
  await waitFor("seed 1");
  child.kill("SIGKILL");
  await once(child, "close");
  expect(readdirSync(folder)).toEqual(["one.yaml"]);
});

test.runIf(process.platform === "linux")(
  "Ctrl-C ends a run on an implementation at once, and its programs",
  async () => {
    const files = Object.entries(newServer("mine"));
    const folder = folderWith(
      Object.fromEntries(files.map(([name, text]) => [`mine/${name}`, text])),
    );
    const args = ["implementations", "run", "./mine", "--only", "slightly-above-the-limit"];
    const { child, output } = start(folder, args);
    const started = `/proc/${child.pid}/task/${child.pid}/children`;
    const programs = (): string[] => readFileSync(started, "utf8").trim().split(" ");
    while (child.exitCode === null && programs()[0] === "") await setTimeout(20);
    const pids = programs();
    await setTimeout(500); // its traffic takes seconds
    const sinceMs = performance.now();
    child.kill("SIGINT");
    expect(await once(child, "close")).toEqual([130, null]);
    expect(performance.now() - sinceMs).toBeLessThan(2_000);
    expect(output()).toContain("interrupted after 0 of 1 implementation");
    for (const pid of pids)
      await vi.waitFor(() => expect(existsSync(`/proc/${pid}`)).toBe(false), { timeout: 3_000 });
  },
);

test("a run that is killed while it saves a history leaves no part of it under its name", async () => {
  const many = `
  - { name: first, as: alice, send: GET /orders, rate: 100000, for: 1s }`;
  const folder = folderWith({ "one.yaml": sample("limits/one", { traffic: many }) });
  const { child } = start(folder, ["run", "one.yaml", "--history", "runs"]);
  const saved = join(folder, "runs/limits");
  const isSaving = (): boolean => existsSync(saved) && readdirSync(saved).length > 0;
  while (!isSaving() && child.exitCode === null) await setTimeout(1);
  child.kill("SIGKILL");
  await once(child, "close");
  // A machine that is busy may let the run finish before it is killed: then the history is whole.
  for (const name of readdirSync(saved).filter((each) => each.endsWith(".ndjson")))
    expect(readFileSync(join(saved, name), "utf8")).toMatch(/\{"footer":true.*\}\n$/);
  expect(readdirSync(saved)).toHaveLength(1);
});

test("--watch runs again after a scenario file has changed", async () => {
  const folder = folderWith({ "scenarios/limits/one.yaml": sample("limits/one") });
  const { child, waitFor } = start(folder, ["run", "--watch", "--quiet"]);
  await waitFor("watching ");
  // On another stream than the line before, and so perhaps later.
  await waitFor("1 passed, 0 failed, 0 skipped");
  const changed = sample("limits/one").replace("5*200 429", "6*200");
  writeFileSync(join(folder, "scenarios/limits/one.yaml"), changed);
  await waitFor("watching ", 2);
  await waitFor("0 passed, 1 failed, 0 skipped");
  child.kill("SIGINT");
  expect(await once(child, "close")).toEqual([130, null]);
});

test("--watch runs again after each save by renaming, and for new files and folders", async () => {
  const folder = folderWith({ "scenarios/limits/one.yaml": sample("limits/one") });
  const file = join(folder, "scenarios/limits/one.yaml");
  const { child, output, waitFor } = start(folder, ["run", "--watch", "--quiet"]);
  await waitFor("watching ");
  for (const save of [2, 3, 4]) {
    writeFileSync(`${file}~`, sample("limits/one"));
    renameSync(`${file}~`, file); // as vim, JetBrains and "sed -i" do
    await waitFor("watching ", save);
  }
  writeFileSync(join(folder, "scenarios/limits/two.yaml"), sample("limits/two"));
  await waitFor("watching ", 5);
  mkdirSync(join(folder, "scenarios/more"));
  writeFileSync(join(folder, "scenarios/more/three.yaml"), sample("more/three"));
  await waitFor("3 passed, 0 failed, 0 skipped");
  await waitFor("watching ", 6);
  const changed = sample("more/three").replace("5*200 429", "6*200");
  writeFileSync(join(folder, "scenarios/more/three.yaml"), changed);
  await waitFor("2 passed, 1 failed, 0 skipped");
  expect(output()).toMatch(/^watching scenarios; Ctrl-C ends$/m);
  // The commands about a variant name the file that was started, and nothing else does.
  const rest = output().replaceAll(/^ {2}(?:again|explain) .*$/gm, "");
  expect(rest).not.toContain(join(import.meta.dirname, "../.."));
  child.kill("SIGINT");
  await once(child, "close");
});

test("--watch --json is one line for each run, and one where a file has an error", async () => {
  const folder = folderWith({ "one.yaml": sample("limits/one") });
  const { child } = start(folder, ["run", "one.yaml", "--watch", "--json"]);
  const lines = createInterface(child.stdout!)[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => JSON.parse((await lines.next()).value as string);
  const outputOf = (passed: number, failed: number): unknown =>
    expect.objectContaining({
      format: "weir-run/2",
      footer: expect.objectContaining({ complete: true, passed, failed }) as unknown,
    });
  const save = (text: string): void => writeFileSync(join(folder, "one.yaml"), text);
  expect(await next()).toEqual(outputOf(1, 0));
  save(sample("limits/one").replace("5*200 429", "6*200"));
  expect(await next()).toEqual(outputOf(0, 1));
  save(`${sample("limits/one")}\nnonsense: 1\n`);
  expect(await next()).toMatchObject({
    format: "weir-faults/1",
    exitCode: 2,
    faults: [{ file: "one.yaml", column: 1, code: "SCN-UNKNOWN-FIELD" }],
  });
  save(sample("limits/one"));
  expect(await next()).toEqual(outputOf(1, 0));
  child.kill("SIGINT");
  expect(await once(child, "close")).toEqual([130, null]);
  expect((await lines.next()).done).toBe(true);
});

test("--watch --json has no line of a run that a change ends, and one of a run that dies", async () => {
  const folder = folderWith({ "one.yaml": sample("limits/one", { traffic: ENDLESS }) });
  const { child } = start(folder, ["run", "one.yaml", "--watch", "--json"]);
  const lines = createInterface(child.stdout!)[Symbol.asyncIterator]();
  const children = `/proc/${child.pid}/task/${child.pid}/children`;
  const run = async (): Promise<number> => {
    for (;;) {
      const [pid] = readFileSync(children, "utf8").split(" ");
      if (pid !== "") return Number(pid);
      await setTimeout(20);
    }
  };
  const first = await run();
  await setTimeout(300); // a run that has begun
  writeFileSync(join(folder, "one.yaml"), sample("limits/one", { traffic: ENDLESS }));
  let second = await run();
  while (second === first) {
    await setTimeout(20);
    second = await run();
  }
  process.kill(second, "SIGKILL");
  expect(JSON.parse((await lines.next()).value as string)).toEqual({
    format: "weir-faults/1",
    command: "run",
    exitCode: 1,
    faults: [
      {
        severity: "error",
        message: "the run ended by SIGKILL without a result; stderr may have the reason",
      },
    ],
  });
  child.kill("SIGINT");
  expect(await once(child, "close")).toEqual([130, null]);
  expect((await lines.next()).done).toBe(true);
});

test.each([
  [["one.yaml", "mistyped", "--watch", "--json"], "mistyped: there is no such file or folder"],
  [["one.yaml", "--watch", "--json", "--mistyped"], "there is no flag --mistyped"],
])("%j that cannot begin is one line, too", async (args, message) => {
  const folder = folderWith({ "one.yaml": sample("limits/one") });
  const { code, out } = await weir(folder, ["run", ...args]);
  expect({ code, lines: out.split("\n").length }).toEqual({ code: 2, lines: 2 });
  expect(JSON.parse(out)).toMatchObject({
    format: "weir-faults/1",
    faults: [{ message: expect.stringContaining(message) as unknown }],
  });
});

test("a reader may close the output early, and the run ends as it would have", async () => {
  const { child } = start(folderWith({}), ["schema"]);
  child.stdout?.destroy();
  const [code] = (await once(child, "close")) as [number];
  expect(code).toBe(0);
});

test.each([
  ["stays away", ["--html", "page.html"], 1, ["page.html", "page.json"]],
  ["leaves after the first line", ["--html", "page.html"], 1, ["page.html", "page.json"]],
  ["stays away", ["--out", "badge=badge.svg"], 1, ["badge.svg"]],
  ["stays away", ["--history", "runs"], 1, ["runs"]],
  // All of its output comes after its result, whose exit code is kept.
  ["stays away", [], 1, []],
] as const)("if the reader %s, run %j ends with %d", async (how, args, ends, files) => {
  const wrong = sample("limits/one").replace("5*200 429", "6*200");
  const folder = folderWith({ "one.yaml": wrong });
  const { child } = start(folder, ["run", "one.yaml", ...args]);
  if (how !== "stays away") await once(child.stdout!, "data");
  child.stdout!.destroy();
  const [code] = (await once(child, "close")) as [number];
  expect(code).toBe(ends);
  expect(readdirSync(folder).toSorted()).toEqual([...files, "one.yaml"].toSorted());
});

test("the reader of stderr may close it early too, and the exit code is the same", async () => {
  const wrong = sample("limits/one").replace(
    "proves: [LIM-1]",
    `proves: [${"A-1, ".repeat(5000)}]`,
  );
  const { child } = start(folderWith({ "one.yaml": wrong }), ["run", "one.yaml"]);
  child.stderr?.destroy();
  const [code] = (await once(child, "close")) as [number];
  expect(code).toBe(2);
});

test("--watch does not run again because of what it writes", async () => {
  const folder = folderWith({ "one.yaml": sample("limits/one") });
  const args = ["run", "one.yaml", "--watch", "--history", "runs", "--quiet"];
  const { child, output, waitFor } = start(folder, args);
  await waitFor("watching ");
  writeFileSync(join(folder, "runs/limits/other.ndjson"), "");
  writeFileSync(join(folder, "one.yaml"), sample("limits/one").replace("5*200 429", "6*200"));
  await waitFor("watching ", 2);
  child.kill("SIGINT");
  expect(await once(child, "close")).toEqual([130, null]);
  expect(output().split("watching ").length - 1).toBe(2);
});
