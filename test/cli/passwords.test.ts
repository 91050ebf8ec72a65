// The password of a store is printed nowhere.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { request } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { saveReport } from "#src/cli/html-report.node.ts";
import { withoutPassword } from "#src/cli/store-option.node.ts";
import { sample } from "./samples.ts";
import { entry } from "../built.ts";
import { folderWith, plainTerminal, quietEnvironment } from "./weir.ts";

const STORE = "redis://:geheim@127.0.0.1:1";
const SHOWN = "redis://***@127.0.0.1:1";

test.each([
  [
    ["run", "--store", STORE],
    ["run", "--store", SHOWN],
  ],
  [[`--store=${STORE}`], [`--store=${SHOWN}`]],
  [
    ["--store", ":geheim@host", "--only", "a@b"],
    ["--store", "***@host", "--only", "a@b"],
  ],
])("%j is shown as %j", (typed, shown) => {
  expect(withoutPassword(typed)).toEqual(shown);
});

test("a report and its page hold the command without the password", async () => {
  const folder = folderWith({});
  const { argv } = process;
  process.argv = ["node", "weir", "run", "--store", STORE];
  onTestFinished(() => void (process.argv = argv));
  const file = join(folder, "page.html");
  const run = {
    seed: 1,
    startedAt: new Date(),
    isComplete: true,
    faults: [],
    warnings: [],
    scenarios: [],
  };
  expect(await saveReport(file, run, false, plainTerminal())).toBe(true);
  for (const each of [file, join(folder, "page.json")]) {
    expect(readFileSync(each, "utf8")).toContain(SHOWN);
    expect(readFileSync(each, "utf8")).not.toContain("geheim");
  }
});

test("the page around the reports shows the command without the password", async () => {
  const folder = folderWith({ "scenarios/limits/one.yaml": sample("limits/one") });
  const child = spawn(process.execPath, [entry(), "run", "--serve", "0", "--store", STORE], {
    cwd: folder,
    env: quietEnvironment,
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [first] = (await once(createInterface(child.stderr), "line")) as [string];
  const { body } = await request(first.replace("report at ", ""));
  const text = await body.text();
  expect(text).toContain(SHOWN);
  expect(text).not.toContain("geheim");
  child.kill("SIGINT");
  expect(await once(child, "close")).toEqual([130, null]);
});
