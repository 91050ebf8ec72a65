// The suite as the main job runs it: every variant passes, and its history is that of the reference, to the byte.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isFailure } from "#src/kit/reading/failure.ts";
import { readConformance } from "#src/show/conformance/read-conformance.ts";
import { contradictionIn } from "./lab/check/hint-numbers.ts";
import { renew, sessionsOf } from "./docs/sessions.ts";
import { REFERENCE, suiteRun } from "./suite-run.ts";

const root = join(import.meta.dirname, "..");
const RENEW = `if this is meant: npm run weir -- run --reference ${REFERENCE} --write`;
const files = readdirSync(join(root, "scenarios"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => `scenarios/${name.replaceAll("\\", "/")}`)
  .toSorted();

const { exitCode, printed, results } = suiteRun();

test.each(files)("%s passes in every variant", (file) => {
  const own = results.filter((result) => result.file === file);
  expect(own.length).toBeGreaterThan(0);
  const wrong = own.flatMap(({ variant, verdicts }) =>
    verdicts.filter(({ outcome }) => outcome !== "pass").map((each) => ({ variant, ...each })),
  );
  expect(wrong).toEqual([]);
  expect(own.map(({ outcome }) => outcome)).toEqual(own.map(() => "pass"));
});

test("no hint of a variant contradicts the counts of that variant", () => {
  const hints = results.flatMap((result) =>
    (result.hints ?? []).map((hint) => contradictionIn(hint, result)),
  );
  expect(hints.length).toBeGreaterThan(0);
  expect(hints.filter((contradiction) => contradiction !== null)).toEqual([]);
});

// Another run, on another day, wrote the digests of the reference: equal ones prove that the same bytes are produced again.
test("every history is that of the reference, to the byte", () => {
  const differences = exitCode === 0 ? [] : [...printed, RENEW];
  expect(differences).toEqual([]);
});

test("the reference has the scenarios of the suite, and no others", () => {
  const reference = readConformance(readFileSync(join(root, REFERENCE), "utf8"));
  if (isFailure(reference)) throw new Error(`${REFERENCE}: ${reference.message}; ${RENEW}`);
  const ids = reference.scenarios.map(({ id }) => `scenarios/${id}.yaml`);
  expect(ids.toSorted()).toEqual(files);
});

test("README.md shows what npm start prints of it", () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const { shown } = sessionsOf(readme).find(({ command }) => command === "npm start")!;
  expect(shown).toEqual(renew(shown, printed));
});
