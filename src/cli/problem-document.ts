// A failed command prints this document in place of a result, so that a program that reads JSON always gets JSON.
import { parseProblemLine } from "../kit/reading/problem-line.ts";
import type { ExitCode } from "./exit.ts";

/** `lines` were printed to stderr. Annotations for GitHub (`::error`) repeat other lines and are omitted. */
export const problemDocument = (command: string, exitCode: ExitCode, lines: readonly string[]) => ({
  format: "weir-faults/1",
  command,
  exitCode,
  faults: lines
    .filter((line) => !line.startsWith("::"))
    .map((line) => problemIn(line.replace(`weir ${command}: `, ""))),
});

function problemIn(text: string) {
  const { severity, code, at, message } = parseProblemLine(text);
  return { ...at, severity, ...(code !== undefined && { code }), message };
}
