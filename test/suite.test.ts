import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runsOf } from "../src/run/pipeline.ts";
import { report } from "../src/cli/run-report.ts";
import { folderLine, folderOf } from "../src/cli/run-text.ts";
import { virtual } from "../src/drivers/virtual.node.ts";
import { conformanceOf } from "../src/report/conformance/conformance.ts";
import { differencesBetween } from "../src/report/conformance/differences.ts";
import { readConformance } from "../src/report/conformance/read-conformance.ts";
import { plainPaint } from "../src/report/result-text.ts";
import { digest } from "../src/scenario/history/digest.node.ts";
import { decode } from "../src/scenario/read/decode.ts";
import { writeHistory } from "../src/scenario/history/write.ts";
import { formatProblem } from "../src/reading/source.ts";
import type { Result } from "../src/scenario/verdict.ts";
import { renewed, sessionsOf } from "./docs/sessions.ts";

const root = join(import.meta.dirname, "..");
const files = readdirSync(join(root, "scenarios"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => `scenarios/${name.replaceAll("\\", "/")}`)
  .toSorted();

const REFERENCE = "reports/reference/conformance.json";
const RENEW = `if this is meant: npm run weir -- run --reference ${REFERENCE} --write`;
const reference = readConformance(readFileSync(join(root, REFERENCE), "utf8"));

/** With the command that renews it, where there is anything to say. */
const drift = (differences: readonly string[]): readonly string[] =>
  differences.length === 0 ? [] : [...differences, RENEW];

const played = new Map<string, readonly Result[]>();

// Its digest was written by another run, on another day: what comes to it again gives the same bytes again.
test.each(files)("%s holds as it did, to the byte", async (file) => {
  const { scenario, problems } = decode(file, readFileSync(join(root, file), "utf8"));
  const faults = problems.filter(({ severity }) => severity === "error");
  expect(faults.map(formatProblem)).toEqual([]);
  if (scenario === null) throw new Error(`${file} has no fault, and was not decoded`);

  const runs = await Array.fromAsync(runsOf(scenario, scenario.variants, 1, virtual()));
  played.set(
    scenario.id,
    runs.map(({ result }) => result),
  );
  const wrong = runs.flatMap(({ result }) =>
    result.verdicts
      .filter(({ outcome }) => outcome !== "pass")
      .map((verdict) => ({ variant: result.variant, ...verdict })),
  );
  expect(wrong).toEqual([]);
  expect(runs.map(({ result }) => result.outcome)).toEqual(runs.map(() => "pass"));

  // A changed limiter is told by its first run, or is not: that it differs proves nothing against it.
  if (process.env["WEIR_ONCE"] !== undefined) return;
  if (typeof reference === "string") throw new Error(`${REFERENCE}: ${reference}; ${RENEW}`);
  const digested = runs.map(({ result, history }) => ({
    result,
    history: digest(writeHistory(history)),
  }));
  const found = conformanceOf(digested, "virtual", 1);
  expect(drift(differencesBetween(reference, found, false))).toEqual([]);
});

test("the reference keeps no scenario that is gone", () => {
  if (typeof reference === "string") throw new Error(`${REFERENCE}: ${reference}; ${RENEW}`);
  const gone = reference.scenarios.filter(({ id }) => !files.includes(`scenarios/${id}.yaml`));
  expect(drift(gone.map(({ id }) => id))).toEqual([]);
});

test("README.md shows what npm start prints of it", (context) => {
  context.skip(played.size < files.length, "only some of the scenarios were played");
  const folders = Map.groupBy(played, ([id]) => folderOf(id));
  const printed = [...folders].map(([name, some]) =>
    folderLine(
      name,
      some.length,
      some.flatMap(([, results]) => results),
      plainPaint,
    ),
  );
  const say = (line: string): void => void printed.push(line);
  const piped = {
    out: say,
    err: say,
    status: say,
    isWatched: false,
    columns: 80,
    paint: plainPaint,
  };
  report(piped, new Set(), {
    seed: 1,
    results: [...played.values()].flat(),
    isComplete: true,
    isWhole: true,
  });
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const { shown } = sessionsOf(readme).find(({ command }) => command === "npm start")!;
  expect(shown).toEqual(renewed(shown, ["seed 1", ...printed]));
});
