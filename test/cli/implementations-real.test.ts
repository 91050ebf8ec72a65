// A limiter that decides by lines and by the clock of the machine.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith, weir } from "./weir.ts";

test("a client waits from its response on, however long the decision took", async () => {
  const folder = folderWith({});
  await weir(folder, ["implementations", "new", "slow"]);
  const change = (name: string, ...changes: readonly (readonly [string, string])[]): void => {
    const file = join(folder, "slow", name);
    let text = readFileSync(file, "utf8");
    for (const [from, to] of changes) {
      expect(text).toContain(from);
      text = text.replaceAll(from, to);
    }
    writeFileSync(file, text);
  };
  change("manifest.yaml", ["clock: virtual", "clock: real"]);
  // A refusal takes 60 ms, and its wait is that from the end of these.
  change(
    "limiter.mjs",
    [`clock: "virtual"`, `clock: "real"`],
    ["{ key, cost, at_us: atUs }", "{ key, cost }"],
    ["    let window", "    let atUs = Date.now() * 1_000;\n    let window"],
    [
      "    const remaining",
      "    const untilMs = Date.now() + (admitted ? 0 : 60);\n    while (Date.now() < untilMs);\n    atUs = Date.now() * 1_000;\n    const remaining",
    ],
    ["{ admitted, limit, remaining", "{ at_us: atUs, admitted, limit, remaining"],
  );
  const run = ["implementations", "run", "./slow", "--only", "the-announced-wait-suffices"];
  const { code, out } = await weir(folder, run);
  expect(out).toContain("1 holds, 0 contradicts its documentation");
  expect(code).toBe(0);
});
