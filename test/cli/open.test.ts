// What `--open` prints about the program that opens pages on this machine.
import { spawn } from "node:child_process";
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { sample } from "./samples.ts";
import { entry } from "../built.ts";
import { folderWith, quietEnvironment, weir } from "./weir.ts";

const RUN = ["run", "one.yaml", "--quiet", "--html", "page.html", "--open"];

function folderOpening(script: string): { readonly folder: string; readonly path: string } {
  const folder = folderWith({
    "one.yaml": sample("limits/one"),
    "bin/xdg-open": `#!/bin/sh\n${script}\n`,
  });
  chmodSync(join(folder, "bin/xdg-open"), 0o755);
  return { folder, path: `${join(folder, "bin")}:${process.env["PATH"]}` };
}

const failureOf = (what: string, how = "ended with 3"): string =>
  `no browser could be opened (xdg-open ${how}): open ${what} yourself\n`;

test("a page that nothing opens is named, and the exit code stays", async () => {
  const { folder, path: PATH } = folderOpening("exit 3");
  const run = await weir(folder, RUN, { PATH });
  expect(run).toMatchObject({ code: 0 });
  expect(run.err).toContain(`saved: page.html\n${failureOf("page.html")}`);
  const report = await weir(folder, ["report", "page.json", "--out", "again.html", "--open"], {
    PATH,
  });
  expect(report).toMatchObject({ code: 0, err: `saved: again.html\n${failureOf("again.html")}` });
  const without = await weir(folder, RUN, { PATH: "" });
  expect(without.err).toContain(failureOf("page.html", "is not installed"));
});

test("an opener that stays is not waited for", async () => {
  const { folder, path: PATH } = folderOpening("sleep 8; : > closed");
  const { code, err } = await weir(folder, RUN, { PATH });
  expect(code).toBe(0);
  expect(err).toMatch(/saved: page\.html\n$/);
  expect(existsSync(join(folder, "closed"))).toBe(false);
});

test("the address of a served page is printed if nothing can open it", async () => {
  const { folder, path: PATH } = folderOpening("exit 3");
  const args = ["run", "one.yaml", "--quiet", "--serve", "0", "--open"];
  const child = spawn(process.execPath, [entry(), ...args], {
    cwd: folder,
    env: { ...quietEnvironment, PATH },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  for await (const line of createInterface(child.stderr)) {
    lines.push(line);
    if (line.includes("Ctrl-C ends")) child.kill("SIGINT");
  }
  const [url] = /http:\S+/.exec(lines[0]!)!;
  expect(lines).toContain(failureOf(url).trimEnd());
});
