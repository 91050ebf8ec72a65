import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openResultFiles } from "#src/studies/bench/result-files.node.ts";
import { folderWith } from "../../cli/weir.ts";

const EARLIER = { "kept.json": "the earlier", "kept.ndjson": "its samples" };
const textOf = (folder: string, name: string): string => readFileSync(join(folder, name), "utf8");

test("a whole run replaces an earlier result and its samples, at its end", () => {
  const folder = folderWith(EARLIER);
  const files = openResultFiles(join(folder, "kept.json"));
  expect(textOf(folder, "kept.json")).toBe("the earlier");
  const place = files.placeOf(true);
  expect(place).toEqual({
    file: join(folder, "kept.json"),
    samplesFile: "kept.ndjson",
    line: `saved: ${folder}/kept.json`,
  });
  files.finish(place, { whole: true });
  expect(textOf(folder, "kept.ndjson")).toContain("weir-bench-samples/1");
  expect(textOf(folder, "kept.json")).toContain("whole");
});

test("a run that is stopped leaves the earlier result, and is saved under a name of its own", () => {
  const folder = folderWith(EARLIER);
  const files = openResultFiles(join(folder, "kept.json"));
  files.recordSample({ cell: "base" });
  const place = files.placeOf(false);
  files.finish(place, { samples: place.samplesFile });
  expect(textOf(folder, "kept.json")).toBe("the earlier");
  expect(textOf(folder, "kept.ndjson")).toBe("its samples");
  expect(textOf(folder, "kept.stopped.json")).toContain('"kept.stopped.ndjson"');
  expect(textOf(folder, "kept.stopped.ndjson")).toContain('"base"');
  expect(place.line).toBe(
    `saved: ${folder}/kept.stopped.json; ${folder}/kept.json is still the earlier result`,
  );
});

test("without an earlier result, a run that is stopped has the name that was chosen", () => {
  const folder = folderWith({});
  const files = openResultFiles(join(folder, "kept.json"));
  files.finish(files.placeOf(false), {});
  expect(existsSync(join(folder, "kept.json"))).toBe(true);
  expect(existsSync(join(folder, "kept.stopped.json"))).toBe(false);
});
