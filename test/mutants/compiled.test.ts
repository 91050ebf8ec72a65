import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { quietEnvironment } from "../cli/weir.ts";

const root = join(import.meta.dirname, "../..");
const SCENARIO = "scenarios/limits/each-refusal-has-its-own-answer.yaml";

/** Their constants must be those of the copy that runs, or these mutants change nothing. */
const IMPORTING = [
  "access/no-credential-is-forbidden",
  "gateway/expired-with-403",
  "levels/refused-keys-spend",
];

test("the compiled command kills mutants that import values, as the source does", () => {
  const folder = mkdtempSync(join(tmpdir(), "weir-compiled-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const compiled = spawnSync(
    process.execPath,
    [
      join(root, "node_modules/typescript/bin/tsc"),
      "-p",
      "tsconfig.build.json",
      "--outDir",
      join(folder, "dist"),
    ],
    { cwd: root, encoding: "utf8" },
  );
  expect(compiled).toMatchObject({ status: 0 });
  // Without src: whatever a mutant imports has to be found in the compiled copy.
  for (const part of ["test/mutants", "package.json", SCENARIO])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));

  const [own, other] = [folder, root].map((place) => {
    const main = place === root ? "src/cli/weir.node.ts" : "dist/cli/weir.node.js";
    const args = ["mutants", ...IMPORTING, "--within", SCENARIO, "--json"];
    const { status, stdout } = spawnSync(process.execPath, [join(place, main), ...args], {
      cwd: place,
      encoding: "utf8",
      env: quietEnvironment,
    });
    return { status, ...(JSON.parse(stdout) as { readonly mutants: unknown; faults: unknown }) };
  });
  expect(own).toMatchObject({ status: 0, faults: [] });
  expect(own?.mutants).toEqual(other?.mutants);
});
