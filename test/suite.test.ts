import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isFailure } from "../src/reading/failure.ts";
import { runsOf } from "../src/run/pipeline.ts";
import { report } from "../src/cli/run-report.ts";
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
import { renew, sessionsOf } from "./docs/sessions.ts";

const root = join(import.meta.dirname, "..");
const files = readdirSync(join(root, "scenarios"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => `scenarios/${name.replaceAll("\\", "/")}`)
  .toSorted();

const REFERENCE = "reports/reference/conformance.json";
const RENEW = `if this is meant: npm run weir -- run --reference ${REFERENCE} --write`;
const reference = readConformance(readFileSync(join(root, REFERENCE), "utf8"));

/** Adds the command that renews the reference, if there are differences. */
const drift = (differences: readonly string[]): readonly string[] =>
  differences.length === 0 ? [] : [...differences, RENEW];

const resultsById = new Map<string, readonly Result[]>();

// Another run, on another day, wrote the digest: an equal one proves that the same bytes are produced again.
test.each(files)("%s holds as it did, to the byte", async (file) => {
  const { scenario, problems } = decode(file, readFileSync(join(root, file), "utf8"));
  const faults = problems.filter(({ severity }) => severity === "error");
  expect(faults.map(formatProblem)).toEqual([]);
  if (scenario === null) throw new Error(`${file} has no error, and was not decoded`);

  const runs = await Array.fromAsync(runsOf(scenario, scenario.variants, 1, virtual()));
  resultsById.set(
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

  // Only the first run with a changed limiter counts: a difference from the reference proves nothing against it.
  if (process.env["WEIR_ONCE"] !== undefined) return;
  if (isFailure(reference)) throw new Error(`${REFERENCE}: ${reference.message}; ${RENEW}`);
  const digested = runs.map(({ result, history }) => ({
    result,
    history: digest(writeHistory(history)),
  }));
  const found = conformanceOf(digested, "virtual", 1);
  expect(drift(differencesBetween(reference, found, false))).toEqual([]);
});

test("the reference keeps no scenario that is gone", () => {
  if (isFailure(reference)) throw new Error(`${REFERENCE}: ${reference.message}; ${RENEW}`);
  const gone = reference.scenarios.filter(({ id }) => !files.includes(`scenarios/${id}.yaml`));
  expect(drift(gone.map(({ id }) => id))).toEqual([]);
});

test("README.md shows what npm start prints of it", (context) => {
  context.skip(resultsById.size < files.length, "only some of the scenarios were run");
  const printed: string[] = [];
  const print = (line: string): void => void printed.push(line);
  const piped = {
    out: print,
    err: print,
    status: print,
    isWatched: false,
    columns: 80,
    tableColumns: 80,
    paint: plainPaint,
  };
  report(piped, new Set(), {
    seed: 1,
    results: [...resultsById.values()].flat(),
    isComplete: true,
    isWhole: true,
    isFolded: true,
  });
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const { shown } = sessionsOf(readme).find(({ command }) => command === "npm start")!;
  expect(shown).toEqual(renew(shown, ["seed 1", ...printed]));
});
