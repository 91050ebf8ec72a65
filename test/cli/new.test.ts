import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith, weir } from "./weir.ts";

test("what new writes runs and passes", async () => {
  const folder = folderWith({});
  const { code, out } = await weir(folder, ["new", "limits/first"]);
  expect({ code, out }).toEqual({
    code: 0,
    out: "wrote scenarios/limits/first.yaml\nrun it: weir run scenarios/limits/first.yaml\n",
  });
  expect(await weir(folder, ["run", "--quiet"])).toMatchObject({
    code: 0,
    out: "1 passed, 0 failed, 0 skipped\n",
  });
});

test("new leaves a file alone that is there", async () => {
  const folder = folderWith({});
  await weir(folder, ["new", "limits/first"]);
  const file = join(folder, "scenarios/limits/first.yaml");
  writeFileSync(file, "mine");
  expect(await weir(folder, ["new", "scenarios/limits/first.yaml"])).toMatchObject({
    code: 2,
    err: "scenarios/limits/first.yaml: there is a scenario already; it was left alone\n",
  });
  expect(readFileSync(file, "utf8")).toBe("mine");
});
