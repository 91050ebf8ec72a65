// The JSON Schema of the files in bench/, for editors, built from the shapes of their readers.
import type { Schema } from "../reading/shape.ts";
import { partSuiteShape } from "./parts/read-part-suite.ts";
import { suiteShape } from "./read-suite.ts";
import { truthShape } from "./read-truth.ts";

export const suiteSchema = (): Schema => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "A benchmark suite of Weir",
  description:
    "A suite of served gateways; with `kind: truth` one that counts admitted requests, with `kind: parts` one of programs.",
  anyOf: [suiteShape.schema, truthShape.schema, partSuiteShape.schema],
});
