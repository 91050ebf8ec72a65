// The suite in this process, for `npm run mutation` alone: the code that it changes is loaded here. Every other run of the tests reads
// the results of the main job (suite.test.ts).
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { virtual } from "#src/lab/drivers/virtual.node.ts";
import { runsOf } from "#src/lab/run/pipeline.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";

const folder = join(import.meta.dirname, "../scenarios");
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".yaml"),
);

test.each(files.toSorted())("%s passes in every variant", async (file) => {
  const { scenario, problems } = decode(file, readFileSync(join(folder, file), "utf8"));
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  const runs = await Array.fromAsync(runsOf(scenario!, scenario!.variants, 1, virtual()));
  expect(runs.map(({ result }) => result.outcome)).toEqual(runs.map(() => "pass"));
});
