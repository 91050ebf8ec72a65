// Lines about problems: each names its severity, and is read as it was written.
import { expect, test } from "vitest";
import {
  formatProblemAt,
  formatWithoutPlace,
  parseProblemLine,
} from "#src/kit/reading/problem-line.ts";

const unknown = {
  severity: "warning",
  code: "CFG-UNKNOWN-POLICY",
  message: 'there is no policy "payed", so it is skipped; did you mean "paid"?',
  fix: 'write "paid"',
} as const;
const missing = {
  severity: "error",
  code: "SCN-MISSING-FIELD",
  message: 'a flow needs "send"',
  fix: "write send: GET /orders",
} as const;

test("a line names the place, the severity and the code, and a question needs no fix", () => {
  expect(formatProblemAt("a.yaml:8:35", unknown)).toBe(
    'a.yaml:8:35 warning CFG-UNKNOWN-POLICY there is no policy "payed", so it is skipped; did you mean "paid"?',
  );
  expect(formatProblemAt("weir.yaml", missing)).toBe(
    'weir.yaml error SCN-MISSING-FIELD a flow needs "send"; write send: GET /orders',
  );
  expect(formatWithoutPlace(unknown)).toMatch(/^warning CFG-UNKNOWN-POLICY there is no/);
});

test.each([unknown, missing])("a line is read as it was written: $code", (problem) => {
  const { severity, code } = problem;
  expect(parseProblemLine(formatProblemAt("a b/c:d.yaml:8:35", problem))).toEqual({
    severity,
    code,
    at: { file: "a b/c:d.yaml", line: 8, column: 35 },
    message: formatWithoutPlace(problem).slice(`${severity} ${code} `.length),
  });
  const line = formatProblemAt("WEIR_PORT", problem);
  expect(parseProblemLine(line)).toEqual({ severity, code, at: undefined, message: line });
});

test.each([
  ["weir run: there is no warning here", "error"],
  ["warning: the log has gaps", "warning"],
  ["a.yaml: there is no such file or folder", "error"],
])("%s is no problem of a file: %s", (message, severity) => {
  expect(parseProblemLine(message)).toEqual({ severity, code: undefined, at: undefined, message });
});
