// A run of the whole suite does not count the warnings of its scenarios, because these worlds have problems on purpose.
// A new code in a folder is a mistake, or it is added here.
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { decode } from "#src/lab/scenario/read/decode.ts";
import { root } from "../../docs/desk.ts";

const INTENDED: Readonly<Record<string, readonly string[]>> = {
  algorithms: ["CFG-ALGORITHM-OVERRIDDEN", "CFG-LIMIT-NEVER-REFUSES", "CFG-SMOOTHING-IGNORED"],
  endpoints: [
    "CFG-ENDPOINT-DUPLICATE",
    "CFG-PATTERN-DOT-STAR",
    "CFG-PATTERN-NEVER",
    "CFG-POLICY-LOSES",
    "SCN-NO-API",
  ],
  examples: ["CFG-POLICY-LOSES"],
  fleet: ["CFG-DRL-EXPIRY", "CFG-LIMIT-NEVER-REFUSES"],
  limits: [
    "CFG-ALLOWANCE-DIFFERS",
    "CFG-LIMIT-NEVER-REFUSES",
    "CFG-POLICY-LOSES",
    "CFG-SMOOTHING-IGNORED",
    "CFG-STORED-ONLY",
    "CFG-UNUSED-FIELDS",
    "SCN-METHOD",
    "SCN-NO-API",
  ],
  management: ["CFG-KEY-WITHOUT-ACCESS"],
  "policy-merge": [
    "CFG-ACCESS-RIGHTS-UNUSED",
    "CFG-KEY-REJECTED",
    "CFG-KEY-WITHOUT-ACCESS",
    "CFG-LIMIT-NEVER-REFUSES",
    "CFG-POLICY-GOVERNS-ELSEWHERE",
    "CFG-POLICY-LOSES",
    "CFG-STORED-ONLY",
    "CFG-UNENFORCED",
    "CFG-UNKNOWN-POLICY",
  ],
  regressions: ["CFG-SMOOTHING-IGNORED"],
  smoothing: ["CFG-LIMIT-NEVER-REFUSES", "CFG-SMOOTHING-IGNORED", "CFG-SMOOTHING-OFF"],
};

test("the scenarios of each folder have the intended warnings and no others", () => {
  const codes: Record<string, Set<string>> = {};
  for (const file of globSync("scenarios/**/*.yaml", { cwd: root })) {
    const { problems } = decode(file, readFileSync(join(root, file), "utf8"));
    for (const { code, severity } of problems)
      if (severity === "warning") (codes[basename(dirname(file))] ??= new Set()).add(code);
  }
  const found = Object.entries(codes).map(([folder, set]) => [folder, [...set].toSorted()]);
  expect(Object.fromEntries(found)).toEqual(INTENDED);
});
