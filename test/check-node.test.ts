import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const script = join(import.meta.dirname, "check-node.mjs");

function check(path: string): { readonly code: number | null; readonly output: string } {
  const run = spawnSync(process.execPath, [path], { encoding: "utf8" });
  return { code: run.status, output: run.stdout + run.stderr };
}

test("the Node that npm ci installs passes without a word", () => {
  expect(check(script)).toEqual({ code: 0, output: "" });
});

test("another Node is refused in one line that names both and the fix", () => {
  const folder = mkdtempSync(join(tmpdir(), "weir-node-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "test"));
  const manifest = { devDependencies: { node: "1.2.3" } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  copyFileSync(script, join(folder, "test/check-node.mjs"));

  const { code, output } = check(join(folder, "test/check-node.mjs"));
  expect(code).toBe(1);
  expect(output).toMatch(/^[^\n]*v1\.2\.3[^\n]*npm ci[^\n]*\n$/);
  expect(output).toContain(process.version);
});
