// The suites that are part of Weir, the user's own files, and the schema of both.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Failure } from "../../kit/reading/failure.ts";
import { nearest } from "../../kit/reading/problems.ts";
import type { Schema } from "../../kit/reading/shape.ts";
import { partSuiteShape } from "./parts/read-part-suite.ts";
import { suiteShape } from "./read-suite.ts";
import { truthShape } from "./read-truth.ts";

/** The folder of Weir's suites. The same relative path leads to it from source and from compiled output. */
const FOLDER = fileURLToPath(new URL("../../../bench/", import.meta.url));

export const suiteNames = (): readonly string[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith(".yaml"))
    .map((file) => file.replace(/\.yaml$/, ""))
    .toSorted();

/** The file of a suite, by its name or its path. */
export function suiteFile(name: string): string | Failure {
  if (/\.ya?ml$/.test(name)) return name;
  const names = suiteNames();
  if (names.includes(name)) return join(FOLDER, `${name}.yaml`);
  const near = nearest(name, names);
  const advice =
    near === null ? `there are ${names.join(", ")}, and FILE.yaml` : `did you mean ${near}?`;
  return new Failure(`there is no suite ${name}; ${advice}`);
}

/** The JSON Schema of the files in bench/, for editors, built from the shapes of their readers. */
export const suiteSchema = (): Schema => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "A benchmark suite of Weir",
  description:
    "A suite of served gateways; with `kind: truth` one that counts admitted requests, with `kind: parts` one of programs.",
  anyOf: [suiteShape.schema, truthShape.schema, partSuiteShape.schema],
});
