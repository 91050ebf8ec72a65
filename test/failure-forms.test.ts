// An expected failure has one form. What other forms the tidy rule sees, and what it leaves alone.
import { expect, test } from "vitest";
import { failureProblems } from "./failure-forms.ts";

test.each([
  "function read(file: string): Suite | string {",
  "): Promise<GatewayProcess | string> {",
  "const rowOf = (typed: string): number | string => 1;",
  "function listIn(typed: string): readonly number[] | null | string {",
  "function runOf(file: string): StoredRun | readonly string[] {",
  "function open(file: string): Records | { readonly problem: string } {",
  "type Read<T> =\n  | { readonly suite: T }\n  | {\n      readonly problems: readonly string[];\n    };",
  "type Reply = { missing: string } | { origin: string };",
  'if ("problem" in read) return read;',
  'if (!("missing" in served)) return served;',
])("%j has a failure of another form", (code) => {
  expect(failureProblems("src/lab/run/a.ts", code)).toEqual([
    expect.stringMatching(/^src\/lab\/run\/a\.ts:[13] has a failure of another form/),
  ]);
});

test.each([
  "function readText(file: string): string | Failure {",
  "function rowOf(typed: string): Failure | string {",
  "function nameOf(key: Key): string | null {",
  "const send = (body: Buffer | string): Promise<void> => done;",
  "readonly version: number | string;",
  "interface Calibration {\n  readonly problem: string | null;\n}",
  "export interface ReadJson {\n  readonly problems: readonly Problem[];\n}",
  'const code = "code" in error ? error.code : null;',
])("%j has none", (code) => {
  expect(failureProblems("src/lab/run/a.ts", code)).toEqual([]);
});
