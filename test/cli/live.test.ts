import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { request } from "undici";
import { expect, onTestFinished, test } from "vitest";
import type { LiveState } from "#src/show/page/live.ts";
import { sample } from "./samples.ts";
import { entry } from "../built.ts";
import { folderWith, quietEnvironment, weir } from "./weir.ts";

test("a browser is shown each report, what is under way, and why there is none", async () => {
  const folder = folderWith({ "scenarios/limits/one.yaml": sample("limits/one"), "tmp/x": "" });
  const left = join(folder, `tmp/weir-run-${spawnSync("true").pid}-killed`);
  mkdirSync(left);
  utimesSync(left, 0, 0);
  const write = (text: string): void =>
    writeFileSync(join(folder, "scenarios/limits/one.yaml"), text);
  const child = spawn(process.execPath, [entry(), "run", "--watch", "--serve", "0", "--quiet"], {
    cwd: folder,
    env: { ...quietEnvironment, TMPDIR: join(folder, "tmp") },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface(child.stderr);
  const [first] = (await once(lines, "line")) as [string];
  const url = /^report at (http:\/\/127\.0\.0\.1:\d+\/)$/.exec(first)![1]!;

  const around = await request(url);
  expect(await around.body.text()).toContain("weir.node.js run --watch --serve 0 --quiet");
  const { body } = await request(`${url}events`);
  const states: LiveState[] = [];
  const until = async (wanted: (state: LiveState) => boolean): Promise<LiveState> => {
    for (;;) {
      const { value = "", done } = await events.next();
      if (done === true) throw new Error("the events have ended");
      if (!value.startsWith("data: ")) continue;
      const state = JSON.parse(value.slice(6)) as LiveState;
      states.push(state);
      if (wanted(state)) return state;
    }
  };
  const events = createInterface(body)[Symbol.asyncIterator]();

  await until(({ page }) => page === 1);
  expect(states.some(({ progress }) => progress?.of === 1)).toBe(true);
  const report = await request(`${url}report`);
  expect(report.headers["x-frame-options"]).toBe("SAMEORIGIN");
  const text = await report.body.text();
  expect(text).toContain("1 passed");
  expect(text).toContain(">weir run --watch --serve 0 --quiet</code>");

  write(`${sample("limits/one")}\nnonsense: 1\n`);
  const faulty = await until(({ faults }) => faults.length > 0);
  expect(faulty).toMatchObject({ page: 1, isRunning: false });
  expect(faulty.faults[0]).toMatch(
    /^scenarios\/limits\/one\.yaml:\d+:1 error SCN-UNKNOWN-FIELD "nonsense"/,
  );
  write(sample("limits/one").replace("5*200 429", "6*200"));
  expect(await until(({ page }) => page === 2)).toMatchObject({ faults: [] });

  for (const [path, headers, status] of [
    ["", { host: "elsewhere.example" }, 421],
    ["nothing", {}, 404],
  ] as const) {
    const answer = await request(`${url}${path}`, { headers });
    await answer.body.dump();
    expect(answer.statusCode).toBe(status);
  }
  // It ends with the command, in the middle.
  const cut = once(body, "error");
  child.kill("SIGINT");
  expect(await once(child, "close")).toEqual([130, null]);
  expect(await cut).toHaveLength(1);
  expect(readdirSync(join(folder, "tmp"))).toEqual(["x"]);
});

test("a run that another process ends is not reported as running", async () => {
  const traffic = `
  - { name: first, as: alice, send: GET /orders, rate: 100000, for: 20s }`;
  const folder = folderWith({ "one.yaml": sample("limits/one", { traffic }) });
  const command = spawn(process.execPath, [entry(), "run", "one.yaml", "--watch", "--serve", "0"], {
    cwd: folder,
    env: quietEnvironment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void command.kill("SIGKILL"));
  const [first] = (await once(createInterface(command.stderr), "line")) as [string];
  await once(createInterface(command.stdout), "line");
  const { pid = 0 } = command;
  const run = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  process.kill(Number(run), "SIGKILL");
  const { body } = await request(`${first.replace("report at ", "")}events`);
  let received = "";
  for await (const part of body) {
    received += String(part);
    if (received.includes('"isRunning":false')) break;
  }
  expect(received).toContain("it ended by SIGKILL: stderr may have the reason");
  command.kill("SIGINT");
  expect(await once(command, "close")).toEqual([130, null]);
});

test.each([
  [["run", "faulty.yaml", "--serve", "0"]],
  [["run", "one.yaml", "--only", "NOSUCH", "--serve", "0"]],
  [["run", "one.yaml", "mistyped", "--watch", "--serve", "0"]],
  [["run", "--watch"]],
])("%j has nothing to show, and nothing that could change it, and ends with 2", async (args) => {
  const folder = folderWith({ "one.yaml": sample("limits/one"), "faulty.yaml": "nonsense: 1" });
  const { code, err } = await weir(folder, args);
  expect(code).toBe(2);
  expect(err).not.toContain("Ctrl-C ends");
});

test("a port that is taken is named, with the way out", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  expect(await weir(folderWith({}), ["run", "--serve", `${port}`])).toEqual({
    code: 2,
    out: "",
    err: `--serve ${port}: it is in use; --serve 0 takes any free port\n`,
  });
});

test.each(["x", "-1", "70000"])("--serve %s is no port", async (port) => {
  const { code, err } = await weir(folderWith({}), ["run", `--serve=${port}`]);
  expect({ code, err }).toEqual({
    code: 2,
    err: `--serve must be a port, or 0 for any free one; got "${port}"\n`,
  });
});
