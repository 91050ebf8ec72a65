import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { entry, sourceEntry } from "../../built.ts";
import { quietEnvironment } from "../../cli/weir.ts";

const root = join(import.meta.dirname, "../../..");
const SCENARIO = "scenarios/limits/each-refusal-has-its-own-answer.yaml";

/** Their constants must be those of the copy that runs, or these mutants change nothing. */
const IMPORTING = [
  "access/no-credential-is-forbidden",
  "gateway/expired-with-403",
  "levels/refused-keys-spend",
];

test("the built command kills mutants that import values, as the source does", () => {
  const [built, source] = [entry(), sourceEntry].map((file) => {
    const args = [file, "mutants", ...IMPORTING, "--scenarios", SCENARIO, "--json"];
    const { status, stdout } = spawnSync(process.execPath, args, {
      cwd: root,
      encoding: "utf8",
      env: quietEnvironment,
    });
    return { status, ...(JSON.parse(stdout) as { readonly mutants: unknown; faults: unknown }) };
  });
  expect(built).toMatchObject({ status: 0, faults: [] });
  expect(built?.mutants).toEqual(source?.mutants);
});
